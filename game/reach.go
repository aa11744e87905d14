package game

import "strings"

// checkTurns adds the problems of the numbers of marks on a board. If the text does not name the side to move, checkTurns sets it to
// the side with fewer marks, or to X if both sides have the same number.
func (r *reader) checkTurns() {
	x, o := r.count[0], r.count[1]
	if r.turn != None {
		r.checkAhead()
		return
	}
	r.turn = X
	if x > o {
		r.turn = O
	}
	if x > o+1 || o > x+1 {
		r.problems.add(WrongCount, "X has %d and O has %d, but they take turns", x, o)
	}
}

// checkAhead adds a problem if the numbers of marks do not fit the side to move that the text names: the side that moved last
// must have the same number of marks as the other side, or one more.
func (r *reader) checkAhead() {
	x, o := r.count[0], r.count[1]
	ahead := x - o
	if r.turn == X {
		ahead = o - x
	}
	if ahead != 0 && ahead != 1 {
		r.problems.add(WrongCount, "X has %d and O has %d with %s to move, but they take turns", x, o, r.turn)
	}
}

// checkQueues adds a problem if a side has more marks than it keeps, where marks vanish, or if the sides cannot have taken turns.
func (r *reader) checkQueues() {
	x, o, keep := r.count[0], r.count[1], r.rules.Keep()
	if x > keep || o > keep {
		r.problems.add(WrongCount, "X has %d and O has %d, but only %d of either stay", x, o, keep)
		return
	}
	r.checkAhead()
}

// checkFall adds the problems of marks that cannot have fallen to their squares: an empty square below, or an impossible order.
func (r *reader) checkFall() {
	if !r.rules.Gravity() {
		return
	}
	e, placed := &r.problems, r.marks[0]|r.marks[1]
	empty := r.rules.Board() &^ placed
	if floating := placed & (empty >> r.rules.Width()); floating != 0 {
		var names []string
		for s := range floating.All() {
			names = append(names, r.rules.Name(s))
		}
		e.add(FloatingMark, "nothing below %s", strings.Join(names, ", "))
		return
	}
	if !e.has(WrongCount) && !r.stacks(placed) {
		e.add(WrongOrder, "taking turns, the sides cannot have filled the columns so")
	}
}

// checkLines adds the problems of the lines on the board. Together with the other checks it is exact: a position that passes them can
// arise. If the sides took turns and no line was complete before the last mark, the marks can have been placed in any order; where
// marks fall, in any order in which they stack; and where they vanish, in the order of their age.
func (r *reader) checkLines() {
	e, l := &r.problems, r.rules.lines()
	winner := None
	switch x, o := l.any(r.marks[0]), l.any(r.marks[1]); {
	case x && o:
		e.add(TwoWinners, "X and O both have %d in a row", r.rules.Run())
		return
	case x:
		winner = X
	case o:
		winner = O
	default:
		return
	}
	switch {
	case winner == r.turn:
		e.add(PlayAfterWin, "%s had %d in a row and %s moved again", winner, r.rules.Run(), winner.Opponent())
	case !r.closedLast(l):
		e.add(PlayAfterWin, "%s has lines that the last move cannot have closed", winner)
	}
}

// closedLast reports whether the side that moved last can have closed all its lines with that move.
func (r *reader) closedLast(l lines) bool {
	p := r.position()
	var closers Bitboard
	for s := range l.in(p.marks.other).All() {
		if !l.any(p.marks.other &^ (1 << s)) {
			closers |= 1 << s
		}
	}
	switch {
	case r.rules.Vanish():
		return closers.Has(p.order.other.at(p.marks.other.Len() - 1))
	case r.rules.Gravity() && len(r.problems.Problems) == 0: // with an earlier problem, the order of moves is unknown
		return r.stacks(closers)
	default:
		return closers != 0
	}
}

// stacks reports whether the sides, taking turns, can have filled the columns in this way, with the last mark on one of the
// squares of last. On an empty board it returns true.
func (r *reader) stacks(last Bitboard) bool {
	p := r.position()
	placed := p.marks.mover | p.marks.other
	tried := map[Bitboard]bool{}
	for s := range (r.tops(placed) & p.marks.other & last).All() {
		if r.unstacks(placed&^(1<<s), p.turn, tried) {
			return true
		}
	}
	return placed == 0
}

// unstacks reports whether the marks on the placed squares can be removed in turn, beginning with a mark of the mover. The map tried
// grows to at most 6^5 entries, the ways to fill the columns of a board.
func (r *reader) unstacks(placed Bitboard, mover Mark, tried map[Bitboard]bool) bool {
	if placed == 0 {
		return true
	}
	if tried[placed] {
		return false
	}
	tried[placed] = true
	for s := range (r.tops(placed) & r.marks[mover-X]).All() {
		if r.unstacks(placed&^(1<<s), mover.Opponent(), tried) {
			return true
		}
	}
	return false
}

// tops returns the placed squares that have no placed square above them.
func (r *reader) tops(placed Bitboard) Bitboard { return placed &^ (placed << r.rules.Width()) }
