package game

import "cmp"

// Symmetry is one way to turn or mirror a board onto itself. Which ones a board has, tells [Rules.Symmetries]. The zero
// value leaves everything where it is.
type Symmetry uint8

// Every symmetry of a rectangle is made of the first two, and of a square of all three.
const (
	mirrorColumns  Symmetry = 1 << iota // left and right change places
	mirrorRows                          // top and bottom change places
	swapDirections                      // rows become columns; applied after the others
)

// Symmetries are the symmetries of the board, the identity first: 8 of a square board, 4 of a rectangle, 2 where marks
// fall. None of them changes who can win, since lines are mapped to lines. On a board of one row or one column some have
// the same effect.
func (r Rules) Symmetries() []Symmetry {
	all := make([]Symmetry, r.symmetries())
	for i := range all {
		all[i] = Symmetry(i)
	}
	return all
}

// symmetries is how many there are; they are numbered from 0.
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

// Image is the square that s is moved to by y. Both must belong to the board.
func (r Rules) Image(s Square, y Symmetry) Square {
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

// Image is the position with every mark moved by y, which must be one of the board's symmetries.
func (p Position) Image(y Symmetry) Position {
	p.marks.mover, p.order.mover = p.rules.images(p.marks.mover, p.order.mover, y)
	p.marks.other, p.order.other = p.rules.images(p.marks.other, p.order.other, y)
	return p
}

// images moves the marks of one side.
func (r Rules) images(marks Bitboard, order queue, y Symmetry) (Bitboard, queue) {
	var imageMarks Bitboard
	for s := range marks.All() {
		imageMarks |= 1 << r.Image(s, y)
	}
	var imageOrder queue
	if r.Vanish() {
		for i := range marks.Len() {
			imageOrder = imageOrder.with(r.Image(order.at(i), y), i)
		}
	}
	return imageMarks, imageOrder
}

// Canonical is the one position that stands for p and all its images: two positions are the same up to symmetry exactly
// when their canonical positions are equal.
func (p Position) Canonical() Position {
	least := p
	for y := range p.rules.symmetries() {
		if image := p.Image(y); image.before(least) {
			least = image
		}
	}
	return least
}

// before is an order of the images of a position.
func (p Position) before(q Position) bool {
	return cmp.Or(
		cmp.Compare(p.marks.mover, q.marks.mover), cmp.Compare(p.marks.other, q.marks.other),
		cmp.Compare(p.order.mover, q.order.mover), cmp.Compare(p.order.other, q.order.other),
	) < 0
}
