package game

import (
	"fmt"
	"strings"
)

// String writes the board row by row from the top, as in "X.O/.X./..O". Where marks vanish it writes the squares of either
// side, the oldest first, and the side to move: "X:a1,b2 O:c3 O".
func (p Position) String() string {
	var b strings.Builder
	if p.rules.Vanish() {
		for i, mark := range []Mark{X, O} {
			b.WriteString(mark.String() + ":")
			separator := ""
			for s := range p.order[i].first(p.marks[i].Len()) {
				b.WriteString(separator + p.rules.Name(s))
				separator = ","
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

// ParsePositionWith is [ParsePosition] for a game that the given side began; None counts as X.
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
	r := reader{position: Position{rules: rules}, problems: PositionError{Text: text}}
	if rules.Vanish() {
		r.readQueues(starter, text)
	} else {
		r.readBoard(starter, rows)
	}
	if len(r.problems.Problems) > 0 {
		return Position{}, &r.problems
	}
	return r.position, nil
}

// A reader collects what a text says, and what is wrong with it.
type reader struct {
	position Position
	count    [2]int // marks of X and of O, on the board or beside it
	problems PositionError
}

func (r *reader) readBoard(starter Mark, rows []string) {
	p, e := &r.position, &r.problems
	width, height := p.rules.Width(), p.rules.Height()
	if len(rows) != height {
		e.add(WrongSize, "%d rows, the board has %d", len(rows), height)
	}
	var unknown []string
	for y, row := range rows {
		cells := []rune(row)
		if len(cells) != width && !e.has(WrongSize) {
			e.add(WrongSize, "row %d has %d squares, the board has %d columns", y+1, len(cells), width)
		}
		for x, cell := range cells {
			var side int
			switch cell {
			case 'X', 'x':
				side = 0
			case 'O', 'o':
				side = 1
			case '.':
				continue
			default:
				unknown = append(unknown, fmt.Sprintf("%q in row %d", cell, y+1))
				continue
			}
			r.count[side]++
			if x < width && y < height {
				p.marks[side] |= 1 << (y*width + x)
			}
		}
	}
	if len(unknown) > 0 {
		e.add(WrongCharacter, "%s; write X, O and . for an empty square", strings.Join(unknown, ", "))
	}
	r.setTurn(starter)
	// Marks on a board of another size stand in no row that means anything here.
	if !e.has(WrongSize) {
		r.checkFall()
		r.checkLines()
	}
}

// setTurn finds the side to move from the number of marks, and adds what is wrong with it.
func (r *reader) setTurn(starter Mark) {
	x, o := r.count[0], r.count[1]
	first := starter
	if first == None {
		first = X
		if o == x+1 {
			first = O
		}
	}
	second := first.Opponent()
	ahead := x - o
	if first == O {
		ahead = o - x
	}
	r.position.turn = first
	if ahead > 0 {
		r.position.turn = second
	}
	switch ahead {
	case 0, 1:
	case -1:
		r.problems.add(WrongStarter, "%s has one mark more, so %s did not begin", second, first)
	default:
		r.problems.add(WrongCount, "X has %d and O has %d, but they take turns", x, o)
	}
}

func (r *reader) readQueues(starter Mark, text string) {
	p, e := &r.position, &r.problems
	parts := strings.Fields(text)
	if len(parts) != 3 || !strings.EqualFold(parts[0][:min(2, len(parts[0]))], "X:") ||
		!strings.EqualFold(parts[1][:min(2, len(parts[1]))], "O:") ||
		!strings.EqualFold(parts[2], "X") && !strings.EqualFold(parts[2], "O") {
		e.add(WrongForm, "write the squares of either side, the oldest first, and the side to move, as in X:a1,b2 O:c3 O")
		return
	}
	p.turn = X
	if strings.EqualFold(parts[2], "O") {
		p.turn = O
	}
	var wrong []string
	for side := range r.count {
		list := parts[side][len("X:"):]
		if list == "" {
			continue
		}
		for name := range strings.SplitSeq(list, ",") {
			n := r.count[side]
			r.count[side]++
			s, err := p.rules.ParseSquare(strings.ToLower(name))
			switch {
			case err != nil:
				wrong = append(wrong, fmt.Sprintf("%q is not on the board", name))
			case p.At(s) != None:
				wrong = append(wrong, p.rules.Name(s)+" twice")
			case n < p.rules.Keep():
				p.order[side] = p.order[side].with(s, p.marks[side].Len())
				p.marks[side] |= 1 << s
			}
		}
	}
	if len(wrong) > 0 {
		e.add(WrongSquare, "%s", strings.Join(wrong, ", "))
	}
	r.checkQueues(starter)
	if !e.has(WrongSquare) {
		r.checkLines()
	}
}
