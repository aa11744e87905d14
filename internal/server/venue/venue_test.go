package venue_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
	"tictactoe/internal/server/venue"
)

// book records the requested deletions, and fails the first time.
type book struct{ asked []time.Time }

func (*book) Note(context.Context, venue.News, time.Time) error { return nil }

func (b *book) ForgetErasures(_ context.Context, before time.Time) error {
	if want := b.asked[len(b.asked)-1].Add(venue.Keep - match.ErasureMemory); !before.Equal(want) {
		return fmt.Errorf("erasures before %v are forgotten, not before %v", before, want)
	}
	return nil
}

func (b *book) Prune(_ context.Context, _ match.Partition, before, forgotten time.Time) (int, error) {
	if b.asked = append(b.asked, before); len(b.asked) == 1 {
		return 0, errors.New("disk full")
	}
	if forgotten.Sub(before) != venue.Keep-match.BackOffMemory {
		return 0, errors.New("back-offs are deleted while they still count")
	}
	return 1, nil
}

func TestDataOfServersLeftAMonthAgoIsDeletedDaily(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b book
		var logged strings.Builder
		p := venue.Pruner{Store: &b, Clock: clock.New(clock.Machine{}), Log: slog.New(slog.NewTextHandler(&logged, nil))}
		start := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { p.Run(ctx); close(done) }()
		time.Sleep(49 * time.Hour)
		cancel()
		<-done
		month := start.Add(-30 * 24 * time.Hour)
		if d := cmp.Diff([]time.Time{month, month.Add(24 * time.Hour), month.Add(48 * time.Hour)}, b.asked); d != "" {
			t.Error(d)
		}
		if text := logged.String(); strings.Count(text, "disk full") != 1 || strings.Count(text, "matches=1") != 2 {
			t.Error(text)
		}
	})
}
