//go:build !js

package profile

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"time"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/match/background"
	"tictactoe/internal/match/clock"
	"tictactoe/internal/replica/lease"
)

const (
	// restFor is the length of a reviewer's rest as a multiple of the work before it. With this value reviews take two percent of
	// a processor.
	restFor = 49
	// reviewStretch is the length of a stretch of work. At its end the reviews are saved.
	reviewStretch = 20 * time.Millisecond
	// reviewTime is the time limit of one review. A match that takes longer stays unjudged.
	reviewTime = 5 * time.Second
	// reviewsAtOnce is the largest number of matches read at once.
	reviewsAtOnce = 100

	// reviewLease is the name of the lease of the reviewing process. The lease lasts reviewLeaseTime, which is longer than a
	// stretch of work and the rest after it.
	reviewLease     = "reviews"
	reviewLeaseTime = 5 * time.Minute
)

// Reviewer reviews ended matches in the background, in the order in which they ended. The store knows which matches are not yet
// reviewed, so nothing is lost when the reviewer stops. If several processes share a database, one of them reviews at a time.
type Reviewer struct {
	Store interface {
		Unreviewed(ctx context.Context, limit int) ([]match.Match, error)
		KeepVerdicts(ctx context.Context, verdicts []Verdict) error
	}
	// Review reviews a game. It stops when the context ends.
	Review func(ctx context.Context, record game.Record) (ai.Review, error)
	Leases lease.Store
	Clock  *clock.Clock
	Log    *slog.Logger
}

// Run works until the context ends.
func (r *Reviewer) Run(ctx context.Context) {
	holder := strconv.FormatUint(rand.Uint64(), 36)
	defer func() { _ = r.Leases.Release(context.WithoutCancel(ctx), holder, reviewLease) }() // if this fails, the lease expires by itself
	background.Repeat(ctx, r.Clock, r.Log, "review ended matches", func(ctx context.Context) (bool, error) {
		took, worked, err := r.work(ctx, holder)
		if worked && err == nil {
			select {
			case <-time.After(restFor * took): // the rest takes real time, whatever r.Clock shows
			case <-ctx.Done():
			}
		}
		return worked, err
	})
}

// work reviews some of the unreviewed matches. It reports whether it reviewed any, and the time taken, without the waits for
// the database.
func (r *Reviewer) work(ctx context.Context, holder string) (took time.Duration, worked bool, err error) {
	due, err := r.Store.Unreviewed(ctx, reviewsAtOnce)
	if err != nil && !errors.Is(err, match.ErrUnreadable) || len(due) == 0 {
		return 0, false, err
	}
	unreadable := err // the error of the unreadable matches, which due leaves out
	if own, err := r.Leases.Acquire(ctx, reviewLease, holder, reviewLeaseTime); err != nil || !own {
		return 0, false, err
	}
	var verdicts []Verdict
	began := time.Now()
	for len(verdicts) < len(due) && time.Since(began) < reviewStretch {
		v, err := r.judge(ctx, due[len(verdicts)])
		if err != nil {
			return 0, false, err
		}
		verdicts = append(verdicts, v)
	}
	took = time.Since(began)
	if err := r.Store.KeepVerdicts(ctx, verdicts); err != nil {
		return 0, false, err
	}
	return took, true, unreadable
}

// judge returns the verdict on a match. After an error the match has to be reviewed again.
func (r *Reviewer) judge(ctx context.Context, m match.Match) (Verdict, error) {
	within, cancel := context.WithTimeout(ctx, reviewTime)
	defer cancel()
	review, err := r.Review(within, m.Record)
	switch {
	case ctx.Err() != nil:
		return Verdict{}, ctx.Err()
	case errors.Is(err, ai.ErrUnsolved):
		return Verdict{Match: m.ID}, nil
	case err != nil:
		return Verdict{}, fmt.Errorf("match %s: %w", m.ID, err)
	}
	return Judge(m, review), nil
}

// ReviewAgain reviews all matches with a verdict again, and calls differs with each verdict that has changed. It skips a match
// whose review takes too long.
func ReviewAgain(
	ctx context.Context, store interface {
		Judged(ctx context.Context, after match.ID, limit int) ([]match.Match, []Verdict, error)
	},
	review func(ctx context.Context, record game.Record) (ai.Review, error), differs func(is, should Verdict) error,
) error {
	r := Reviewer{Review: review}
	for after := match.ID(""); ; {
		matches, kept, err := store.Judged(ctx, after, reviewsAtOnce)
		if err != nil || len(matches) == 0 {
			return err
		}
		for i, m := range matches {
			should, err := r.judge(ctx, m)
			if err == nil && should.Judged && should != kept[i] {
				err = differs(kept[i], should)
			}
			if err != nil {
				return err
			}
			after = m.ID
		}
	}
}
