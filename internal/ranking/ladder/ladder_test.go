package ladder_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/match/background"
	"tictactoe/internal/match/clock"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/server/policy"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

type policies struct{ policy.Store }

// records is a store with two players and the policy of their server.
type records struct {
	ladder.Store
	policies
	pair    ladder.Pair
	allowed policy.Policy
	err     error
}

func (r records) Pair(_ context.Context, v match.Venue, rules game.Rules, a, b match.User, now time.Time) (ladder.Pair, error) {
	if v != "home" || rules != game.Classic() || a != "ann" || b != "ben" || !now.Equal(noon) {
		return ladder.Pair{}, errors.New("that was not asked")
	}
	return r.pair, r.err
}

func (r records) Policy(context.Context, match.Venue) (policy.Policy, error) { return r.allowed, nil }

func TestWhatAMatchWillCount(t *testing.T) {
	pair := func(today int) ladder.Pair { return ladder.Pair{A: rating.New(), B: rating.New(), Today: today} }
	far := ladder.Pair{A: rating.Rating{Value: 1950, Deviation: 60}, B: rating.Rating{Value: 1500, Deviation: 60}}
	for _, tt := range []struct {
		name  string
		venue match.Venue
		known records
		want  rating.Stakes
	}{
		{"their first", "home", records{pair: pair(0)}, rating.Full},
		{"their fourth of a day", "home", records{pair: pair(3)}, rating.Half},
		{"their seventh", "home", records{pair: pair(6)}, rating.TooOften},
		{"one of a master against a beginner", "home", records{pair: far}, rating.TooFarApart},
		{"one where ratings are off", "home", records{pair: pair(0), allowed: policy.Policy{Unrated: true}}, rating.Unranked},
		{"one in direct messages", "", records{pair: pair(0)}, rating.NoStakes},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ladder.Assessor{Store: tt.known, Policies: tt.known}.Stakes(t.Context(), tt.venue, game.Classic(), "ann", "ben", noon)
			if err != nil || got != tt.want {
				t.Errorf("it counts %v, not %v (%v)", got, tt.want, err)
			}
		})
	}
	t.Run("an unreadable store is an error", func(t *testing.T) {
		known := records{err: match.ErrBusy}
		if _, err := (ladder.Assessor{Store: known, Policies: known}).Stakes(t.Context(), "home", game.Classic(), "ann", "ben", noon); !errors.Is(err, match.ErrBusy) {
			t.Error(err)
		}
	})
}

// backlog is work for a replayer, part by part.
type backlog struct {
	mu     sync.Mutex
	parts  int
	errs   []error // the errors of the next attempts
	worked int
}

func (b *backlog) Replay(context.Context) (more bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.errs) > 0 {
		err, b.errs = b.errs[0], b.errs[1:]
		return true, err
	}
	if b.parts == 0 {
		return false, nil
	}
	b.parts--
	b.worked++
	return b.parts > 0, nil
}

// add adds work, after one failing attempt for each error.
func (b *backlog) add(parts int, errs ...error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.parts, b.errs = parts, errs
}

// done returns the number of replayed parts and the number of attempts that will still fail.
func (b *backlog) done() (worked, failing int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.worked, len(b.errs)
}

func TestReplayer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		b := &backlog{parts: 3}
		var settled atomic.Int32
		r := &ladder.Replayer{
			Store: b, Clock: clock.New(clock.Machine{}), Log: slog.New(slog.NewTextHandler(&log, nil)), Settled: func() { settled.Add(1) },
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { r.Run(ctx); close(ended) }()

		expect := func(when string, want, wantFailing int) {
			t.Helper()
			synctest.Wait()
			if worked, failing := b.done(); worked != want || failing != wantFailing {
				t.Errorf("%s %d parts were worked out, not %d, and %d attempts are to fail, not %d", when, worked, want, failing, wantFailing)
			}
		}
		pass := func() { <-time.After(background.Pause) }
		expect("at once", 3, 0)
		if n := settled.Load(); n != 1 {
			t.Errorf("after 3 parts the ladders were settled %d times, not once", n)
		}
		b.add(2)
		pass()
		expect("by the next look", 5, 0)
		gone := errors.New("the disk is gone")
		b.add(1, match.ErrBusy, gone, gone, match.ErrUnsaved)
		for failing := range 4 {
			pass()
			expect("in vain", 5, 3-failing)
		}
		if n := settled.Load(); n != 2 {
			t.Errorf("with attempts that failed the ladders were settled %d times, not twice", n)
		}
		pass()
		expect("in the end", 6, 0)
		if said := log.String(); strings.Count(said, "the disk is gone") != 1 || strings.Count(said, "\n") != 1 {
			t.Errorf("the log says:\n%s", said)
		}
		cancel()
		<-ended
	})
}
