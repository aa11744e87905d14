package ai

import (
	"context"

	"tictactoe/game"
)

// cycleOrders limits the rule sets that a cycle solves, by the number of ways in which both sides can have placed all the marks
// that they keep. With more ways there would be millions of positions. The limit allows three marks each on 12 squares, which takes
// seconds.
const cycleOrders = 700_000

// cyclic reports whether marks vanish in a rule set and a cycle can hold all its positions.
func cyclic(rules game.Rules) bool {
	orders := 1
	for placed := range 2 * rules.Keep() {
		if orders *= rules.Squares() - placed; orders > cycleOrders {
			return false
		}
	}
	return rules.Vanish()
}

// A cycle holds the score of every position of a rule set in which marks vanish, so that play may go on forever. It is immutable.
type cycle struct {
	scores map[game.Position]score // keyed by canonical position; drawn if neither side can force a win
}

// newCycle collects all positions and then works its way backwards from the finished ones: a position is lost once every move
// is known to lose, and won once one move is known to win. The remaining positions are drawn. On 3x3 it takes some hundredths
// of a second.
func newCycle(rules game.Rules) *cycle {
	var all []cyclePosition
	known := map[game.Position]int{} // the index in all of each canonical position
	find := func(p game.Position) int {
		p = p.Canonical()
		i, ok := known[p]
		if !ok {
			i = len(all)
			known[p] = i
			all = append(all, cyclePosition{position: p})
		}
		return i
	}
	find(game.StartWith(rules, game.X))
	find(game.StartWith(rules, game.O))
	var decided []int // indices in all, in the order of the plies to the end of the game
	for i := 0; i < len(all); i++ {
		if all[i].position.Legal() == 0 {
			all[i].score = end(all[i].position)
			decided = append(decided, i)
		}
		for _, next := range all[i].position.Moves() {
			after := find(next)
			all[i].open++
			all[after].before = append(all[after].before, i)
		}
	}
	for ; len(decided) > 0; decided = decided[1:] {
		after := all[decided[0]].score
		for _, i := range all[decided[0]].before {
			p := &all[i]
			p.open--
			// Positions are decided in the order of the plies to the end of the game. So the first winning move that is found is
			// the fastest one, and a lost position is decided by its slowest move.
			if won := after < drawn; p.score == drawn && (won || p.open == 0) {
				p.score = after.beforeMove()
				decided = append(decided, i)
			}
		}
	}
	c := &cycle{make(map[game.Position]score, len(all))}
	for _, p := range all {
		c.scores[p.position] = p.score
	}
	return c
}

// A cyclePosition is a position that may arise again later in the same game.
type cyclePosition struct {
	position game.Position
	score    score
	open     int   // the number of undecided moves
	before   []int // the positions from which a move leads to this one, once for each move
}

// end returns the score of a finished position for the side to move. If there is a line, the other side has completed it.
func end(p game.Position) score {
	switch {
	case p.Outcome() == game.Draw:
		return drawn
	case p.Rules().Misere():
		return won
	default:
		return lost
	}
}

func (c *cycle) eval(_ context.Context, p game.Position) (Eval, bool) {
	e := c.scores[p.Canonical()].eval(0)
	if e.Value == Draw {
		e.Plies = Unknown
	}
	return e, true
}
