package discordsim

import (
	"maps"
	"time"
)

// grant records the rights of the token of an acknowledged interaction. It
// survives a restart and is replaced, never changed.
type grant struct {
	Interaction string    `json:"interaction"`
	Token       string    `json:"token"`
	Application string    `json:"application"`
	Channel     string    `json:"channel"`
	User        string    `json:"user"`
	Created     timestamp `json:"created"`
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

// maxFollowUps is the maximum number of follow-ups for an application that is
// installed only by a person.
const maxFollowUps = 5

func (g *grant) expired(now time.Time) bool { return now.Sub(g.Created.Time) >= tokenValid }

// forgetGrants drops expired grants now and then. This has no visible effect,
// since an expired token and an unknown one are refused alike.
func (st *state) forgetGrants(now time.Time) {
	if len(st.grants)%1024 == 0 {
		maps.DeleteFunc(st.grants, func(_ string, g *grant) bool { return g.expired(now) })
	}
}

// grantFor finds the current grant of a token. It returns Discord's errors: 50027 for a
// token that is unknown or older than 15 minutes, 10015 for an unknown application or
// an interaction that is not acknowledged, and 10003 when the channel has been deleted.
func grantFor(w *World, app, token string) (*grant, error) {
	if w.state.applications[app] == nil {
		return nil, errUnknownWebhook
	}
	id := tokenInteraction(token)
	g := w.state.grants[id]
	if g == nil {
		if in := w.interactions.Find(id); in != nil && in.token == token {
			return nil, errUnknownWebhook
		}
		return nil, errWebhookToken
	}
	if g.Token != token || g.Application != app || g.expired(w.clock.Now()) {
		return nil, errWebhookToken
	}
	if w.state.channels[g.Channel] == nil {
		return nil, errUnknownChannel
	}
	return g, nil
}

// grantedPost finds a message that a token may read and change: the original, or a
// message sent with the token.
func grantedPost(w *World, g *grant, ref string) (*post, error) {
	if ref == "@original" {
		ref = g.Original
	}
	p := w.state.postByID[ref]
	if p == nil || ref != g.Original && p.Interaction != g.Interaction {
		return nil, errUnknownMessage
	}
	return p, nil
}

// forcedPrivate reports whether replies are ephemeral whatever the bot's flags:
// they are if only the person has installed the application and the person lacks
// the permission USE_EXTERNAL_APPS.
func forcedPrivate(w *World, in *interaction) bool {
	return in.limited() && in.channel.GuildID != "" &&
		!w.state.permissions(in.who.ID, in.channel).Has(UseExternalApps)
}

// limited reports whether the application is available here only through a
// person's installation.
func (in *interaction) limited() bool {
	_, byGuild := in.owners["0"]
	return !byGuild
}
