package score

import (
	"context"
	"log/slog"

	"tictactoe/internal/match/background"
	"tictactoe/internal/match/clock"
)

// Recounter counts scores again where that would take too long for the click that requires it. Of several processes on a database
// each has a recounter; the store lets one at a time count the scores of a venue.
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
