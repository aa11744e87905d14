package ai

import (
	"math/bits"

	"tictactoe/game"
)

// A judge decides whether a side can force a line, to check what others claim. It has nothing in common with the search
// but the list of lines: it asks about one attacker at a time, remembers plain yes and no, and knows nothing but forced
// replies, lines that are dead, and games that are the same up to symmetry of the caller's making.
type judge struct {
	lines  []uint32
	board  uint32
	width  int
	falls  bool
	forced map[attack]bool
}

// An attack is a position in which the attacker may or may not be to move.
type attack struct {
	attacker, defender uint32
	toMove             bool
}

func newJudge(rules game.Rules) *judge {
	return &judge{
		lines: linesOf(rules), board: uint32(rules.Board()), width: rules.Width(), falls: rules.Gravity(),
		forced: map[attack]bool{},
	}
}

// wins tells whether the side to move in a running game can force a line.
func (j *judge) wins(p game.Position) bool {
	return j.force(attack{uint32(p.Marks(p.Turn())), uint32(p.Marks(p.Turn().Opponent())), true})
}

// wouldLose tells whether the side that is not to move can force a line.
func (j *judge) wouldLose(p game.Position) bool {
	return j.force(attack{uint32(p.Marks(p.Turn().Opponent())), uint32(p.Marks(p.Turn())), false})
}

// completing is the set of empty squares on which so marked lines lack just one, and whether a line is open at all.
func (j *judge) completing(own, other uint32) (squares uint32, alive bool) {
	for _, line := range j.lines {
		if line&other == 0 {
			alive = true
			if missing := line &^ own; missing&(missing-1) == 0 {
				squares |= missing
			}
		}
	}
	return squares, alive
}

func (j *judge) force(a attack) bool {
	open := j.board &^ (a.attacker | a.defender)
	if j.falls {
		for rest := open; rest != 0; rest &= rest - 1 {
			square := bits.TrailingZeros32(rest)
			if below := square + j.width; below < bits.Len32(j.board) && open>>below&1 != 0 {
				open &^= 1 << square // the square above an empty one; rest goes from the top
			}
		}
	}
	wins, alive := j.completing(a.attacker, a.defender)
	losses, _ := j.completing(a.defender, a.attacker)
	wins, losses = wins&open, losses&open
	switch {
	case !alive || open == 0:
		return false
	case a.toMove && wins != 0:
		return true
	case !a.toMove && losses != 0:
		return false
	case a.toMove && losses != 0:
		open = losses & -losses // of two, one remains
	case !a.toMove && wins != 0:
		open = wins & -wins
	}
	if known, ok := j.forced[a]; ok {
		return known
	}
	answer := !a.toMove
	for rest := open; rest != 0 && answer != a.toMove; rest &= rest - 1 {
		next := attack{a.attacker, a.defender, !a.toMove}
		if a.toMove {
			next.attacker |= rest & -rest
		} else {
			next.defender |= rest & -rest
		}
		answer = j.force(next)
	}
	j.forced[a] = answer
	return answer
}
