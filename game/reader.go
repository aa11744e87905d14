package game

import (
	"fmt"
	"strings"
)

// A reader collects the contents of a text about a position, and its problems. Arrays of two hold X's part and O's part.
type reader struct {
	rules    Rules
	turn     Mark // the side to move, None while it is not known
	marks    [2]Bitboard
	order    [2]queue
	count    [2]int // the numbers of marks in the text, including marks that are not on the board
	problems PositionError
}

// position returns the position that was read. It can arise if the reader found no problems.
func (r *reader) position() Position {
	mover, other := 0, 1
	if r.turn == O {
		mover, other = 1, 0
	}
	return Position{
		rules: r.rules,
		turn:  r.turn,
		marks: sides[Bitboard]{r.marks[mover], r.marks[other]},
		order: sides[queue]{r.order[mover], r.order[other]},
	}
}

// readBoard reads a board row by row, and finds the side to move from the number of marks.
func (r *reader) readBoard(rows []string) {
	e, width, height := &r.problems, r.rules.Width(), r.rules.Height()
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
				r.marks[side] |= 1 << (y*width + x)
			}
		}
	}
	if len(unknown) > 0 {
		e.add(WrongCharacter, "%s; write X, O and . for an empty square", strings.Join(unknown, ", "))
	}
	r.checkTurns()
	// If the board has the wrong size, the rows of its marks are meaningless.
	if !e.has(WrongSize) {
		r.checkFall()
		r.checkLines()
	}
}

// readQueues reads the squares of both sides in small or capital letters, with any white space between the parts.
func (r *reader) readQueues(text string) {
	e := &r.problems
	parts := strings.Fields(strings.ToLower(text))
	if len(parts) != 3 || !strings.HasPrefix(parts[0], "x:") || !strings.HasPrefix(parts[1], "o:") ||
		parts[2] != "x" && parts[2] != "o" {
		e.add(WrongForm, "write the squares of either side, the oldest first, and the side to move, as in X:a1,b2 O:c3 O")
		return
	}
	r.turn = X
	if parts[2] == "o" {
		r.turn = O
	}
	var wrong []string
	for side, part := range parts[:2] {
		list := part[len("x:"):]
		if list == "" {
			continue
		}
		for name := range strings.SplitSeq(list, ",") {
			r.count[side]++
			s, err := r.rules.ParseSquare(name)
			switch {
			case err != nil:
				wrong = append(wrong, fmt.Sprintf("there is no %q", name))
			case (r.marks[0] | r.marks[1]).Has(s):
				wrong = append(wrong, name+" is listed twice")
			default:
				if r.count[side] <= r.rules.Keep() { // a queue has no room for more marks than a side keeps
					r.order[side] = r.order[side].with(s, r.marks[side].Len())
				}
				r.marks[side] |= 1 << s
			}
		}
	}
	if len(wrong) > 0 {
		e.add(WrongSquare, "%s", strings.Join(wrong, ", "))
	}
	r.checkQueues()
	if !e.has(WrongSquare) {
		r.checkLines()
	}
}
