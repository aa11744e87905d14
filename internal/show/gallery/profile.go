package gallery

import (
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/show/view"
)

// inARow returns n results in which the player of X had the given outcome, and then n results in which the player of O had it.
func inARow(n int, of score.Outcome) (rs profile.Results) {
	for _, mark := range []game.Mark{game.X, game.O} {
		for range n {
			rs = append(rs, profile.Result{Mark: mark, Outcome: of})
		}
	}
	return rs
}

func must5x5(t T) game.Rules {
	t.Helper()
	rules, err := game.ParseRules("5x5")
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func Standing(rank int, value, deviation float64, opponents int, t score.Tally) ladder.Row {
	return ladder.Row{Rank: rank, Players: ladder.LargeLadder, Standing: ladder.Standing{
		Rating: rating.Rating{Value: value, Deviation: deviation}, Tally: t, Opponents: opponents,
	}}
}

// profileShots adds the profiles of players.
func profileShots(t T, add adder) {
	drop, last := dropRules(t), lastMatches(t)
	some := profile.Record{
		People:    append(inARow(2, score.Win), profile.Result{Mark: game.X, Outcome: score.Loss}, profile.Result{Mark: game.O, Outcome: score.Win}),
		Computers: map[string]profile.Results{"easy": inARow(1, score.Win), "hard": inARow(1, score.Loss)},
		Last:      last,
	}
	reviewed := some
	reviewed.Judged = map[string]profile.Judged{
		"": {Matches: 9, Critical: 30, Errors: 3, Perfect: 1, Comebacks: 1}, "easy": {Matches: 3, Critical: 14, Perfect: 3, Comebacks: 3},
	}
	reviewed.Openings = []profile.Opening{
		{Rules: drop, Zone: profile.Zone{Kind: profile.OfColumn, Column: 2}, Tally: score.Tally{Wins: 4}},
		{Rules: drop, Zone: profile.Zone{Kind: profile.OfColumn, Column: 1}, Tally: score.Tally{Draws: 2, Losses: 1}},
		{Rules: game.Classic(), Zone: profile.Zone{Kind: profile.OfCorner}, Tally: score.Tally{Wins: 2}},
	}
	often := some
	often.Judged = map[string]profile.Judged{"": {Matches: 200, Critical: 400, Errors: 1, Perfect: 11}, "hard": {Comebacks: 2}}
	reviewed.Arenas, often.Arenas = 1, 3
	five := must5x5(t)
	often.Openings = []profile.Opening{
		{Rules: five, Zone: profile.Zone{Kind: profile.OfInside}, Tally: score.Tally{Wins: 4}},
		{Rules: five, Zone: profile.Zone{Kind: profile.OfEdge}, Tally: score.Tally{Wins: 2}},
		{Rules: five, Zone: profile.Zone{Kind: profile.OfCentre}, Tally: score.Tally{Losses: 1}},
		{Rules: five, Zone: profile.Zone{Kind: profile.OfCorner}, Tally: score.Tally{Losses: 1}},
	}
	corner := reviewed
	corner.Openings = reviewed.Openings[2:]
	soon := some
	soon.Judged = map[string]profile.Judged{"": {Matches: 9, Critical: 30, Errors: 3}}
	of := func(name string, p view.Profile) {
		p.Player = Alice
		add("profile-"+name, "OfProfile", view.OfProfile(p, Names))
	}
	of("none", view.Profile{In: atHome})
	of("unrated", view.Profile{In: atHome, Record: some})
	of("everywhere", view.Profile{Record: some})
	of("hidden", view.Profile{In: atHome, Record: some, Hidden: true})
	of("of-no-level", view.Profile{In: atHome, Record: profile.Record{Computers: map[string]profile.Results{"easy": inARow(1, score.Draw)}}})
	of("badges", view.Profile{In: atHome, Record: profile.Record{Computers: map[string]profile.Results{
		"hard": inARow(1, score.Win), "unbeatable": inARow(profile.HeldFor/2, score.Draw),
	}}})
	of("reviewed", view.Profile{In: atHome, Record: reviewed})
	of("reviewed-classic", view.Profile{In: atHome, Record: corner})
	of("reviewed-often", view.Profile{In: atHome, Record: often})
	of("almost-reviewed", view.Profile{In: atHome, Record: soon})
	standings := standingsOf(drop)
	chart := &view.Chart{
		PNG: []byte("picture"), Rules: game.Classic(), Matches: 63,
		First: rating.Rating{Value: 1662.3, Deviation: 290}, Last: rating.Rating{Value: 1523.4, Deviation: 45.2},
		Highest: rating.Rating{Value: 1700}, Lowest: rating.Rating{Value: 1480},
	}
	of("rated", view.Profile{In: atHome, Record: some, Standings: standings, Chart: chart})
	over := *chart
	over.Last.Deviation = 120
	over.Seasons = []season.Season{{Number: 2, Began: Noon.AddDate(0, -1, 0)}, {Number: 3, Name: "Summer *26*", Began: Noon}}
	seasons := []season.Season{over.Seasons[1], over.Seasons[0], {Number: 1}}
	of("rated-over-seasons", view.Profile{In: atHome, Record: some, Standings: standings, Seasons: seasons, Chart: &over})
	of("of-one-board", view.Profile{In: profile.Scope{Venue: "venue", Rules: drop}, Record: some, Standings: view.Standings{drop.String(): standings[drop.String()]}})
}

// duelShots adds the screens that compare two players.
func duelShots(t T, add adder) {
	drop := dropRules(t)
	standings := standingsOf(drop)
	duel := func(name string, d view.Duel) {
		d.A, d.B = Alice, Bob
		add("duel-"+name, "OfDuel", view.OfDuel(d, Names))
	}
	between := profile.Duel{Last: lastMatches(t), Boards: []profile.OnBoard{
		{Rules: game.Classic(), Tally: score.Tally{Wins: 4, Draws: 2, Losses: 3}}, {Rules: drop, Tally: score.Tally{Losses: 1}},
	}}
	duel("none", view.Duel{In: atHome})
	duel("unrated", view.Duel{In: atHome, Played: between})
	duel("rated", view.Duel{In: atHome, Played: between, RatedA: standings, RatedB: view.Standings{"3x3x3": Standing(0, 1400, 200, 2, score.Tally{})}, Hidden: true})
	known := between
	known.Judged = [2]profile.Judged{{Matches: 10, Critical: 30, Errors: 3}, {Matches: 11, Critical: 20, Errors: 5}}
	duel("reviewed", view.Duel{In: atHome, Played: known})
	duel("on-one-board", view.Duel{In: profile.Scope{Venue: "venue", Rules: drop}, Played: profile.Duel{Boards: between.Boards[1:]}})
}

var atHome = profile.Scope{Venue: "venue"}

// dropRules returns the rule set with gravity.
func dropRules(t T) game.Rules {
	t.Helper()
	drop, err := game.ParseRules("drop")
	if err != nil {
		t.Fatal(err)
	}
	return drop
}

// lastMatches returns the latest matches of a player.
func lastMatches(t T) []match.Match {
	t.Helper()
	return []match.Match{
		Between(t, XWins), Between(t, Drawn), Played(t, people.Swapped(), 0, XWins), PlayedBy(t, "classic", people, 0, OWins),
	}
}

// standingsOf returns the standings of a player for six rule sets.
func standingsOf(drop game.Rules) view.Standings {
	return view.Standings{
		"5x5x4": Standing(0, 1500, 80, 4, score.Tally{Draws: 30}), "4x4x4": Standing(0, 1500, 70, 4, score.Tally{Draws: 30}),
		drop.String(): Standing(0, 1662.3, 290.3, 1, score.Tally{Wins: 1}), "3x3x3": Standing(12, 1523.4, 45.2, 7, score.Tally{Wins: 40, Draws: 3, Losses: 20}),
		"4x3x3": Standing(0, 1337.7, 90, 5, score.Tally{Losses: 1}), "3x3x3+keep3": Standing(0, 1337.7, 70, 3, score.Tally{Losses: 1}),
	}
}
