package game_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/game"
)

// script plays the given squares one after the other, and fails when there are no more.
func script(squares ...game.Square) game.Player {
	return game.PlayerFunc(func(context.Context, game.Position) (game.Square, error) {
		if len(squares) == 0 {
			return 0, errEnd
		}
		s := squares[0]
		squares = squares[1:]
		return s, nil
	})
}

var errEnd = errors.New("the script has ended")

func TestDriver(t *testing.T) {
	begin := game.NewRecord(game.Start(game.Classic()))

	t.Run("shows the game before each move and at its end", func(t *testing.T) {
		var shown []string
		r, err := game.Driver{
			X: script(0, 1, 2), O: script(3, 4),
			Show: func(r game.Record) { shown = append(shown, r.Position().String()) },
		}.Play(t.Context(), begin)
		if err != nil || r.Outcome() != game.XWins || r.Len() != 5 {
			t.Errorf("%s after %d moves, error %v", r.Outcome(), r.Len(), err)
		}
		want := []string{".../.../...", "X../.../...", "X../O../...", "XX./O../...", "XX./OO./...", "XXX/OO./..."}
		if diff := cmp.Diff(want, shown); diff != "" {
			t.Errorf("shown (-want +got):\n%s", diff)
		}
	})

	t.Run("asks again after a refusal", func(t *testing.T) {
		var refusals []string
		r, err := game.Driver{
			X: script(0, 1, 2), O: script(0, 9, 3, 4),
			Refused: func(e *game.IllegalMoveError) error { refusals = append(refusals, e.Reason.String()); return nil },
		}.Play(t.Context(), begin)
		if err != nil || r.Outcome() != game.XWins {
			t.Errorf("%s, error %v", r.Outcome(), err)
		}
		if diff := cmp.Diff([]string{game.Taken.String(), game.OffBoard.String()}, refusals); diff != "" {
			t.Errorf("refusals (-want +got):\n%s", diff)
		}
	})

	t.Run("continues a game that O began", func(t *testing.T) {
		start := game.NewRecord(game.StartWith(game.Classic(), game.O))
		r, err := game.Driver{X: script(0, 1), O: script(4, 2, 6)}.Play(t.Context(), must(must(start.Play(8)).Play(7)))
		if err != nil || r.Outcome() != game.OWins || r.Position().String() != "XXO/.O./OXO" {
			t.Errorf("%s in %s, error %v", r.Outcome(), r.Position(), err)
		}
	})

	t.Run("draws an endless game", func(t *testing.T) {
		var x, o []game.Square
		for i := range 11 {
			x, o = append(x, round[2*i%8]), append(o, round[(2*i+1)%8])
		}
		r, err := game.Driver{X: script(x...), O: script(o...)}.Play(t.Context(), game.NewRecord(game.Start(must(game.ParseRules("infinite")))))
		if err != nil || r.Outcome() != game.Draw || r.Len() != 22 {
			t.Errorf("%s after %d moves, error %v", r.Outcome(), r.Len(), err)
		}
	})

	t.Run("does nothing in a game that is over", func(t *testing.T) {
		over := must(game.Replay(game.Classic(), 0, 3, 1, 4, 2))
		if r, err := (game.Driver{}).Play(t.Context(), over); err != nil || !r.Equal(over) {
			t.Errorf("%d moves, error %v", r.Len(), err)
		}
	})

	t.Run("does not ask for a move of the zero record", func(t *testing.T) {
		asked := game.PlayerFunc(func(context.Context, game.Position) (game.Square, error) {
			t.Error("a player was asked")
			return 0, errEnd
		})
		if _, err := (game.Driver{X: asked, O: asked}).Play(t.Context(), game.Record{}); !errors.Is(err, game.ErrRules) {
			t.Errorf("error %v, want %v", err, game.ErrRules)
		}
	})

	t.Run("asks no player after the context is done", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		again := func(*game.IllegalMoveError) error { cancel(); return nil }
		r, err := game.Driver{X: script(0, 9), O: script(0, 0, 0), Refused: again}.Play(ctx, begin)
		if !errors.Is(err, context.Canceled) || r.Len() != 1 {
			t.Errorf("%d moves, error %v, want %v", r.Len(), err, context.Canceled)
		}
	})

	for _, test := range []struct {
		name   string
		driver game.Driver
		moves  int
		cause  error
	}{
		{"a side without a player", game.Driver{X: script(0)}, 1, game.ErrNoPlayer},
		{"a player that is no function", game.Driver{X: script(0), O: game.PlayerFunc(nil)}, 1, game.ErrNoPlayer},
		{"a player that fails", game.Driver{X: script(0), O: script(1)}, 2, errEnd},
		{"an illegal move without a Refused function", game.Driver{X: script(0), O: script(0)}, 1, nil},
		{"a Refused function that returns an error",
			game.Driver{X: script(0), O: script(0, 1), Refused: func(*game.IllegalMoveError) error { return errEnd }}, 1, errEnd},
	} {
		t.Run("ends with the game so far after "+test.name, func(t *testing.T) {
			r, err := test.driver.Play(t.Context(), begin)
			var illegal *game.IllegalMoveError
			if test.cause != nil && !errors.Is(err, test.cause) || test.cause == nil && !errors.As(err, &illegal) {
				t.Errorf("error %v, want %v", err, test.cause)
			}
			if r.Len() != test.moves || !strings.HasPrefix(err.Error(), "ply ") {
				t.Errorf("%d moves, error %v; want %d", r.Len(), err, test.moves)
			}
		})
	}
}
