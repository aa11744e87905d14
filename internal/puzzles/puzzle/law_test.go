package puzzle_test

import (
	"testing"

	"tictactoe/game"
	"tictactoe/internal/longtest"
	"tictactoe/internal/puzzles/puzzle"
)

// first is the first day whose puzzle the tests generate.
const first = "2026-11-23"

// check reports the errors of a puzzle that a brute finds.
func check(t *testing.T, p puzzle.Puzzle, b *brute) {
	t.Helper()
	goal := map[puzzle.Goal]int{puzzle.Win: 1, puzzle.Hold: 0}[p.Goal]
	names := p.Start.Rules()
	if start := b.table.sceneOf(p.Start); !b.table.misere {
		for _, at := range b.table.moves(start) {
			if b.table.aligned(b.table.play(start, at), start.turn) {
				t.Errorf("%s: %s wins at once", p.Day, names.Name(game.Square(at)))
			}
		}
	}
	var presses []game.Square
	for i, move := range p.Solution() {
		before := b.table.sceneOf(move.Before)
		if got := b.value(before); got != goal {
			t.Errorf("%s, decision %d of %s: worth %d, the goal is to %s", p.Day, i+1, move.Before, got, p.Goal)
		}
		for _, at := range b.table.moves(before) {
			square := game.Square(at)
			value := -b.value(b.table.play(before, at))
			if right := square == move.Right; (value == goal) != right {
				t.Errorf("%s, decision %d of %s: %s is worth %d; right is %s", p.Day, i+1, move.Before, names.Name(square), value, names.Name(move.Right))
			}
			if state, err := p.Play(append(presses[:i:i], square)...); err != nil {
				t.Errorf("%s: %v", p.Day, err)
			} else if state.Mistake != nil {
				checkMistake(t, p, b, state, value)
			}
		}
		after := b.table.play(before, int(move.Right))
		if move.Answer != game.NoSquare && -b.value(b.table.play(after, int(move.Answer))) != b.value(after) {
			t.Errorf("%s: the computer answers %s with %s, and has a better answer", p.Day, names.Name(move.Right), names.Name(move.Answer))
		}
		presses = append(presses, move.Right)
	}
}

// checkMistake compares a puzzle's judgement of a wrong move, which has the given value, with the judgement of b.
func checkMistake(t *testing.T, p puzzle.Puzzle, b *brute, state puzzle.State, value int) {
	t.Helper()
	m := state.Mistake
	if int(m.Reached) != value {
		t.Errorf("%s: %s is worth %d, not %d", p.Day, p.Start.Rules().Name(m.Pressed), value, m.Reached)
	}
	if end := b.table.sceneOf(state.Position()); m.Answer != game.NoSquare && b.value(end) != value {
		t.Errorf("%s: after %s, %s is not the best answer", p.Day, p.Start.Rules().Name(m.Pressed), p.Start.Rules().Name(m.Answer))
	}
}

// TestBrute checks the puzzles of 105 days with a solver that has its own rules and its own search.
func TestBrute(t *testing.T) {
	longtest.Only(t)
	judges := map[string]*brute{}
	for d := day(t, first); d < day(t, first)+105; d++ {
		p := generated(t, d)
		if judges[p.Board] == nil || p.Start.Rules().Squares() > 16 { // solved scenes of one puzzle rarely occur in another
			judges[p.Board] = bruteOf(p.Board)
		}
		check(t, p, judges[p.Board])
	}
}

// TestASmallBrute checks one puzzle of each small board in the same way as TestBrute.
func TestASmallBrute(t *testing.T) {
	t.Parallel()
	for _, d := range []string{"2026-11-23", "2026-11-26", "2026-11-27"} {
		p := puzzleOf(t, d)
		check(t, p, bruteOf(p.Board))
	}
}

// TestTheBruteSeesAPlantedError checks that the judge does not repeat the claims of a puzzle, but values the position itself.
func TestTheBruteSeesAPlantedError(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		board, position string
		value           int
	}{
		{"classic", ".../.../...", 0}, {"classic", "X../.O./..X", 0}, {"classic", "XO./.../...", 1}, {"classic", "X../.../..O", 1},
		{"misere", ".X./.../...", 1}, {"misere", ".../.X./...", 0}, {"infinite", "X: O: X", 1},
		{"infinite", "X:b2 O: O", 0}, {"drop", "...../...../.OO../.XXX.", -1},
	} {
		rules, err := game.ParseRules(test.board)
		if err != nil {
			t.Fatal(err)
		}
		p, err := game.ParsePosition(rules, test.position)
		if err != nil {
			t.Fatal(err)
		}
		b := bruteOf(test.board)
		if got := b.value(b.table.sceneOf(p)); got != test.value {
			t.Errorf("%s on %s is worth %d, want %d", test.position, test.board, got, test.value)
		}
	}
}

func day(t *testing.T, text string) puzzle.Day {
	t.Helper()
	d, err := puzzle.ParseDay(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
