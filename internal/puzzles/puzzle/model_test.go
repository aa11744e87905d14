package puzzle_test

import (
	"context"
	"math"
	"testing"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/puzzles/puzzle"
)

// TestDifficulty compares the models with the computer of the level "medium" and with a player who takes 95 % of wins, blocks 80 % of
// threats and otherwise plays a random move that does not lose at once.
func TestDifficulty(t *testing.T) {
	t.Parallel()
	engines := map[string]*ai.Engine{}
	for d := day(t, first); d < day(t, first)+21; d++ {
		p, err := puzzle.Of(context.Background(), d)
		if err != nil {
			t.Fatal(err)
		}
		if engines[p.Board] == nil {
			if engines[p.Board], err = ai.NewEngine(ai.Medium, solverOf(t, p.Start.Rules()), nil); err != nil {
				t.Fatal(err)
			}
		}
		medium, people := 1.0, 1.0 // the chances to solve the puzzle
		for _, move := range p.Solution() {
			odds, err := engines[p.Board].Odds(move.Before)
			if err != nil {
				t.Fatal(err)
			}
			medium *= odds[move.Right]
			people *= person(move.Before, move.Right)
		}
		if want := 1 - (medium+people)/2; math.Abs(p.Difficulty-want) > 1e-4 {
			t.Errorf("%s has the difficulty %f, want %f", d, p.Difficulty, want)
		}
	}
}

// person returns the chance that people play the square.
func person(p game.Position, square game.Square) float64 {
	in := func(set game.Bitboard) float64 {
		if !set.Has(square) {
			return 0
		}
		return 1 / float64(set.Len())
	}
	mine, theirs := p.Threats(p.Turn()), p.Threats(p.Turn().Opponent())
	if p.Rules().Misere() {
		if rest := p.Legal() &^ mine; rest != 0 {
			return in(rest)
		}
		return in(p.Legal())
	}
	chance := in(p.Legal())
	if theirs != 0 {
		chance = 0.80*in(theirs) + 0.20*chance
	}
	if mine != 0 {
		chance = 0.95*in(mine) + 0.05*chance
	}
	return chance
}

func TestPuzzlesMeetTheirDemand(t *testing.T) {
	t.Parallel()
	for _, d := range []string{"2026-12-07", "2026-12-08", "2026-12-09", "2026-12-10", "2026-12-11", "2026-12-12", "2026-12-13"} {
		p := puzzleOf(t, d)
		demand := puzzle.DemandOf(p.Day)
		thought, only := decisionsOf(solverOf(t, p.Start.Rules()), p)
		if !only || thought < demand.Thought || p.Decisions < demand.Decisions {
			t.Errorf("%s has %d decisions, %d of them not obvious, and only one right move each: %t", d, p.Decisions, thought, only)
		}
		if percent := p.Difficulty * 100; percent < float64(demand.Easiest) || percent >= float64(demand.Hardest) {
			t.Errorf("%s has the difficulty %.0f %%, the demand of its weekday is %d to %d", d, percent, demand.Easiest, demand.Hardest)
		}
	}
}

// decisionsOf returns the number of decisions of a puzzle that are not obvious, and whether exactly one move keeps the value in each.
func decisionsOf(solver *ai.Solver, p puzzle.Puzzle) (thought int, only bool) {
	only = true
	for _, move := range p.Solution() {
		if !puzzle.Obvious(move.Before) {
			thought++
		}
		only = only && solver.Holding(move.Before) == game.SetOf(move.Right)
	}
	return thought, only
}

func solverOf(t *testing.T, rules game.Rules) *ai.Solver {
	t.Helper()
	solver, err := ai.NewSolver(rules)
	if err != nil {
		t.Fatal(err)
	}
	return solver
}
