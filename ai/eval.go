package ai

import "fmt"

// Value is the value of a position for one side if both sides play perfectly.
type Value int8

// The values, worst first.
const (
	Loss Value = iota - 1
	Draw
	Win
)

// String returns "loss", "draw" or "win".
func (v Value) String() string {
	switch {
	case v < Draw:
		return "loss"
	case v > Draw:
		return "win"
	default:
		return "draw"
	}
}

// Eval is an exact judgement of a position for one side.
type Eval struct {
	Value Value
	// Plies is the number of moves, of both sides together, until the game ends, if the winner wins as fast and the loser
	// loses as slowly as possible. For a draw it is the number of moves until the board is full, or Unknown if the game can
	// go on forever.
	Plies int
}

// Unknown is the number of plies of a draw that need not end, or that was not searched to its end.
const Unknown = -1

// String returns the value and the plies, as in "win in 3", or the value alone if the plies are [Unknown].
func (e Eval) String() string {
	if e.Plies == Unknown {
		return e.Value.String()
	}
	return fmt.Sprintf("%s in %d", e.Value, e.Plies)
}

// beforeMove converts the evaluation of a position to the evaluation of the move that led to it, for the side that made the move.
func (e Eval) beforeMove() Eval {
	if e.Plies != Unknown {
		e.Plies++
	}
	e.Value = -e.Value
	return e
}
