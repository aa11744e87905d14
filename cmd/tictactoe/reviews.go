package main

import (
	"context"
	"fmt"
	"time"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
)

const (
	// reviewTime is how long one review may take. Whole games take far less, see docs/benchmarks.md; what is left then stays
	// unjudged.
	reviewTime = 3 * time.Second
	// adviceTime is how long a hint may take; then a strong player's move is proposed, which takes a moment more.
	adviceTime = time.Second
	// maxReviewers is how many reviews there may be at once, one of them being made and the others waiting: few enough that
	// most of the workers, who wait with them, are there for moves.
	maxReviewers = 8
)

// reviews makes reviews of games and advice, one at a time, so that they take one processor from those who play, however many users
// ask for them. None is kept, although a game is looked at move by move: the solver remembers what it has found out, so the
// next review of the same game takes less than a millisecond.
type reviews struct {
	judge   func(context.Context, game.Record) (ai.Review, error)
	adviser func(context.Context, game.Position) (ai.Advice, bool, error)
	open    chan struct{} // holds one for each review that is being made or waited for
	turn    chan struct{} // holds one while a review is being made
}

func newReviews(e *engines) *reviews {
	return &reviews{judge: e.judge, adviser: e.advise, open: make(chan struct{}, maxReviewers), turn: make(chan struct{}, 1)}
}

// review returns the review of a game. The error wraps [match.ErrBusy] where too many wait already, or that of the context.
func (r *reviews) review(ctx context.Context, record game.Record) (review ai.Review, err error) {
	err = r.inTurn(ctx, reviewTime, func(ctx context.Context) (err error) {
		review, err = r.judge(ctx, record)
		return err
	})
	return review, err
}

// advise returns what to play in a position, and false if there was too little time. The errors are those of review.
func (r *reviews) advise(ctx context.Context, p game.Position) (advice ai.Advice, known bool, err error) {
	err = r.inTurn(ctx, adviceTime, func(ctx context.Context) (err error) {
		advice, known, err = r.adviser(ctx, p)
		return err
	})
	return advice, known, err
}

// inTurn waits for the caller's turn, and calls do with a context that ends after that time.
func (r *reviews) inTurn(ctx context.Context, limit time.Duration, do func(context.Context) error) error {
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
	if err := do(ctx); err != nil {
		return fmt.Errorf("review: %w", err)
	}
	return nil
}
