package score

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"tictactoe/internal/clock"
	"tictactoe/internal/match"
)

// RecountPause is the pause before the recounter looks again for scores to count anew.
const RecountPause = 5 * time.Second

// Recounter counts scores anew where that would take too long for the click that requires it. Of several processes on a
// database each has a recounter; the store lets one at a time count the scores of a venue.
type Recounter struct {
	Store interface {
		Recount(ctx context.Context) (more bool, err error)
	}
	Clock *clock.Clock
	Log   *slog.Logger
}

// Run works until the context ends. After an error it tries again, and logs the error unless it is the same as before.
func (r *Recounter) Run(ctx context.Context) {
	said := ""
	for ctx.Err() == nil {
		more, err := r.Store.Recount(ctx)
		switch {
		case err == nil:
			said = ""
		case errors.Is(err, match.ErrBusy), errors.Is(err, match.ErrUnsaved), ctx.Err() != nil:
		case err.Error() != said:
			said = err.Error()
			r.Log.Error("count scores anew", "err", err)
		}
		if more && err == nil {
			continue
		}
		select {
		case <-r.Clock.After(RecountPause):
		case <-ctx.Done():
		}
	}
}
