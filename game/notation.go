package game

import "strings"

// String writes the board row by row from the top, as in "X.O/.X./..O". Where marks vanish it writes the squares of either
// side, the oldest first, and the side to move: "X:a1,b2 O:c3 O".
func (p Position) String() string {
	var b strings.Builder
	if p.rules.Vanish() {
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
		return b.String()
	}
	for s := range Square(p.rules.Squares()) {
		if s > 0 && int(s)%p.rules.Width() == 0 {
			b.WriteByte('/')
		}
		b.WriteString(p.At(s).String())
	}
	return b.String()
}

// ParsePosition reads a position as [Position.String] writes it, of a game that X began; small and capital letters are
// alike. The error is a [*PositionError] that names every reason why no game leads there.
func ParsePosition(rules Rules, text string) (Position, error) {
	return ParsePositionWith(rules, X, text)
}

// ParsePositionWith is [ParsePosition] for a game that the given side began; None counts as X. Where marks vanish and both
// sides have all that they keep, nobody asks any more who began.
func ParsePositionWith(rules Rules, starter Mark, text string) (Position, error) {
	return parsePosition(rules, StartWith(rules, starter).turn, text, strings.Split(text, "/"))
}

// ReadPosition reads a position as people may write it: as [ParsePosition] does, but a space is an empty square, too, and
// the rows may follow one another without a slash, as in "XXO O X O". O began if it has one mark more, otherwise X. The
// error is a [*PositionError].
func ReadPosition(rules Rules, text string) (Position, error) {
	board := strings.ReplaceAll(text, " ", ".")
	if cells := []rune(board); rules.Width() > 0 && len(cells) == rules.Squares() && !strings.Contains(board, "/") {
		var rows []string
		for len(cells) > 0 {
			rows = append(rows, string(cells[:rules.Width()]))
			cells = cells[rules.Width():]
		}
		return parsePosition(rules, None, text, rows)
	}
	return parsePosition(rules, None, text, strings.Split(board, "/"))
}

// parsePosition reads a board of those rows, or, where marks vanish, the text. The starter None is whoever must have begun.
func parsePosition(rules Rules, starter Mark, text string, rows []string) (Position, error) {
	r := reader{rules: rules, starter: starter, problems: PositionError{Text: text}}
	if rules.Vanish() {
		r.readQueues(text)
	} else {
		r.readBoard(rows)
	}
	if len(r.problems.Problems) > 0 {
		return Position{}, &r.problems
	}
	return r.position(), nil
}
