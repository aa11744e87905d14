package puzzle_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/game"
	"tictactoe/internal/puzzles/puzzle"
)

// puzzleOf generates the puzzle of a day.
func puzzleOf(t *testing.T, day string) puzzle.Puzzle {
	t.Helper()
	d, err := puzzle.ParseDay(day)
	if err != nil {
		t.Fatal(err)
	}
	return generated(t, d)
}

// puzzles holds by day the puzzles that were generated, since the long tests look at the same days.
var puzzles sync.Map

// generated returns the puzzle of a day, generated once.
func generated(t *testing.T, d puzzle.Day) puzzle.Puzzle {
	t.Helper()
	if p, ok := puzzles.Load(d); ok {
		return p.(puzzle.Puzzle)
	}
	p, err := puzzle.Of(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	puzzles.Store(d, p)
	return p
}

func TestPlay(t *testing.T) {
	t.Parallel()
	for _, day := range []string{"2026-11-23", "2026-11-24", "2026-11-25", "2026-11-26", "2026-11-27", "2026-11-28", "2026-11-29", "1969-07-20"} {
		p := puzzleOf(t, day)
		var presses []game.Square
		for i, move := range p.Solution() {
			open, err := p.Play(presses...)
			if err != nil || open.Status != puzzle.Open || open.Position() != move.Before || open.Presses != i {
				t.Fatalf("%s after %v: %+v, %v", day, presses, open, err)
			}
			for square := range move.Before.Legal().All() {
				if square == move.Right {
					continue
				}
				failed, err := p.Play(append(presses[:i:i], square)...)
				if err != nil || failed.Status != puzzle.Failed || failed.Mistake.Right != move.Right {
					t.Errorf("%s, a wrong press on %v: %+v, %v", day, square, failed, err)
				}
				if _, err := p.Play(append(presses[:i:i], square, square)...); !errors.Is(err, puzzle.ErrOver) {
					t.Errorf("%s, a press after a wrong one: %v", day, err)
				}
			}
			presses = append(presses, move.Right)
		}
		solved, err := p.Play(presses...)
		if err != nil || solved.Status != puzzle.Solved || len(presses) != p.Decisions {
			t.Errorf("%s, the solution: %+v, %v", day, solved, err)
		}
	}
}

// TestMovesAreJudgedAsInAReview compares a puzzle's judgement of right and wrong moves with the review of a game with these moves.
func TestMovesAreJudgedAsInAReview(t *testing.T) {
	t.Parallel()
	for _, day := range []string{"2026-11-23", "2026-11-25", "2026-11-26"} {
		p := puzzleOf(t, day)
		solver := solverOf(t, p.Start.Rules())
		var presses []game.Square
		for _, move := range p.Solution() {
			for square := range move.Before.Legal().All() {
				record, err := game.ReplayFrom(move.Before, square)
				if err != nil {
					t.Fatal(err)
				}
				remark := solver.Review(record)[0]
				state, err := p.Play(append(presses[:len(presses):len(presses)], square)...)
				if err != nil {
					t.Fatal(err)
				}
				if square == move.Right {
					if diff := cmp.Diff(remark.Advice(), move.Advice()); diff != "" {
						t.Errorf("%s, the right move in %s (-review +puzzle):\n%s", day, move.Before, diff)
					}
				} else if diff := cmp.Diff(remark, state.Mistake.Remark()); diff != "" {
					t.Errorf("%s, a wrong move in %s (-review +puzzle):\n%s", day, move.Before, diff)
				}
			}
			presses = append(presses, move.Right)
		}
	}
}

func TestDay(t *testing.T) {
	t.Parallel()
	for _, day := range []string{"1999-12-31", "1969-12-31", "2026-11-23", "2040-02-29", "0001-01-01"} {
		d, err := puzzle.ParseDay(day)
		if err != nil || d.String() != day || puzzle.DayOf(d.Start()) != d {
			t.Errorf("%s is read as %s, %v", day, d, err)
		}
		text, err := json.Marshal(d)
		var read puzzle.Day
		if err != nil || string(text) != `"`+day+`"` || json.Unmarshal(text, &read) != nil || read != d {
			t.Errorf("%s is %s in JSON, which is read as %s (%v)", day, text, read, err)
		}
	}
	for _, text := range []string{"", "today", "2026-02-30", "23.11.2026"} {
		if d, err := puzzle.ParseDay(text); err == nil {
			t.Errorf("%q is read as %s", text, d)
		}
	}
}
