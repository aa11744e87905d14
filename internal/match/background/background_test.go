package background_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/match/background"
	"tictactoe/internal/match/clock"
)

func TestRepeat(t *testing.T) {
	lost := errors.New("connection lost")
	type step struct {
		more bool
		err  error
	}
	for _, test := range []struct {
		name   string
		steps  []step
		pauses int // the number of pauses before the work that follows these steps
		logged int
	}{
		{"pauses when there is nothing to be done", []step{{}, {}}, 2, 0},
		{"goes on at once while there is more", []step{{more: true}, {more: true}, {}}, 1, 0},
		{"pauses after an error, even with more to be done", []step{{more: true, err: lost}}, 1, 1},
		{"says the same error once", []step{{err: lost}, {err: lost}, {err: lost}}, 3, 1},
		{"logs an error again after a success", []step{{err: lost}, {}, {err: lost}}, 3, 2},
		{"says another error", []step{{err: lost}, {err: errors.New("disk full")}}, 2, 2},
		{"does not say that the database is busy", []step{{err: fmt.Errorf("save: %w", match.ErrBusy)}, {err: match.ErrUnsaved}}, 2, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, end := context.WithCancel(t.Context())
				var log bytes.Buffer
				began, calls := time.Now(), 0
				background.Repeat(ctx, clock.New(clock.Machine{}), slog.New(slog.NewTextHandler(&log, nil)), "do the work", func(context.Context) (bool, error) {
					if calls == len(test.steps) {
						end()
						return false, errors.New("the context has ended, so this is not logged")
					}
					calls++
					return test.steps[calls-1].more, test.steps[calls-1].err
				})
				if got, want := time.Since(began), time.Duration(test.pauses)*background.Pause; got != want {
					t.Errorf("the work took %v, want %v", got, want)
				}
				if got := strings.Count(log.String(), `msg="do the work"`); got != test.logged || strings.Contains(log.String(), "has ended") {
					t.Errorf("there are %d log lines, want %d:\n%s", got, test.logged, &log)
				}
			})
		})
	}
}
