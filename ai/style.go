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
		odds := otherwise(p)
		found := find(p)
		if found == 0 {
			return odds
		}
		for s := range odds {
			odds[s] *= 1 - chance
		}
		odds.spread(chance, found)
		return odds
	}
}

// winning finds the squares that win at once.
func winning(p game.Position) game.Bitboard { return p.Threats(p.Turn()) }

// blocking finds the squares on which the other side would win at once.
func blocking(p game.Position) game.Bitboard { return p.Threats(p.Turn().Opponent()) }
