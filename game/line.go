package game

// lines is the union of all runs that the marks contain; empty when there is none.
func (r Rules) lines(marks Bitboard) Bitboard {
	w, h, k := uint(r.width), uint(r.height), uint(r.run)
	across, down := max(w+1, k)-k, max(h+1, k)-k // in how many columns and rows a run can start
	return along(marks, r.area(0, across, h), 1, k) |
		along(marks, r.area(0, w, down), w, k) |
		along(marks, r.area(0, across, down), w+1, k) |
		along(marks, r.area(k-1, across, down), w-1, k)
}

// along is the union of the runs of k marks, step squares apart, that begin in starts. Shifts alone would take marks on
// both sides of the board's edge for neighbours.
func along(marks, starts Bitboard, step, k uint) Bitboard {
	firsts := marks
	for i := k; i > 1; i-- {
		firsts &= firsts >> (step & 31) // the mask spares the compiler a check for long shifts
	}
	firsts &= starts
	if firsts == 0 {
		return 0
	}
	run := firsts
	for i := k; i > 1; i-- {
		run |= run << (step & 31)
	}
	return run
}

// area is the rectangle of so many columns from left on, and so many rows from the top.
func (r Rules) area(left, columns, rows uint) Bitboard {
	w := uint(r.width)
	column := Bitboard(1 | 1<<w | 1<<(2*w) | 1<<(3*w) | 1<<(4*w)) // MaxSide terms
	return column * ((1<<columns - 1) << left) & (1<<(w*rows) - 1)
}
