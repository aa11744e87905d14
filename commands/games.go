package commands

import (
	"context"
	"errors"
	"slices"
	"time"

	"tictactoe/bot"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/show/view"
)

// endedFor is how long after its end /tictactoe games lists a match.
const endedFor = 24 * time.Hour

// maxListed is how many challenges, and how many finished matches, /tictactoe games lists at most, so that the list fits into the 4000
// characters of a message even with long names. It lists the latest ones. Open matches have a limit of their own.
const maxListed = 5

// games lists the matches and challenges of the acting user.
func (c *Replies) games(ctx context.Context, in *interaction) (bot.Reply, error) {
	c.recordBriefly(ctx)
	l, err := c.listing(ctx, in.by, in.Received)
	if err != nil {
		return bot.Reply{}, err
	}
	var others []match.User
	for _, ch := range l.Challenges {
		others = append(others, ch.From, ch.To)
	}
	names, err := c.names(ctx, slices.Concat(l.Open, l.Ended), others...)
	if err != nil {
		return bot.Reply{}, err
	}
	boards, err := c.Boards.Boards(ctx, each(l.Open, func(m match.Match) match.ID { return m.ID })...)
	l.Lost = map[match.ID]view.Loss{}
	for _, m := range l.Open {
		l.Lost[m.ID] = lossOf(boards[m.ID])
	}
	return c.privately(ctx, in, view.Games(l, names), err)
}

// lossOf returns why players cannot reach a board, or zero if they can.
func lossOf(b board.Board) view.Loss {
	switch {
	case b.Refused > 0:
		return view.ClosedChannel
	case b.Message == "" || b.Shown == board.Gone:
		return view.DeletedBoard
	}
	return 0
}

// listing returns the matches and challenges to list. If some of them cannot be read, it returns the others, and says that some are
// missing.
func (c *Replies) listing(ctx context.Context, p match.User, now time.Time) (l view.Listing, err error) {
	l.Player = p
	broken := func(err error) bool {
		l.Unreadable = l.Unreadable || errors.Is(err, match.ErrUnreadable)
		return err != nil && !errors.Is(err, match.ErrUnreadable)
	}
	if l.Open, err = c.Matches.OpenMatches(ctx, p); broken(err) {
		return l, err
	}
	if l.Ended, err = c.Matches.EndedMatches(ctx, p, now.Add(-endedFor)); broken(err) {
		return l, err
	}
	if l.Challenges, err = c.Matches.PendingChallenges(ctx, p); broken(err) {
		return l, err
	}
	l.Ended = l.Ended[max(0, len(l.Ended)-maxListed):]
	l.Challenges = l.Challenges[max(0, len(l.Challenges)-maxListed):]
	l.MentionsOff, err = c.Boards.TurnMentionsOff(ctx, p)
	return l, err
}

// switchMentions switches turn mentions on or off for the user who pressed the button. Under a mention, it works only for the mentioned user.
func (c *Look) switchMentions(ctx context.Context, in *interaction, a view.SwitchMentions) (bot.Reply, error) {
	if a.Of != "" && a.Of != in.by {
		return bot.Reply{}, refused("refusal.mentions", nil)
	}
	if err := c.Boards.SetTurnMentions(ctx, in.by, !a.On); err != nil {
		return bot.Reply{}, err
	}
	in.Saved = true
	if c.inPlace(ctx, in) == bot.Update {
		return c.games(ctx, in)
	}
	if a.On {
		return c.notice(ctx, in, view.T("mentions.on", nil)), nil
	}
	return c.notice(ctx, in, view.T("mentions.off", nil)), nil
}
