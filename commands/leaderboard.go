package commands

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"tictactoe/bot"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/show/view"
)

// leaderboard opens the leaderboard that the options name: that of ratings if they only name a board, else that of wins.
func (c *Commands) leaderboard(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
	board := choice(in, "board")
	a := view.TurnLeaderboard{Of: view.ByWins, Page: 1, Rules: board, Season: choice(in, "season")}
	if of := view.Ranking(choice(in, "of")); slices.Contains(view.Rankings(), of) {
		a.Of = of
	} else if board != "" {
		a.Of = view.ByRating
	}
	found := person(in, "player")
	return c.showLeaderboard(ctx, in, lookup{board: a, where: score.Where{Page: 1, Player: found}, found: found})
}

func (c *Commands) turnLeaderboard(ctx context.Context, in *bot.Interaction, a view.TurnLeaderboard) (bot.Reply, error) {
	where := score.Where{Page: a.Page}
	if a.Mine {
		where.Player = match.User(in.User().ID)
	}
	return c.showLeaderboard(ctx, in, lookup{board: a, where: where})
}

// pickRanking shows the first page by the ranking that was chosen from the menu.
func (c *Commands) pickRanking(ctx context.Context, in *bot.Interaction, a view.PickRanking) (bot.Reply, error) {
	of := view.Ranking(only(chosen(in)))
	if !slices.Contains(view.Rankings(), of) {
		return c.unknown(ctx, in)
	}
	a.Shown.Of = of
	return c.showLeaderboard(ctx, in, firstPage(a.Shown))
}

// pickBoard shows the first page of the leaderboard of the board that was chosen from the menu.
func (c *Commands) pickBoard(ctx context.Context, in *bot.Interaction, a view.PickBoard) (bot.Reply, error) {
	name := only(chosen(in))
	if _, is := game.OnOffer(name); !is && name != allBoards {
		return c.unknown(ctx, in)
	}
	if a.Shown.Rules = name; name == allBoards {
		a.Shown.Rules = ""
	}
	return c.showLeaderboard(ctx, in, firstPage(a.Shown))
}

// only is the one value that was chosen, empty if it is not one.
func only(values []string) string {
	if len(values) != 1 {
		return ""
	}
	return values[0]
}

// lookup says what of which leaderboard is to be shown.
type lookup struct {
	board view.TurnLeaderboard // its season may also be a name
	where score.Where
	found match.User // who was looked for; empty if nobody was
	apart bool       // show it privately, and leave the clicked message as it is
}

func firstPage(board view.TurnLeaderboard) lookup {
	return lookup{board: board, where: score.Where{Page: 1}}
}

// showLeaderboard shows everybody a page, in which the row of the user to find is marked. A hidden user is not found by others. A
// hidden user who asks gets a private answer, in which the own row has no name and is marked unless somebody else was to be found.
// Outside of servers there is no leaderboard, and showLeaderboard shows the user's own record instead.
func (c *Commands) showLeaderboard(ctx context.Context, in *bot.Interaction, look lookup) (bot.Reply, error) {
	own, found := match.User(in.User().ID), look.found
	if in.GuildID == "" {
		return c.ownRecord(ctx, in, own)
	}
	seasons, err := c.seasonsOf(ctx, match.Venue(in.GuildID))
	if err != nil {
		return bot.Reply{}, err
	}
	var refusal string
	if look.board.Season, refusal = seasonMeant(seasons, look.board.Season, in.CommandPath() != ""); refusal != "" {
		return c.notice(ctx, in, view.T(refusal, nil)), nil
	}
	known, err := c.Matches.Looks(ctx, slices.DeleteFunc([]match.User{own, found}, func(p match.User) bool { return p == "" })...)
	if err != nil {
		return bot.Reply{}, err
	}
	ask := view.Asking{
		Asked: own, Found: found, Hidden: found != own && known[found].Hidden, Names: namesOf(in, known), Seasons: seasons,
	}
	if known[own].Hidden {
		ask.Found = cmp.Or(found, own)
	}
	if ask.Hidden {
		look.where = score.Where{Page: 1}
	}
	s, err := c.screenOfLeaderboard(ctx, match.Venue(in.GuildID), look.board, look.where, ask)
	switch {
	case err != nil:
		return bot.Reply{}, err
	case known[own].Hidden:
		s.Notes = append(s.Notes, view.T("profile.hidden.own", nil))
		return c.privately(ctx, in, s, c.style(nil)), nil
	case look.apart:
		return c.privately(ctx, in, s, c.style(nil)), nil
	}
	kind := bot.Post
	if in.Message != nil {
		kind = bot.Update
	}
	return c.publicly(ctx, in, kind, s, c.style(nil))
}

func (c *Commands) screenOfLeaderboard(ctx context.Context, v match.Venue, a view.TurnLeaderboard, where score.Where, ask view.Asking) (view.Screen, error) {
	number := season.Latest
	if n, err := strconv.Atoi(a.Season); err == nil {
		number = n
	}
	if a.Of == view.ByRating {
		allowed, err := c.Policies.Policy(ctx, v)
		if err != nil {
			return view.Screen{}, err
		}
		ask.Unrated = allowed.Unrated
		page, err := c.Ladders.Ladder(ctx, v, rulesOf(a.Rules), number, where, ask.Asked)
		return view.Ratings(a, page, ask), err
	}
	b := score.Board{Of: leaderboardOf(a.Of), Season: number}
	if a.Rules != "" {
		b.Rules = rulesOf(a.Rules)
	}
	page, err := c.Scores.Leaderboard(ctx, v, b, where, ask.Asked)
	return view.Leaderboard(a, page, ask), err
}

// leaderboardOf is the leaderboard by a ranking that is not by rating.
func leaderboardOf(r view.Ranking) score.Leaderboard {
	switch r {
	case view.VersusComputer:
		return score.Computers
	case view.ByLevels:
		return score.Levels
	case view.ByDraws:
		return score.Draws
	case view.ByMoves:
		return score.Moves
	default:
		return score.People
	}
}

func (c *Commands) ownRecord(ctx context.Context, in *bot.Interaction, own match.User) (bot.Reply, error) {
	entries, err := c.Scores.Own(ctx, own)
	if err != nil {
		return bot.Reply{}, err
	}
	s := view.OwnRecord(entries)
	s.Notes = append([]view.Text{view.T("leaderboard.server", nil)}, s.Notes...)
	return c.privately(ctx, in, s, c.style(nil)), nil
}
