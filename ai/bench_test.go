package ai_test

import (
	"testing"

	"tictactoe/ai"
	"tictactoe/game"
)

// How long does a program wait for its table?
func BenchmarkNewSolver(b *testing.B) {
	for _, rules := range []game.Rules{game.Classic(), must(game.NewRules(4, 3, 3))} {
		b.Run(rules.String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				must(ai.NewSolver(rules))
			}
		})
	}
}

// How long does a look-up take?
func BenchmarkEval(b *testing.B) {
	table := must(ai.NewSolver(game.Classic()))
	p := must(game.ParsePosition(game.Classic(), "X../.O./..X"))
	b.ReportAllocs()
	for b.Loop() {
		table.Eval(p)
	}
}

// How long does an answer take, in the position with the most moves?
func BenchmarkChoose(b *testing.B) {
	table := must(ai.NewSolver(game.Classic()))
	for _, level := range ai.Levels() {
		b.Run(level, func(b *testing.B) {
			player := newPlayer(level, table)
			p := game.Start(game.Classic())
			b.ReportAllocs()
			for b.Loop() {
				must(player.Choose(b.Context(), p))
			}
		})
	}
}
