package score_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/score"
)

const (
	alice match.User = "alice"
	bob   match.User = "bob"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// finished is a match that ended that way, one minute after it began.
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
	won, lost, drew := score.Tally{Wins: 1}, score.Tally{Losses: 1}, score.Tally{Draws: 1}
	entry := func(p match.User, level string, tally score.Tally, reached time.Time) score.Entry {
		return score.Entry{Venue: "venue", Player: p, Level: level, Tally: tally, Reached: reached}
	}
	for _, tt := range []struct {
		name  string
		match match.Match
		want  []score.Entry
	}{
		{"a match that goes on counts for nobody", match.Start("m", "m", "venue", game.Classic(), people, 0, 1, noon), nil},
		{"an aborted match counts for nobody", finished(people, game.InProgress, match.ByAbort), nil},
		{"a line", finished(people, game.XWins, match.ByLine), []score.Entry{entry(alice, "", won, end), entry(bob, "", lost, end)}},
		{"a line of O", finished(people, game.OWins, match.ByLine), []score.Entry{entry(alice, "", lost, end), entry(bob, "", won, end)}},
		{"a resignation counts", finished(people, game.OWins, match.ByResignation), []score.Entry{entry(alice, "", lost, end), entry(bob, "", won, end)}},
		{"a loss on time counts", finished(people, game.XWins, match.ByTime), []score.Entry{entry(alice, "", won, end), entry(bob, "", lost, end)}},
		{"a draw moves nobody in time", finished(people, game.Draw, match.ByFullBoard),
			[]score.Entry{entry(alice, "", drew, time.Time{}), entry(bob, "", drew, time.Time{})}},
		{"a win over the computer counts for its level, and the computer has no entry", finished(asX, game.XWins, match.ByLine),
			[]score.Entry{entry(alice, "easy", won, end)}},
		{"a loss to the computer that began", finished(asO, game.XWins, match.ByLine), []score.Entry{entry(alice, "easy", lost, end)}},
		{"of two of whom one has left, the other is counted", finished(match.Seats{match.Human(match.Left), match.Human(bob)}, game.XWins, match.ByTime),
			[]score.Entry{entry(bob, "", lost, end)}},
		{"a draw with the computer", finished(asO, game.Draw, match.ByFullBoard), []score.Entry{entry(alice, "easy", drew, time.Time{})}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, score.Of(tt.match)); d != "" {
				t.Error(d)
			}
		})
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
