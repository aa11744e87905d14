package game

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// MaxSide is the longest side of a board, in squares: a Discord message has at most 25 buttons.
const MaxSide = 5

// ErrRules is wrapped by every refusal of a rule set.
var ErrRules = errors.New("no such rule set")

// ErrSquare is wrapped by every refusal of a square's name.
var ErrSquare = errors.New("no such square")

// Rules is a rule set: an m,n,k-game with m columns, n rows and k in a row, played plainly or with a [Variant]. The zero
// value is not a rule set; use [NewRules], [ParseRules] or [Classic]. Rules are comparable.
type Rules struct {
	// packed holds, from the lowest bit: 3 bits each for width, height and run, 5 for keep, and one each for gravity and
	// misere. Two values that follow from these are packed as well, because they are needed at every move: 5 bits for the
	// number of squares, and one for whether marks vanish. The rules are one small word because every position carries them.
	packed uint32
}

// terms are the unpacked parts of rules.
type terms struct {
	width, height, run int
	keep               int // 0: marks stay
	gravity, misere    bool
}

const (
	gravityBit = 1 << 14
	misereBit  = 1 << 15
	vanishBit  = 1 << 21
)

func (t terms) pack() Rules {
	squares := t.width * t.height
	packed := t.width | t.height<<3 | t.run<<6 | t.keep<<9 | squares<<16
	if t.gravity {
		packed |= gravityBit
	}
	if t.misere {
		packed |= misereBit
	}
	if t.keep != 0 && 2*t.keep < squares {
		packed |= vanishBit
	}
	return Rules{uint32(packed)}
}

// Width returns the number of columns.
func (r Rules) Width() int { return int(r.packed & 7) }

// Height returns the number of rows.
func (r Rules) Height() int { return int(r.packed >> 3 & 7) }

// Run returns the number of marks in a row that make a line.
func (r Rules) Run() int { return int(r.packed >> 6 & 7) }

// Keep returns the number of a side's newest marks that stay on the board. It returns 0 if all marks stay.
func (r Rules) Keep() int { return int(r.packed >> 9 & 31) }

// Gravity reports whether marks fall to the lowest empty square of their column.
func (r Rules) Gravity() bool { return r.packed&gravityBit != 0 }

// Misere reports whether a line loses the game for the side that completes it.
func (r Rules) Misere() bool { return r.packed&misereBit != 0 }

// Vanish reports whether marks disappear in a game. They do if [Rules.Keep] is not 0 and the board is large enough. If the marks
// that both sides keep fill the board, the game is over before a mark would disappear.
func (r Rules) Vanish() bool { return r.packed&vanishBit != 0 }

// Squares returns the number of squares.
func (r Rules) Squares() int { return int(r.packed >> 16 & 31) }

// Board returns the set of all squares.
func (r Rules) Board() Bitboard { return 1<<r.Squares() - 1 }

// Classic returns the rules 3x3x3, the usual Tic-Tac-Toe.
func Classic() Rules { return terms{width: 3, height: 3, run: 3}.pack() }

// NewRules returns the rule set with the given numbers of columns, rows and marks in a row, and with the variants, if any. Sides are
// 1 to [MaxSide]; the run is at least 1 and fits along a side. Gravity and misere can be combined, but neither can be combined with
// keep. Errors wrap [ErrRules] and give the reason.
func NewRules(width, height, run int, variants ...Variant) (Rules, error) {
	if width < 1 || width > MaxSide || height < 1 || height > MaxSide {
		return Rules{}, fmt.Errorf("%w: a board of %d columns and %d rows; sides are 1 to %d", ErrRules, width, height, MaxSide)
	}
	if run < 1 || run > max(width, height) {
		return Rules{}, fmt.Errorf("%w: %d in a row on a board of %d columns and %d rows; a run is 1 to %d there",
			ErrRules, run, width, height, max(width, height))
	}
	t := terms{width: width, height: height, run: run}
	for _, v := range variants {
		if err := v.change(&t); err != nil {
			return Rules{}, fmt.Errorf("%w: %w", ErrRules, err)
		}
	}
	switch {
	case t.keep != 0 && t.gravity:
		return Rules{}, fmt.Errorf("%w: keep%d with gravity; marks would hang in the air where others vanish", ErrRules, t.keep)
	case t.keep != 0 && t.misere:
		return Rules{}, fmt.Errorf("%w: keep%d with misere; no game would end", ErrRules, t.keep)
	}
	return t.pack(), nil
}

// UnmarshalText parses a rule set; see [ParseRules].
func (r *Rules) UnmarshalText(text []byte) (err error) {
	*r, err = ParseRules(string(text))
	return err
}

// ParseRules parses the notation of a rule set by [Rules.String], such as "3x3x3" or "5x4x4+gravity", with the variants in any
// order, or the name of an offered rule set, such as "infinite". Errors wrap [ErrRules] and give the reason.
func ParseRules(text string) (Rules, error) {
	if rules, is := OnOffer(text); is {
		return rules, nil
	}
	size, rest, more := strings.Cut(text, "+")
	parts := strings.Split(size, "x")
	if len(parts) != 3 {
		return Rules{}, notWritten(text)
	}
	var n [3]int
	for i, part := range parts {
		// A part is one digit, since sides end at MaxSide and "03" or "+3" would be second spellings of one rule set.
		if len(part) != 1 || part[0] < '0' || part[0] > '9' {
			return Rules{}, notWritten(text)
		}
		n[i] = int(part[0] - '0')
	}
	var variants []Variant
	for more {
		var word string
		word, rest, more = strings.Cut(rest, "+")
		v, err := parseVariant(word)
		if err != nil {
			return Rules{}, fmt.Errorf("%w: %q: %w", ErrRules, text, err)
		}
		variants = append(variants, v)
	}
	return NewRules(n[0], n[1], n[2], variants...)
}

// notWritten returns the error for a text that is not in the notation of rule sets.
func notWritten(text string) error {
	return fmt.Errorf("%w: %q; write columns x rows x run, as in 3x3x3 or 5x4x4+gravity, or a name: %s",
		ErrRules, text, strings.Join(OfferedNames(), ", "))
}

// String returns the notation of the rule set: columns x rows x run and then its variants, as in "3x3x3" or "5x4x4+gravity".
func (r Rules) String() string {
	text := strconv.Itoa(r.Width()) + "x" + strconv.Itoa(r.Height()) + "x" + strconv.Itoa(r.Run())
	for _, v := range r.Variants() {
		text += "+" + v.String()
	}
	return text
}

// Name returns the name of a square, its column letter and its row number from the top: "a1" is the top left square. The name of
// a square off the board is "?".
func (r Rules) Name(s Square) string {
	if int(s) >= r.Squares() {
		return "?"
	}
	return string([]byte{'a' + byte(int(s)%r.Width()), '1' + byte(int(s)/r.Width())})
}

// ParseSquare parses the name of a square; see [Rules.Name]. Errors wrap [ErrSquare].
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
