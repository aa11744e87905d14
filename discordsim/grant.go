package discordsim

import (
	"maps"
	"time"
)

// grant says what the token of an acknowledged interaction lets its bot do. It is
// kept over a restart and replaced, never changed.
type grant struct {
	Interaction string    `json:"interaction"`
	Token       string    `json:"token"`
	Application string    `json:"application"`
	Channel     string    `json:"channel"`
	User        string    `json:"user"`
	Created     timestamp `json:"created"`
	// Original is the message that @original means: the reply, or the message
	// that was clicked. Empty when the answer was a modal.
	Original string `json:"original,omitempty"`
	// FollowUps counts the messages made after the answer; Limited says that
	// there may be five, since only a person installed the application here.
	FollowUps int  `json:"follow_ups,omitempty"`
	Limited   bool `json:"limited,omitempty"`
	// Private makes every message of the token ephemeral.
	Private  bool                 `json:"private,omitempty"`
	Metadata *InteractionMetadata `json:"metadata"`
}

// maxFollowUps is how many follow-ups an application may send that only a person
// has installed.
const maxFollowUps = 5

func (g *grant) expired(now time.Time) bool { return now.Sub(g.Created.Time) >= tokenValid }

// forgetGrants drops expired grants, now and then. Nobody can notice, since an
// expired token and an unknown one are refused alike.
func (st *state) forgetGrants(now time.Time) {
	if len(st.grants)%1024 == 0 {
		maps.DeleteFunc(st.grants, func(_ string, g *grant) bool { return g.expired(now) })
	}
}

// grantFor finds what a token allows now, with Discord's refusals: 50027 for a
// token that is unknown or older than 15 minutes, 10015 for an application that
// is unknown and for a token whose interaction is not acknowledged, and 10003
// when the channel has been deleted.
func (s *Sim) grantFor(app, token string) (*grant, error) {
	if s.state.applications[app] == nil {
		return nil, errUnknownWebhook
	}
	id := tokenInteraction(token)
	g := s.state.grants[id]
	if g == nil {
		if in := s.interaction(id); in != nil && in.token == token {
			return nil, errUnknownWebhook
		}
		return nil, errWebhookToken
	}
	if g.Token != token || g.Application != app || g.expired(s.clock.Now()) {
		return nil, errWebhookToken
	}
	if s.state.channels[g.Channel] == nil {
		return nil, errUnknownChannel
	}
	return g, nil
}

// own finds a message that a token may read and change: the original, or one
// that the token made.
func (s *Sim) own(g *grant, ref string) (*post, error) {
	if ref == "@original" {
		ref = g.Original
	}
	p := s.state.postByID[ref]
	if p == nil || ref != g.Original && p.Interaction != g.Interaction {
		return nil, errUnknownMessage
	}
	return p, nil
}

// forcedPrivate reports whether replies are ephemeral whatever the bot says: an
// application that only the person installed, in a server that does not let
// external applications speak.
func (s *Sim) forcedPrivate(in *interaction) bool {
	return in.limited() && in.channel.GuildID != "" &&
		!s.state.permissions(in.who.ID, in.channel).Has(UseExternalApps)
}

// limited reports whether only a person's installation brought the application here.
func (in *interaction) limited() bool {
	_, byGuild := in.owners["0"]
	return !byGuild
}
