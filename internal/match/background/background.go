//go:build !js

// Package background repeats maintenance work, such as ending seasons, for as long as a bot runs.
package background

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
)

// Pause is the pause between two checks for work.
const Pause = 5 * time.Second

// Repeat calls work until the context ends: again at once if work reports that more is left, else after a [Pause]. It
// also pauses after an error, which it logs with the given message, unless the error is the same as before or says that
// the database is busy or read-only at the moment.
func Repeat(ctx context.Context, c *clock.Clock, log *slog.Logger, what string, work func(context.Context) (more bool, err error)) {
	said := ""
	for ctx.Err() == nil {
		more, err := work(ctx)
		switch {
		case err == nil:
			said = ""
		case errors.Is(err, match.ErrBusy), errors.Is(err, match.ErrUnsaved), ctx.Err() != nil:
		case err.Error() != said:
			said = err.Error()
			log.Error(what, "err", err)
		}
		if more && err == nil {
			continue
		}
		select {
		case <-c.After(Pause):
		case <-ctx.Done():
		}
	}
}

// Once turns a function that does all its work in one call into work for [Repeat].
func Once(act func(context.Context) error) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) { return false, act(ctx) }
}
