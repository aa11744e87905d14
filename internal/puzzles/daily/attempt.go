// Package daily is what people make of the puzzle of a day: what they have pressed, their streaks, and which server posts the puzzle and
// lists who has solved it. The puzzles themselves are made by package puzzle.
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
	// Tries is how many wrong presses end an attempt. If it were raised, attempts that have failed would go on. The texts also
	// say three.
	Tries = 3
	// CountsFor is how long after its beginning an attempt may be solved and still count for a streak. So a puzzle that was begun
	// before midnight can be finished after it, but a streak cannot be mended weeks later.
	CountsFor = 24 * time.Hour
)

// Attempt is what a user has made of the puzzle of one day. It begins on that day, when the user first sees the puzzle, and may end on a
// later one.
type Attempt struct {
	User    match.User
	Day     puzzle.Day
	Started time.Time
	Presses Presses
	Solved  time.Time // zero if it is not solved
}

// Press is a square that was pressed in the puzzle.
type Press struct {
	Square game.Square
	Wrong  bool // it did not keep the value of the position, and was taken back
}

// Presses are those of an attempt, in their order.
type Presses []Press

// String writes presses as they are stored: a letter for each square, a for the first one of the board, and a "!" after each that was
// wrong.
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

// ParsePresses reads what String has written.
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

// Wrong is how many of the presses were wrong.
func (ps Presses) Wrong() (n int) {
	for _, p := range ps {
		if p.Wrong {
			n++
		}
	}
	return n
}

// Line are the squares of the presses that were right, which is how far the solution was found.
func (ps Presses) Line() (line []game.Square) {
	for _, p := range ps {
		if !p.Wrong {
			line = append(line, p.Square)
		}
	}
	return line
}

// Missed returns the squares of the wrong presses since the last right one. Pressed again, they would be wrong again.
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

// Over tells whether the attempt has ended, solved or not.
func (a Attempt) Over() bool { return !a.Solved.IsZero() || a.Left() == 0 }

// Left is how many wrong presses remain until the attempt ends.
func (a Attempt) Left() int { return Tries - a.Presses.Wrong() }

// Try is which try it is, counted from 1.
func (a Attempt) Try() int { return min(a.Presses.Wrong()+1, Tries) }

// Took is how long it took to solve the puzzle.
func (a Attempt) Took() time.Duration { return a.Solved.Sub(a.Started) }

// Counts tells whether the attempt counts for a streak.
func (a Attempt) Counts() bool { return !a.Solved.IsZero() && a.Took() <= CountsFor }

// errOver is the error of a press on an attempt that has ended.
var errOver = errors.New("the attempt is over")

// Press returns the attempt with one more press, at a time. The puzzle judges it. A square in [Presses.Missed] changes nothing,
// so it costs no further try. The error is a [*game.IllegalMoveError] for a square on which nobody can place a mark.
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
