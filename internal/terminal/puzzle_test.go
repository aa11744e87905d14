package terminal_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/file/golden"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/terminal"
)

// newPuzzle returns the puzzle of a day. Its clock advances by ten seconds with each reading.
func newPuzzle(t *testing.T, day string) *terminal.Game {
	t.Helper()
	d, err := puzzle.ParseDay(day)
	if err != nil {
		t.Fatal(err)
	}
	p, err := puzzle.Of(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	x, o := "human", "unbeatable"
	if p.Start.Turn() == game.O {
		x, o = o, x
	}
	g := newGame(t, p.Board, x, o, game.X)
	now := d.Start()
	g.Puzzle = &terminal.Puzzle{Puzzle: p, Now: func() time.Time {
		now = now.Add(10 * time.Second)
		return now
	}}
	return g
}

// The puzzle of 23 November 2026 is solved by a3 and then a1, the puzzle of the 25th by c2 and then a2, and the puzzle of the 27th
// by five moves.
func TestPuzzleTranscripts(t *testing.T) {
	for _, tt := range []struct{ name, day, typed string }{
		{"puzzle-solved", "2026-11-23", "a3|a1|"},
		{"puzzle-solved-on-the-second-try", "2026-11-25", "a2|c2|a2|"},
		{"puzzle-failed", "2026-11-23", "a1|a2|b2|"},
		{"puzzle-a-wrong-square-again", "2026-11-23", "a1|a1|a3|q|"},
		{"puzzle-taken-and-unreadable", "2026-11-23", "b1|z9|?|q|"},
		{"puzzle-where-marks-vanish", "2026-11-27", "a3|c2|b2|a2|c2|"},
		{"puzzle-end-of-input", "2026-11-23", "a3|"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newPuzzle(t, tt.day)
			var out bytes.Buffer
			g.Out = &out
			g.In = echoing{strings.NewReader(strings.ReplaceAll(tt.typed, "|", "\n")), &out}
			if err := g.PlayLines(t.Context()); err != nil {
				t.Fatal(err)
			}
			golden.Compare(t, linesFile, tt.name, out.String(), *update)
		})
	}
	t.Run("the solution is printed", func(t *testing.T) {
		g := newPuzzle(t, "2026-11-27")
		var out bytes.Buffer
		g.Out = &out
		if err := g.TellSolution(); err != nil {
			t.Fatal(err)
		}
		golden.Compare(t, linesFile, "puzzle-solution", out.String(), *update)
	})
}

func TestPuzzleScreens(t *testing.T) {
	for _, tt := range []struct{ name, day, size, keys string }{
		{"puzzle-start", "2026-11-23", "", ""},
		{"puzzle-right", "2026-11-23", "", "a 3"},
		{"puzzle-wrong", "2026-11-23", "", "a 1"},
		{"puzzle-taken", "2026-11-23", "", "b 1"},
		{"puzzle-solved", "2026-11-23", "", "a 3 a 1"},
		{"puzzle-solved-and-enter", "2026-11-23", "", "a 3 a 1 enter"},
		{"puzzle-failed", "2026-11-23", "", "a 1 a 2 b 2"},
		{"puzzle-failed-review", "2026-11-23", "", "a 1 a 2 b 2 r left"},
		{"puzzle-solved-review", "2026-11-23", "", "a 3 a 1 r"},
		{"puzzle-five-by-five", "2026-11-28", "", ""},
		{"puzzle-five-by-five-failed", "2026-11-28", "", "a 1 b 1 c 1"},
		{"puzzle-failed-on-a-small-terminal", "2026-11-27", "40x12", "a 2 b 3 7 b 2 a 2"},
		{"puzzle-help", "2026-11-23", "", "?"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			model, quit := feed(resized(t, start(t, newPuzzle(t, tt.day)), tt.size), keys(tt.keys)...)
			if quit {
				t.Fatal("the screen has quit")
			}
			golden.Compare(t, screensFile, tt.name, plain(model), *update)
		})
	}
}
