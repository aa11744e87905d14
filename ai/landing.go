package ai

import "tictactoe/game"

// A landing finds the empty squares that may be played: all of them or, where marks fall, the squares above a mark and in the
// lowest row.
type landing struct {
	board  uint32
	ground uint32 // the squares that need no mark below: the lowest row, or the whole board where marks do not fall
	width  int    // the distance to the square below
}

func landingOf(rules game.Rules) landing {
	l := landing{board: uint32(rules.Board()), ground: uint32(rules.Board()), width: rules.Width()}
	if rules.Gravity() {
		l.ground &^= l.ground >> l.width
	}
	return l
}

// squares returns the empty squares that may be played.
func (l landing) squares(empty uint32) uint32 {
	return empty & ((l.board&^empty)>>(l.width&31) | l.ground)
}

// falls reports whether marks fall.
func (l landing) falls() bool { return l.ground != l.board }
