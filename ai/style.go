package ai

import "tictactoe/game"

// A style is a way of choosing a move: it returns the odds of the squares in a position in progress.
type style func(game.Position) Odds

// A finder finds the squares of a position that have some property. There may be none.
type finder func(game.Position) game.Bitboard

// anyOf returns a style that chooses among the found squares with equal probability. The finder must always find a square.
func anyOf(find finder) style {
	return func(p game.Position) Odds {
		var odds Odds
		odds.spread(1, find(p))
		return odds
	}
}

// noticing returns a style that, with the given chance, notices the found squares and chooses among them. If it does not notice
// them, or if there are none, it plays in the other style.
func noticing(chance float64, find finder, otherwise style) style {
	return func(p game.Position) Odds {
		found := find(p)
		if found == 0 {
			return otherwise(p)
		}
		var odds Odds
		if chance < 1 {
			odds.add(1-chance, otherwise(p))
		}
		odds.spread(chance, found)
		return odds
	}
}

// seeing is like noticing with a chance of 1.
func seeing(find finder, otherwise style) style { return noticing(1, find, otherwise) }

// mixed returns a style that plays in the first style with the given chance, and in the other style otherwise.
func mixed(chance float64, one, other style) style {
	return func(p game.Position) Odds {
		var odds Odds
		odds.add(chance, one(p))
		odds.add(1-chance, other(p))
		return odds
	}
}

// tactics returns the style of players who look one move ahead: they win if they can, else block, else play a random sane square.
func tactics() style { return seeing(winning, seeing(blocking, anyOf(sane))) }

// textbook returns the style of the classic textbook: win, block, centre, corner, edge.
func textbook() style {
	return seeing(winning, seeing(blocking, seeing(central, seeing(cornered, anyOf(sane)))))
}

// people returns a model of the people whom an unbeatable player may meet.
func people() style {
	return mixed(0.50, tactics(), mixed(0.60, textbook(), anyOf(sane))) // 50, 30 and 20 percent
}

// careful returns a model of people who seldom overlook a threat. It is for large boards, where seeing threats is not enough to
// be safe.
func careful() style { return mixed(0.80, tactics(), anyOf(sane)) }
