package ai

import (
	"slices"

	"tictactoe/game"
)

// Odds holds the probability of each square to be chosen, indexed by [game.Square]. The odds add up to 1, or all are 0 if there is
// no move.
type Odds [game.MaxSide * game.MaxSide]float64

// Squares returns the set of squares that may be chosen.
func (o Odds) Squares() game.Bitboard {
	var squares game.Bitboard
	for s, chance := range o {
		if chance > 0 {
			squares |= game.SetOf(game.Square(s))
		}
	}
	return squares
}

// peaks returns the likeliest squares.
func (o Odds) peaks() game.Bitboard {
	const equal = 1e-6 // the rounding difference between sums of the same fractions in different orders
	most := slices.Max(o[:])
	var squares game.Bitboard
	for s := range o.Squares().All() {
		if o[s] >= most-equal {
			squares |= game.SetOf(s)
		}
	}
	return squares
}

// spread divides a chance evenly among the squares and adds it to their odds.
func (o *Odds) spread(chance float64, squares game.Bitboard) {
	for s := range squares.All() {
		o[s] += chance / float64(squares.Len())
	}
}

// add multiplies the other odds by a chance and adds them to these odds.
func (o *Odds) add(chance float64, other Odds) {
	for s := range o {
		o[s] += chance * other[s]
	}
}

// likeliest returns the odds restricted to the n likeliest squares. Of equally likely squares it takes the first.
func (o Odds) likeliest(n int) Odds {
	var few Odds
	var sum float64
	for range min(n, o.Squares().Len()) {
		best := 0
		for s := range o {
			if o[s] > o[best] {
				best = s
			}
		}
		few[best], o[best] = o[best], 0
		sum += few[best]
	}
	for s := range few {
		few[s] /= sum
	}
	return few
}

// at returns the square at a point between 0 and 1, on a line along which each square has a stretch as long as its probability. At
// least one probability must be greater than 0.
func (o Odds) at(point float64) game.Square {
	var last game.Square
	for s := range o.Squares().All() {
		last = s
		if point -= o[s]; point < 0 {
			break
		}
	}
	return last // reached if rounding leaves the sum of the odds a little below 1
}
