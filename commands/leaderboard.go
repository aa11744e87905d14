package commands

import (
	"context"
	"slices"

	"tictactoe/bot"
	"tictactoe/internal/match"
	"tictactoe/internal/score"
	"tictactoe/internal/view"
)

// leaderboard opens the leaderboard that the options name: that of ratings if they only name a board, else that of wins.
func (c *Commands) leaderboard(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
	board := choice(in, "board")
	a := view.TurnLeaderboard{Of: view.ByWins, Page: 1}
	if of, known := rankings()[choice(in, "of")]; known {
		a.Of = of
	} else if board != "" {
		a.Of = view.ByRating
	}
	if a.Of == view.ByRating {
		a.Rules = board
	}
	where := score.Where{Page: 1}
	found := person(in, "player")
	if found != "" {
		where.Player = found
	}
	return c.showLeaderboard(ctx, in, a, where, found)
}

func (c *Commands) turnLeaderboard(ctx context.Context, in *bot.Interaction, a view.TurnLeaderboard) (bot.Reply, error) {
	where := score.Where{Page: a.Page}
	if a.Mine {
		where.Player = match.User(in.User().ID)
	}
	return c.showLeaderboard(ctx, in, a, where, "")
}

// pickLeaderboard shows the first page of the leaderboard that was chosen from the menu.
func (c *Commands) pickLeaderboard(ctx context.Context, in *bot.Interaction, _ view.PickLeaderboard) (bot.Reply, error) {
	values := chosen(in)
	if len(values) != 1 {
		return c.unknown(ctx, in)
	}
	a := view.TurnLeaderboard{Of: view.ByRating, Rules: values[0]}
	if of, known := rankings()[values[0]]; known && of != view.ByRating {
		a = view.TurnLeaderboard{Of: of}
	} else if rulesOf(values[0]).Title() != values[0] {
		return c.unknown(ctx, in)
	}
	return c.showLeaderboard(ctx, in, a, score.Where{Page: 1}, "")
}

// showLeaderboard shows everybody a page, with the row marked of whoever was found. Who is hidden is not found by others, and is
// answered in private. Outside of servers there is no leaderboard, and the person's own record is shown instead.
func (c *Commands) showLeaderboard(ctx context.Context, in *bot.Interaction, a view.TurnLeaderboard, where score.Where, found match.User) (bot.Reply, error) {
	own := match.User(in.User().ID)
	if in.GuildID == "" {
		return c.ownRecord(ctx, in, own)
	}
	known, err := c.Matches.Looks(ctx, slices.DeleteFunc([]match.User{own, found}, func(p match.User) bool { return p == "" })...)
	if err != nil {
		return bot.Reply{}, err
	}
	ask := view.Asking{Asked: own, Found: found, Hidden: found != own && known[found].Hidden, Names: namesOf(in, known)}
	if ask.Hidden {
		where = score.Where{Page: 1}
	}
	s, err := c.screenOfLeaderboard(ctx, match.Venue(in.GuildID), a, where, ask)
	switch {
	case err != nil:
		return bot.Reply{}, err
	case known[own].Hidden:
		s.Notes = append(s.Notes, view.T("profile.hidden.own", nil))
		return c.privately(in, s, c.style(nil)), nil
	}
	kind := bot.Post
	if in.Message != nil {
		kind = bot.Update
	}
	return bot.Reply{Kind: kind, Components: encode(s, c.public(in), c.style(nil))}, nil
}

func (c *Commands) screenOfLeaderboard(ctx context.Context, v match.Venue, a view.TurnLeaderboard, where score.Where, ask view.Asking) (view.Screen, error) {
	if a.Of == view.ByRating {
		rules := rulesOf(a.Rules)
		allowed, err := c.Policies.Policy(ctx, v)
		if err != nil {
			return view.Screen{}, err
		}
		ask.Unrated = allowed.Casual
		page, err := c.Ladders.Ladder(ctx, v, rules, where, ask.Asked)
		return view.Ratings(rules, page, ask), err
	}
	of := score.People
	if a.Of == view.VersusComputer {
		of = score.Computers
	}
	page, err := c.Scores.Leaderboard(ctx, v, of, where, ask.Asked)
	return view.Leaderboard(a.Of, page, ask), err
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
