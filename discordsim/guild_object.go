package discordsim

import (
	"encoding/json"
	"slices"
)

// guildMember is a member as Discord's API shows it.
type guildMember struct {
	User        *Profile    `json:"user,omitempty"`
	Nick        *string     `json:"nick"`
	Avatar      *string     `json:"avatar"`
	Banner      *string     `json:"banner"`
	Roles       []string    `json:"roles"`
	JoinedAt    timestamp   `json:"joined_at"`
	Premium     *timestamp  `json:"premium_since"`
	TimedOut    *timestamp  `json:"communication_disabled_until"`
	Deaf        bool        `json:"deaf"`
	Mute        bool        `json:"mute"`
	Pending     bool        `json:"pending"`
	Flags       int         `json:"flags"`
	Permissions *Permission `json:"permissions,omitempty"`
}

func (st *state) guildMember(m *Member) guildMember {
	user := st.accounts[m.UserID].Profile
	return guildMember{User: &user, Nick: m.Nick, Roles: append([]string{}, m.Roles...), JoinedAt: m.JoinedAt}
}

// guildObject is a server as Discord's API shows it.
type guildObject struct {
	ID              string            `json:"id"`
	Name            string            `json:"name"`
	Icon            *string           `json:"icon"`
	OwnerID         string            `json:"owner_id"`
	PreferredLocale string            `json:"preferred_locale"`
	Features        []string          `json:"features"`
	Roles           []Role            `json:"roles"`
	Emojis          []json.RawMessage `json:"emojis"`
	Stickers        []json.RawMessage `json:"stickers"`
	Verification    int               `json:"verification_level"`
	Notifications   int               `json:"default_message_notifications"`
	ContentFilter   int               `json:"explicit_content_filter"`
	MFALevel        int               `json:"mfa_level"`
	NSFWLevel       int               `json:"nsfw_level"`
	PremiumTier     int               `json:"premium_tier"`
	SystemFlags     int               `json:"system_channel_flags"`
}

func (g *Guild) object() guildObject {
	return guildObject{
		ID: g.ID, Name: g.Name, OwnerID: g.OwnerID, PreferredLocale: g.Locale, Roles: g.Roles,
		Features: slices.Clone(g.Features), Emojis: []json.RawMessage{}, Stickers: []json.RawMessage{},
	}
}

// guildCreate returns the event that tells a bot about one of its servers.
func (st *state) guildCreate(g *Guild, app string) any {
	channels, threads := []channelObject{}, []channelObject{}
	for _, id := range st.channelOrder {
		ch := st.channels[id]
		switch {
		case ch.GuildID != g.ID || !st.permissions(app, ch).Has(ViewChannel):
		case !ch.isThread():
			channels = append(channels, st.channelObject(ch, app))
		case !ch.Archived:
			threads = append(threads, st.channelObject(ch, app))
		}
	}
	// Without the members intent Discord sends only the bot's own member.
	self := g.member(app)
	return struct {
		guildObject
		JoinedAt    timestamp         `json:"joined_at"`
		Large       bool              `json:"large"`
		Unavailable bool              `json:"unavailable"`
		MemberCount int               `json:"member_count"`
		Members     []guildMember     `json:"members"`
		Channels    []channelObject   `json:"channels"`
		Threads     []channelObject   `json:"threads"`
		Presences   []json.RawMessage `json:"presences"`
		VoiceStates []json.RawMessage `json:"voice_states"`
		Stages      []json.RawMessage `json:"stage_instances"`
		Scheduled   []json.RawMessage `json:"guild_scheduled_events"`
		Sounds      []json.RawMessage `json:"soundboard_sounds"`
	}{
		guildObject: g.object(), JoinedAt: self.JoinedAt, MemberCount: len(g.Members),
		Members: []guildMember{st.guildMember(self)}, Channels: channels,
		Threads: threads, Presences: []json.RawMessage{}, VoiceStates: []json.RawMessage{},
		Stages: []json.RawMessage{}, Scheduled: []json.RawMessage{}, Sounds: []json.RawMessage{},
	}
}
