package season

import (
	"context"
	"log/slog"
	"time"

	"tictactoe/internal/match/background"
	"tictactoe/internal/match/clock"
)

// Keeper ends seasons whose planned end has passed. If several processes share a database, each has a keeper; the store lets one
// of them end a season.
type Keeper struct {
	Store interface {
		EndSeasons(ctx context.Context, now time.Time) (int, error)
	}
	Clock *clock.Clock
	Log   *slog.Logger
}

// Act ends the seasons whose planned end has passed.
func (k *Keeper) Act(ctx context.Context) error {
	n, err := k.Store.EndSeasons(ctx, k.Clock.Now())
	if n > 0 {
		k.Log.Info("seasons have ended as planned", "count", n)
	}
	return err
}

// Run calls Act again and again, until the context ends.
func (k *Keeper) Run(ctx context.Context) {
	background.Repeat(ctx, k.Clock, k.Log, "end a season", background.Once(k.Act))
}
