// Package backoff says how long to wait before a failed request, connection or other action is tried again.
package backoff

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"time"
)

// maxWait is the longest wait that After chooses by itself. An error may ask for a longer one.
const maxWait = time.Minute

// After returns how long to wait after n failures in a row, of which err is the last: about 1 s, 2 s, 4 s and so on up to maxWait, each
// shortened by up to a half at random, so that many bots do not reconnect at the same moment. If err has a method RetryAfter, as a
// messages.LimitError has, the wait is at least as long as that method returns.
func After(n int, err error) time.Duration {
	const doublings = 20 // 2^20 seconds are twelve days; many more doublings would overflow
	full := min(maxWait, time.Second<<min(n-1, doublings))
	wait := full/2 + rand.N(full/2)
	type limited interface {
		error
		RetryAfter() time.Duration
	}
	if limit, is := errors.AsType[limited](err); is {
		wait = max(wait, limit.RetryAfter())
	}
	return wait
}

// Retry calls act, again and again, until act succeeds, act returns an error for which settled returns true, or ctx ends. Between two calls
// it waits as long as After returns. Retry logs every failure after which it tries again, and returns nil, the settled error, or the error
// of ctx. If settled is nil, every error is retried.
func Retry(ctx context.Context, log *slog.Logger, failure string, act func() error, settled func(error) bool) error {
	for attempt := 1; ; attempt++ {
		err := act()
		if err == nil || settled != nil && settled(err) {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		log.Error(failure, "attempt", attempt, "err", err)
		if err := Pause(ctx, After(attempt, err)); err != nil {
			return err
		}
	}
}

// Pause waits for the duration d and returns nil. If ctx ends earlier, Pause returns the error of ctx at once.
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
