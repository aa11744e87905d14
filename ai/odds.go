package ai

import "tictactoe/game"

// Odds is how likely each square is to be chosen, by [game.Square]. They add up to 1, or are all 0 where there is nothing
// to choose.
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

// spread adds a chance, divided evenly among the squares.
func (o *Odds) spread(chance float64, squares game.Bitboard) {
	for s := range squares.All() {
		o[s] += chance / float64(squares.Len())
	}
}

// add adds a chance, divided as in other odds.
func (o *Odds) add(chance float64, other Odds) {
	for s := range o {
		o[s] += chance * other[s]
	}
}

// likeliest returns the odds among the so many likeliest squares; of two equal ones, the first.
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

// at returns the square at a point between 0 and 1, each square taking up as much room as it is likely. It needs a square
// that may be chosen.
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
