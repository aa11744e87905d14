package proof

import (
	"tictactoe/ai"
	"tictactoe/game"
)

// sweep returns the function that tells the value, for the side to move, of a position that can be reached from the empty board.
// It finds wins and losses by repeated passes over all positions, until nothing changes; the other positions are drawn.
func sweep(rules game.Rules) func(game.Position) ai.Value {
	all := []game.Position{game.Start(rules)}
	number := map[game.Position]int{all[0]: 0}
	var after [][]int // for each position, the numbers of the positions one move later
	for i := 0; i < len(all); i++ {
		moves := []int{}
		for _, next := range all[i].Moves() {
			n, ok := number[next]
			if !ok {
				n = len(all)
				number[next] = n
				all = append(all, next)
			}
			moves = append(moves, n)
		}
		after = append(after, moves)
	}

	values := make([]ai.Value, len(all)) // all drawn
	for i, p := range all {
		switch winner := p.Outcome().Winner(); {
		case winner == p.Turn():
			values[i] = ai.Win
		case winner != game.None:
			values[i] = ai.Loss
		}
	}
	for changed := true; changed; {
		changed = false
		for i, moves := range after {
			if len(moves) == 0 {
				continue
			}
			best := ai.Loss
			for _, next := range moves {
				best = max(best, -values[next])
			}
			if best != values[i] {
				values[i], changed = best, true
			}
		}
	}

	return func(p game.Position) ai.Value { return values[number[p]] }
}
