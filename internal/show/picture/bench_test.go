//go:build unix

package picture_test

import (
	"syscall"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/show/picture"
)

// BenchmarkBoard draws the picture of a shared match.
func BenchmarkBoard(b *testing.B) {
	for _, name := range []string{"won", "5x5"} {
		board := boardOf(b, boards[name])
		b.Run(name, func(b *testing.B) {
			before := processor(b)
			for b.Loop() {
				boardPNG(b, board, picture.DefaultSize)
			}
			b.ReportMetric(float64(processor(b)-before)/float64(b.N)/1e6, "processor-ms/op")
		})
	}
}

// BenchmarkAnimation draws the longest games of three rule sets.
func BenchmarkAnimation(b *testing.B) {
	for _, name := range []string{"classic", "5x5", "infinite"} {
		rules, err := game.ParseRules(name)
		if err != nil {
			b.Fatal(err)
		}
		r := randomGame(b, rules, 1)
		b.Run(name, func(b *testing.B) {
			before := processor(b)
			for b.Loop() {
				animation(b, r, true, picture.AnimationSize(r))
			}
			b.ReportMetric(float64(processor(b)-before)/float64(b.N)/1e6, "processor-ms/op")
			b.ReportMetric(float64(r.Len()), "moves")
		})
	}
}

// processor returns the processor time that this process has used so far.
func processor(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
