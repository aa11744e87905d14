package ai

import (
	"math/bits"

	"tictactoe/game"
)

// A landing finds the empty squares that may be played: all of them or, where marks fall, the squares above a mark and in the
// lowest row.
type landing struct {
	board  uint32
	ground uint32 // the squares that need no mark below: the lowest row, or the whole board where marks do not fall
	width  int    // the distance to the square below
	// others is every other row where marks fall, beginning with the highest.
	others uint32
}

func landingOf(rules game.Rules) landing {
	l := landing{board: uint32(rules.Board()), ground: uint32(rules.Board()), width: rules.Width()}
	if rules.Gravity() {
		l.ground &^= l.ground >> l.width
		for s := range rules.Squares() {
			if s/l.width%2 == 0 {
				l.others |= 1 << s
			}
		}
	}
	return l
}

// squares returns the empty squares that may be played.
func (l landing) squares(empty uint32) uint32 {
	return empty & ((l.board&^empty)>>(l.width&31) | l.ground)
}

// claimed returns the empty squares that the side not to move can make sure of where marks fall. It pairs the empty squares of each
// column from the top, answers the lower square of a pair by the upper one, and a square without a partner by another such square. With
// an odd number of empty squares it runs out of answers, and claimed returns no squares.
func (l landing) claimed(empty uint32) uint32 {
	if bits.OnesCount32(empty)%2 != 0 {
		return 0
	}
	return l.others & empty & (empty >> (l.width & 31))
}

// falls reports whether marks fall.
func (l landing) falls() bool { return l.ground != l.board }
