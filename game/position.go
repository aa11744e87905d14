package game

import "iter"

// Position is a board with its rules and the side to move, and where marks vanish, their order. It is a comparable value
// of 32 bytes, and every one that can be built can arise in a game. The zero value is no position; nothing is legal there.
type Position struct {
	rules Rules
	turn  Mark
	marks [2]Bitboard // of X and of O
	order [2]queue    // of the same where marks vanish, else 0
}

// Start is the empty board with X to move.
func Start(rules Rules) Position { return Position{rules: rules, turn: X} }

// StartWith is the empty board with that side to move; None counts as X.
func StartWith(rules Rules, starter Mark) Position {
	if starter != O {
		starter = X
	}
	return Position{rules: rules, turn: starter}
}

// Rules is the rule set in force.
func (p Position) Rules() Rules { return p.rules }

// Turn is the side to move. In a finished position it is the side that would have been.
func (p Position) Turn() Mark { return p.turn }

// Starter is the side that made or will make the first move, as the numbers of marks tell. Where marks vanish and both
// sides have all that they keep, either may have begun; then it is the side to move.
func (p Position) Starter() Mark {
	switch x, o := p.marks[0].Len(), p.marks[1].Len(); {
	case x > o:
		return X
	case x < o:
		return O
	default:
		return p.turn
	}
}

// Marks is the set of squares with that mark on them; of None, the empty squares.
func (p Position) Marks(m Mark) Bitboard {
	switch m {
	case X:
		return p.marks[0]
	case O:
		return p.marks[1]
	default:
		return p.rules.Board() &^ (p.marks[0] | p.marks[1])
	}
}

// At is the mark on a square; None if it is empty or off the board.
func (p Position) At(s Square) Mark {
	switch {
	case p.marks[0].Has(s):
		return X
	case p.marks[1].Has(s):
		return O
	default:
		return None
	}
}

// Ply is the number of marks on the board: that of the moves made, or less where marks vanish.
func (p Position) Ply() int { return (p.marks[0] | p.marks[1]).Len() }

// Legal is the set of squares that may be played, empty once the game is over. Where marks fall it is the squares on which
// they land.
func (p Position) Legal() Bitboard {
	if p.hasLine() {
		return 0
	}
	return p.open()
}

// Landing is the square on which a mark lands that is played in the column of s: where marks fall, the lowest empty square
// of the column, elsewhere s itself. Of a full column it is s, too.
func (p Position) Landing(s Square) Square {
	if p.rules.gravity {
		for landing := range p.open().All() {
			if uint8(landing)%p.rules.width == uint8(s)%p.rules.width {
				return landing
			}
		}
	}
	return s
}

// Outcome tells who has won by a line, or that a full board is drawn.
func (p Position) Outcome() Outcome {
	switch {
	case p.hasLine() && p.rules.misere:
		return WinFor(p.turn)
	case p.hasLine():
		return WinFor(p.turn.Opponent())
	case p.Marks(None) == 0:
		return Draw
	default:
		return InProgress
	}
}

// Score is what the finished position is worth to a side, X or O: 1 for a win, 0 for a draw, -1 for a loss. While the game
// is in progress the error wraps [ErrInProgress].
func (p Position) Score(m Mark) (int, error) { return p.Outcome().Score(m) }

// Line is the set of squares in lines, empty while there is none. One move can close several lines; all are in the set.
func (p Position) Line() Bitboard {
	// Whoever moved before closed none, or the game would have ended there.
	return p.rules.lines().in(p.Marks(p.turn.Opponent()))
}

func (p Position) hasLine() bool { return p.rules.lines().any(p.Marks(p.turn.Opponent())) }

// Threats is the set of squares on which that side, X or O, would complete a line if it were to move; empty once the game
// is over.
func (p Position) Threats(m Mark) Bitboard {
	return p.Legal() & p.rules.lines().completing(p.Marks(m)&^p.leaving(m))
}

// Vanishing is the square whose mark disappears when the side to move makes its move; empty if none does, or the game is
// over.
func (p Position) Vanishing() Bitboard {
	if p.hasLine() {
		return 0
	}
	return p.leaving(p.turn)
}

// leaving is the square whose mark disappears when that side places its next one, if any.
func (p Position) leaving(m Mark) Bitboard {
	if m == None || !p.rules.Vanish() || p.Marks(m).Len() < p.rules.Keep() {
		return 0
	}
	return 1 << p.order[m-X].oldest()
}

// Play is the position after the side to move has placed its mark on s. The receiver does not change. The error is an
// [*IllegalMoveError].
func (p Position) Play(s Square) (Position, error) {
	if !p.Legal().Has(s) {
		return p, p.illegal(s)
	}
	return p.place(s), nil
}

// Moves visits every legal square in ascending order, each with the position after it.
func (p Position) Moves() iter.Seq2[Square, Position] {
	return func(yield func(Square, Position) bool) {
		for s := range p.Legal().All() {
			if !yield(s, p.place(s)) {
				return
			}
		}
	}
}

// open is the set of squares that may be played while the game is in progress.
func (p Position) open() Bitboard {
	empty := p.Marks(None)
	if p.rules.gravity {
		return empty &^ (empty >> p.rules.width)
	}
	return empty
}

// place is how a legal move changes a position: the oldest mark goes if the side has all that it keeps, and the new one
// comes.
func (p Position) place(s Square) Position {
	mover := (p.turn - X) & 1
	if p.rules.Vanish() {
		n := p.marks[mover].Len()
		if gone := p.leaving(p.turn); gone != 0 {
			p.marks[mover] &^= gone
			p.order[mover] = p.order[mover].without()
			n--
		}
		p.order[mover] = p.order[mover].with(s, n)
	}
	p.marks[mover] |= 1 << s
	p.turn = p.turn.Opponent()
	return p
}
