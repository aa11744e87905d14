package match_test

import (
	"errors"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
)

// TestNoShow lets the time run out after each number of moves, for each proposer and each first mover.
func TestNoShow(t *testing.T) {
	people := match.Seats{match.Human(alice), match.Human(bob)}
	void := match.Result{Outcome: game.InProgress, Cause: match.ByNoShow}
	lost := func(by game.Mark) match.Result {
		return match.Result{Outcome: game.WinFor(by.Opponent()), Cause: match.ByTime}
	}
	for _, tt := range []struct {
		name     string
		seats    match.Seats
		proposer game.Mark
		moves    []game.Square
		want     match.Result
	}{
		{"the proposer was to move first", people, game.X, nil, void},
		{"the proposer was to answer the first move", people, game.O, []game.Square{4}, void},
		{"the accepting player was to move first", people, game.O, nil, lost(game.X)},
		{"the accepting player was to answer the first move", people, game.X, []game.Square{4}, lost(game.O)},
		{"the proposer has moved once", people, game.X, []game.Square{4, 0}, lost(game.X)},
		{"the proposer has moved once, as O", people, game.O, []game.Square{4, 0, 8}, lost(game.O)},
		{"both have moved twice", people, game.X, []game.Square{4, 0, 8, 2}, lost(game.X)},
		{"the proposer is unknown", people, game.None, nil, lost(game.X)},
		{"against the computer", match.Seats{match.Human(alice), match.Computer("easy")}, game.None, nil, lost(game.X)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := match.Start("m", "m", "venue", game.Classic(), tt.seats, time.Minute, 1, noon)
			m.Proposer = tt.proposer
			for ply, square := range tt.moves {
				var err error
				if m, err = m.Play(m.Turn().Player, ply, square, noon); err != nil {
					t.Fatal(err)
				}
			}
			ended, due := m.Expire(m.Deadline)
			if !due || ended.Result != tt.want || ended.Result.Counts() != (tt.want != void) || !ended.Ended.Equal(m.Deadline) {
				t.Errorf("ended as %+v", ended.Result)
			}
			if early, due := m.Expire(m.Deadline.Add(-1)); due || early.Result.Over() {
				t.Error("ended before its time")
			}
		})
	}
}

func TestTheWaitAfterNoShows(t *testing.T) {
	for count, want := range []time.Duration{
		0, 0, 0, 10 * time.Minute, 20 * time.Minute, 40 * time.Minute, 80 * time.Minute, 160 * time.Minute, 320 * time.Minute,
		6 * time.Hour, 6 * time.Hour,
	} {
		missed := match.Given{NoShows: match.NoShows{Count: count, Last: noon}}
		ask := match.Consent{By: alice, Other: bob, Challenge: true, At: noon.Add(want)}
		if err := ask.Refuse(missed); err != nil {
			t.Errorf("after %d no-shows and %v: %v", count, want, err)
		}
		if ask.At = noon.Add(want - 1); want > 0 && !errors.Is(ask.Refuse(missed), match.MissedMatches) {
			t.Errorf("after %d no-shows and nearly %v: %v", count, want, ask.Refuse(missed))
		}
		if ask.Challenge = false; ask.Refuse(missed) != nil {
			t.Errorf("after %d no-shows a challenge cannot be accepted", count)
		}
	}
}
