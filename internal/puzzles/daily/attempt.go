// Package daily keeps the attempts of users at the puzzle of each day, their streaks, the lists of solvers and the servers that
// post the puzzle. Package puzzle generates the puzzles.
package daily

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/puzzle"
)

const (
	// Tries is the number of wrong presses that ends an attempt. Raising it would reopen failed attempts. The help of `tictactoe daily` and
	// the web pages also say three.
	Tries = 3
	// CountsFor is the longest time from the beginning of an attempt to its solution if it is to count for a streak. A puzzle begun
	// before midnight can be finished after midnight, but a streak cannot be repaired weeks later.
	CountsFor = 24 * time.Hour
)

// Attempt is a user's attempt at the puzzle of one day. It begins on that day, when the user first sees the puzzle, and may end on
// a later day.
type Attempt struct {
	User    match.User
	Day     puzzle.Day
	Started time.Time
	Presses Presses
	Solved  time.Time // zero if it is not solved
}

// Press is a pressed square of the puzzle.
type Press struct {
	Square game.Square
	Wrong  bool // the move did not keep the value of the position, and was taken back
}

// Presses are the presses of an attempt, in order.
type Presses []Press

// String returns the presses in their stored form: a letter for each square, "a" for the first square of the board, and a "!" after
// each wrong press.
func (ps Presses) String() string {
	var b strings.Builder
	for _, p := range ps {
		b.WriteByte('a' + byte(p.Square))
		if p.Wrong {
			b.WriteByte('!')
		}
	}
	return b.String()
}

// ParsePresses parses the stored form of presses; see [Presses.String].
func ParsePresses(s string) (Presses, error) {
	var ps Presses
	for _, letter := range []byte(s) {
		switch {
		case letter >= 'a' && letter <= 'y':
			ps = append(ps, Press{Square: game.Square(letter - 'a')})
		case letter == '!' && len(ps) > 0 && !ps[len(ps)-1].Wrong:
			ps[len(ps)-1].Wrong = true
		default:
			return nil, fmt.Errorf("presses %q: a letter from a to y is a square, and a ! after it says that it was wrong", s)
		}
	}
	return ps, nil
}

// Wrong returns the number of wrong presses.
func (ps Presses) Wrong() (n int) {
	for _, p := range ps {
		if p.Wrong {
			n++
		}
	}
	return n
}

// Line returns the squares of the right presses, which are the beginning of the solution.
func (ps Presses) Line() (line []game.Square) {
	for _, p := range ps {
		if !p.Wrong {
			line = append(line, p.Square)
		}
	}
	return line
}

// Missed returns the squares of the wrong presses since the last right press. They would be wrong again.
func (ps Presses) Missed() (missed game.Bitboard) {
	for _, p := range ps {
		if !p.Wrong {
			missed = 0
			continue
		}
		missed |= 1 << p.Square
	}
	return missed
}

// Over reports whether the attempt has ended, solved or failed.
func (a Attempt) Over() bool { return !a.Solved.IsZero() || a.Left() == 0 }

// Left returns the number of wrong presses left until the attempt fails.
func (a Attempt) Left() int { return Tries - a.Presses.Wrong() }

// Try returns the number of the current try, counted from 1.
func (a Attempt) Try() int { return min(a.Presses.Wrong()+1, Tries) }

// Took returns the time taken to solve the puzzle.
func (a Attempt) Took() time.Duration { return a.Solved.Sub(a.Started) }

// Counts reports whether the attempt counts for a streak.
func (a Attempt) Counts() bool { return !a.Solved.IsZero() && a.Took() <= CountsFor }

// errOver is returned for a press in an attempt that has ended.
var errOver = errors.New("the attempt is over")

// Press returns the attempt after one more press at the given time, judged by the puzzle. A square in [Presses.Missed] changes
// nothing, so it costs no try. The error is a [*game.IllegalMoveError] if no mark can be placed on the square.
func (a Attempt) Press(p puzzle.Puzzle, s game.Square, at time.Time) (Attempt, error) {
	if a.Over() {
		return a, errOver
	}
	line := a.Presses.Line()
	now, err := p.Play(line...)
	if err != nil {
		return a, err
	}
	// Where marks fall, people press any square of a column.
	if position := now.Position(); position.Marks(game.None).Has(s) {
		s = position.Landing(s)
	}
	if a.Presses.Missed().Has(s) {
		return a, nil
	}
	next, err := p.Play(append(line, s)...)
	if err != nil {
		return a, err
	}
	pressed := Press{Square: s, Wrong: next.Status == puzzle.Failed}
	a.Presses = append(append(Presses(nil), a.Presses...), pressed)
	if next.Status == puzzle.Solved {
		a.Solved = at
		if at.Before(a.Started) { // the clock was set back
			a.Solved = a.Started
		}
	}
	return a, nil
}
