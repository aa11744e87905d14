package ai

import "tictactoe/game"

// A sweep is the value of every position that can be reached from the empty board, for the side to move. Who wins or
// loses is found by going over all of them again and again, until nothing changes; the others are drawn.
type sweep map[game.Position]Value

func newSweep(rules game.Rules) sweep {
	value := sweep{}
	after := map[game.Position][]game.Position{}
	for open := []game.Position{game.Start(rules)}; len(open) > 0; {
		p := open[len(open)-1]
		open = open[:len(open)-1]
		if _, ok := value[p]; ok {
			continue
		}
		value[p] = Draw
		switch winner := p.Outcome().Winner(); {
		case winner == p.Turn():
			value[p] = Win
		case winner != game.None:
			value[p] = Loss
		}
		for _, next := range p.Moves() {
			after[p] = append(after[p], next)
			open = append(open, next)
		}
	}
	for changed := true; changed; {
		changed = false
		for p, moves := range after {
			best := Loss
			for _, next := range moves {
				best = max(best, -value[next])
			}
			if best != value[p] {
				value[p], changed = best, true
			}
		}
	}
	return value
}
