package bot

import (
	"math"
	"time"

	"golang.org/x/time/rate"
)

// BurstSeconds is how many seconds' worth of interactions a user may ask for at once.
const BurstSeconds = 4

// userLimitSize bounds how many users are remembered, in each of two generations.
const userLimitSize = 8192

// userLimiter holds every user to a rate. A user who was not heard for BurstSeconds seconds may be forgotten: the burst is full
// again, as that of a newcomer is.
type userLimiter struct {
	rate  rate.Limit // 0: none
	users recent[*rate.Limiter]
}

// allow reports whether that user may ask for one more now.
func (l *userLimiter) allow(user string) bool {
	if l.rate == 0 || user == "" {
		return true
	}
	limiter, known := l.users.get(user, BurstSeconds*time.Second, userLimitSize)
	if !known {
		limiter = rate.NewLimiter(l.rate, int(math.Ceil(BurstSeconds*float64(l.rate))))
	}
	l.users.current[user] = limiter
	return limiter.Allow()
}
