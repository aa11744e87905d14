package profile

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/match/background"
	"tictactoe/internal/match/clock"
	"tictactoe/internal/replica/lease"
)

const (
	// restFor is how long a reviewer rests after work, as a multiple of the time that the work took: so it takes two percent
	// of a processor.
	restFor = 49
	// reviewStretch is for how long reviews are made before they are saved.
	reviewStretch = 20 * time.Millisecond
	// reviewTime is how long one review may take. A match that takes longer stays unjudged.
	reviewTime = 5 * time.Second
	// reviewsAtOnce bounds how many matches are read at once.
	reviewsAtOnce = 100

	// reviewLease is the name of the lease of the process that reviews, and reviewLeaseTime how long it lasts: longer than one
	// stretch of work and the rest after it.
	reviewLease     = "reviews"
	reviewLeaseTime = 5 * time.Minute
)

// Reviewer reviews the matches that have ended, in that order, in the background. The store knows which matches are still
// due, so nothing is lost when the reviewer stops. Of several processes on a database only one reviews at a time.
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
	holder := rand.Text()
	defer func() { _ = r.Leases.Release(context.WithoutCancel(ctx), holder, reviewLease) }() // on an error it expires by itself
	background.Repeat(ctx, r.Clock, r.Log, "review ended matches", func(ctx context.Context) (bool, error) {
		took, worked, err := r.work(ctx, holder)
		if worked && err == nil {
			select {
			case <-time.After(restFor * took): // processor time passes by the machine's clock, not by r.Clock
			case <-ctx.Done():
			}
		}
		return worked, err
	})
}

// work reviews some of the matches that are due. It reports whether it reviewed any, and how long that took without the waits for the database.
func (r *Reviewer) work(ctx context.Context, holder string) (took time.Duration, worked bool, err error) {
	due, err := r.Store.Unreviewed(ctx, reviewsAtOnce)
	if err != nil && !errors.Is(err, match.ErrUnreadable) || len(due) == 0 {
		return 0, false, err
	}
	unreadable := err // about matches that are not in due
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

// judge returns the verdict on a match. An error has another cause than the match: the match is still due.
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

// ReviewAgain reviews all matches again that have a verdict, and calls differs with each verdict that is different now. A
// match whose review takes too long is skipped.
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
