package game

import "fmt"

// Reason is the reason for which a move is illegal.
type Reason uint8

// The reasons for which a move is refused.
const (
	OffBoard Reason = iota + 1 // no such square on this board
	Taken                      // the square already has a mark
	GameOver                   // the game has been decided
	Floating                   // marks fall, and the square below is empty
)

// String returns the reason in words, such as "the square is taken".
func (r Reason) String() string {
	return nameOf(r, "no reason", "the square is not on the board", "the square is taken", "the game is over", "the square below is empty")
}

// IllegalMoveError is the error of an illegal move, with the position, the square and the reason.
type IllegalMoveError struct {
	Position Position
	Square   Square
	Reason   Reason
}

func (e *IllegalMoveError) Error() string {
	name := e.Position.rules.Name(e.Square)
	if e.Reason == OffBoard {
		name = fmt.Sprintf("%d", e.Square) // the square has no name
	}
	return fmt.Sprintf("illegal move %s in %s: %s", name, e.Position, e.Reason)
}

// illegal returns the error of a move that is not legal in p.
func (p Position) illegal(s Square) *IllegalMoveError {
	reason := Floating
	switch {
	case int(s) >= p.rules.Squares():
		reason = OffBoard
	case p.Outcome() != InProgress:
		reason = GameOver
	case p.At(s) != None:
		reason = Taken
	}
	return &IllegalMoveError{p, s, reason}
}
