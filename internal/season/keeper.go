package season

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"tictactoe/internal/clock"
	"tictactoe/internal/match"
)

// KeeperPause is the pause before the keeper looks again for seasons whose planned end has passed.
const KeeperPause = 5 * time.Second

// Keeper ends seasons whose planned end has passed. Of several processes on a database each has a keeper; the store lets one
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

// Run works until the context ends. After an error it tries again, and logs the error unless it is the same as before.
func (k *Keeper) Run(ctx context.Context) {
	said := ""
	for ctx.Err() == nil {
		err := k.Act(ctx)
		switch {
		case err == nil:
			said = ""
		case errors.Is(err, match.ErrBusy), errors.Is(err, match.ErrUnsaved), ctx.Err() != nil:
		case err.Error() != said:
			said = err.Error()
			k.Log.Error("end a season", "err", err)
		}
		select {
		case <-k.Clock.After(KeeperPause):
		case <-ctx.Done():
		}
	}
}
