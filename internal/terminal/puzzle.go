package terminal

import (
	"errors"
	"slices"
	"strings"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

// Puzzle is the puzzle of a day at a terminal.
type Puzzle struct {
	puzzle.Puzzle
	Now func() time.Time // the clock by which the human's time is measured
}

// attempt returns a new attempt at the puzzle, without presses.
func (p *Puzzle) attempt() *daily.Attempt {
	return &daily.Attempt{Day: p.Day, Started: p.Now()}
}

// solving returns the human's progress on the puzzle of the round.
func (r round) solving() daily.Solving {
	p := r.game.Puzzle
	state, err := p.Play(r.attempt.Presses.Line()...)
	if err != nil {
		state = puzzle.State{Status: puzzle.Open, Record: game.NewRecord(p.Start)} // not possible: the presses are legal
	}
	return daily.Solving{Puzzle: p.Puzzle, Attempt: *r.attempt, State: state, Today: p.Day}
}

// solve returns the round after the human has pressed a square of the puzzle. The round's match then has the right moves so far or, at the
// end, all moves of the solution.
func (r round) solve(square game.Square) (round, error) {
	next, err := r.attempt.Press(r.game.Puzzle.Puzzle, square, r.game.Puzzle.Now())
	if illegal := (*game.IllegalMoveError)(nil); errors.As(err, &illegal) {
		return r.note(locale.Refusal(&match.Refusal{Reason: match.SquareTaken}, "", r.game.names())), nil
	}
	if err != nil {
		return r, err
	}
	r.attempt, r.notes = &next, nil
	if r.match = r.game.at(r.solving().State.Record); next.Over() {
		r.match = r.game.at(solution(r.game.Puzzle.Puzzle))
	}
	return r, nil
}

// solution returns the game with all moves of the puzzle's solution.
func solution(p puzzle.Puzzle) game.Record {
	record := game.NewRecord(p.Start)
	for _, move := range p.Solution() {
		for _, square := range []game.Square{move.Right, move.Answer} {
			if next, err := record.Play(square); err == nil {
				record = next
			}
		}
	}
	return record
}

// puzzleScreen returns the screen of the puzzle. It moves the remarks on the solution below the board, where there is room, and leaves out
// the time of the next puzzle.
func (r round) puzzleScreen() view.Screen {
	s := view.OfPuzzle(r.solving(), view.PuzzleReader{})
	for i, line := range s.Lines {
		if line.Key == "puzzle.failed" {
			s.Notes = slices.Concat(s.Lines[i+1:], s.Notes)
			s.Lines = s.Lines[:i+1]
			break
		}
	}
	s.Notes = slices.DeleteFunc(s.Notes, func(t view.Text) bool { return t.Key == "puzzle.next" })
	s.Notes = slices.Concat(r.notes, s.Notes)
	return s
}

// TellSolution prints the puzzle and its solution.
func (g *Game) TellSolution() error {
	l := &lines{game: g, round: g.first(), out: g.Out}
	start := l.round.puzzleScreen()
	start.Notes = slices.DeleteFunc(start.Notes, func(t view.Text) bool { return strings.HasPrefix(t.Key, "puzzle.") })
	start.Lines = start.Lines[:2] // without the number of tries
	l.draw(start)
	l.say(view.PuzzleSolution(g.Puzzle.Puzzle)...)
	return l.err
}

// tells reports whether the screen shows the solution, which takes several lines: the attempt is over and was not successful.
func (r round) tells() bool { return r.attempt != nil && r.over() && r.attempt.Solved.IsZero() }
