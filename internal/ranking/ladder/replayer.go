package ladder

import (
	"context"
	"log/slog"

	"tictactoe/internal/match/background"
	"tictactoe/internal/match/clock"
)

// Replayer recalculates stale ladders. If several processes share a database, each has a replayer; the store lets one at a time
// work on a ladder.
type Replayer struct {
	Store interface {
		Replay(ctx context.Context) (more bool, err error)
	}
	Clock *clock.Clock
	Log   *slog.Logger
	// Settled is called whenever no ladder is stale any more. It must not block, and may be nil.
	Settled func()
}

// Run works until the context ends.
func (r *Replayer) Run(ctx context.Context) {
	background.Repeat(ctx, r.Clock, r.Log, "work out a ladder again", func(ctx context.Context) (bool, error) {
		more, err := r.Store.Replay(ctx)
		if !more && err == nil && r.Settled != nil {
			r.Settled()
		}
		return more, err
	})
}
