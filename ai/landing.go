package ai

import "tictactoe/game"

// A landing tells which empty squares may be played: all of them or, where marks fall, those above a mark and those in the
// lowest row.
type landing struct {
	board  uint32
	ground uint32 // the squares that need no mark below: the lowest row, or the whole board where marks do not fall
	width  int    // how many squares further the square below is
}

func landingOf(rules game.Rules) landing {
	l := landing{board: uint32(rules.Board()), ground: uint32(rules.Board()), width: rules.Width()}
	if rules.Gravity() {
		l.ground &^= l.ground >> l.width
	}
	return l
}

// squares returns those of the empty squares that may be played.
func (l landing) squares(empty uint32) uint32 {
	return empty & ((l.board&^empty)>>(l.width&31) | l.ground)
}

// falls reports whether marks fall.
func (l landing) falls() bool { return l.ground != l.board }
