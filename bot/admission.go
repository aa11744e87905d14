package bot

import (
	"math"
	"time"

	"golang.org/x/time/rate"
)

const (
	// BurstSeconds is the size of a user's burst: the number of interactions that the rate limit allows in this many seconds.
	BurstSeconds = 4
	// dedupFor is how long an interaction is remembered. A duplicate follows its original within moments.
	dedupFor = 5 * time.Minute
	// busyLimit and rateLimitedLimit bound how many users the bot tells at the same moment that it is busy, or that they are rate limited.
	busyLimit        = 512
	rateLimitedLimit = 64
	// complainEvery is how often the log tells of interactions that were dropped.
	complainEvery = 10 * time.Second
)

// admit accepts an interaction, or ignores it, or returns the outcome (Busy or RateLimited) with which the caller must turn it away. admit
// calls no function of the application, because it holds mu.
func (d *dispatcher) admit(t *task) (turned Outcome) {
	d.mu.Lock()
	defer d.mu.Unlock()
	users, limit := &d.users, d.limit
	if t.in.typing() {
		users, limit = &d.typing, d.limit/2 // the other half of the queue is only for commands and clicks
	}
	_, again := d.seen.recall(t.in.ID, dedupFor, func() (none struct{}) { return none })
	switch {
	case again:
		d.log.Debug("interaction delivered again, ignored", "interaction", t.in.ID)
		return ""
	case d.closed:
		d.log.Warn("interaction arrived after the bot has stopped", "interaction", t.in.ID)
		return ""
	case !t.in.replayed && !users.allow(t.in.User().ID):
		turned = RateLimited
	case len(d.open) >= limit || d.Lanes.waiting(t.lane) >= d.maxWaiting:
		turned = Busy
	}
	d.pending.Add(1)
	t.answer = &answer{in: t.in, rest: d.REST, log: d.log, base: d.sending, arrived: time.Now()}
	if turned == "" {
		if !t.in.typing() { // suggestions are never acknowledged: late ones are useless
			t.answer.acknowledgeInTime()
		}
		d.open = append(d.open, t)
		d.Lanes.enter(t.lane, func() { d.ready <- t }) // never blocks, because ready has room for all open tasks
	}
	return turned
}

// turnAway tells the user at once that the bot is busy or that the user is rate limited.
func (d *dispatcher) turnAway(t *task, outcome Outcome) {
	why, room := ErrBusy, d.busy
	if outcome == RateLimited {
		why, room = ErrRateLimited, d.limited
	}
	select {
	case room <- struct{}{}:
	default:
		defer d.pending.Done()
		d.drop(t, outcome)
		return
	}
	d.spawn(func() {
		defer d.pending.Done()
		defer func() { <-room }()
		if err := d.send(t, d.apology(t.in, "", why)); err != nil {
			d.report(t, lost(err))
		} else {
			d.tell(t, outcome)
		}
	})
}

// drop reports an interaction that gets no answer, because the bot is already turning too many users away.
func (d *dispatcher) drop(t *task, outcome Outcome) {
	if outcome == RateLimited {
		d.log.Debug("interaction dropped: the user exceeds the rate limit", "interaction", t.in.ID)
	} else {
		outcome = Dropped
		d.complain.Do(func() {
			d.log.Error("interactions dropped: too many users to tell them to wait", "interaction", t.in.ID)
		})
	}
	d.report(t, outcome)
}

// userLimiter limits the rate of each user's interactions. It can forget a user after BurstSeconds seconds of silence, because the user's
// burst is then as full as a new user's.
type userLimiter struct {
	rate  rate.Limit // 0 means no limit
	users recent[*rate.Limiter]
}

// allow reports whether the user may send one more interaction now.
func (l *userLimiter) allow(user string) bool {
	if l.rate == 0 || user == "" {
		return true
	}
	limiter, _ := l.users.recall(user, BurstSeconds*time.Second, func() *rate.Limiter {
		return rate.NewLimiter(l.rate, int(math.Ceil(BurstSeconds*float64(l.rate))))
	})
	return limiter.Allow()
}

// recentSize is the maximum number of values in each of the two generations of a recent.
const recentSize = 8192

// recent is a map that forgets the values that were not recalled lately. When the current generation is old or full, it replaces the
// previous one, whose values are forgotten. The zero value is ready for use.
type recent[V any] struct {
	current, previous map[string]V
	since             time.Time // when the current generation began
}

// recall returns the value of a key, and remembers the value for at least the duration keep, or until recentSize other keys have followed.
// For an unknown key it calls fresh.
func (r *recent[V]) recall(key string, keep time.Duration, fresh func() V) (value V, known bool) {
	if now := time.Now(); len(r.current) >= recentSize || now.Sub(r.since) > keep {
		r.current, r.previous, r.since = make(map[string]V), r.current, now
	}
	if value, known = r.current[key]; !known {
		value, known = r.previous[key]
	}
	if !known {
		value = fresh()
	}
	r.current[key] = value
	return value, known
}
