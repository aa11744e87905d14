package proof

import (
	"slices"

	"tictactoe/ai"
	"tictactoe/game"
)

// A judge decides whether a side can force a line. It works otherwise than the search of package ai: it asks about one attacker at
// a time, remembers yes or no instead of bounds, and does not use symmetry.
type judge struct {
	lines  []game.Bitboard
	run    int
	board  game.Bitboard
	width  int
	falls  bool
	memory []uint64 // the answers by hash: each an attack and, in the lowest bit, whether it succeeds
}

// An attack is a position from the view of the side that tries to complete a line. Either side may be to move.
type attack struct {
	attacker, defender game.Bitboard
	toMove             bool
}

// judgeMemory is the size of a judge's memory in bits of the hash: 32 MiB.
const judgeMemory = 22

func newJudge(rules game.Rules) *judge {
	return &judge{
		lines: linesOf(rules), run: rules.Run(), board: rules.Board(), width: rules.Width(), falls: rules.Gravity(),
		memory: make([]uint64, 1<<judgeMemory),
	}
}

// linesOf lists every line of a board as the set of its squares.
func linesOf(rules game.Rules) []game.Bitboard {
	var lines []game.Bitboard
	for square := range rules.Squares() {
		for _, step := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
			x, y := square%rules.Width(), square/rules.Width()
			var line game.Bitboard
			for x >= 0 && x < rules.Width() && y < rules.Height() && line.Len() < rules.Run() {
				line |= game.SetOf(game.Square(y*rules.Width() + x))
				x, y = x+step[0], y+step[1]
			}
			if line.Len() == rules.Run() {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// better returns the greater of two values: reached, and the value of p for the side to move. The game must be in progress,
// and reached less than a win.
func (j *judge) better(p game.Position, reached ai.Value) ai.Value {
	me, rival := p.Sides()
	switch {
	case j.forces(attack{me, rival, true}):
		return ai.Win
	case reached == ai.Loss && !j.forces(attack{rival, me, false}):
		return ai.Draw
	default:
		return reached
	}
}

// settled reports whether neither side can complete a line any more: each line has marks of both, or lacks more marks than its
// side will still place.
func (j *judge) settled(p game.Position) bool {
	me, rival := p.Sides()
	empty := p.Marks(game.None).Len()
	for _, line := range j.lines {
		if line&rival == 0 && (line&^me).Len() <= (empty+1)/2 ||
			line&me == 0 && (line&^rival).Len() <= empty/2 {
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
			next.attacker |= game.SetOf(square)
		} else {
			next.defender |= game.SetOf(square)
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
func (j *judge) playable(marks game.Bitboard) game.Bitboard {
	open := j.board &^ marks
	if j.falls {
		for square := range open.All() {
			if below := game.Square(j.width) + square; j.board.Has(below) && !marks.Has(below) {
				open &^= game.SetOf(square)
			}
		}
	}
	return open
}

// lacking returns the squares that complete a line of the marks own, and the total weight of all lines without one of the marks
// other. The weight of a line is two to the power of the number of marks in it.
func (j *judge) lacking(own, other game.Bitboard) (squares game.Bitboard, weight int) {
	for _, line := range j.lines {
		if line&other == 0 {
			weight += 1 << (line & own).Len()
			if missing := line &^ own; missing&(missing-1) == 0 {
				squares |= missing
			}
		}
	}
	return squares, weight
}

// promising lists the open squares, beginning with the squares that matter most to the attacker.
func (j *judge) promising(a attack, open game.Bitboard) []game.Square {
	var weight [game.MaxSide * game.MaxSide]int
	for _, line := range j.lines {
		n := 0
		if line&a.defender == 0 {
			n += 4 << (2 * (line & a.attacker).Len())
		}
		if line&a.attacker == 0 {
			n += 1 << (2 * (line & a.defender).Len())
		}
		for square := range (line & open).All() {
			weight[square] += n
		}
	}
	return slices.SortedStableFunc(open.All(), func(a, b game.Square) int { return weight[b] - weight[a] })
}
