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
	// resists as long as possible. For a draw it is the number of moves until the board is full.
	Plies int
}

// String is such as "win in 3", "loss in 2" or "draw in 9".
func (e Eval) String() string { return fmt.Sprintf("%s in %d", e.Value, e.Plies) }
