package profile_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/match/background"
	"tictactoe/internal/match/clock"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/replica/lease"
)

// backlog is a store with matches to review.
type backlog struct {
	mu   sync.Mutex
	due  []match.Match
	kept []profile.Verdict
	fail error // the error that KeepVerdicts returns
}

func (b *backlog) add(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for range n {
		id := match.ID(fmt.Sprint(len(b.due) + len(b.kept)))
		b.due = append(b.due, match.Match{ID: id, Record: game.NewRecord(game.Start(game.Classic()))})
	}
}

func (b *backlog) set(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fail = err
}

func (b *backlog) judged() []profile.Verdict {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.kept)
}

func (b *backlog) Unreviewed(_ context.Context, limit int) ([]match.Match, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.due[:min(limit, len(b.due))]), nil
}

func (b *backlog) KeepVerdicts(_ context.Context, verdicts []profile.Verdict) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fail != nil {
		return b.fail
	}
	for _, v := range verdicts {
		if len(b.due) == 0 || b.due[0].ID != v.Match {
			return fmt.Errorf("match %s is not the next", v.Match)
		}
		b.due, b.kept = b.due[1:], append(b.kept, v)
	}
	return nil
}

// reviewing runs a reviewer until stop is called. Each review takes the given time.
func reviewing(t *testing.T, b *backlog, leases lease.Store, log *bytes.Buffer, takes time.Duration, fail error) (stop func()) {
	t.Helper()
	r := &profile.Reviewer{
		Store: b, Leases: leases, Clock: clock.New(clock.Machine{}), Log: slog.New(slog.NewTextHandler(log, nil)),
		Review: func(ctx context.Context, _ game.Record) (ai.Review, error) {
			select {
			case <-time.After(takes):
				return nil, fail
			case <-ctx.Done():
				return ai.Review{{Grade: ai.Unjudged}}, nil
			}
		},
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { r.Run(ctx); close(ended) }()
	return func() { cancel(); <-ended }
}

func TestReviewer(t *testing.T) {
	for name, test := range map[string]func(t *testing.T){
		"reviews what is due, in order, and what comes later": func(t *testing.T) {
			b := &backlog{}
			b.add(250)
			stop := reviewing(t, b, &lease.Memory{}, new(bytes.Buffer), 0, nil)
			synctest.Wait()
			if n := len(b.judged()); n != 250 {
				t.Errorf("%d matches were reviewed at once", n)
			}
			b.add(1)
			<-time.After(2 * background.Pause)
			if n := len(b.judged()); n != 251 {
				t.Errorf("%d matches were reviewed in the end", n)
			}
			stop()
		},
		"takes two percent of the time": func(t *testing.T) {
			b := &backlog{}
			b.add(1000)
			const takes = 8 * time.Millisecond
			began := time.Now()
			stop := reviewing(t, b, &lease.Memory{}, new(bytes.Buffer), takes, nil)
			<-time.After(time.Minute)
			stop()
			if share := float64(len(b.judged())) * takes.Seconds() / time.Since(began).Seconds(); share < 0.019 || share > 0.021 {
				t.Errorf("reviews took %v of the time", share)
			}
		},
		"keeps of a review that takes too long that it was tried": func(t *testing.T) {
			b := &backlog{}
			b.add(1)
			stop := reviewing(t, b, &lease.Memory{}, new(bytes.Buffer), time.Hour, nil)
			<-time.After(time.Minute)
			if kept := b.judged(); len(kept) != 1 || kept[0].Judged {
				t.Errorf("%+v", kept)
			}
			stop()
		},
		"keeps of rules without a solver that it was tried": func(t *testing.T) {
			b := &backlog{}
			b.add(1)
			stop := reviewing(t, b, &lease.Memory{}, new(bytes.Buffer), 0, fmt.Errorf("of these: %w", ai.ErrUnsolved))
			synctest.Wait()
			if kept := b.judged(); len(kept) != 1 || kept[0].Judged {
				t.Errorf("%+v", kept)
			}
			stop()
		},
		"keeps nothing of a review that it was stopped in": func(t *testing.T) {
			b := &backlog{}
			b.add(1)
			stop := reviewing(t, b, &lease.Memory{}, new(bytes.Buffer), time.Second, nil)
			synctest.Wait()
			stop()
			if kept := b.judged(); len(kept) != 0 {
				t.Errorf("%+v", kept)
			}
		},
		"tries again what cannot be saved, and says so once": func(t *testing.T) {
			b, log := &backlog{}, new(bytes.Buffer)
			b.add(3)
			b.set(errors.New("the disk is gone"))
			stop := reviewing(t, b, &lease.Memory{}, log, 0, nil)
			<-time.After(3 * background.Pause)
			b.set(match.ErrBusy)
			<-time.After(3 * background.Pause)
			b.set(nil)
			<-time.After(2 * background.Pause)
			stop()
			if n := len(b.judged()); n != 3 || strings.Count(log.String(), "\n") != 1 {
				t.Errorf("%d were reviewed, and the log says:\n%s", n, log)
			}
		},
		"leaves it to the process that has begun, and goes on after it": func(t *testing.T) {
			b, leases := &backlog{}, &lease.Memory{}
			b.add(10)
			first := reviewing(t, b, leases, new(bytes.Buffer), time.Second, nil)
			synctest.Wait()
			second := reviewing(t, b, leases, new(bytes.Buffer), 0, nil)
			<-time.After(500 * time.Millisecond)
			if n := len(b.judged()); n != 0 {
				t.Errorf("%d matches were reviewed by the second reviewer", n)
			}
			first()
			<-time.After(2 * background.Pause)
			if n := len(b.judged()); n != 10 {
				t.Errorf("%d matches were reviewed in the end", n)
			}
			second()
		},
	} {
		t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
	}
}
