package commands

import (
	"context"
	"errors"
	"slices"

	"tictactoe/bot"
	"tictactoe/internal/match"
	"tictactoe/internal/people/archive"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/show/view"
)

// spans are the times that one may look back, by the word that options use. The first is the one unless somebody says otherwise.
func spans() []span {
	return []span{{"week", 7}, {"month", archive.MaxDays}}
}

type span struct {
	word string
	days int
}

// best shows whoever asks, and nobody else, which matches of the server are worth seeing.
func (c *Commands) best(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
	if in.GuildID == "" {
		return c.notice(ctx, in, view.T("refusal.best.server", nil)), nil
	}
	of := spans()[0]
	for _, s := range spans() {
		if s.word == choice(in, "since") {
			of = s
		}
	}
	allowed, err := c.policyOf(ctx, in)
	if err != nil {
		return bot.Reply{}, err
	}
	b, err := c.Archive.Best(ctx, match.Venue(in.GuildID), in.Received, of.days)
	if err != nil && !errors.Is(err, match.ErrUnreadable) {
		return bot.Reply{}, err
	}
	var played []archive.Played
	var ids []match.ID
	for _, feats := range [][]archive.Feat{b.Shortest, b.Longest, b.Accurate, b.Upsets} {
		for _, f := range feats {
			played, ids = append(played, f.Played), append(ids, f.ID)
		}
	}
	names, err := c.opponents(ctx, played)
	if err != nil {
		return bot.Reply{}, err
	}
	boards, err := c.Boards.Boards(ctx, ids...)
	if err != nil {
		return bot.Reply{}, err
	}
	return c.privately(ctx, in, view.OfBest(b, of.days, names, allowed.Has(policy.Replays)), c.style(boards)), nil
}

// watch shows the beginning of the chosen match in a new message, so that the list stays. The id may be made up, and a player may
// have become hidden, so watch checks again what others may see.
func (c *Commands) watch(ctx context.Context, in *bot.Interaction, _ view.PickReplay) (bot.Reply, error) {
	gone := c.notice(ctx, in, view.T("refusal.best.gone", nil))
	m, err := c.Matches.Match(ctx, match.ID(only(chosen(in))))
	if errors.Is(err, match.ErrNotFound) {
		return gone, nil
	}
	if err != nil {
		return bot.Reply{}, err
	}
	hides := slices.ContainsFunc(m.Seats.Players(), func(p match.User) bool { return m.Looks[p].Hidden })
	if in.GuildID == "" || m.Venue != match.Venue(in.GuildID) || !view.Reviewable(m) || m.Seats.Level() != "" || hides {
		return gone, nil
	}
	reply, err := c.showPosition(ctx, in, m, 0)
	reply.Kind = bot.Post
	return reply, err
}
