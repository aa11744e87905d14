package game

import (
	"fmt"
	"strconv"
	"strings"
)

// Variant is a departure from the plain m,n,k-game, for [NewRules]. The zero value is not a variant.
type Variant struct {
	word string
	n    int // the number of marks to keep, if the word is keep
}

// Gravity is the variant in which marks fall to the lowest empty square of their column. A move names the square on which the
// mark lands.
func Gravity() Variant { return Variant{word: "gravity"} }

// Misere is the variant in which the side that completes a line loses.
func Misere() Variant { return Variant{word: "misere"} }

// Keep is the variant in which only the n newest marks of each side stay on the board. When a side places one more, its oldest
// mark disappears before lines are looked for. The square of that mark cannot be played in the same move. n must be at least the
// run, and less than the number of squares.
func Keep(n int) Variant { return Variant{word: "keep", n: n} }

// String returns the notation of the variant after a plus in a rule set: "gravity", "misere" or "keep3".
func (v Variant) String() string {
	if v.word == "keep" {
		return v.word + strconv.Itoa(v.n)
	}
	return v.word
}

// parseVariant parses the notation of a variant. It does not check whether the variant suits a board; [NewRules] does.
func parseVariant(word string) (Variant, error) {
	if digits, ok := strings.CutPrefix(word, "keep"); ok {
		// "keep03" or "keep+3" would be second spellings of one rule set.
		if n, err := strconv.Atoi(digits); err == nil && strconv.Itoa(n) == digits {
			return Keep(n), nil
		}
		return Variant{}, fmt.Errorf("the number of marks to keep is written as in keep3, not %q", digits)
	}
	switch v := (Variant{word: word}); v {
	case Gravity(), Misere():
		return v, nil
	}
	return Variant{}, fmt.Errorf("unknown variant %q; there are gravity, misere and keep3", word)
}

// change applies the variant to the terms.
func (v Variant) change(t *terms) error {
	var twice bool
	switch v.word {
	case "gravity":
		twice, t.gravity = t.gravity, true
	case "misere":
		twice, t.misere = t.misere, true
	case "keep":
		switch {
		case v.n < t.run:
			return fmt.Errorf("keep%d; so few marks never make %d in a row", v.n, t.run)
		case v.n >= t.width*t.height:
			return fmt.Errorf("keep%d; a side never has so many marks on %d squares", v.n, t.width*t.height)
		}
		twice, t.keep = t.keep != 0, v.n
	default:
		return fmt.Errorf("a variant is made by Gravity, Misere or Keep")
	}
	if twice {
		return fmt.Errorf("%s twice", v.word)
	}
	return nil
}

// Variants returns the departures of the rule set from the plain game, in the order in which they are written.
func (r Rules) Variants() []Variant {
	var all []Variant
	if r.Gravity() {
		all = append(all, Gravity())
	}
	if r.Keep() != 0 {
		all = append(all, Keep(r.Keep()))
	}
	if r.Misere() {
		all = append(all, Misere())
	}
	return all
}
