package game

import (
	"strings"
	"unicode/utf8"
)

// String writes the position in the notation that [ParsePosition] reads.
//
// A board is written row by row from the top, as in "X.O/.X./..O". The numbers of marks determine the starter and the side to
// move, except in a game that O began if both sides have the same number of marks: then the side to move follows, as in
// ".../.../... O".
//
// Where marks vanish, their order counts, too. The squares of X and of O are written, the oldest mark first, and then the
// side to move: "X:a1,b2 O:c3 O".
func (p Position) String() string {
	var b strings.Builder
	if p.rules.Vanish() {
		p.writeQueues(&b)
		return b.String()
	}
	for s := range Square(p.rules.Squares()) {
		if s > 0 && int(s)%p.rules.Width() == 0 {
			b.WriteByte('/')
		}
		b.WriteString(p.At(s).String())
	}
	if p.turn == O && p.Starter() == O {
		b.WriteString(" O")
	}
	return b.String()
}

// writeQueues writes a position in which marks vanish.
func (p Position) writeQueues(b *strings.Builder) {
	for _, mark := range []Mark{X, O} {
		order := p.order.mover
		if mark != p.turn {
			order = p.order.other
		}
		b.WriteString(mark.String() + ":")
		for i := range p.Marks(mark).Len() {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(p.rules.Name(order.at(i)))
		}
		b.WriteByte(' ')
	}
	b.WriteString(p.turn.String())
}

// ParsePosition reads a position as [Position.String] writes it.
//
// It also accepts informal notation: small letters, a space for an empty square, rows without a slash between them, as in
// "XXO O X O", and after any board a space and the side to move. On a board without the side to move, O began if it has one
// mark more than X; otherwise X began.
//
// The error is a [*PositionError] that names every reason why no game leads to the position.
func ParsePosition(rules Rules, text string) (Position, error) {
	r := reader{rules: rules, problems: PositionError{Text: text}}
	if rules.Vanish() {
		r.readQueues(text)
	} else {
		r.readBoard(r.readRows(text))
	}
	if len(r.problems.Problems) > 0 {
		return Position{}, &r.problems
	}
	return r.position(), nil
}

// readRows splits a board into its rows, with a point for every space. If the side to move follows the board, readRows
// reads it: since a space may be an empty square, only the number of squares distinguishes the two.
func (r *reader) readRows(text string) []string {
	squares := r.rules.Squares()
	if count := utf8.RuneCountInString(text) - strings.Count(text, "/"); squares > 0 && count == squares+len(" X") && len(text) > len(" X") {
		board := text[:len(text)-len(" X")]
		switch strings.ToUpper(text[len(board):]) {
		case " X":
			text, r.turn = board, X
		case " O":
			text, r.turn = board, O
		}
	}
	text = strings.ReplaceAll(text, " ", ".")
	cells := []rune(text)
	if squares == 0 || len(cells) != squares || strings.Contains(text, "/") {
		return strings.Split(text, "/")
	}
	var rows []string
	for width := r.rules.Width(); len(cells) > 0; cells = cells[width:] {
		rows = append(rows, string(cells[:width]))
	}
	return rows
}
