package game_test

import (
	"math/bits"
	"slices"
	"testing"

	"tictactoe/game"
)

// BenchmarkPerft measures how fast the whole tree of 3x3 is generated. For comparison it measures a program that knows only 3x3: two
// sets of squares and a table of the sets that have a line. The ratio of the two times means more than either time.
func BenchmarkPerft(b *testing.B) {
	const nodes = 549946
	perNode := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/nodes, "ns/node")
	}
	b.Run("3x3x3", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			game.Perft(game.Start(game.Classic()), 9)
		}
		perNode(b)
	})
	b.Run("floor", func(b *testing.B) {
		var f floor
		for set := range f {
			for _, line := range []int{0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124} {
				f[set] = f[set] || set&line == line
			}
		}
		for b.Loop() {
			f.count(0, 0, 9)
		}
		perNode(b)
	})
}

// A floor records which sets of squares of 3x3 have a line.
type floor [512]bool

func (f *floor) count(me, rival, depth uint) int {
	if f[rival&511] {
		return 0
	}
	empty := 511 &^ (me | rival)
	if depth == 1 {
		return bits.OnesCount(empty)
	}
	n := 0
	for ; empty != 0; empty &= empty - 1 {
		n += f.count(rival, me|empty&-empty, depth-1)
	}
	return n
}

func BenchmarkPlay(b *testing.B) {
	for _, test := range []struct{ rules, position string }{
		{"3x3x3", "XOX/.O./..."},
		{"3x3x3+keep3", "X:a1,b2,c2 O:a2,b3,c1 X"},
		{"5x5x4+gravity", "...../...../...../..O../.XXO."},
	} {
		p := must(game.ParsePosition(must(game.ParseRules(test.rules)), test.position))
		s := slices.Max(slices.Collect(p.Legal().All()))
		b.Run(test.rules, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p.Play(s)
			}
		})
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

// BenchmarkCanonical measures how long it takes to find the canonical position, early in a game and late.
func BenchmarkCanonical(b *testing.B) {
	rules := must(game.NewRules(5, 5, 4))
	for _, text := range []string{"XO.../.XO../..X../.O.../.....", "XXOOX/OXXOX/OOXXO/.O.O./X...X"} {
		p := must(game.ParsePosition(rules, text))
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p.Canonical()
			}
		})
	}
}
