package commands

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/internal/match"
	"tictactoe/internal/replica/claim"
	"tictactoe/internal/show/picture"
	"tictactoe/internal/show/view"
)

// share shows whoever asks, and nobody else, a finished match as an animation, a picture or a text. Where no files can be attached it
// is the text.
func (c *Commands) share(ctx context.Context, in *bot.Interaction, a view.Share, m match.Match) (bot.Reply, error) {
	if !view.Reviewable(m) {
		return c.notice(ctx, in, view.T("refusal.share", nil)), nil
	}
	names := namesOf(in, m.Looks)
	sh, err := shared(m, a.As, in.NoFiles)
	if err != nil {
		return bot.Reply{}, err
	}
	return c.privately(ctx, in, view.OfShared(sh, names), c.styleOf(m.Position().Rules())), nil
}

// postShared shows everybody a finished match, in the name of whoever presses. It mentions nobody.
func (c *Commands) postShared(ctx context.Context, in *bot.Interaction, a view.PostShared, m match.Match) (bot.Reply, error) {
	if !view.Reviewable(m) {
		return c.notice(ctx, in, view.T("refusal.share", nil)), nil
	}
	switch refusal, err := c.refusePost(ctx, in); {
	case err != nil:
		return bot.Reply{}, err
	case refusal.Key != "":
		return c.notice(ctx, in, refusal), nil
	}
	names := namesOf(in, m.Looks)
	sh, err := shared(m, a.As, in.NoFiles)
	if err != nil {
		return bot.Reply{}, err
	}
	if sh.Away, err = c.away(ctx, in, m); err != nil {
		return bot.Reply{}, err
	}
	post, err := c.publicly(ctx, in, bot.Post, view.OfPosted(sh, match.User(in.User().ID), names), c.styleOf(m.Position().Rules()))
	if err != nil {
		return bot.Reply{}, err
	}
	sh.Posted = true
	return c.postOnce(ctx, in, post, c.privately(ctx, in, view.OfShared(sh, names), c.styleOf(m.Position().Rules())))
}

// refusePost returns the refusal of a post in the name of whoever presses, in the channel of the interaction, if none may be made.
func (c *Commands) refusePost(ctx context.Context, in *bot.Interaction) (refusal view.Text, err error) {
	switch {
	case onlyPrivate(in):
		return view.T("refusal.share.external", nil), nil
	case mute(in):
		return view.T("refusal.share.write", nil), nil
	}
	allowed, err := c.policyOf(ctx, in)
	if err == nil {
		err = allowed.Refuse(match.Permit{Venue: allowed.Venue, Places: placesOf(in)})
	}
	return refusal, err
}

// postedFor is how long a press of a share button is claimed: longer than an interaction can be under way, so that the second of two quick
// presses finds the claim, and shorter than people wait before they try again after Discord has refused the post.
const postedFor = 30 * time.Second

// postOnce returns the reply to a press of a share button on a private message: post, which then updates the private message to posted,
// which has no such button. Of several presses at once, in any process, one posts, and the others only update the private message.
func (c *Commands) postOnce(ctx context.Context, in *bot.Interaction, post, posted bot.Reply) (bot.Reply, error) {
	if !onPrivate(in) { // a custom_id made by hand
		return post, nil
	}
	button := claim.Claim{Interaction: in.Message.ID + " " + in.CustomID(), By: rand.Text(), Until: in.Received.Add(postedFor)}
	err := c.Claims.Claim(ctx, button)
	if errors.Is(err, claim.ErrTaken) {
		return posted, nil
	}
	post.Clicked = &posted
	return post, err
}

// away reports whether an interaction comes from another server or chat than the one in which the match was played.
func (c *Commands) away(ctx context.Context, in *bot.Interaction, m match.Match) (bool, error) {
	if in.GuildID != "" || m.Venue != "" {
		return in.GuildID != string(m.Venue), nil
	}
	b, err := c.boardOf(ctx, m.ID)
	return b.Channel != in.ChannelID, err
}

// shared returns a match in a form to share. It draws the file each time, which takes about ten milliseconds.
func shared(m match.Match, as view.ShareForm, noFiles bool) (sh view.Shared, err error) {
	if noFiles {
		as = view.ShareText
	}
	sh = view.Shared{Match: m, As: as, NoFiles: noFiles}
	switch as {
	case view.ShareAnimation:
		sh.File, err = picture.GIF(m.Record, true, picture.AnimationSize(m.Record))
	case view.SharePicture:
		sh.File, err = picture.BoardOf(m.Record, true).PNG(picture.DefaultSize)
	}
	return sh, err
}

// mute reports whether the person who acts may not write in the channel or thread of the interaction.
func mute(in *bot.Interaction) bool {
	by := in.Interaction.Member
	if by == nil || in.PermissionsUnknown {
		return false
	}
	needed := int64(discordgo.PermissionSendMessages)
	if in.Parent != "" {
		needed = discordgo.PermissionSendMessagesInThreads
	}
	return by.Permissions&needed == 0
}
