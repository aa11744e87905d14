package ai

import (
	"math"

	"tictactoe/game"
)

// traps calculates the chance that a player who plays like the model loses a drawn game.
type traps struct {
	model style
	// wins reports whether the side to move in a position wins if both play perfectly.
	wins  func(game.Position) bool
	known map[horizon]float64
	// spent reports whether to stop early, because the answer will not be used.
	spent func() bool
}

// A horizon is a position with the number of the model's replies to look ahead.
type horizon struct {
	position game.Position
	replies  int
}

func newTraps(model style, wins func(game.Position) bool) *traps {
	return &traps{model, wins, map[horizon]float64{}, func() bool { return false }}
}

// chance returns the chance that the model turns p into a loss within its next replies, if the other side keeps setting traps and
// never risks a loss. The model is to move in p, and p is not lost yet.
func (t *traps) chance(p game.Position, replies int) float64 {
	at := horizon{p, replies}
	if sum, ok := t.known[at]; ok {
		return sum
	}
	var sum float64
	odds := t.model(p)
	for s, next := range p.Moves() {
		switch {
		case odds[s] == 0 || t.spent():
		case t.wins(next):
			sum += odds[s]
		case replies > 1:
			sum += odds[s] * t.best(next, replies-1)
		}
	}
	t.known[at] = sum
	return sum
}

// best returns the greatest chance of an error after a move in p, among the moves after which the model does not win.
func (t *traps) best(p game.Position, replies int) float64 {
	var most float64
	for _, next := range p.Moves() {
		if next.Legal() != 0 && !t.spent() && !t.wins(next) {
			most = max(most, t.chance(next, replies))
		}
	}
	return most
}

// chances returns, by square, the chance of an error after each of the given moves of p.
func (t *traps) chances(p game.Position, moves game.Bitboard, replies int) Odds {
	var chances Odds
	for s, next := range p.Moves() {
		if moves.Has(s) {
			chances[s] = t.chance(next, replies)
		}
	}
	return chances
}

// A choice returns the odds of equally good moves, by the chances that the other side errs after them.
type choice func(moves game.Bitboard, chances Odds) Odds

// tempting prefers the moves with the greatest chances of an error.
func tempting(moves game.Bitboard, chances Odds) Odds {
	// temperature is the difference in the chances of an error by which a move becomes less likely by the factor e.
	const temperature = 0.05
	var odds Odds
	var sum float64
	for s := range moves.All() {
		odds[s] = math.Exp(chances[s] / temperature)
		sum += odds[s]
	}
	for s := range odds {
		odds[s] /= sum
	}
	return odds
}

// gentlest chooses among the moves with the least chance of an error, with equal probability.
func gentlest(moves game.Bitboard, chances Odds) Odds {
	const equal = 1e-9 // the rounding difference between sums of the same fractions in different orders
	least := math.Inf(1)
	for s := range moves.All() {
		least = min(least, chances[s])
	}
	var gentle game.Bitboard
	for s := range moves.All() {
		if chances[s] <= least+equal {
			gentle |= game.SetOf(s)
		}
	}
	var odds Odds
	odds.spread(1, gentle)
	return odds
}
