package game

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
	case r.gravity:
		return 2 * mirrorColumns
	case r.width == r.height:
		return 2 * swapDirections
	default:
		return 2 * mirrorRows
	}
}

// Image is the square that s is moved to by y. Both must belong to the board.
func (r Rules) Image(s Square, y Symmetry) Square {
	column, row := byte(s)%r.width, byte(s)/r.width
	if y&mirrorColumns != 0 {
		column = r.width - 1 - column
	}
	if y&mirrorRows != 0 {
		row = r.height - 1 - row
	}
	if y&swapDirections != 0 {
		column, row = row, column
	}
	return Square(row*r.width + column)
}

// Image is the position with every mark moved by y, which must be one of the board's symmetries.
func (p Position) Image(y Symmetry) Position {
	image := StartWith(p.rules, p.turn)
	for i, marks := range p.marks {
		for s := range marks.All() {
			image.marks[i] |= 1 << p.rules.Image(s, y)
		}
	}
	if p.rules.Vanish() {
		for i, order := range p.order {
			n := 0
			for s := range order.first(p.marks[i].Len()) {
				image.order[i] = image.order[i].with(p.rules.Image(s, y), n)
				n++
			}
		}
	}
	return image
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
	for i := range p.marks {
		if p.marks[i] != q.marks[i] {
			return p.marks[i] < q.marks[i]
		}
	}
	for i := range p.order {
		if p.order[i] != q.order[i] {
			return p.order[i] < q.order[i]
		}
	}
	return false
}
