// Package background repeats what a bot does beside its players for as long as it runs, such as ending seasons.
package background

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
)

// Pause is the pause before there is another look at what is to be done.
const Pause = 5 * time.Second

// Repeat calls work until the context ends: at once if there is more to be done, else after a [Pause]. After an error it
// pauses as well, and logs the error with the message what, unless it is the same as before or says that the database is
// busy or cannot be written at the moment.
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

// Once makes work for [Repeat] of what does all that is to be done in one call.
func Once(act func(context.Context) error) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) { return false, act(ctx) }
}
