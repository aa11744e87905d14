package rest

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"time"
)

// maxBackoff is the longest pause that Backoff returns. A request never waits that long, because it is tried at most [maxAttempts] times.
const maxBackoff = time.Minute

// Backoff returns the wait before attempt n: none before attempt 0, then about 1 s, 2 s, 4 s up to maxBackoff, each shortened by up to a
// half at random, so that many bots do not reconnect at the same moment.
func Backoff(n int) time.Duration {
	if n <= 0 {
		return 0
	}
	const doublings = 20 // 2^20 seconds are twelve days; many more doublings would overflow
	full := min(maxBackoff, time.Second<<min(n-1, doublings))
	return full/2 + rand.N(full/2)
}

// Retry calls try again and again until try succeeds, returns an error for which settled returns true, or ctx ends. The pauses grow, and
// are as long as a *LimitError demands. Retry logs every failure after which it tries again, and returns nil, the settled error, or the
// error of ctx. If settled is nil, every error is retried.
func Retry(ctx context.Context, log *slog.Logger, failure string, try func() error, settled func(error) bool) error {
	for attempt := 1; ; attempt++ {
		err := try()
		if err == nil || settled != nil && settled(err) {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		log.Error(failure, "attempt", attempt, "err", err)
		if err := Pause(ctx, max(Backoff(attempt), RetryAfter(err))); err != nil {
			return err
		}
	}
}

// Pause waits for the duration d and returns nil. If ctx ends before, it returns the error of ctx at once.
func Pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
