package ai

import (
	"context"
	"math/bits"

	"tictactoe/game"
)

// tableSquares is the number of squares of the largest board with a table.
const tableSquares = 12

// misereSquares is the number of squares of the largest board with a table if a line loses. It is larger because the search
// supports only games in which a line wins. Such a table takes half a second and 43 MB.
const misereSquares = 16

// A table holds the score of every position of a small board on which marks stay, whichever side began. It is immutable.
type table struct {
	ternary []uint32   // for each set of squares, the sum of 3^s over its squares s
	powers  [32]uint32 // for each square s, 3^s
	scores  []score    // indexed as index returns
}

// newTable fills a table backwards from the full board, so that the scores after each move of a position are known before the
// position is scored. On 3x3 it takes about a tenth of a millisecond, and on 12 squares some milliseconds and half a megabyte.
func newTable(rules game.Rules) *table {
	n, all := rules.Squares(), uint32(rules.Board())
	t := &table{ternary: make([]uint32, 1<<n)}
	power := uint32(1)
	for s := range n {
		t.powers[s] = power
		for set := range 1 << s {
			t.ternary[1<<s|set] = power + t.ternary[set]
		}
		power *= 3
	}
	t.scores = make([]score, power)

	hasLine := make([]bool, 1<<n) // for each set of squares, whether it contains a line
	for _, line := range linesOf(rules) {
		for set := line; ; set = (set + 1) | line { // every set that contains the line
			hasLine[set] = true
			if set == all {
				break
			}
		}
	}
	end := lost // the side that moved last has completed the line
	if rules.Misere() {
		end = won
	}
	landing := landingOf(rules)
	for marks := all; ; marks-- {
		// The side to move has as many marks as the other, or one less.
		for half, mine := bits.OnesCount32(marks)/2, marks; ; mine = (mine - 1) & marks {
			if bits.OnesCount32(mine) == half {
				best := end
				if theirs := marks &^ mine; !hasLine[theirs] {
					best = t.bestMove(mine, theirs, landing.squares(all&^marks))
				}
				t.scores[t.index(mine, marks&^mine)] = best
			}
			if mine == 0 {
				break
			}
		}
		if marks == 0 {
			return t
		}
	}
}

// bestMove returns the score, for the side to move, of a position without a line. The scores after moves on the open squares
// must be known.
func (t *table) bestMove(mine, theirs, open uint32) score {
	if open == 0 {
		return drawn
	}
	worst := won // for the other side
	for now := t.index(theirs, mine); open != 0; open &= open - 1 {
		worst = min(worst, t.scores[now+2*t.powers[bits.TrailingZeros32(open)&31]])
	}
	return worst.beforeMove()
}

// index returns the position as a number of base 3 with a digit for each square: 0 if it is empty, 1 if it has a mark of the
// side to move, and 2 if it has one of the other side. X and O do not matter, because a position is worth the same to
// either side to move.
func (t *table) index(mine, theirs uint32) uint32 { return t.ternary[mine] + 2*t.ternary[theirs] }

func (t *table) eval(_ context.Context, p game.Position) (Eval, bool) {
	mine, theirs := sides(p)
	return t.scores[t.index(mine, theirs)].eval(p.Rules().Squares() - bits.OnesCount32(mine|theirs)), true
}
