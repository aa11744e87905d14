package ai

import (
	"math/bits"
	"slices"

	"tictactoe/game"
)

// A judge decides whether a side can force a line. [Prove] checks an engine with it, so a judge shares nothing with the search
// but the list of lines: it asks about one attacker at a time, remembers yes or no instead of bounds, and does not use
// symmetry.
type judge struct {
	lines  []uint32
	run    int
	board  uint32
	width  int
	falls  bool
	memory []uint64 // the answers by hash: each an attack and, in the lowest bit, whether it succeeds
}

// An attack is a position from the view of the side that tries to complete a line. Either side may be to move.
type attack struct {
	attacker, defender uint32
	toMove             bool
}

// judgeMemory is the size of a judge's memory in bits of the hash: 32 MiB.
const judgeMemory = 22

func newJudge(rules game.Rules) *judge {
	return &judge{
		lines: linesOf(rules), run: rules.Run(), board: uint32(rules.Board()), width: rules.Width(), falls: rules.Gravity(),
		memory: make([]uint64, 1<<judgeMemory),
	}
}

// better returns the greater of two values: reached, and the value of p for the side to move. The game must be in progress,
// and reached less than a win.
func (j *judge) better(p game.Position, reached Value) Value {
	me, rival := sides(p)
	switch {
	case j.forces(attack{me, rival, true}):
		return Win
	case reached == Loss && !j.forces(attack{rival, me, false}):
		return Draw
	default:
		return reached
	}
}

// settled reports whether neither side can complete a line any more: each line has marks of both, or lacks more marks than its
// side will still place.
func (j *judge) settled(p game.Position) bool {
	me, rival := sides(p)
	empty := p.Marks(game.None).Len()
	for _, line := range j.lines {
		if line&rival == 0 && bits.OnesCount32(line&^me) <= (empty+1)/2 ||
			line&me == 0 && bits.OnesCount32(line&^rival) <= empty/2 {
			return false
		}
	}
	return true
}

// forces reports whether the attacker can complete a line before the defender does, whatever the defender plays.
func (j *judge) forces(a attack) bool {
	open := j.playable(a.attacker | a.defender)
	wins, hope := j.lacking(a.attacker, a.defender)
	losses, _ := j.lacking(a.defender, a.attacker)
	wins, losses = wins&open, losses&open
	switch {
	case hope == 0 || open == 0:
		return false
	case a.toMove && wins != 0:
		return true
	case !a.toMove && losses != 0:
		return false
	case !a.toMove && !j.falls && hope < 1<<j.run:
		return false // the defender can spoil every line, by the theorem of Erdős and Selfridge, 1973
	case a.toMove && losses != 0:
		open = losses & -losses // if there are two, blocking one leaves the other
	case !a.toMove && wins != 0:
		open = wins & -wins
	}

	key := 1<<51 | uint64(a.attacker)<<25 | uint64(a.defender) // never 0, which is a free slot
	if a.toMove {
		key |= 1 << 50
	}
	slot := &j.memory[key*0x9E3779B97F4A7C15>>(64-judgeMemory)]
	if *slot>>1 == key {
		return *slot&1 == 1
	}
	answer := !a.toMove
	for _, square := range j.promising(a, open) {
		next := attack{a.attacker, a.defender, !a.toMove}
		if a.toMove {
			next.attacker |= square
		} else {
			next.defender |= square
		}
		if answer = j.forces(next); answer == a.toMove {
			break
		}
	}
	*slot = key << 1
	if answer {
		*slot |= 1
	}
	return answer
}

// playable returns the empty squares on which a mark can be placed.
func (j *judge) playable(marks uint32) uint32 {
	open := j.board &^ marks
	if j.falls {
		for square := range uint32(bits.Len32(j.board)) {
			if below := square + uint32(j.width); j.board>>below&1 != 0 && marks>>below&1 == 0 {
				open &^= 1 << square
			}
		}
	}
	return open
}

// lacking returns the squares that complete a line of the marks own, and the total weight of all lines without one of the marks
// other. The weight of a line is two to the power of the number of marks in it.
func (j *judge) lacking(own, other uint32) (squares uint32, weight int) {
	for _, line := range j.lines {
		if line&other == 0 {
			weight += 1 << bits.OnesCount32(line&own)
			if missing := line &^ own; missing&(missing-1) == 0 {
				squares |= missing
			}
		}
	}
	return squares, weight
}

// promising lists the open squares, beginning with the squares that matter most to the attacker.
func (j *judge) promising(a attack, open uint32) []uint32 {
	var squares []uint32
	var weight [25]int
	for ; open != 0; open &= open - 1 {
		square := open & -open
		for _, line := range j.lines {
			if line&square != 0 && line&a.defender == 0 {
				weight[bits.TrailingZeros32(square)] += 4 << (2 * bits.OnesCount32(line&a.attacker))
			}
			if line&square != 0 && line&a.attacker == 0 {
				weight[bits.TrailingZeros32(square)] += 1 << (2 * bits.OnesCount32(line&a.defender))
			}
		}
		squares = append(squares, square)
	}
	slices.SortStableFunc(squares, func(a, b uint32) int {
		return weight[bits.TrailingZeros32(b)] - weight[bits.TrailingZeros32(a)]
	})
	return squares
}
