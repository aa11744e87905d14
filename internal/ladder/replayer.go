package ladder

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"tictactoe/internal/clock"
	"tictactoe/internal/match"
)

// ReplayPause is the pause before the replayer looks again for ladders to work out again.
const ReplayPause = 5 * time.Second

// Replayer works out ladders again after matches were voided or restored. Of several processes on a database each has a
// replayer; the store lets one at a time work on a ladder.
type Replayer struct {
	Store interface {
		Replay(ctx context.Context) (more bool, err error)
	}
	Clock *clock.Clock
	Log   *slog.Logger
	// Settled is called whenever no ladder had to be worked out any more, if it is set. It does not block.
	Settled func()
}

// Run works until the context ends. After an error it tries again, and logs the error unless it is the same as before.
func (r *Replayer) Run(ctx context.Context) {
	said := ""
	for ctx.Err() == nil {
		more, err := r.Store.Replay(ctx)
		switch {
		case err == nil:
			said = ""
		case errors.Is(err, match.ErrBusy), errors.Is(err, match.ErrUnsaved), ctx.Err() != nil:
		case err.Error() != said:
			said = err.Error()
			r.Log.Error("work out a ladder again", "err", err)
		}
		if more && err == nil {
			continue
		}
		if err == nil && r.Settled != nil {
			r.Settled()
		}
		select {
		case <-r.Clock.After(ReplayPause):
		case <-ctx.Done():
		}
	}
}
