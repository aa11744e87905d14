package game_test

import (
	"testing"

	"tictactoe/game"
)

// How fast are positions generated? Nodes are those of the whole tree of 3x3.
func BenchmarkPerft(b *testing.B) {
	const nodes = 549946
	for b.Loop() {
		game.Perft(game.Start(game.Classic()), 9)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/nodes, "ns/node")
}

func BenchmarkPlay(b *testing.B) {
	p := must(game.ParsePosition(game.Classic(), "XOX/.O./..."))
	b.ReportAllocs()
	for b.Loop() {
		p.Play(5)
	}
}

func BenchmarkOutcome(b *testing.B) {
	for _, text := range []string{"XOX/.O./...", "XXX/OO./..."} {
		p := must(game.ParsePosition(game.Classic(), text))
		b.Run(p.Outcome().String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p.Outcome()
			}
		})
	}
}

func BenchmarkCanonical(b *testing.B) {
	p := must(game.ParsePosition(must(game.NewRules(5, 5, 4)), "XO.../.XO../..X../.O.../....."))
	b.ReportAllocs()
	for b.Loop() {
		p.Canonical()
	}
}
