package bot

import (
	"context"
	"math/rand/v2"
	"time"
)

// maxBackoff bounds the pause between two attempts.
const maxBackoff = time.Minute

// backoff is how long to wait before attempt n: nothing before attempt 0, then about 1 s, 2 s, 4 s up to a minute, each
// shortened by up to a half at random, so that many bots do not come back at the same moment.
func backoff(n int) time.Duration {
	if n <= 0 {
		return 0
	}
	full := maxBackoff
	if n < 7 {
		full = min(maxBackoff, time.Second<<(n-1))
	}
	return full/2 + rand.N(full/2)
}

// pause waits for d, or returns why ctx ended before.
func pause(ctx context.Context, d time.Duration) error {
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
