package game

import "cmp"

// Symmetry is one way to turn or mirror a board onto itself. [Rules.Symmetries] lists the symmetries of a board. The zero value leaves
// every square where it is.
type Symmetry uint8

// A symmetry is a sum of these constants. The symmetries of a rectangle use the first two, and the symmetries of a square use all three.
const (
	mirrorColumns  Symmetry = 1 << iota // exchanges left and right
	mirrorRows                          // exchanges top and bottom
	swapDirections                      // exchanges rows and columns, after the other two
)

// Symmetries returns the symmetries of the board, the identity first: 8 of a square board, 4 of a rectangle, 2 where marks
// fall. None of them changes who can win, since lines are mapped to lines. On a board of one row or one column some have
// the same effect.
func (r Rules) Symmetries() []Symmetry {
	all := make([]Symmetry, r.symmetries())
	for i := range all {
		all[i] = Symmetry(i)
	}
	return all
}

// symmetries returns the number of symmetries, which are numbered from 0.
func (r Rules) symmetries() Symmetry {
	switch {
	case r.Gravity():
		return 2 * mirrorColumns
	case r.Width() == r.Height():
		return 2 * swapDirections
	default:
		return 2 * mirrorRows
	}
}

// Image returns the square to which y moves s. Both must belong to the board.
func (r Rules) Image(s Square, y Symmetry) Square {
	if int(s) >= r.Squares() {
		return s
	}
	width, height := Square(r.Width()), Square(r.Height())
	column, row := s%width, s/width
	if y&mirrorColumns != 0 {
		column = width - 1 - column
	}
	if y&mirrorRows != 0 {
		row = height - 1 - row
	}
	if y&swapDirections != 0 {
		column, row = row, column
	}
	return row*width + column
}

// Image returns the position with every mark moved by y, which must be one of the board's symmetries.
func (p Position) Image(y Symmetry) Position {
	p.marks.mover, p.order.mover = p.rules.image(p.marks.mover, y), p.rules.imageOfQueue(p.marks.mover, p.order.mover, y)
	p.marks.other, p.order.other = p.rules.image(p.marks.other, y), p.rules.imageOfQueue(p.marks.other, p.order.other, y)
	return p
}

// image returns the squares to which y moves the squares of the set.
func (r Rules) image(set Bitboard, y Symmetry) Bitboard {
	var image Bitboard
	for s := range set.All() {
		image |= 1 << r.Image(s, y)
	}
	return image
}

// imageOfQueue returns the queue of a side after y has moved its marks: their squares change, and their order of age does not.
func (r Rules) imageOfQueue(marks Bitboard, order queue, y Symmetry) queue {
	var image queue
	if r.Vanish() {
		for i := range marks.Len() {
			image = image.with(r.Image(order.at(i), y), i)
		}
	}
	return image
}

// Canonical returns the position that represents p and all its images: two positions are the same up to symmetry exactly when
// their canonical positions are equal.
func (p Position) Canonical() Position {
	least := p
	for y := Symmetry(1); y < p.rules.symmetries(); y++ {
		if p.rules.image(p.marks.mover, y) > least.marks.mover {
			continue // the marks of the side to move already show that the image does not come before least
		}
		if image := p.Image(y); image.before(least) {
			least = image
		}
	}
	return least
}

// before reports whether p comes before q, in some order of the images of a position.
func (p Position) before(q Position) bool {
	return cmp.Or(
		cmp.Compare(p.marks.mover, q.marks.mover), cmp.Compare(p.marks.other, q.marks.other),
		cmp.Compare(p.order.mover, q.order.mover), cmp.Compare(p.order.other, q.order.other),
	) < 0
}
