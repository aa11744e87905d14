package ai

import "fmt"

// Value is what a position is worth to one side if both play perfectly.
type Value int8

// The values, worst first.
const (
	Loss Value = iota - 1
	Draw
	Win
)

// String is "loss", "draw" or "win".
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
	// Plies is the number of moves, of both sides together, until the game ends, when the winner hurries and the loser
	// resists as long as possible. For a draw it is the number of moves until the board is full, and Unknown where the
	// game need not end. Of a win or loss that is far away on a large board it may be Unknown, too.
	Plies int
}

// Unknown is the number of plies where there is none, or where finding it out would take too long.
const Unknown = -1

// String is such as "win in 3", "loss in 2" or "draw in 9"; without a known number of plies, just "win".
func (e Eval) String() string {
	if e.Plies == Unknown {
		return e.Value.String()
	}
	return fmt.Sprintf("%s in %d", e.Value, e.Plies)
}

// beforeMove returns the evaluation for the side whose move led to a position of that evaluation.
func (e Eval) beforeMove() Eval {
	if e.Plies != Unknown {
		e.Plies++
	}
	e.Value = -e.Value
	return e
}
