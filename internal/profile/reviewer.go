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
	"tictactoe/internal/clock"
	"tictactoe/internal/lease"
	"tictactoe/internal/match"
)

const (
	// ReviewPause is how often it is looked for matches to review.
	ReviewPause = 5 * time.Second
	// restFor is how long a reviewer rests after work, in times of what the work took: it takes two percent of a processor.
	restFor = 49
	// reviewStretch is for how long reviews are made before they are saved.
	reviewStretch = 20 * time.Millisecond
	// reviewTime is how long one review may take. What takes longer stays unjudged.
	reviewTime = 5 * time.Second
	// reviewsAtOnce bounds the matches that are read at once.
	reviewsAtOnce = 100

	// reviewLease is the lease of the process that reviews, and for how long it takes it: longer than it may work and rest.
	reviewLease     = "reviews"
	reviewLeaseTime = 5 * time.Minute
)

// Reviewer reviews the matches that have ended, in that order, beside everything else. Which ones are still due is in the store,
// so nothing is lost when it stops. Of several processes on a database one reviews at a time.
type Reviewer struct {
	Store interface {
		Unreviewed(ctx context.Context, limit int) ([]match.Match, error)
		KeepVerdicts(ctx context.Context, verdicts []Verdict) error
	}
	// Review is that of a game, as far as the time of the context goes.
	Review func(ctx context.Context, record game.Record) (ai.Review, error)
	Leases lease.Store
	Clock  *clock.Clock
	Log    *slog.Logger
}

// Run works until the context ends. A failure is logged when it is a new one, and tried again.
func (r *Reviewer) Run(ctx context.Context) {
	holder := rand.Text()
	defer func() { _ = r.Leases.Release(context.WithoutCancel(ctx), holder, reviewLease) }() // else it runs out
	said := ""
	for ctx.Err() == nil {
		began := time.Now()
		worked, err := r.work(ctx, holder)
		switch {
		case err == nil:
			said = ""
		case errors.Is(err, match.ErrBusy), errors.Is(err, match.ErrUnsaved), ctx.Err() != nil:
		case err.Error() != said:
			said = err.Error()
			r.Log.Error("review ended matches", "err", err)
		}
		pause := r.Clock.After(ReviewPause)
		if worked && err == nil {
			pause = time.After(restFor * time.Since(began)) // the processor's time, which no date moves
		}
		select {
		case <-pause:
		case <-ctx.Done():
		}
	}
}

// work reviews some of the matches that are due, and tells whether there were any for this process.
func (r *Reviewer) work(ctx context.Context, holder string) (worked bool, err error) {
	due, err := r.Store.Unreviewed(ctx, reviewsAtOnce)
	if err != nil && !errors.Is(err, match.ErrUnreadable) || len(due) == 0 {
		return false, err
	}
	unreadable := err // of others than these
	if own, err := r.Leases.Acquire(ctx, reviewLease, holder, reviewLeaseTime); err != nil || !own {
		return false, err
	}
	var verdicts []Verdict
	for began := time.Now(); len(verdicts) < len(due) && time.Since(began) < reviewStretch; {
		v, err := r.judge(ctx, due[len(verdicts)])
		if err != nil {
			return false, err
		}
		verdicts = append(verdicts, v)
	}
	if err := r.Store.KeepVerdicts(ctx, verdicts); err != nil {
		return false, err
	}
	return true, unreadable
}

// judge is the verdict on a match. An error means that it is not due to the match that there is none.
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

// ReviewAgain reviews all matches again of which something is kept, and tells of each of which that is something else. A match of which the
// review takes too long now stays as it is.
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
