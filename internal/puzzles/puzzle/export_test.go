package puzzle

import (
	"testing"

	"tictactoe/game"
)

// Turns is the number of weeks after which a puzzle may be repeated on a board whose puzzles are sampled.
const Turns = turns

// PoolOf returns the starts of all puzzles for the weekday of d in the order in which they are shown, or nil if its board has no
// pool.
func PoolOf(t *testing.T, d Day) (starts []game.Position) {
	t.Helper()
	e := editionOf(d)
	j, err := judgeOf(e.week[d.Weekday()].board(d))
	if err != nil {
		t.Fatal(err)
	}
	if listed(j.solver.Rules()) {
		for _, l := range j.pool(e, d.Weekday()) {
			starts = append(starts, l.start())
		}
	}
	return starts
}

// DemandOf returns the requirements for the puzzle of a day.
func DemandOf(d Day) Demand { return editionOf(d).week[d.Weekday()] }

// Obvious reports whether the right move is found without thinking.
func Obvious(p game.Position) bool { return obvious(p) }
