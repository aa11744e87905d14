package game_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/game"
)

func TestReplay(t *testing.T) {
	t.Run("a record without moves is a new game", func(t *testing.T) {
		r := must(game.Replay(game.Classic()))
		if r.Len() != 0 || r.Position() != game.Start(game.Classic()) || r.Outcome() != game.InProgress {
			t.Errorf("%d moves, %s, %s", r.Len(), r.Position(), r.Outcome())
		}
	})

	t.Run("the moves lead to the position, X first", func(t *testing.T) {
		r := must(game.Replay(game.Classic(), 4, 0, 2, 6, 5, 3))
		if got := r.Position().String(); got != "O.X/OXX/O.." {
			t.Errorf("got position %s", got)
		}
		if r.Outcome() != game.OWins || r.Len() != 6 || r.Square(5) != 3 || r.Start() != game.Start(game.Classic()) {
			t.Errorf("%s after %d moves from %s, the last on %d", r.Outcome(), r.Len(), r.Start(), r.Square(5))
		}
	})

	for _, test := range []struct {
		name    string
		squares []game.Square
		ply     string
		reason  game.Reason
	}{
		{"a square taken before", []game.Square{4, 0, 4}, "ply 2", game.Taken},
		{"a square off the board", []game.Square{9}, "ply 0", game.OffBoard},
		{"a move after the win", []game.Square{0, 3, 1, 4, 2, 5}, "ply 5", game.GameOver},
		{"a tenth move", []game.Square{0, 1, 2, 4, 3, 5, 7, 6, 8, 0}, "ply 9", game.GameOver},
	} {
		t.Run("refuses "+test.name, func(t *testing.T) {
			r, err := game.Replay(game.Classic(), test.squares...)
			var illegal *game.IllegalMoveError
			if !errors.As(err, &illegal) || illegal.Reason != test.reason || !strings.HasPrefix(err.Error(), test.ply+":") {
				t.Errorf("error %v, want %s: %s", err, test.ply, test.reason)
			}
			if !r.Equal(game.Record{}) {
				t.Errorf("came with a record of %d moves", r.Len())
			}
		})
	}
}

