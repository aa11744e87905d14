package discordsim

// The gateway intents used by the simulator.
const (
	intentGuilds          = 1 << 0
	intentGuildMembers    = 1 << 1
	intentGuildWebhooks   = 1 << 5
	intentPresences       = 1 << 8
	intentGuildMessages   = 1 << 9
	intentGuildReactions  = 1 << 10
	intentDirectMessages  = 1 << 12
	intentDirectReactions = 1 << 13
	intentMessageContent  = 1 << 15
)

const (
	privilegedIntents = intentGuildMembers | intentPresences | intentMessageContent
	// knownIntents are bits 0 to 16, 20, 21, 24 and 25.
	knownIntents = 1<<17 - 1 | 1<<20 | 1<<21 | 1<<24 | 1<<25
)
