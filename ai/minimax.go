package ai

import "tictactoe/game"

// minimax returns the evaluation of a position by the minimax search of textbooks: the evaluation of its best move, searched to the
// given number of plies, beyond which a game counts as a draw. The argument known is the evaluation of the best move that
// the side not to move has found so far. Once the move that led to p turns out no better, the search stops, as in alpha-beta.
func minimax(p game.Position, plies int, known Eval) Eval {
	if p.Legal() == 0 {
		return end(p).eval(0)
	}
	if plies == 0 {
		return Eval{Draw, Unknown}
	}
	best := Eval{Loss, 0}
	for _, next := range p.Moves() {
		if e := minimax(next, plies-1, best).beforeMove(); e.betterThan(best) {
			if best = e; !best.beforeMove().betterThan(known) {
				break
			}
		}
	}
	return best
}

// betterThan reports whether the evaluation has the greater value or, if the values are equal, is a faster win or a slower
// loss.
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

// first returns the style of [Minimax]. On the empty board, where the search would take too long, it chooses any square; later it
// chooses the first of the best moves. It searches to the end of the game once few enough squares are empty.
func first(p game.Position) Odds {
	const all, few = 8, 4 // plies: to the end of the game, or a look ahead
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
		if e := minimax(next, plies-1, best).beforeMove(); e.betterThan(best) {
			square, best = s, e
		}
	}
	odds[square] = 1
	return odds
}
