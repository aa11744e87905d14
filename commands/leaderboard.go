package commands

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"tictactoe/bot"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/roster"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/show/view"
)

// leaderboard shows the leaderboard that the options name. If they name no ranking, the ranking is by rating if they name a rule
// set, and otherwise by wins.
func (c *Look) leaderboard(ctx context.Context, in *interaction) (bot.Reply, error) {
	board := choice(in, "board")
	a := view.TurnLeaderboard{Of: view.ByWins, Page: 1, Rules: board, Season: choice(in, "season")}
	if of := view.Ranking(choice(in, "of")); slices.Contains(view.Rankings(), of) {
		a.Of = of
	} else if board != "" {
		a.Of = view.ByRating
	}
	return c.showLeaderboard(ctx, in, lookup{board: a, found: person(in, "player")})
}

func (c *Look) turnLeaderboard(ctx context.Context, in *interaction, a view.TurnLeaderboard) (bot.Reply, error) {
	return c.showLeaderboard(ctx, in, lookup{board: a})
}

// pickRanking shows the first page of the leaderboard with the ranking that was chosen from the menu.
func (c *Look) pickRanking(ctx context.Context, in *interaction, a view.PickRanking) (bot.Reply, error) {
	of := view.Ranking(only(chosen(in)))
	if !slices.Contains(view.Rankings(), of) {
		return c.unknown(ctx, in)
	}
	a.Shown.Of = of
	return c.showLeaderboard(ctx, in, lookup{board: a.Shown})
}

// pickBoard shows the first page of the leaderboard of the rule set that was chosen from the menu.
func (c *Look) pickBoard(ctx context.Context, in *interaction, a view.PickBoard) (bot.Reply, error) {
	name := only(chosen(in))
	if _, is := game.OnOffer(name); !is && name != allBoards {
		return c.unknown(ctx, in)
	}
	if a.Shown.Rules = name; name == allBoards {
		a.Shown.Rules = ""
	}
	return c.showLeaderboard(ctx, in, lookup{board: a.Shown})
}

// lookup says which page of which leaderboard to show, and whose row to mark.
type lookup struct {
	board view.TurnLeaderboard // the season may also be given by name; page 0 is the first
	found match.User           // the user whose row is marked; empty if none
	apart bool                 // show it privately, and leave the clicked message as it is
}

