package game_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/game"
)

func TestReplay(t *testing.T) {
	t.Run("no moves are a game that has just begun", func(t *testing.T) {
		r := must(game.Replay(game.Classic()))
		if r.Len() != 0 || r.Position() != game.Start(game.Classic()) || r.Outcome() != game.InProgress {
			t.Errorf("%d moves, %s, %s", r.Len(), r.Position(), r.Outcome())
		}
	})

	t.Run("the moves lead to the position, X first", func(t *testing.T) {
		r := must(game.Replay(game.Classic(), 4, 0, 2, 6, 5, 3))
		if got := r.Position().String(); got != "O.X/OXX/O.." {
			t.Errorf("it led to %s", got)
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
	// Grown one by one, the moves would have spare room behind them; two continuations must not share it.
	left, right := must(trunk.Play(6)), must(trunk.Play(8))
	again := must(left.Play(8))

	for _, test := range []struct {
		name   string
		record game.Record
		want   []game.Square
	}{
		{"the trunk", trunk, []game.Square{4, 0, 2}},
		{"one continuation", left, []game.Square{4, 0, 2, 6}},
		{"the other", right, []game.Square{4, 0, 2, 8}},
		{"one that went on", again, []game.Square{4, 0, 2, 6, 8}},
	} {
		if diff := cmp.Diff(test.want, test.record.Squares()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		if replayed := must(game.Replay(game.Classic(), test.want...)); !test.record.Equal(replayed) ||
			test.record.Position() != replayed.Position() {
			t.Errorf("%s is not what its moves replay to", test.name)
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
	// Two orders of the same moves meet in one position and are still two games.
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
