package ai

import "tictactoe/game"

// Odds tells how likely each square is to be chosen, indexed by [game.Square]. The odds add up to 1, or all are 0 where there
// is nothing to choose.
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

// spread divides a chance evenly among the squares and adds it to their odds.
func (o *Odds) spread(chance float64, squares game.Bitboard) {
	for s := range squares.All() {
		o[s] += chance / float64(squares.Len())
	}
}

// add divides a chance among the squares in the proportion of the other odds and adds it.
func (o *Odds) add(chance float64, other Odds) {
	for s := range o {
		o[s] += chance * other[s]
	}
}

// likeliest returns the odds among the n likeliest squares alone. Of two that are equally likely, the first is taken.
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

// at returns the square at a point between 0 and 1 if the squares are laid side by side, each as wide as it is likely. At
// least one square must be likely.
func (o Odds) at(point float64) game.Square {
	var last game.Square
	for s := range o.Squares().All() {
		last = s
		if point -= o[s]; point < 0 {
			break
		}
	}
	return last // also where rounding left the chances a little short of 1
}
