// Package puzzle makes the puzzle of each day: a position in which one side has to find, several times in a row, the only move
// that wins or the only one that holds the draw, while the computer answers as well as it can.
//
// The puzzle of a day is a function of its date, in UTC, and of a published seed, so that all installations show the same one
// without talking to each other. It never changes once it may have been shown: what is changed in the way puzzles are made
// becomes a new edition, which begins on a later date.
//
// The package knows no clock, no user and no store.
package puzzle

import (
	"errors"
	"fmt"

	"tictactoe/ai"
	"tictactoe/game"
)

// Goal is what the solver of a puzzle has to reach.
type Goal uint8

// The goals.
const (
	Win  Goal = iota + 1 // at each decision exactly one move keeps a win by force
	Hold                 // at each decision exactly one move keeps a draw, and all others lose by force
)

// String returns "win" or "hold".
func (g Goal) String() string {
	switch g {
	case Win:
		return "win"
	case Hold:
		return "hold"
	default:
		return "no goal"
	}
}

// MarshalText returns the name of the goal.
func (g Goal) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// UnmarshalText reads the name of a goal.
func (g *Goal) UnmarshalText(text []byte) error {
	for _, goal := range []Goal{Win, Hold} {
		if goal.String() == string(text) {
			*g = goal
			return nil
		}
	}
	return fmt.Errorf("%q is no goal of a puzzle; there are win and hold", text)
}

// Puzzle is the puzzle of one day. The side to move in Start is that of the solver, and the computer has the other side. A puzzle
// never changes, and knows all that [Puzzle.Play] needs.
type Puzzle struct {
	Day       Day
	Board     string        // the name of the rule set, as in [game.Offered]
	Start     game.Position // where the solver is to move
	Goal      Goal
	Decisions int // how many moves the solver has to find
	// Difficulty is how likely it is, from 0 to 1, that somebody who tries once does not solve the puzzle: the mean of what is
	// exact for a computer of the level "medium" and for a model of people who see most wins and threats but plan nothing.
	Difficulty float64

	decisions []decision // in order
}

// A decision is a position of a puzzle in which the solver has to find a move.
type decision struct {
	eval   ai.Eval // of the position
	right  game.Square
	answer game.Square // of the computer to the right move; game.NoSquare if it ends the puzzle
	misses []miss      // all other legal moves, in the order of squares
}

// A miss is a wrong move of the solver.
type miss struct {
	square game.Square
	eval   ai.Eval     // of the move, for the solver
	answer game.Square // of the computer, which takes advantage; game.NoSquare if the wrong move has ended the game
}

// Status tells how far the solver of a puzzle has come.
type Status uint8

// The statuses.
const (
	Open   Status = iota + 1 // the solver is to move
	Solved                   // every decision was right
	Failed                   // the last press was wrong
)

// String returns "open", "solved" or "failed".
func (s Status) String() string {
	switch s {
	case Open:
		return "open"
	case Solved:
		return "solved"
	case Failed:
		return "failed"
	default:
		return "no status"
	}
}

// MarshalText returns the name of the status.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// State is what some presses of the solver have led to.
type State struct {
	Status Status
	// Record is the game from the start of the puzzle, with the answers of the computer. After a wrong press it ends with the
	// answer that takes advantage of it, and after the press that solves the puzzle it ends with that.
	Record  game.Record
	Presses int      // how many squares were pressed
	Mistake *Mistake // what was wrong with the last press, nil unless the status is Failed
}

// Position returns what is on the board now.
func (s State) Position() game.Position { return s.Record.Position() }

// Mistake is a wrong press, and what would have been right.
type Mistake struct {
	Press   int           // the number of the press, the first being 1
	Before  game.Position // where the square was pressed
	Pressed game.Square
	Right   game.Square
	Reached ai.Value    // what the wrong move leaves to the solver
	Answer  game.Square // how the computer takes advantage; [game.NoSquare] if the wrong move has ended the game

	best, played ai.Eval
}

// Remark judges the wrong move as a review does.
func (m Mistake) Remark() ai.Remark {
	r := ai.Remark{
		Mark: m.Before.Turn(), Square: m.Pressed, Best: m.best, Played: m.played, Better: game.SetOf(m.Right), Kept: game.SetOf(m.Right),
		Critical: true,
	}
	switch {
	case m.best.Value == ai.Draw:
		r.Grade = ai.LosingMove
	case m.Reached == ai.Draw:
		r.Grade = ai.MissedWin
	default:
		r.Grade = ai.Blunder
	}
	return r
}

// ErrOver is wrapped where a square is pressed after the puzzle was solved or failed.
var ErrOver = errors.New("the puzzle is over")

// Play returns what the presses of the solver lead to, from the start of the puzzle. The computer gives the same best answer each
// time. Where marks fall, a press on any empty square of a column is one on the square where the mark lands. The error names the
// press; it wraps a [*game.IllegalMoveError] if the square cannot be played, or [ErrOver].
func (p Puzzle) Play(presses ...game.Square) (State, error) {
	s := State{Status: Open, Record: game.NewRecord(p.Start)}
	for _, press := range presses {
		var err error
		if s, err = p.press(s, press); err != nil {
			return State{}, fmt.Errorf("press %d of the puzzle of %s: %w", s.Presses+1, p.Day, err)
		}
	}
	return s, nil
}

// press returns the state after one more press. With an error it returns the state before.
func (p Puzzle) press(s State, press game.Square) (State, error) {
	if s.Status != Open || s.Presses >= len(p.decisions) {
		return s, ErrOver
	}
	d, before := p.decisions[s.Presses], s.Position()
	if before.At(press) == game.None {
		press = before.Landing(press)
	}
	next := State{Status: Open, Presses: s.Presses + 1}
	answer := d.answer
	switch m := d.missed(press); {
	case m != nil:
		next.Status, answer = Failed, m.answer
		next.Mistake = &Mistake{next.Presses, before, press, d.right, m.eval.Value, m.answer, d.eval, m.eval}
	case next.Presses == len(p.decisions):
		next.Status = Solved
	}
	var err error
	if next.Record, err = s.Record.Play(press); err != nil {
		return s, err
	}
	if answer != game.NoSquare {
		if next.Record, err = next.Record.Play(answer); err != nil {
			return s, err
		}
	}
	return next, nil
}

// missed returns the miss with that square, nil if there is none.
func (d decision) missed(square game.Square) *miss {
	for i := range d.misses {
		if d.misses[i].square == square {
			return &d.misses[i]
		}
	}
	return nil
}

// Move is a move of the solution: that of the solver and the answer to it.
type Move struct {
	Before game.Position // where the solver is to move
	Right  game.Square
	Answer game.Square // of the computer; [game.NoSquare] after the last move

	eval ai.Eval
}

// Advice is what to play, for which a reason can be given.
func (m Move) Advice() ai.Advice {
	return ai.Advice{Eval: m.eval, Squares: game.SetOf(m.Right), Holding: game.SetOf(m.Right)}
}

// Solution returns the moves that solve the puzzle, in order.
func (p Puzzle) Solution() []Move {
	var moves []Move
	s := State{Status: Open, Record: game.NewRecord(p.Start)}
	for _, d := range p.decisions {
		moves = append(moves, Move{s.Position(), d.right, d.answer, d.eval})
		s, _ = p.press(s, d.right) // the right move is legal
	}
	return moves
}
