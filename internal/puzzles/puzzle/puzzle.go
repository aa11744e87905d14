// Package puzzle generates the puzzle of each day: a position in which one side has to find, several times in a row, the only
// move that wins or the only move that holds the draw, while the computer gives its best answers.
//
// The puzzle of a day is a function of its UTC date and of a published seed, so that all installations show the same puzzle
// without communicating. It never changes once it may have been shown: a change of the generator is a new edition, which begins
// on a later date.
//
// The package depends on no clock, user or store.
package puzzle

import (
	"errors"
	"fmt"

	"tictactoe/ai"
	"tictactoe/game"
)

// Goal is the result that the solver of a puzzle has to reach.
type Goal uint8

// The goals.
const (
	Win  Goal = iota + 1 // at each decision exactly one move keeps a forced win
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

// Puzzle is the puzzle of one day. The solver plays the side to move in Start, and the computer plays the other side. A puzzle
// never changes, and holds all data that [Puzzle.Play] needs.
type Puzzle struct {
	Day       Day
	Board     string        // the name of the rule set, as in [game.Offered]
	Start     game.Position // the first position, with the solver to move
	Goal      Goal
	Decisions int // the number of moves that the solver has to find
	// Difficulty is the probability, from 0 to 1, that a solver with one try fails. It is the mean of the exact probabilities for the
	// computer's level "medium" and for a model of people who see most wins and threats but do not plan.
	Difficulty float64

	decisions []decision // in order
}

// A decision is a position of a puzzle in which the solver has to find a move.
type decision struct {
	eval   ai.Eval // the evaluation of the position
	right  game.Square
	answer game.Square // the computer's answer to the right move; game.NoSquare if the move ends the puzzle
	misses []miss      // all other legal moves, in the order of squares
}

// A miss is a wrong move of the solver.
type miss struct {
	square game.Square
	eval   ai.Eval     // the evaluation of the move for the solver
	answer game.Square // the computer's answer, which punishes the wrong move; game.NoSquare if the wrong move has ended the game
}

// Status is the progress of the solver of a puzzle.
type Status uint8

// The statuses.
const (
	Open   Status = iota + 1 // the solver is to move
	Solved                   // every decision was right
	Failed                   // the last press was wrong
)

// State is the state of a puzzle after some presses of the solver.
type State struct {
	Status Status
	// Record is the game from the start of the puzzle, with the answers of the computer. After a wrong press it ends with the computer's
	// answer, which punishes the wrong move. If the puzzle is solved, it ends with the last press.
	Record  game.Record
	Presses int      // the number of pressed squares
	Mistake *Mistake // the error of the last press; nil unless the status is Failed
}

// Position returns the current position.
func (s State) Position() game.Position { return s.Record.Position() }

// Mistake is a wrong press, with the right move.
type Mistake struct {
	Before  game.Position // the position before the press
	Pressed game.Square
	Right   game.Square
	Reached ai.Value    // the value for the solver after the wrong move
	Answer  game.Square // the computer's answer, which punishes the wrong move; [game.NoSquare] if the wrong move has ended the game

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

// ErrOver is wrapped by the error of a press after the puzzle was solved or failed.
var ErrOver = errors.New("the puzzle is over")

// Play returns the state after the given presses of the solver, from the start of the puzzle. The computer always gives the same
// best answer. Where marks fall, a press on any empty square of a column counts as a press on the square where the mark lands. The
// error names the press; it wraps a [*game.IllegalMoveError] if the square cannot be played, or [ErrOver].
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

// press returns the state after one more press, or the state s and an error if the press is not possible.
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
		next.Mistake = &Mistake{before, press, d.right, m.eval.Value, m.answer, d.eval, m.eval}
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

// missed returns the miss on a square, or nil if the square is not a miss.
func (d decision) missed(square game.Square) *miss {
	for i := range d.misses {
		if d.misses[i].square == square {
			return &d.misses[i]
		}
	}
	return nil
}

// Move is a move of the solution: the solver's move and the computer's answer.
type Move struct {
	Before game.Position // the position with the solver to move
	Right  game.Square
	Answer game.Square // the computer's answer; [game.NoSquare] after the last move

	eval ai.Eval
}

// Advice returns the move as advice, for which a reason can be given.
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
