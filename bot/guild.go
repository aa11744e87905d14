package bot

import (
	"encoding/json"
	"fmt"
)

// GuildEvent is what happened to a server as seen by the bot.
type GuildEvent uint8

const (
	// GuildSeen: the bot is in the server. That is said of each at every new session, and of one that the bot joins.
	GuildSeen GuildEvent = iota
	// GuildLeft: the bot was removed, or the server deleted.
	GuildLeft
	// GuildChanged: a channel, a thread, a role or the bot's own membership changed.
	GuildChanged
)

// String names the event, for logs.
func (e GuildEvent) String() string {
	switch e {
	case GuildSeen:
		return "seen"
	case GuildLeft:
		return "left"
	case GuildChanged:
		return "changed"
	}
	return fmt.Sprintf("GuildEvent(%d)", uint8(e))
}

// guildEvent reads what an event says about a server; false if it says nothing of interest.
func guildEvent(kind string, raw json.RawMessage) (id string, event GuildEvent, ok bool) {
	var data struct {
		ID          string `json:"id"`
		GuildID     string `json:"guild_id"`
		Unavailable bool   `json:"unavailable"`
	}
	switch kind {
	case "GUILD_CREATE", "GUILD_DELETE", "CHANNEL_UPDATE", "THREAD_UPDATE", "GUILD_ROLE_UPDATE", "GUILD_MEMBER_UPDATE":
		// One that cannot be read tells of no server.
		if json.Unmarshal(raw, &data) != nil || data.Unavailable { // an outage of Discord's: nobody was removed
			return "", 0, false
		}
	}
	switch kind {
	case "GUILD_CREATE":
		return data.ID, GuildSeen, data.ID != ""
	case "GUILD_DELETE":
		return data.ID, GuildLeft, data.ID != ""
	default:
		return data.GuildID, GuildChanged, data.GuildID != ""
	}
}
