//go:build unix

package puzzle_test

import (
	"context"
	"testing"
	"time"

	"tictactoe/internal/puzzles/puzzle"
)

// BenchmarkOf generates puzzles with a new generator. It reports the mean and the longest processor time over 52 weeks; the limit is
// one second.
func BenchmarkOf(b *testing.B) {
	monday, err := puzzle.ParseDay(first)
	if err != nil {
		b.Fatal(err)
	}
	for i := range puzzle.Day(7) {
		b.Run((monday + i).Weekday().String(), func(b *testing.B) {
			var slowest, all time.Duration
			made := 0
			for b.Loop() {
				d := monday + i + puzzle.Day(7*(made%52))
				before := processor(b)
				if _, err := puzzle.Of(context.Background(), d); err != nil {
					b.Fatal(err)
				}
				took := processor(b) - before
				slowest, all = max(slowest, took), all+took
				made++
			}
			b.ReportMetric(float64(all.Microseconds())/1000/float64(made), "mean-ms")
			b.ReportMetric(float64(slowest.Microseconds())/1000, "slowest-ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}
