package game

import (
	"fmt"
	"iter"
)

// Outcome is how a position stands: still open, won by a side, or drawn.
type Outcome uint8

// The outcomes of a position.
const (
	InProgress Outcome = iota
	XWins
	OWins
	Draw
)

// WinFor is the outcome in which that side has won.
func WinFor(m Mark) Outcome {
	switch m {
	case X:
		return XWins
	case O:
		return OWins
	default:
		return InProgress
	}
}

// Winner is the side that has won, None for a draw or a game in progress.
func (o Outcome) Winner() Mark {
	switch o {
	case XWins:
		return X
	case OWins:
		return O
	default:
		return None
	}
}

// String is "in progress", "X wins", "O wins" or "draw".
func (o Outcome) String() string {
	switch o {
	case XWins:
		return "X wins"
	case OWins:
		return "O wins"
	case Draw:
		return "draw"
	default:
		return "in progress"
	}
}

// Position is a board with its rules and the side that began. It is a comparable value of a few bytes, and every one that
// can be built can arise in a game. The zero value is no position; nothing is legal there.
type Position struct {
	rules   Rules
	starter Mark
	marks   [2]Bitboard // of X and of O
}

// Start is the empty board with X to move.
func Start(rules Rules) Position { return Position{rules: rules, starter: X} }

// StartWith is the empty board with that side to move; None counts as X.
func StartWith(rules Rules, starter Mark) Position {
	if starter != O {
		starter = X
	}
	return Position{rules: rules, starter: starter}
}

// Rules is the rule set in force.
func (p Position) Rules() Rules { return p.rules }

// Starter is the side that made or will make the first move.
func (p Position) Starter() Mark { return p.starter }

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

// Ply is the number of moves made.
func (p Position) Ply() int { return (p.marks[0] | p.marks[1]).Len() }

// Turn is the side to move. In a finished position it is the side that would have been.
func (p Position) Turn() Mark {
	if p.Ply()%2 == 0 {
		return p.starter
	}
	return p.starter.Opponent()
}

// Legal is the set of squares that may be played, empty once the game is over.
func (p Position) Legal() Bitboard {
	if p.Line() != 0 {
		return 0
	}
	return p.Marks(None)
}

// Outcome tells who has won by a line, or that a full board is drawn.
func (p Position) Outcome() Outcome {
	switch {
	case p.Line() != 0:
		return WinFor(p.last())
	case p.Marks(None) == 0:
		return Draw
	default:
		return InProgress
	}
}

// Line is the set of winning squares, empty while nobody has won. One move can close several lines; all are in the set.
func (p Position) Line() Bitboard {
	// Whoever moved before did not win, or the game would have ended there.
	return p.rules.lines(p.Marks(p.last()))
}

// Threats is the set of empty squares on which that side, X or O, would complete a line if it were to move; empty once
// the game is over.
func (p Position) Threats(m Mark) Bitboard {
	var threats Bitboard
	for s := range p.Legal().All() {
		if p.rules.lines(p.Marks(m)|1<<s) != 0 {
			threats |= 1 << s
		}
	}
	return threats
}

// Play is the position after the side to move has placed its mark on s. The receiver does not change. The error is an
// [*IllegalMoveError].
func (p Position) Play(s Square) (Position, error) {
	switch {
	case int(s) >= p.rules.Squares():
		return p, &IllegalMoveError{p, s, OffBoard}
	case p.Legal() == 0:
		return p, &IllegalMoveError{p, s, GameOver}
	case p.At(s) != None:
		return p, &IllegalMoveError{p, s, Taken}
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

// place is Play for a square that is known to be legal.
func (p Position) place(s Square) Position {
	if p.Turn() == X {
		p.marks[0] |= 1 << s
	} else {
		p.marks[1] |= 1 << s
	}
	return p
}

// last is the side that moved last; on the empty board, the side that moves second.
func (p Position) last() Mark { return p.Turn().Opponent() }

// Reason tells why a move is illegal.
type Reason uint8

// The reasons for which a move is refused.
const (
	OffBoard Reason = iota + 1 // no such square on this board
	Taken                      // a mark stands there
	GameOver                   // the game has been decided
)

// String words the reason.
func (r Reason) String() string {
	switch r {
	case OffBoard:
		return "the square is not on the board"
	case Taken:
		return "the square is taken"
	case GameOver:
		return "the game is over"
	default:
		return "no reason"
	}
}

// IllegalMoveError says which move was refused, where, and why.
type IllegalMoveError struct {
	Position Position
	Square   Square
	Reason   Reason
}

func (e *IllegalMoveError) Error() string {
	name := e.Position.rules.Name(e.Square)
	if e.Reason == OffBoard {
		name = fmt.Sprintf("%d", e.Square) // it has no name
	}
	return fmt.Sprintf("illegal move %s in %s: %s", name, e.Position, e.Reason)
}
