package score_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/score"
)

const (
	alice match.User = "alice"
	bob   match.User = "bob"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// finished returns a match with the given outcome and cause, which ended one minute after it began.
func finished(seats match.Seats, outcome game.Outcome, cause match.Cause) match.Match {
	m := match.Start("m", "m", "venue", game.Classic(), seats, time.Minute, 1, noon)
	m.Result, m.Ended, m.Deadline = match.Result{Outcome: outcome, Cause: cause}, noon.Add(time.Minute), time.Time{}
	return m
}

func TestOf(t *testing.T) {
	people := match.Seats{match.Human(alice), match.Human(bob)}
	asX := match.Seats{match.Human(alice), match.Computer("easy")}
	asO := asX.Swapped()
	end := noon.Add(time.Minute)
	result := func(p match.User, level string, outcome score.Outcome) score.Result {
		return score.Result{Player: p, Rules: "3x3x3", Level: level, Outcome: outcome, Ended: end}
	}
	for _, tt := range []struct {
		name  string
		match match.Match
		want  []score.Result
	}{
		{"a match that goes on counts for nobody", match.Start("m", "m", "venue", game.Classic(), people, 0, 1, noon), nil},
		{"an aborted match counts for nobody", finished(people, game.InProgress, match.ByAbort), nil},
		{"a line", finished(people, game.XWins, match.ByLine), []score.Result{result(alice, "", score.Win), result(bob, "", score.Loss)}},
		{"a line of O", finished(people, game.OWins, match.ByLine), []score.Result{result(alice, "", score.Loss), result(bob, "", score.Win)}},
		{"a resignation counts", finished(people, game.OWins, match.ByResignation), []score.Result{result(alice, "", score.Loss), result(bob, "", score.Win)}},
		{"a loss on time counts", finished(people, game.XWins, match.ByTime), []score.Result{result(alice, "", score.Win), result(bob, "", score.Loss)}},
		{"a draw", finished(people, game.Draw, match.ByFullBoard),
			[]score.Result{result(alice, "", score.Draw), result(bob, "", score.Draw)}},
		{"a win over the computer counts for its level, and the computer has no entry", finished(asX, game.XWins, match.ByLine),
			[]score.Result{result(alice, "easy", score.Win)}},
		{"a loss to the computer that began", finished(asO, game.XWins, match.ByLine), []score.Result{result(alice, "easy", score.Loss)}},
		{"if one of two players has left, the other is counted",
			finished(match.Seats{match.Human(match.Left), match.Human(bob)}, game.XWins, match.ByTime),
			[]score.Result{result(bob, "", score.Loss)}},
		{"a draw with the computer", finished(asO, game.Draw, match.ByFullBoard), []score.Result{result(alice, "easy", score.Draw)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for i := range tt.want {
				tt.want[i].First = tt.match.Seats[0] == match.Human(tt.want[i].Player)
			}
			if d := cmp.Diff(tt.want, score.Of(tt.match)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestOwnMoves(t *testing.T) {
	for moves, want := range [][2]int{{0, 0}, {1, 0}, {1, 1}, {2, 1}, {2, 2}, {3, 2}} {
		if x, o := score.OwnMoves(moves, game.X), score.OwnMoves(moves, game.O); [2]int{x, o} != want {
			t.Errorf("of %d moves X has made %d and O %d", moves, x, o)
		}
	}
}

// story returns the entry of a player against a level after the given results, one each minute.
func story(level string, results string) (e score.Entry) {
	e.Level = level
	for i, letter := range results {
		r := score.Result{Level: level, Moves: 5, Ended: noon.Add(time.Duration(i) * time.Minute)}
		switch letter {
		case 'W':
			r.Outcome = score.Win
		case 'Q': // a win in few moves
			r.Outcome, r.Moves = score.Win, 3
		case 'D':
			r.Outcome = score.Draw
		case 'C':
			r.Outcome, r.Called = score.Draw, true
		}
		e.Add(r)
	}
	return e
}

func TestFeats(t *testing.T) {
	at := func(minute int) time.Time { return noon.Add(time.Duration(minute) * time.Minute) }
	for _, tt := range []struct {
		name, level, results string
		want                 score.Feats
	}{
		{"against people there are none", "", "WDDL", score.Feats{}},
		{"the first win stays", "easy", "LWW", score.Feats{Beaten: at(1), Fewest: 5, FewestAt: at(1)}},
		{"the quickest win is the first of those", "easy", "WQWQ", score.Feats{Beaten: at(0), Fewest: 3, FewestAt: at(1)}},
		{"draws with any level but one are no run", "hard", "DDD", score.Feats{}},
		{"a run goes on until a loss", "unbeatable", "DDLD", score.Feats{Run: 1, Longest: 2, LongestAt: at(1), Latest: at(3)}},
		{"a run as long as the longest does not replace it", "unbeatable", "DLD", score.Feats{Run: 1, Longest: 1, LongestAt: at(0), Latest: at(2)}},
		{"a win ends no run", "unbeatable", "DWD", score.Feats{Beaten: at(1), Fewest: 5, FewestAt: at(1), Run: 2, Longest: 2, LongestAt: at(2), Latest: at(2)}},
		{"a draw by a moderator is in no run", "unbeatable", "DCL", score.Feats{Longest: 1, LongestAt: at(0), Latest: at(2)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, story(tt.level, tt.results).Feats); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestLate(t *testing.T) {
	e := story("unbeatable", "D")
	r := score.Result{Level: "unbeatable", Outcome: score.Draw, Ended: noon}
	if !e.Late(r) {
		t.Error("a draw at the same moment is not late")
	}
	if r.Outcome = score.Win; e.Late(r) {
		t.Error("a win is late")
	}
	if r.Outcome, r.Ended = score.Loss, noon.Add(1); e.Late(r) {
		t.Error("a later loss is late")
	}
}

// TestOrder checks the places of players, listed for each leaderboard in the expected order.
func TestOrder(t *testing.T) {
	of := func(entries ...score.Entry) []score.Entry { return entries }
	for b, order := range map[score.Leaderboard][][]score.Entry{
		score.People: {of(story("", "WW")), of(story("", "W")), of(story("", "DW")), of(story("", "LW")), of(story("", "D")), of(story("", "L"))},
		score.Computers: {
			of(story("hard", "WW")), of(story("easy", "WW"), story("hard", "W")), of(story("easy", "WW")), of(story("easy", "DW"), story("random", "WW")),
			of(story("easy", "W"), story("random", "WW")), of(story("easy", "LW")), of(story("hard", "DL")), of(story("hard", "L")),
		},
		score.Levels: {
			of(story("unbeatable", "LLLW")), of(story("random", "W"), story("easy", "W"), story("hard", "W")), of(story("hard", "LW"), story("easy", "W")),
			of(story("hard", "W")), of(story("hard", "LW")), of(story("easy", "W"), story("hard", "L")), of(story("random", "W")),
		},
		score.Draws: {of(story("unbeatable", "DDD"), story("easy", "L")), of(story("unbeatable", "DDL")), of(story("unbeatable", "LDD")), of(story("unbeatable", "D"))},
		score.Moves: {of(story("hard", "LLW"), story("easy", "W")), of(story("easy", "LLQ")), of(story("easy", "W")), of(story("easy", "LW"))},
	} {
		before := ""
		for i, entries := range order {
			place := ""
			for _, s := range score.Standings(alice, entries) {
				if s.Of == b {
					place = s.Place
				}
			}
			if place <= before {
				t.Errorf("%s: number %d is at %q, after one at %q", b, i, place, before)
			}
			before = place
		}
	}
	for _, s := range score.Standings(alice, of(story("unbeatable", "L"), story("unknown", "W"))) {
		if s.Of != score.Computers {
			t.Errorf("a player without a draw and without a win over a known level is on leaderboard %s", s.Of)
		}
	}
}

func TestStrength(t *testing.T) {
	for i, level := range ai.LevelNames() {
		if got := score.Strength(level); got != i+1 {
			t.Errorf("%s has strength %d", level, got)
		}
	}
	if score.Perfect != ai.Unbeatable.String() || score.Strength("") != 0 {
		t.Error("the order of an unknown level or of the strongest level is wrong")
	}
}

func TestRunningOf(t *testing.T) {
	ab := match.Seats{match.Human(alice), match.Human(bob)}
	past := func(seats match.Seats, outcome game.Outcome, cause match.Cause) match.Past {
		return match.Past{Seats: seats, Result: match.Result{Outcome: outcome, Cause: cause}, Count: 1}
	}
	machine := match.Seats{match.Human(alice), match.Computer("easy")}
	for _, tt := range []struct {
		name string
		a    match.Seat
		past []match.Past
		want score.Running
	}{
		{"nothing yet", match.Human(alice), nil, score.Running{}},
		{"an aborted match does not count", match.Human(alice), []match.Past{past(ab, game.InProgress, match.ByAbort)}, score.Running{}},
		{"wins are counted for people, not for marks", match.Human(alice), []match.Past{
			past(ab, game.XWins, match.ByLine), past(ab.Swapped(), game.OWins, match.ByTime), past(ab, game.OWins, match.ByResignation),
		}, score.Running{A: 2, B: 1}},
		{"seen from the other side", match.Human(bob), []match.Past{
			past(ab, game.XWins, match.ByLine), past(ab.Swapped(), game.OWins, match.ByTime), past(ab, game.OWins, match.ByResignation),
		}, score.Running{A: 1, B: 2}},
		{"draws", match.Human(alice), []match.Past{past(ab, game.Draw, match.ByFullBoard), past(ab.Swapped(), game.Draw, match.ByFullBoard)},
			score.Running{Drawn: 2}},
		{"many of a kind", match.Human(alice), []match.Past{
			{Seats: ab, Result: match.Result{Outcome: game.XWins, Cause: match.ByLine}, Count: 40},
			{Seats: ab, Result: match.Result{Outcome: game.Draw, Cause: match.ByFullBoard}, Count: 2},
			{Seats: ab.Swapped(), Result: match.Result{Outcome: game.XWins, Cause: match.ByTime}, Count: 3},
		}, score.Running{A: 40, B: 3, Drawn: 2}},
		{"against the computer", match.Computer("easy"), []match.Past{
			past(machine, game.XWins, match.ByLine), past(machine.Swapped(), game.XWins, match.ByLine), past(machine, game.OWins, match.ByTime),
		}, score.Running{A: 2, B: 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := score.RunningOf(tt.a, tt.past)
			if got != tt.want || got.Played() != (tt.want != score.Running{}) {
				t.Errorf("%+v, played %v", got, got.Played())
			}
		})
	}
}

func TestTally(t *testing.T) {
	a, b := score.Tally{Wins: 1, Draws: 2, Losses: 3}, score.Tally{Wins: 10, Draws: 20, Losses: 30}
	if got := a.Plus(b); got != (score.Tally{Wins: 11, Draws: 22, Losses: 33}) || got.Total() != 66 || a.Total() != 6 {
		t.Errorf("%+v, total %d", got, got.Total())
	}
}