func TestRecordIsImmutable(t *testing.T) {
	trunk := must(game.Replay(game.Classic(), 4, 0, 2))
	// A slice that grows by append has spare capacity; two continuations must not share it.
	left, right := must(trunk.Play(6)), must(trunk.Play(8))
	again := must(left.Play(8))

	for _, test := range []struct {
		name   string
		record game.Record
		want   []game.Square
	}{
		{"the trunk", trunk, []game.Square{4, 0, 2}},
		{"one continuation", left, []game.Square{4, 0, 2, 6}},
		{"another continuation", right, []game.Square{4, 0, 2, 8}},
		{"a longer continuation", again, []game.Square{4, 0, 2, 6, 8}},
	} {
		if diff := cmp.Diff(test.want, test.record.Squares()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		if replayed := must(game.Replay(game.Classic(), test.want...)); !test.record.Equal(replayed) ||
			test.record.Position() != replayed.Position() {
			t.Errorf("%s differs from the replay of its moves", test.name)
		}
	}

	trunk.Squares()[0] = 8
	if trunk.Square(0) != 4 {
		t.Error("writing to Squares changed the record")
	}

	after, err := trunk.Play(4)
	var illegal *game.IllegalMoveError
	if !errors.As(err, &illegal) || illegal.Reason != game.Taken || !after.Equal(trunk) {
		t.Errorf("an illegal move gave %d moves and error %v", after.Len(), err)
	}
}

func TestRecordsAreEqualByStartAndMoves(t *testing.T) {
	x := game.NewRecord(game.Start(game.Classic()))
	o := game.NewRecord(game.StartWith(game.Classic(), game.O))
	// The same moves in two orders lead to one position, but are two games.
	one, other := must(game.Replay(game.Classic(), 0, 1, 2)), must(game.Replay(game.Classic(), 2, 1, 0))
	switch {
	case !x.Equal(game.NewRecord(game.Start(game.Classic()))):
		t.Error("a record differs from itself")
	case x.Equal(o):
		t.Error("records of different starts are equal")
	case one.Position() != other.Position() || one.Equal(other):
		t.Error("records of different moves are equal")
	}
}

// round is a cycle of moves: each side plays the same four squares over and over and completes no line, so that the position recurs
// every eight plies.
var round = []game.Square{0, 2, 1, 3, 5, 7, 8, 6}

func TestEndlessGamesAreDrawn(t *testing.T) {
	infinite := must(game.ParseRules("infinite"))

	t.Run("at the third repetition of a position", func(t *testing.T) {
		r := game.NewRecord(game.Start(infinite))
		// After 6 plies both sides first have all the marks that they keep; the position recurs after 14 and 22 plies.
		for ply := range 22 {
			if r.Outcome() != game.InProgress {
				t.Fatalf("%s after %d plies", r.Outcome(), r.Len())
			}
			r = must(r.Play(round[ply%len(round)]))
		}
		if r.Outcome() != game.Draw || r.Repetitions() != 3 || r.Position().Outcome() != game.InProgress {
			t.Errorf("%s after %d repetitions, the position is %s; want a draw after 3, of a position in progress",
				r.Outcome(), r.Repetitions(), r.Position().Outcome())
		}
		var illegal *game.IllegalMoveError
		after, err := r.Play(round[22%len(round)])
		if !errors.As(err, &illegal) || illegal.Reason != game.GameOver || !after.Equal(r) {
			t.Errorf("another move gave %d moves and error %v", after.Len(), err)
		}
		if before := r.First(21); before.Outcome() != game.InProgress {
			t.Errorf("one ply earlier the outcome was %s", before.Outcome())
		}
	})

	// wander plays random moves, without completing a line or repeating positions too often, up to the limit of plies.
	wander := func(random *rand.Rand, plies int) (game.Record, bool) {
		r := game.NewRecord(game.Start(infinite))
		for r.Len() < plies {
			quiet := r.Position().Legal() &^ r.Position().Threats(r.Position().Turn())
			for s := range quiet.All() {
				if next := must(r.Play(s)); r.Len() < game.MaxPlies-1 && next.Outcome() != game.InProgress {
					quiet &^= game.SetOf(s)
				}
			}
			if quiet == 0 {
				return r, false
			}
			r = must(r.Play(anyOf(random, quiet)))
		}
		return r, true
	}

	t.Run("after 60 plies", func(t *testing.T) {
		r, ok := wander(rand.New(rand.NewPCG(5, 6)), 60)
		if !ok || r.Outcome() != game.Draw || r.Position().Outcome() != game.InProgress {
			t.Errorf("%d plies: %s in %s", r.Len(), r.Outcome(), r.Position())
		}
		if before := r.First(59); before.Outcome() != game.InProgress {
			t.Errorf("one ply earlier the outcome was %s", before.Outcome())
		}
	})

	t.Run("a line completed at ply 60 wins", func(t *testing.T) {
		random := rand.New(rand.NewPCG(7, 8))
		for {
			r, ok := wander(random, 59)
			if !ok {
				continue
			}
			for s := range r.Position().Threats(game.O).All() {
				if won := must(r.Play(s)); won.Len() != 60 || won.Outcome() != game.OWins {
					t.Errorf("%d plies: %s", won.Len(), won.Outcome())
				}
				return
			}
		}
	})

	t.Run("a full board without vanishing marks is drawn by its position", func(t *testing.T) {
		r := must(game.Replay(must(game.NewRules(3, 3, 3, game.Keep(8))), 0, 1, 2, 4, 3, 5, 7, 6, 8))
		if r.Outcome() != game.Draw || r.Position().Outcome() != game.Draw {
			t.Errorf("a full board is %s", r.Position().Outcome())
		}
	})
}

func TestRecordFrom(t *testing.T) {
	start := must(game.ParsePosition(game.Classic(), "XX./OO./..."))
	r := must(game.ReplayFrom(start, 8, 5))
	if r.Outcome() != game.OWins || r.Start() != start || r.Len() != 2 {
		t.Errorf("%s after %d moves from %s", r.Outcome(), r.Len(), r.Start())
	}
	for moves, want := range []string{"XX./OO./...", "XX./OO./..X", "XX./OOO/..X"} {
		first := r.First(moves)
		if first.Position().String() != want || first.Len() != moves || first.Start() != start {
			t.Errorf("after %d moves: %s, want %s", moves, first.Position(), want)
		}
	}
	// The record of the first moves must not share memory with the rest.
	if other := must(r.First(1).Play(2)); !r.Equal(must(game.ReplayFrom(start, 8, 5))) || other.Square(1) != 2 {
		t.Error("another continuation changed the record")
	}
}
