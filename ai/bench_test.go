package ai_test

import (
	"testing"

	"tictactoe/ai"
	"tictactoe/game"
)

// How long does a program wait for its solver?
func BenchmarkNewSolver(b *testing.B) {
	for _, text := range []string{"3x3x3", "3x3x3+misere", "4x3x3", "3x3x3+keep3", "5x5x4"} {
		rules := must(game.ParseRules(text))
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				must(ai.NewSolver(rules))
			}
		})
	}
}

// How long does a look-up take?
func BenchmarkEval(b *testing.B) {
	for _, text := range []string{"3x3x3", "3x3x3+keep3"} {
		rules := must(game.ParseRules(text))
		solver := must(ai.NewSolver(rules))
		p := must(game.Replay(rules, 0, 4, 8)).Position()
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				solver.Eval(p)
			}
		})
	}
}

// How long does it take to find out what the empty board is worth, knowing nothing?
func BenchmarkSolveEmpty(b *testing.B) {
	for _, text := range []string{"4x4x4", "5x4x4", "5x5x4", "5x5x5", "5x5x3", "5x4x4+gravity", "5x5x4+gravity"} {
		rules := must(game.ParseRules(text))
		b.Run(text, func(b *testing.B) {
			var nodes int
			for b.Loop() {
				_, nodes = ai.SolveEmpty(rules)
			}
			b.ReportMetric(float64(nodes), "nodes/op")
		})
	}
}

// How long does an answer take, in the position with the most moves? Chances are remembered where they are all foreseen.
func BenchmarkChoose(b *testing.B) {
	for _, text := range []string{"3x3x3", "3x3x3+keep3", "4x4x4", "5x5x4", "5x5x4+gravity"} {
		rules := must(game.ParseRules(text))
		solver := must(ai.NewSolver(rules))
		for _, level := range ai.Levels() {
			b.Run(text+"/"+level, func(b *testing.B) {
				player := newPlayer(level, solver)
				p := game.Start(rules)
				b.ReportAllocs()
				for b.Loop() {
					must(player.Choose(b.Context(), p))
				}
			})
		}
	}
}