// showLeaderboard shows everybody a page, with the row of the user in look.found marked. Nobody can find a hidden user this way. If a
// hidden user asks, the answer is private and shows the asking user's row without a name, marked unless look.found is another user. Outside
// of servers there are no leaderboards, so it shows the user's own record.
func (c *Look) showLeaderboard(ctx context.Context, in *interaction, look lookup) (bot.Reply, error) {
	own, found := in.by, look.found
	if in.GuildID == "" {
		return c.ownRecord(ctx, in, own)
	}
	seasons, err := c.seasonsOf(ctx, in.venue)
	if err != nil {
		return bot.Reply{}, err
	}
	if look.board.Season, err = seasonMeant(seasons, look.board.Season, in.CommandPath() != ""); err != nil {
		return bot.Reply{}, err
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
	where := score.Where{Page: max(1, look.board.Page)}
	switch {
	case look.board.Mine:
		where.Player = own
	case !ask.Hidden:
		where.Player = found
	}
	s, err := c.screenOfLeaderboard(ctx, in, look.board, where, ask)
	switch {
	case err != nil:
		return bot.Reply{}, err
	case known[own].Hidden:
		s.Notes = append(s.Notes, view.T("profile.hidden.own", nil))
		return c.privately(ctx, in, s, nil)
	case look.apart:
		return c.privately(ctx, in, s, nil)
	}
	if note := privateHere(in); note != nil {
		s.Notes = append(s.Notes, note...)
		return c.privately(ctx, in, s, nil)
	}
	if in.Message != nil {
		return c.publicly(ctx, in, bot.Update, s, c.style(nil)), nil
	}
	return c.post(ctx, in, s, c.style(nil))
}

func (c *Look) screenOfLeaderboard(ctx context.Context, in *interaction, a view.TurnLeaderboard, where score.Where,
	ask view.Asking) (view.Screen, error) {
	number := season.Latest
	if n, err := strconv.Atoi(a.Season); err == nil {
		number = n
	}
	if a.Of == view.ByRating {
		ask.Unrated = in.policy.Unrated
		page, err := c.Ladders.Ladder(ctx, in.venue, rulesOf(a.Rules), number, where, ask.Asked)
		c.lookAtMembers(in, each(page.Rows, func(r ladder.Row) match.User { return r.Player }))
		return view.Ratings(a, page, ask), err
	}
	b := score.Board{Of: leaderboards[a.Of], Season: number}
	if a.Rules != "" {
		b.Rules = rulesOf(a.Rules)
	}
	page, err := c.Scores.Leaderboard(ctx, in.venue, b, where, ask.Asked)
	c.lookAtMembers(in, each(page.Rows, func(r score.Row) match.User { return r.Player }))
	return view.Leaderboard(a, page, ask), err
}

// lookAtMembers has the players of a page checked, if the server leaves out who left it or its staff. The next showing knows more. Who asks
// is a member.
func (c *Look) lookAtMembers(in *interaction, players []match.User) {
	if m := in.Interaction.Member; m != nil && m.Roles != nil && in.policy.LeavesOut() {
		players = slices.DeleteFunc(players, func(p match.User) bool { return p == in.by })
		c.Members.Want(roster.Page{Venue: in.venue, Players: players, Here: in.by, Roles: m.Roles})
	}
}

// leaderboards are the leaderboards of scores, by ranking. The ranking by rating has a ladder in place of a leaderboard.
var leaderboards = map[view.Ranking]score.Leaderboard{
	view.ByWins: score.People, view.VersusComputer: score.Computers,
	view.ByLevels: score.Levels, view.ByDraws: score.Draws, view.ByMoves: score.Moves,
}

func (c *Look) ownRecord(ctx context.Context, in *interaction, own match.User) (bot.Reply, error) {
	entries, err := c.Scores.Own(ctx, own)
	s := view.OwnRecord(entries)
	s.Notes = append([]view.Text{view.T("leaderboard.server", nil)}, s.Notes...)
	return c.privately(ctx, in, s, err)
}

// seasonsOf returns the seasons of a venue that have leaderboards, the newest first. The time before the first season counts as a season
// without a name.
func (c *Look) seasonsOf(ctx context.Context, v match.Venue) ([]season.Season, error) {
	all, err := c.Seasons.Seasons(ctx, v)
	return season.WithPreseason(all), err
}

// suggestSeason suggests the seasons whose number is the typed text, or whose label contains the text.
func (c *Look) suggestSeason(ctx context.Context, in *interaction) (bot.Reply, error) {
	all, err := c.seasonsOf(ctx, in.venue)
	if err != nil {
		return bot.Reply{}, err
	}
	_, typed := in.Focused()
	typed = strings.ToLower(strings.TrimSpace(typed))
	return c.suggest(ctx, in, view.SeasonOptions(all), func(label, number string) bool {
		return number == typed || strings.Contains(label, typed)
	}), nil
}

// seasonMeant returns the number of the season that word names by number or name. An empty number means the current season. If there is no
// such season, it returns a refusal, whose text depends on whether the user typed the word.
func seasonMeant(all []season.Season, word string, typed bool) (number string, err error) {
	s, is := season.Named(all, word)
	switch {
	case word == "", is && s.GoesOn():
		return "", nil
	case is:
		return strconv.Itoa(s.Number), nil
	case typed:
		return "", refused("refusal.season.unknown", nil)
	default:
		return "", refused("refusal.season.gone", nil)
	}
}

// showSeasonBoards shows the leaderboards of a season privately, below the message with its champions.
func (c *Look) showSeasonBoards(ctx context.Context, in *interaction, a view.ShowSeason) (bot.Reply, error) {
	board := view.TurnLeaderboard{Of: view.ByWins, Season: strconv.Itoa(a.Number)}
	return c.showLeaderboard(ctx, in, lookup{board: board, apart: true})
}

// showPosted shows the leaderboard privately of which the bot has posted a part.
func (c *Look) showPosted(ctx context.Context, in *interaction, a view.ShowPosted) (bot.Reply, error) {
	return c.showLeaderboard(ctx, in, lookup{board: view.TurnLeaderboard{Of: a.Of, Rules: a.Rules}, apart: true})
}

// pickSeason shows the first page of the same leaderboard in the season that was chosen from the menu.
func (c *Look) pickSeason(ctx context.Context, in *interaction, a view.PickSeason) (bot.Reply, error) {
	if a.Shown.Season = only(chosen(in)); a.Shown.Season == "" {
		return c.unknown(ctx, in)
	}
	return c.showLeaderboard(ctx, in, lookup{board: a.Shown})
}
