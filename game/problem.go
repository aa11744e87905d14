package game

import (
	"fmt"
	"slices"
	"strings"
)

// Problem is a reason why a text is not a position that can arise in a game.
type Problem uint8

// The problems that the text of a position can have.
const (
	WrongForm      Problem = iota + 1 // where marks vanish: not two lists of squares and the side to move
	WrongSize                         // not as many rows or columns as the rules have
	WrongCharacter                    // a character other than X, O and the signs of an empty square
	WrongSquare                       // where marks vanish: a square that is not on the board, or listed before
	WrongCount                        // the sides cannot have moved in turn
	FloatingMark                      // where marks fall: an empty square below a mark
	WrongOrder                        // where marks fall: the columns cannot have been filled in turn
	TwoWinners                        // both sides have a line
	PlayAfterWin                      // moves were made after a line was complete
)

// String returns the problem in words, such as "wrong size".
func (p Problem) String() string {
	return nameOf(p,
		"no problem", "wrong form", "wrong size", "unknown character", "wrong square", "wrong count of marks", "floating marks",
		"no order of moves", "two winners", "play went on after a win",
	)
}

// PositionError is the error of a text that is not a position. It lists all problems of the text.
type PositionError struct {
	Text     string
	Problems []Problem // at least one, each once, in the order of the constants
	details  []string  // one for each problem
}

func (e *PositionError) Error() string {
	return fmt.Sprintf("position %q: %s", e.Text, strings.Join(e.details, "; "))
}

func (e *PositionError) add(p Problem, format string, args ...any) {
	e.Problems = append(e.Problems, p)
	e.details = append(e.details, p.String()+": "+fmt.Sprintf(format, args...))
}

func (e *PositionError) has(p Problem) bool { return slices.Contains(e.Problems, p) }
