//go:build unix

package main

import (
	"context"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"tictactoe/ai"
	"tictactoe/game"
)

// BenchmarkLevels reports how many games two levels play in one second of processor time. For comparison,
// "floor" measures the same with players that take the first legal square at or after a random one.
func BenchmarkLevels(b *testing.B) {
	const games = 20_000
	measure := func(name string, play func(b *testing.B)) {
		b.Run(name, func(b *testing.B) {
			play(b) // not measured, because the first call also computes the engines' tables
			var used time.Duration
			batches := 0
			for b.Loop() {
				before := processorTime(b)
				play(b)
				used += processorTime(b) - before
				batches++
			}
			b.ReportMetric(float64(batches*games)/used.Seconds(), "games/cpu-s")
		})
	}
	for _, text := range []string{"classic", "misere", "infinite"} {
		rules, err := game.ParseRules(text)
		if err != nil {
			b.Fatal(err)
		}
		solver, err := ai.NewSolver(rules)
		if err != nil {
			b.Fatal(err)
		}
		measure(text+"/floor", func(b *testing.B) {
			for i := range uint64(games) {
				x, o := blind(rand.NewPCG(1, 2*i)), blind(rand.NewPCG(1, 2*i+1))
				if _, err := playOut(b.Context(), rules, x, o); err != nil {
					b.Fatal(err)
				}
			}
		})
		for _, levels := range [][2]ai.Level{
			{ai.Random, ai.Random}, {ai.Unbeatable, ai.Random}, {ai.Unbeatable, ai.Textbook}, {ai.Hard, ai.Easy}, {ai.Unbeatable, ai.Unbeatable},
		} {
			measure(text+"/"+levels[0].String()+"-"+levels[1].String(), func(b *testing.B) {
				c := levelsCommand{X: levels[0], O: levels[1], Rules: rules, Games: games, Seed: 1}
				if _, err := c.play(b.Context(), solver, func(int, int) {}); err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}

// blind returns a player that takes the first legal square at or after a random one.
func blind(source rand.Source) game.Player {
	return blindPlayer{rand.New(source)}
}

type blindPlayer struct{ random *rand.Rand }

func (b blindPlayer) Choose(_ context.Context, p game.Position) (game.Square, error) {
	legal := p.Legal()
	for s := game.Square(b.random.IntN(p.Rules().Squares())); ; s = (s + 1) % game.Square(p.Rules().Squares()) {
		if legal.Has(s) {
			return s, nil
		}
	}
}

// processorTime returns the processor time that this process has used.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
