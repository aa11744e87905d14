package commands

import (
	"context"

	"tictactoe/bot"
	"tictactoe/internal/match"
	"tictactoe/internal/score"
	"tictactoe/internal/view"
)

func (c *Commands) leaderboard(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
	return c.showLeaderboard(ctx, in, bot.Post, leaderboards()[choice(in, "of", "players")], 1)
}

func (c *Commands) turnLeaderboard(ctx context.Context, in *bot.Interaction, a view.TurnLeaderboard) (bot.Reply, error) {
	kind := bot.Update
	if in.Message == nil {
		kind = bot.Post
	}
	return c.showLeaderboard(ctx, in, kind, a.Of, a.Page)
}

// showLeaderboard shows everybody a page. Outside of servers there is none, and the person's own record is shown instead.
func (c *Commands) showLeaderboard(ctx context.Context, in *bot.Interaction, kind bot.Kind, of score.Leaderboard, page int) (bot.Reply, error) {
	own := match.User(in.User().ID)
	if in.GuildID == "" {
		return c.ownRecord(ctx, in, own)
	}
	p, err := c.Scores.Leaderboard(ctx, match.Venue(in.GuildID), of, max(page, 1), own)
	if err != nil {
		return c.refuse(ctx, in, err, nil)
	}
	names := view.Names{own: nameOf(in)}
	return bot.Reply{Kind: kind, Components: encode(view.Leaderboard(of, p, own, names), c.public(in), discordStyle{})}, nil
}

func (c *Commands) ownRecord(ctx context.Context, in *bot.Interaction, own match.User) (bot.Reply, error) {
	entries, err := c.Scores.Own(ctx, own)
	if err != nil {
		return c.refuse(ctx, in, err, nil)
	}
	s := view.OwnRecord(entries)
	s.Notes = append([]view.Text{view.T("leaderboard.server", nil)}, s.Notes...)
	return c.privately(in, s, discordStyle{}), nil
}
