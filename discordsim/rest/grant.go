package rest

import (
	"tictactoe/discordsim/check"
	"tictactoe/discordsim/world"
)

// maxFollowUps is the maximum number of follow-ups for an application that is
// installed only by a person.
const maxFollowUps = 5

// grantFor finds the current grant of a token. It returns Discord's errors: 50027 for a
// token that is unknown or older than 15 minutes, 10015 for an unknown application or
// an interaction that is not acknowledged, and 10003 when the channel has been deleted.
func grantFor(w *world.World, app, token string) (*world.Grant, error) {
	if w.State.Applications[app] == nil {
		return nil, check.ErrUnknownWebhook
	}
	id := world.TokenInteraction(token)
	g := w.State.Grants[id]
	if g == nil {
		if in := w.Interactions.Find(id); in != nil && in.Token == token {
			return nil, check.ErrUnknownWebhook
		}
		return nil, check.ErrWebhookToken
	}
	if g.Token != token || g.Application != app || g.Expired(w.Clock.Now()) {
		return nil, check.ErrWebhookToken
	}
	if w.State.Channels[g.Channel] == nil {
		return nil, check.ErrUnknownChannel
	}
	return g, nil
}

// grantedPost finds a message that a token may read and change: the original message, or a message sent with the
// token.
func grantedPost(w *world.World, g *world.Grant, ref string) (*world.Post, error) {
	if ref == "@original" {
		ref = g.Original
	}
	p := w.State.PostByID[ref]
	if p == nil || ref != g.Original && p.Interaction != g.Interaction {
		return nil, check.ErrUnknownMessage
	}
	return p, nil
}

// forcedPrivate reports whether replies are ephemeral regardless of the bot's flags: only the person has installed
// the application, and the person lacks the permission USE_EXTERNAL_APPS.
func forcedPrivate(w *world.World, in *world.Interaction) bool {
	return in.Limited() && in.Channel.GuildID != "" &&
		!w.State.Permissions(in.User.ID, in.Channel).Has(world.UseExternalApps)
}
