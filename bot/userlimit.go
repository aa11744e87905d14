package bot

import (
	"math"
	"time"

	"golang.org/x/time/rate"
)

// userBurst is how many seconds' worth of interactions a user may ask for at once.
const userBurst = 4

// userLimitSize bounds how many users are remembered, in each of two generations.
const userLimitSize = 8192

// userLimiter holds every user to a rate. A user who was not heard for userBurst seconds may be forgotten: the burst is full
// again, as that of a newcomer is. A generation is kept for that long at least, unless more than userLimitSize users come in it.
type userLimiter struct {
	rate              rate.Limit // 0: none
	current, previous map[string]*rate.Limiter
	since             time.Time
}

// allow reports whether that user may ask for one more now.
func (l *userLimiter) allow(user string) bool {
	if l.rate == 0 || user == "" {
		return true
	}
	now := time.Now()
	if l.current == nil || len(l.current) >= userLimitSize || now.Sub(l.since) > userBurst*time.Second {
		l.current, l.previous, l.since = make(map[string]*rate.Limiter), l.current, now
	}
	limiter := l.current[user]
	if limiter == nil {
		if limiter = l.previous[user]; limiter == nil {
			limiter = rate.NewLimiter(l.rate, int(math.Ceil(userBurst*float64(l.rate))))
		}
		l.current[user] = limiter
	}
	return limiter.AllowN(now, 1)
}
