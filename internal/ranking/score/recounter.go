package score

import (
	"context"
	"log/slog"

	"tictactoe/internal/match/background"
	"tictactoe/internal/match/clock"
)

// Recounter recounts scores in the background if the recount would take too long during a click. If several processes share a
// database, each has a recounter; the store lets one at a time count the scores of a venue.
type Recounter struct {
	Store interface {
		Recount(ctx context.Context) (more bool, err error)
	}
	Clock *clock.Clock
	Log   *slog.Logger
}

// Run works until the context ends.
func (r *Recounter) Run(ctx context.Context) {
	background.Repeat(ctx, r.Clock, r.Log, "count scores anew", r.Store.Recount)
}
