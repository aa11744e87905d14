package daily

import (
	"context"
	"errors"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/puzzle"
)

// Attempts shows puzzles to users, judges their presses and saves their attempts. Its methods are safe for concurrent use.
type Attempts struct {
	Store   Store
	Puzzles *Puzzles
}

// Solving is the progress of a user on a puzzle.
type Solving struct {
	Puzzle  puzzle.Puzzle
	Attempt Attempt
	State   puzzle.State // after the right presses
	Today   puzzle.Day
	Streak  Streak
	// Unfinished is the attempt of the day before if it is not over and would still count for the streak. Otherwise it is the zero
	// value.
	Unfinished Attempt
}

// Open shows a user the puzzle of a day. For an earlier day, it shows the attempt that the user has begun. For today, or if there
// is no such attempt, it begins an attempt at today's puzzle.
func (a *Attempts) Open(ctx context.Context, req match.Request, day puzzle.Day) (Solving, error) {
	today := puzzle.DayOf(req.At)
	if day < today {
		attempt, err := a.Store.Attempt(ctx, req.By, day)
		if err == nil || !errors.Is(err, match.ErrNotFound) {
			return a.solving(ctx, req, attempt, err)
		}
	}
	attempt, err := a.begin(ctx, req, today)
	return a.solving(ctx, req, attempt, err)
}

// begin generates today's puzzle and begins an attempt at it.
func (a *Attempts) begin(ctx context.Context, req match.Request, today puzzle.Day) (Attempt, error) {
	if _, err := a.Puzzles.Of(ctx, today); err != nil {
		return Attempt{}, err
	}
	return a.Store.BeginAttempt(ctx, Attempt{User: req.By, Day: today, Started: req.At}, req.Names...)
}

// Press presses a square of the puzzle of a day. presses is the number of presses that the clicked message shows; if the attempt
// has another number by now, the click is stale and changes nothing. Press returns the user's progress after the press. The
// refusal is SquareTaken.
func (a *Attempts) Press(ctx context.Context, req match.Request, day puzzle.Day, presses int, square string) (Solving, error) {
	from, err := a.Store.Attempt(ctx, req.By, day)
	if errors.Is(err, match.ErrNotFound) { // the custom_id is forged, or the data was deleted since
		return a.Open(ctx, req, day)
	}
	if err != nil || from.Over() || len(from.Presses) != presses {
		return a.solving(ctx, req, from, err)
	}
	p, err := a.Puzzles.Of(ctx, day)
	if err != nil {
		return Solving{}, err
	}
	s, err := p.Start.Rules().ParseSquare(square)
	if err != nil {
		return a.solving(ctx, req, from, nil)
	}
	to, err := from.Press(p, s, req.At)
	if illegal := (*game.IllegalMoveError)(nil); errors.As(err, &illegal) {
		return Solving{}, &match.Refusal{Reason: match.SquareTaken}
	}
	if err != nil {
		return Solving{}, err
	}
	if len(to.Presses) == len(from.Presses) {
		return a.solving(ctx, req, from, nil)
	}
	err = a.Store.SaveAttempt(ctx, from, to)
	if errors.Is(err, match.ErrConflict) { // another click came first
		to, err = a.Store.Attempt(ctx, req.By, day)
	}
	return a.solving(ctx, req, to, err)
}

// solving returns the user's progress in an attempt, or err if it is not nil.
func (a *Attempts) solving(ctx context.Context, req match.Request, at Attempt, err error) (s Solving, _ error) {
	if err != nil {
		return s, err
	}
	s = Solving{Attempt: at, Today: puzzle.DayOf(req.At)}
	if s.Puzzle, err = a.Puzzles.Of(ctx, at.Day); err != nil {
		return s, err
	}
	if s.State, err = s.Puzzle.Play(at.Presses.Line()...); err != nil {
		return s, err
	}
	days, err := a.Store.SolvedDays(ctx, req.By)
	if err != nil {
		return s, err
	}
	s.Streak = StreakOf(days, s.Today)
	if at.Day == s.Today {
		before, err := a.Store.Attempt(ctx, req.By, s.Today-1)
		if err != nil && !errors.Is(err, match.ErrNotFound) {
			return s, err
		}
		if err == nil && !before.Over() && req.At.Sub(before.Started) <= CountsFor {
			s.Unfinished = before
		}
	}
	return s, nil
}
