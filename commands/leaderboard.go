package commands

import (
	"context"

	"tictactoe/bot"
	"tictactoe/internal/match"
	"tictactoe/internal/score"
	"tictactoe/internal/view"
)

func (c *Commands) leaderboard(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
	return c.showLeaderboard(ctx, in, leaderboards()[choice(in, "of")], 1)
}

func (c *Commands) turnLeaderboard(ctx context.Context, in *bot.Interaction, a view.TurnLeaderboard) (bot.Reply, error) {
	return c.showLeaderboard(ctx, in, a.Of, max(a.Page, 1))
}

// showLeaderboard shows everybody a page. Outside of servers there is none, and the person's own record is shown instead.
func (c *Commands) showLeaderboard(ctx context.Context, in *bot.Interaction, of score.Leaderboard, page int) (bot.Reply, error) {
	own := match.User(in.User().ID)
	if in.GuildID == "" {
		return c.ownRecord(ctx, in, own)
	}
	p, err := c.Scores.Leaderboard(ctx, match.Venue(in.GuildID), of, page, own)
	if err != nil {
		return bot.Reply{}, err
	}
	kind := bot.Post
	if in.Message != nil {
		kind = bot.Update
	}
	names := view.Names{own: nameOf(in)}
	return bot.Reply{Kind: kind, Components: encode(view.Leaderboard(of, p, own, names), c.public(in), c.style(nil))}, nil
}

func (c *Commands) ownRecord(ctx context.Context, in *bot.Interaction, own match.User) (bot.Reply, error) {
	entries, err := c.Scores.Own(ctx, own)
	if err != nil {
		return bot.Reply{}, err
	}
	s := view.OwnRecord(entries)
	s.Notes = append([]view.Text{view.T("leaderboard.server", nil)}, s.Notes...)
	return c.privately(in, s, c.style(nil)), nil
}
