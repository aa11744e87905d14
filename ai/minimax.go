package ai

import "tictactoe/game"

// minimax is the plain minimax of the textbooks: a position is worth what its best move is worth, and the game is played
// out so many plies ahead. What lies beyond counts as a draw. It is kept plain on purpose, for others to be compared with.
func minimax(p game.Position, plies int) Eval {
	if p.Legal() == 0 {
		return end(p).eval(0)
	}
	if plies == 0 {
		return Eval{Draw, Unknown}
	}
	best := Eval{Loss, 0}
	for _, next := range p.Moves() {
		if e := minimax(next, plies-1).beforeMove(); e.betterThan(best) {
			best = e
		}
	}
	return best
}

// betterThan reports whether the evaluation is of more worth: more value, else a faster win or a slower loss.
func (e Eval) betterThan(other Eval) bool {
	switch {
	case e.Value != other.Value:
		return e.Value > other.Value
	case e.Value == Win:
		return e.Plies < other.Plies
	case e.Value == Loss:
		return e.Plies > other.Plies
	default:
		return false
	}
}

// first is the style of a plain minimax: any square on the empty board, where it would take too long, then the first of
// the best moves. It plays out the game once so few squares are empty that it can.
func first(p game.Position) Odds {
	const all, few = 9, 4
	var odds Odds
	empty := p.Marks(game.None).Len()
	if empty == p.Rules().Squares() {
		odds.spread(1, p.Legal())
		return odds
	}
	plies := few
	if empty <= all && !p.Rules().Vanish() {
		plies = all
	}
	var square game.Square
	best := Eval{Loss, 0}
	for s, next := range p.Moves() {
		if e := minimax(next, plies-1).beforeMove(); e.betterThan(best) {
			square, best = s, e
		}
	}
	odds[square] = 1
	return odds
}
