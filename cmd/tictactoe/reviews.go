package main

import (
	"context"
	"fmt"
	"time"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/computer"
	"tictactoe/internal/match"
)

const (
	// reviewTime bounds the time for one review. Whole games take far less; see docs/benchmarks.md. Moves that are not analysed in time
	// stay unjudged.
	reviewTime = 3 * time.Second
	// adviceTime bounds the exact search for a hint. If the search takes longer, the hint is the move of a strong level, which takes a
	// moment more.
	adviceTime = time.Second
	// maxReviewers is the maximum number of open reviews and hints: one is being made, the others wait. Each occupies a worker, so the
	// number is small enough to leave most workers to moves.
	maxReviewers = 8
)

// reviews makes reviews of games, and hints, one at a time, so that they take at most one processor from the games, however many users ask.
// It makes a new review for each page that a user looks at, and stores none: the solver remembers positions, so a second review of the same
// game takes less than a millisecond.
type reviews struct {
	judge   func(context.Context, game.Record) (ai.Review, error)
	adviser func(context.Context, game.Position) (ai.Advice, bool, error)
	open    chan struct{} // has an element for each review that waits or is being made
	turn    chan struct{} // has an element while a review is being made
}

func newReviews(e *computer.Engines) *reviews {
	return &reviews{judge: e.Review, adviser: e.Advise, open: make(chan struct{}, maxReviewers), turn: make(chan struct{}, 1)}
}

// review reviews a game. The error wraps [match.ErrBusy] if too many reviews are waiting already, or the error of ctx if ctx ends.
func (r *reviews) review(ctx context.Context, record game.Record) (review ai.Review, err error) {
	err = r.runInTurn(ctx, reviewTime, func(ctx context.Context) (err error) {
		review, err = r.judge(ctx, record)
		return err
	})
	return review, err
}

// advise returns the best moves in a position. known is false if there was too little time to find them. It returns
// the same errors as review.
func (r *reviews) advise(ctx context.Context, p game.Position) (advice ai.Advice, known bool, err error) {
	err = r.runInTurn(ctx, adviceTime, func(ctx context.Context) (err error) {
		advice, known, err = r.adviser(ctx, p)
		return err
	})
	return advice, known, err
}

// runInTurn waits for the caller's turn, and calls work with a context that ends after limit.
func (r *reviews) runInTurn(ctx context.Context, limit time.Duration, work func(context.Context) error) error {
	select {
	case r.open <- struct{}{}:
		defer func() { <-r.open }()
	default:
		return fmt.Errorf("review: %w", match.ErrBusy)
	}
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
	case <-ctx.Done():
		return fmt.Errorf("review: %w", ctx.Err())
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if err := work(ctx); err != nil {
		return fmt.Errorf("review: %w", err)
	}
	return nil
}
