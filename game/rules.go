package game

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// MaxSide is the longest side of a board: 25 squares are the most that a Discord message has buttons for.
const MaxSide = 5

// ErrRules is wrapped by every refusal of a rule set.
var ErrRules = errors.New("no such rule set")

// ErrSquare is wrapped by every refusal of a square's name.
var ErrSquare = errors.New("no such square")

// Rules is a rule set: an m,n,k-game with m columns, n rows and k in a row. The zero value is not a rule set; use
// [NewRules], [ParseRules] or [Classic]. Rules are comparable.
type Rules struct {
	width, height, run uint8
}

// Classic is 3x3x3, the game that everybody calls Tic-Tac-Toe.
func Classic() Rules { return Rules{3, 3, 3} }

// NewRules is the rule set of that many columns, rows and marks in a row. Sides are 1 to [MaxSide]; the run is at
// least 1 and fits along a side. Errors wrap [ErrRules].
func NewRules(width, height, run int) (Rules, error) {
	if width < 1 || width > MaxSide || height < 1 || height > MaxSide {
		return Rules{}, fmt.Errorf("%w: a board of %d columns and %d rows; sides are 1 to %d", ErrRules, width, height, MaxSide)
	}
	if run < 1 || run > max(width, height) {
		return Rules{}, fmt.Errorf("%w: %d in a row on a board of %d columns and %d rows; a run is 1 to %d there",
			ErrRules, run, width, height, max(width, height))
	}
	return Rules{uint8(width), uint8(height), uint8(run)}, nil
}

// ParseRules reads a rule set as [Rules.String] writes it, such as "3x3x3". Errors wrap [ErrRules].
func ParseRules(text string) (Rules, error) {
	parts := strings.Split(text, "x")
	if len(parts) != 3 {
		return Rules{}, fmt.Errorf("%w: %q; write columns x rows x run, as in 3x3x3", ErrRules, text)
	}
	var n [3]int
	for i, part := range parts {
		// One digit each: sides end at MaxSide, and "03" or "+3" would be second spellings of one rule set.
		if len(part) != 1 || part[0] < '0' || part[0] > '9' {
			return Rules{}, fmt.Errorf("%w: %q; write columns x rows x run, as in 3x3x3", ErrRules, text)
		}
		n[i] = int(part[0] - '0')
	}
	return NewRules(n[0], n[1], n[2])
}

// String writes the rule set as columns x rows x run: "3x3x3".
func (r Rules) String() string {
	return strconv.Itoa(int(r.width)) + "x" + strconv.Itoa(int(r.height)) + "x" + strconv.Itoa(int(r.run))
}

// Width is the number of columns.
func (r Rules) Width() int { return int(r.width) }

// Height is the number of rows.
func (r Rules) Height() int { return int(r.height) }

// Run is how many marks in a row win.
func (r Rules) Run() int { return int(r.run) }

// Squares is the number of squares.
func (r Rules) Squares() int { return int(r.width) * int(r.height) }

// Board is the set of all squares.
func (r Rules) Board() Bitboard { return 1<<r.Squares() - 1 }

// Name writes a square as column letter and row number from the top: "a1" is the top left. A square off the board is
// written "?".
func (r Rules) Name(s Square) string {
	if int(s) >= r.Squares() {
		return "?"
	}
	return string([]byte{'a' + byte(s)%r.width, '1' + byte(s)/r.width})
}

// ParseSquare reads a square as [Rules.Name] writes it. Errors wrap [ErrSquare].
func (r Rules) ParseSquare(name string) (Square, error) {
	if len(name) == 2 {
		column, row := int(name[0])-'a', int(name[1])-'1'
		if 0 <= column && column < r.Width() && 0 <= row && row < r.Height() {
			return Square(row*r.Width() + column), nil
		}
	}
	last := r.Name(Square(r.Squares() - 1))
	return 0, fmt.Errorf("%w: %q; squares are a1 to %s, column letter first", ErrSquare, name, last)
}
