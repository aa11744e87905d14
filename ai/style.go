package ai

import "tictactoe/game"

// A style is a way of choosing a move: how likely each square is in a position that is not over.
type style func(game.Position) Odds

// A finder finds the squares of a position that have something in common, perhaps none.
type finder func(game.Position) game.Bitboard

// anyOf chooses among the squares that are found, each as likely as the other. The finder must always find some.
func anyOf(find finder) style {
	return func(p game.Position) Odds {
		var odds Odds
		odds.spread(1, find(p))
		return odds
	}
}

// noticing chooses among the squares that are found, if there are any and, with that chance, they are noticed. Otherwise
// it plays on in the other style.
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

// seeing is noticing without fail.
func seeing(find finder, otherwise style) style { return noticing(1, find, otherwise) }

// mixed plays now in one style, now in the other, in the first with that chance.
func mixed(chance float64, one, other style) style {
	return func(p game.Position) Odds {
		var odds Odds
		odds.add(chance, one(p))
		odds.add(1-chance, other(p))
		return odds
	}
}

// tactics returns the style of those who look one move ahead: win, else block, else anything.
func tactics() style { return seeing(winning, seeing(blocking, anyOf(sane))) }

// textbook returns the order of the classic textbook: win, block, centre, corner, edge.
func textbook() style {
	return seeing(winning, seeing(blocking, seeing(central, seeing(cornered, anyOf(sane)))))
}

// people returns a model of those whom an unbeatable player may meet.
func people() style {
	return mixed(0.50, tactics(), mixed(0.60, textbook(), anyOf(sane))) // 50, 30 and 20 percent
}

// careful returns a model of those who seldom overlook a threat, for boards on which that alone does not save them.
func careful() style { return mixed(0.80, tactics(), anyOf(sane)) }
