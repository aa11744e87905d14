package world

import (
	"maps"
	"time"
)

// Grant records the rights of the token of an acknowledged interaction. It
// survives a restart and is replaced, never changed.
type Grant struct {
	Interaction string    `json:"interaction"`
	Token       string    `json:"token"`
	Application string    `json:"application"`
	Channel     string    `json:"channel"`
	User        string    `json:"user"`
	Created     Timestamp `json:"created"`
	// Original is the message named @original: the reply, or the clicked message.
	// It is empty when the response was a modal.
	Original string `json:"original,omitempty"`
	// FollowUps counts the messages sent after the response. Limited reports whether there
	// is a maximum of five, because the application is installed here only by a person.
	FollowUps int  `json:"follow_ups,omitempty"`
	Limited   bool `json:"limited,omitempty"`
	// Private makes every message of the token ephemeral.
	Private  bool                 `json:"private,omitempty"`
	Metadata *InteractionMetadata `json:"metadata"`
}

// Expired reports whether the token can no longer be used.
func (g *Grant) Expired(now time.Time) bool { return now.Sub(g.Created.Time) >= TokenValid }

// ForgetGrants drops expired grants now and then. This has no visible effect,
// since an expired token and an unknown one are refused alike.
func (st *State) ForgetGrants(now time.Time) {
	if len(st.Grants)%1024 == 0 {
		maps.DeleteFunc(st.Grants, func(_ string, g *Grant) bool { return g.Expired(now) })
	}
}

// Limited reports whether the application is available here only through a
// person's installation.
func (in *Interaction) Limited() bool {
	_, byGuild := in.Owners["0"]
	return !byGuild
}
