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

// reviews makes reviews of games, one at a time, so that they take one processor from those who play, however many users ask
// for them. None is kept, although a game is looked at move by move: the solver remembers what it has found out, so the
// next review of the same game takes less than a millisecond.
type reviews struct {
	judge func(ctx context.Context, record game.Record) (ai.Review, error)
	open  chan struct{} // holds one for each review that is being made or waited for
	turn  chan struct{} // holds one while a review is being made
}

func newReviews(judge func(context.Context, game.Record) (ai.Review, error)) *reviews {
	return &reviews{judge: judge, open: make(chan struct{}, maxReviewers), turn: make(chan struct{}, 1)}
}

// of is the review of a game. The error wraps [match.ErrBusy] where too many wait already, or that of the context.
func (r *reviews) of(ctx context.Context, record game.Record) (ai.Review, error) {
	done, err := r.wait(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	ctx, cancel := context.WithTimeout(ctx, reviewTime)
	defer cancel()
	review, err := r.judge(ctx, record)
	if err != nil {
		return nil, fmt.Errorf("review: %w", err)
	}
	return review, nil
}

// advising lets advice wait for its turn as reviews do, and bounds its time.
func (r *reviews) advising(advise func(context.Context, game.Position) (ai.Advice, bool, error)) func(context.Context, game.Position) (ai.Advice, bool, error) {
	return func(ctx context.Context, p game.Position) (ai.Advice, bool, error) {
		done, err := r.wait(ctx)
		if err != nil {
			return ai.Advice{}, false, err
		}
		defer done()
		ctx, cancel := context.WithTimeout(ctx, adviceTime)
		defer cancel()
		return advise(ctx, p)
	}
}

// wait waits for the caller's turn, and returns the function that ends it.
func (r *reviews) wait(ctx context.Context) (done func(), err error) {
	select {
	case r.open <- struct{}{}:
	default:
		return nil, fmt.Errorf("review: %w", match.ErrBusy)
	}
	select {
	case r.turn <- struct{}{}:
		return func() { <-r.turn; <-r.open }, nil
	case <-ctx.Done():
		<-r.open
		return nil, fmt.Errorf("review: %w", ctx.Err())
	}
}
