package bot

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/time/rate"
)

// budget bounds how often a session is started. Discord resets the token of a bot that identifies more than 1000 times a
// day; 20 at once and 30 an hour stay far below.
type budget struct{ limiter *rate.Limiter }

func newBudget() *budget { return &budget{rate.NewLimiter(rate.Every(2*time.Minute), 20)} }

// wait returns when a session may be started, by our own count and by Discord's. It returns a *FatalError if Discord does
// not know the token, and otherwise only fails with ctx: when Discord does not say, our own count holds.
func (b *budget) wait(ctx context.Context, rest *REST, log *slog.Logger) error {
	if err := b.limiter.Wait(ctx); err != nil {
		return err
	}
	for {
		limit, err := rest.startLimit(ctx)
		switch {
		case unauthorized(err):
			return &FatalError{Code: 401}
		case err != nil:
			log.Warn("session limits unknown", "err", err)
			return ctx.Err()
		case limit.Remaining > 0:
			return nil
		}
		after := max(time.Duration(limit.ResetAfter)*time.Millisecond, time.Minute)
		log.Error("no sessions left for today, waiting", "wait", after.String())
		if err := pause(ctx, after); err != nil {
			return err
		}
	}
}
