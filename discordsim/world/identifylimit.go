package world

import (
	"strings"
	"time"
)

const (
	// dailyStarts is how many sessions an application may begin within startDay, measured by the simulator's clock.
	// One session more resets the application's token.
	dailyStarts = 1000
	startDay    = 24 * time.Hour
	// startWindow is the real time within which max_concurrency shards may identify.
	startWindow = 5 * time.Second
)

// starts counts the sessions that an application has begun. It is not saved.
type starts struct {
	count  int
	resets time.Time           // when count begins at 0 again, by the simulator's clock
	lately map[int64]time.Time // the end of the window of each rate limit key
}

// Verdict says whether an IDENTIFY begins a session and, if it does not, why.
type Verdict int

const (
	MayStart  Verdict = iota
	TooSoon           // a shard with the same rate limit key has just identified
	Exhausted         // the daily limit is used up
)

// take counts one more session, unless the session begins too soon or exceeds the daily limit.
func (st *starts) take(key int64, now, date time.Time) Verdict {
	if now.Before(st.lately[key]) {
		return TooSoon
	}
	if !date.Before(st.resets) {
		st.count, st.resets = 0, date.Add(startDay)
	}
	if st.count == dailyStarts {
		return Exhausted
	}
	st.count++
	st.lately[key] = now.Add(startWindow)
	return MayStart
}

// MayStart counts one more session of an application, unless rate limits are off.
func (as *Accounts) MayStart(app string, key int64) Verdict {
	if as.w.Unlimited() {
		return MayStart
	}
	return as.startsOf(app).take(key, time.Now(), as.w.Clock.Now())
}

// startsOf returns an application's counts of sessions.
func (as *Accounts) startsOf(app string) *starts {
	st := as.starts[app]
	if st == nil {
		st = &starts{lately: map[int64]time.Time{}}
		as.starts[app] = st
	}
	return st
}

// SessionStartLimit returns the session_start_limit object of GET /gateway/bot.
func (as *Accounts) SessionStartLimit(app string) any {
	st, date := as.startsOf(app), as.w.Clock.Now()
	remaining, resetAfter := dailyStarts, time.Duration(0)
	if date.Before(st.resets) {
		remaining, resetAfter = dailyStarts-st.count, st.resets.Sub(date)
	}
	return struct {
		Total          int   `json:"total"`
		Remaining      int   `json:"remaining"`
		ResetAfter     int64 `json:"reset_after"` // in milliseconds
		MaxConcurrency int   `json:"max_concurrency"`
	}{dailyStarts, remaining, resetAfter.Milliseconds(), as.w.Config.MaxConcurrency}
}

// Revoke makes a token invalid.
func (as *Accounts) Revoke(token string) { as.revoked[BareToken(token)] = true }

// IsRevoked reports whether a token was reset. It takes the lock.
func (as *Accounts) IsRevoked(token string) bool {
	as.w.Lock()
	defer as.w.Unlock()
	return as.revoked[BareToken(token)]
}

// BareToken returns a token without the prefix of the Authorization header, which some
// clients also send to the gateway.
func BareToken(token string) string { return strings.TrimPrefix(token, "Bot ") }
