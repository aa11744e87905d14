package score

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"tictactoe/internal/clock"
	"tictactoe/internal/match"
)

// RecountPause is how often it is looked for scores that have to be counted anew.
const RecountPause = 5 * time.Second

// Recounter counts scores anew where that takes too long for the click that is the reason. With several processes on a database each
// has one: the store lets one at a time count those of a venue.
type Recounter struct {
	Store interface {
		Recount(ctx context.Context) (more bool, err error)
	}
	Clock *clock.Clock
	Log   *slog.Logger
}

// Run works until the context ends. A failure is logged when it is a new one, and tried again.
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
