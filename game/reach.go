package game

import "strings"

// checkQueues adds what is wrong with the numbers of marks where they vanish and the side to move is known.
func (r *reader) checkQueues(starter Mark) {
	p, e := &r.position, &r.problems
	x, o, keep := r.count[0], r.count[1], p.rules.Keep()
	ahead := x - o // of the side that moved last
	if p.turn == X {
		ahead = o - x
	}
	switch {
	case x > keep || o > keep:
		e.add(WrongCount, "X has %d and O has %d, but only %d of either stay", x, o, keep)
	case ahead == -1:
		e.add(WrongCount, "%s has one mark more, so it is not to move", p.turn)
	case ahead != 0 && ahead != 1:
		e.add(WrongCount, "X has %d and O has %d, but they take turns", x, o)
	case starter != None && p.Starter() != starter && (x < keep || o < keep):
		e.add(WrongStarter, "with %s to move, %s did not begin", p.turn, starter)
	}
}

// checkFall adds which marks cannot have fallen where they are.
func (r *reader) checkFall() {
	p, e := &r.position, &r.problems
	if !p.rules.gravity {
		return
	}
	if floating := p.marks[X-X] | p.marks[O-X]; floating != 0 {
		empty := p.Marks(None)
		var names []string
		for s := range (floating & (empty >> p.rules.width)).All() {
			names = append(names, p.rules.Name(s))
		}
		if len(names) > 0 {
			e.add(FloatingMark, "the square below %s is empty", strings.Join(names, ", "))
			return
		}
	}
	if !e.has(WrongCount) && !e.has(WrongStarter) && !p.stacks(p.rules.Board()) {
		e.add(WrongOrder, "the sides cannot have filled the columns in turn")
	}
}

// checkLines adds what is wrong with the lines on the board. Together with the other checks it is exact: marks that were
// placed in turn, with no line before the last of them, can have been placed in any order, or where they fall, in any in
// which they stack.
func (r *reader) checkLines() {
	p, e := &r.position, &r.problems
	l := p.rules.lines()
	last := p.turn.Opponent()
	winner := last
	switch x, o := l.any(p.marks[0]), l.any(p.marks[1]); {
	case x && o:
		e.add(TwoWinners, "X and O both have %d in a row", p.rules.Run())
		return
	case x:
		winner = X
	case o:
		winner = O
	default:
		return
	}
	if winner != last {
		e.add(PlayAfterWin, "%s had %d in a row and %s moved again", winner, p.rules.Run(), last)
		return
	}
	// The last mark closed all lines.
	var closers Bitboard
	marks := p.Marks(winner)
	for s := range l.in(marks).All() {
		if !l.any(marks &^ (1 << s)) {
			closers |= 1 << s
		}
	}
	switch {
	case p.rules.Vanish():
		closers &= 1 << p.order[winner-X].newest(marks.Len())
	case p.rules.gravity && len(e.Problems) == 0 && !p.stacks(closers):
		closers = 0
	}
	if closers == 0 {
		e.add(PlayAfterWin, "%s has lines that the last move cannot have closed", winner)
	}
}

// stacks tells whether the sides, taking turns, can have let the marks fall so, the last of them on one of those squares.
func (p Position) stacks(last Bitboard) bool {
	placed := p.marks[0] | p.marks[1]
	mover := p.turn.Opponent()
	if placed == 0 {
		return true
	}
	for s := range (p.tops(placed) & p.Marks(mover) & last).All() {
		if p.unstacks(placed&^(1<<s), mover.Opponent(), map[Bitboard]bool{}) {
			return true
		}
	}
	return false
}

// unstacks tells whether the marks on those squares can be taken away again, one of the mover's first. There are at most
// 6^5 ways to fill the columns of a board, which is what has been tried.
func (p Position) unstacks(placed Bitboard, mover Mark, tried map[Bitboard]bool) bool {
	if placed == 0 {
		return true
	}
	if tried[placed] {
		return false
	}
	tried[placed] = true
	for s := range (p.tops(placed) & p.Marks(mover)).All() {
		if p.unstacks(placed&^(1<<s), mover.Opponent(), tried) {
			return true
		}
	}
	return false
}

// tops is the set of those squares that have none of them above.
func (p Position) tops(placed Bitboard) Bitboard { return placed &^ (placed << p.rules.width) }
