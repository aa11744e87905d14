package ai_test

import (
	"slices"
	"testing"
	"time"

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

// How long does somebody wait for the review of a whole game, by a solver that knows nothing yet? Weak players make the
// games in which there is most to find out.
func BenchmarkReview(b *testing.B) {
	for _, text := range []string{"infinite", "4x4", "drop", "5x5", "drop-5x5"} {
		rules := must(game.ParseRules(text))
		for _, levels := range [][2]string{{ai.Random, ai.Random}, {ai.Easy, ai.Textbook}, {ai.Easy, ai.Hard}} {
			b.Run(text+"/"+levels[0]+"-"+levels[1], func(b *testing.B) {
				playing := must(ai.NewSolver(rules))
				x, o := newPlayer(levels[0], playing), newPlayer(levels[1], playing)
				var took []time.Duration
				for b.Loop() {
					b.StopTimer()
					record := game.NewRecord(game.Start(rules))
					for record.Outcome() == game.InProgress {
						record = must(record.Play(must(x.Choose(b.Context(), record.Position()))))
						x, o = o, x
					}
					solver := must(ai.NewSolver(rules))
					b.StartTimer()
					began := time.Now()
					solver.Review(record)
					took = append(took, time.Since(began))
				}
				slices.Sort(took)
				ms := func(share float64) float64 {
					return float64(took[int(share*float64(len(took)-1))].Microseconds()) / 1000
				}
				b.ReportMetric(ms(0.5), "p50-ms")
				b.ReportMetric(ms(0.99), "p99-ms")
				b.ReportMetric(ms(1), "max-ms")
			})
		}
	}
}
