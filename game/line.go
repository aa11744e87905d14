package game

// lines finds the lines in a set of marks. It depends on the size of the board and the length of a run.
type lines struct {
	across, down Bitboard // the squares on which a run to the right can start, and the squares on which a run downwards can
	width, run   uint
}

// lines returns the line finder for these rules. Here and below, shift counts are masked with 31, so that the compiler
// leaves out its check for larger ones.
func (r Rules) lines() lines {
	w, h, k := uint(r.Width()), uint(r.Height()), uint(r.Run())
	l := lines{width: w, run: k}
	if k <= w {
		row := Bitboard(1)<<((w-k+1)&31) - 1
		rows := row | row<<(w&31) | row<<(2*w&31) | row<<(3*w&31) | row<<(4*w&31) // MaxSide rows
		l.across = rows & r.Board()
	}
	if k <= h {
		l.down = 1<<(w*(h-k+1)&31) - 1
	}
	return l
}

// diagonal returns the squares on which a run down to the right can start, and falling the squares on which a run down to the left
// can. Without these sets, shifts would treat squares at opposite edges of the board as neighbours.
func (l lines) diagonal() Bitboard { return l.across & l.down }
func (l lines) falling() Bitboard  { return l.across << ((l.run - 1) & 31) & l.down }

// any reports whether the marks contain a line.
func (l lines) any(marks Bitboard) bool {
	return l.firsts(marks, l.across, 1)|
		l.firsts(marks, l.down, l.width)|
		l.firsts(marks, l.diagonal(), l.width+1)|
		l.firsts(marks, l.falling(), l.width-1) != 0
}

// firsts returns those squares of starts at which a run of marks begins. From each mark of the run to the next it is step squares.
func (l lines) firsts(marks, starts Bitboard, step uint) Bitboard {
	for i := l.run; i > 0; i-- {
		starts &= marks
		marks >>= step & 31
	}
	return starts
}

// in returns the union of all lines that the marks contain.
func (l lines) in(marks Bitboard) Bitboard {
	if !l.any(marks) {
		return 0
	}
	return l.whole(l.firsts(marks, l.across, 1), 1) |
		l.whole(l.firsts(marks, l.down, l.width), l.width) |
		l.whole(l.firsts(marks, l.diagonal(), l.width+1), l.width+1) |
		l.whole(l.firsts(marks, l.falling(), l.width-1), l.width-1)
}

// whole returns all squares of the runs that begin on the given first squares.
func (l lines) whole(firsts Bitboard, step uint) Bitboard {
	for i := l.run; i > 1; i-- {
		firsts |= firsts << (step & 31)
	}
	return firsts
}

// completing returns the squares, empty or not, on which one more mark would complete a line.
func (l lines) completing(marks Bitboard) Bitboard {
	return l.gaps(marks, l.across, 1) |
		l.gaps(marks, l.down, l.width) |
		l.gaps(marks, l.diagonal(), l.width+1) |
		l.gaps(marks, l.falling(), l.width-1)
}

// gaps returns every square of a run whose other squares all have marks. A run can begin on the squares of starts.
func (l lines) gaps(marks, starts Bitboard, step uint) Bitboard {
	var gaps Bitboard
	before := starts // the starts of runs whose squares before the gap all have marks
	for gap := uint(0); gap < l.run && before != 0; gap++ {
		runs := before
		for i := gap + 1; i < l.run; i++ {
			runs &= marks >> (i * step & 31)
		}
		gaps |= runs << (gap * step & 31)
		before &= marks >> (gap * step & 31)
	}
	return gaps
}
