package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
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
	// maxReviews is how many reviews are remembered: about a megabyte.
	maxReviews = 256
)

// reviews makes reviews of games, one at a time, so that a crowd that asks for them takes one processor from those who
// play and no more. It remembers the latest, for a game is looked at move by move.
type reviews struct {
	judge func(ctx context.Context, record game.Record) (ai.Review, error)
	crowd chan struct{} // holds one for each that is being made or waited for
	turn  chan struct{} // holds one while a review is being made

	mu     sync.Mutex
	known  map[string]ai.Review
	oldest []string // the keys of known
}

func newReviews(judge func(context.Context, game.Record) (ai.Review, error)) *reviews {
	return &reviews{
		judge: judge, crowd: make(chan struct{}, maxReviewers), turn: make(chan struct{}, 1), known: map[string]ai.Review{},
	}
}

// of is the review of a game. The error wraps [match.ErrBusy] where too many wait already, or that of the context.
func (r *reviews) of(ctx context.Context, record game.Record) (ai.Review, error) {
	key := fmt.Sprint(record.Position().Rules(), record.Squares())
	if review, ok := r.remembered(key); ok {
		return review, nil
	}
	done, err := r.wait(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	if review, ok := r.remembered(key); ok { // those before may have asked about the same game
		return review, nil
	}
	ctx, cancel := context.WithTimeout(ctx, reviewTime)
	defer cancel()
	review, err := r.judge(ctx, record)
	if err != nil {
		return nil, fmt.Errorf("review: %w", err)
	}
	// The solver remembers what it found out, so the next one who asks sees more.
	if !slices.ContainsFunc(review, func(m ai.Remark) bool { return m.Grade == ai.Unjudged }) {
		r.remember(key, review)
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

// wait waits for its turn, and returns what ends that.
func (r *reviews) wait(ctx context.Context) (done func(), err error) {
	select {
	case r.crowd <- struct{}{}:
	default:
		return nil, fmt.Errorf("review: %w", match.ErrBusy)
	}
	select {
	case r.turn <- struct{}{}:
		return func() { <-r.turn; <-r.crowd }, nil
	case <-ctx.Done():
		<-r.crowd
		return nil, fmt.Errorf("review: %w", ctx.Err())
	}
}

func (r *reviews) remembered(key string) (ai.Review, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	review, ok := r.known[key]
	return review, ok
}

func (r *reviews) remember(key string, review ai.Review) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.oldest) == maxReviews {
		delete(r.known, r.oldest[0])
		r.oldest = r.oldest[1:]
	}
	r.known[key] = review
	r.oldest = append(r.oldest, key)
}
