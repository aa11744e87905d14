package world

import (
	"maps"
	"time"
)

// Grant records the rights of an acknowledged interaction's token. It survives a restart. It is immutable: a change
// stores a new value.
type Grant struct {
	Interaction string    `json:"interaction"`
	Token       string    `json:"token"`
	Application string    `json:"application"`
	Channel     string    `json:"channel"`
	User        string    `json:"user"`
	Created     Timestamp `json:"created"`
	// Original is the id of the message that @original stands for: the reply, or the clicked message. It is empty if
	// the response was a modal.
	Original string `json:"original,omitempty"`
	// FollowUps counts the messages sent after the response. Limited allows only five of them, because the application
	// is installed only on a person's account, not in the server.
	FollowUps int  `json:"follow_ups,omitempty"`
	Limited   bool `json:"limited,omitempty"`
	// Private makes every message of the token ephemeral.
	Private  bool                 `json:"private,omitempty"`
	Metadata *InteractionMetadata `json:"metadata"`
}

// Expired reports whether the token can no longer be used.
func (g *Grant) Expired(now time.Time) bool { return now.Sub(g.Created.Time) >= TokenValid }

// ForgetGrants occasionally removes expired grants. This has no visible effect, since an expired token is refused in the
// same way as an unknown one.
func (st *State) ForgetGrants(now time.Time) {
	if len(st.Grants)%1024 == 0 {
		maps.DeleteFunc(st.Grants, func(_ string, g *Grant) bool { return g.Expired(now) })
	}
}

// Limited reports whether the application is available in the channel only
// through a person's installation.
func (in *Interaction) Limited() bool {
	_, byGuild := in.Owners["0"]
	return !byGuild
}
