package ai

import "tictactoe/game"

// A sweep holds the value of every position that can be reached from the empty board, for the side to move. newSweep finds wins
// and losses by repeated passes over all positions, until nothing changes; the other positions are drawn.
type sweep map[game.Position]Value

func newSweep(rules game.Rules) sweep {
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

	values := make([]Value, len(all)) // all drawn
	for i, p := range all {
		switch winner := p.Outcome().Winner(); {
		case winner == p.Turn():
			values[i] = Win
		case winner != game.None:
			values[i] = Loss
		}
	}
	for changed := true; changed; {
		changed = false
		for i, moves := range after {
			if len(moves) == 0 {
				continue
			}
			best := Loss
			for _, next := range moves {
				best = max(best, -values[next])
			}
			if best != values[i] {
				values[i], changed = best, true
			}
		}
	}

	s := make(sweep, len(all))
	for i, p := range all {
		s[p] = values[i]
	}
	return s
}
