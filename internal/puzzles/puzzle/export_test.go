package puzzle

import (
	"context"
	"testing"

	"tictactoe/game"
)

// Turns is the number of weeks after which a puzzle may be repeated on a board whose puzzles are sampled.
const Turns = turns

// PoolOf returns the starts of all puzzles for the weekday of d in the order in which they are shown, or nil if its board has no
// pool.
func PoolOf(t *testing.T, g *Generator, d Day) []game.Position {
	t.Helper()
	e := editionOf(d)
	if _, err := g.Of(context.Background(), d); err != nil {
		t.Fatal(err)
	}
	var starts []game.Position
	for key, p := range g.pools {
		if key.since == e.since && key.weekday == d.Weekday() {
			for _, l := range p {
				starts = append(starts, l.start())
			}
		}
	}
	return starts
}

// Obvious reports whether the right move is found without thinking.
func Obvious(p game.Position) bool { return obvious(p) }
