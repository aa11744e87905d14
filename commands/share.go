package commands

import (
	"context"

	"tictactoe/bot"
	"tictactoe/internal/match"
	"tictactoe/internal/show/picture"
	"tictactoe/internal/show/view"
)

// share shows a finished match privately as an animation, a picture or a text. Where the bot may not attach files, it shows the text.
func (c *Look) share(ctx context.Context, in *interaction, a view.Share, m match.Match) (bot.Reply, error) {
	sh, err := c.shared(m, a.As, in.NoFiles)
	if err != nil {
		return bot.Reply{}, err
	}
	return c.privatelyOn(ctx, in, m.Position().Rules(), view.OfShared(sh, namesOf(in, m.Looks)), nil)
}

// postShared posts a finished match for everybody in the channel, with the name of the user who pressed the button. It notifies nobody.
func (c *Look) postShared(ctx context.Context, in *interaction, a view.PostShared, m match.Match) (bot.Reply, error) {
	names := namesOf(in, m.Looks)
	sh, err := c.shared(m, a.As, in.NoFiles)
	if err != nil {
		return bot.Reply{}, err
	}
	if err := refusePost(in); err != nil {
		return bot.Reply{}, err
	}
	if sh.Away, err = c.away(ctx, in, m); err != nil {
		return bot.Reply{}, err
	}
	post := c.publicly(ctx, in, bot.Post, view.OfPosted(sh, in.by, names), c.styleOf(m.Position().Rules()))
	sh.Posted = true
	posted, err := c.privatelyOn(ctx, in, m.Position().Rules(), view.OfShared(sh, names), nil)
	return c.postOnce(ctx, in, post, posted, err)
}

// away reports whether an interaction comes from another server or chat than the one in which the match was played.
func (c *Look) away(ctx context.Context, in *interaction, m match.Match) (bool, error) {
	if in.GuildID != "" || m.Venue != "" {
		return in.GuildID != string(m.Venue), nil
	}
	b, err := c.boardOf(ctx, m.ID)
	return b.Channel != in.ChannelID, err
}

// shared returns a match in a form to share, or a refusal if the match cannot be shared. It draws the picture each time, which takes about
// ten milliseconds.
func (c *Look) shared(m match.Match, as view.ShareForm, noFiles bool) (sh view.Shared, err error) {
	if !view.Reviewable(m) {
		return sh, refused("refusal.share", nil)
	}
	if noFiles {
		as = view.ShareText
	}
	sh = view.Shared{Match: m, As: as, NoFiles: noFiles, Page: c.Page}
	switch as {
	case view.ShareAnimation:
		sh.File, err = picture.GIF(m.Record, true, picture.AnimationSize(m.Record))
	case view.SharePicture:
		sh.File, err = picture.BoardOf(m.Record, true).PNG(picture.DefaultSize)
	}
	return sh, err
}
