package discordsim

import (
	"strings"
	"time"
)

const (
	// dailyStarts is how many sessions an application may begin within startDay,
	// measured by the simulator's clock. One more resets its token.
	dailyStarts = 1000
	startDay    = 24 * time.Hour
	// startWindow is the real time within which max_concurrency shards may identify.
	startWindow = 5 * time.Second
)

// starts counts the sessions that an application has begun. It is not saved.
type starts struct {
	count  int
	resets time.Time           // by the clock
	lately map[int64]time.Time // the end of the window of each rate limit key
}

// verdict tells whether an IDENTIFY begins a session and, if not, why.
type verdict int

const (
	mayStart  verdict = iota
	tooSoon           // a shard with the same rate limit key has just identified
	exhausted         // the daily limit is used up
)

// take counts one more session. A session that begins too soon is not counted.
func (st *starts) take(key int64, now, date time.Time) verdict {
	if now.Before(st.lately[key]) {
		return tooSoon
	}
	if !date.Before(st.resets) {
		st.count, st.resets = 0, date.Add(startDay)
	}
	if st.count == dailyStarts {
		return exhausted
	}
	st.count++
	st.lately[key] = now.Add(startWindow)
	return mayStart
}

// mayStart counts one more session of an application, unless rate limits are off.
func (s *Sim) mayStart(app string, key int64) verdict {
	if s.unlimited.Load() {
		return mayStart
	}
	return s.startsOf(app).take(key, time.Now(), s.clock.Now())
}

// startsOf returns the starts of an application.
func (s *Sim) startsOf(app string) *starts {
	st := s.starts[app]
	if st == nil {
		st = &starts{lately: map[int64]time.Time{}}
		s.starts[app] = st
	}
	return st
}

// sessionStartLimit returns the session_start_limit object of GET /gateway/bot.
func (s *Sim) sessionStartLimit(app string) any {
	st, date := s.startsOf(app), s.clock.Now()
	remaining, resetAfter := dailyStarts, time.Duration(0)
	if date.Before(st.resets) {
		remaining, resetAfter = dailyStarts-st.count, st.resets.Sub(date)
	}
	return struct {
		Total          int   `json:"total"`
		Remaining      int   `json:"remaining"`
		ResetAfter     int64 `json:"reset_after"` // in milliseconds
		MaxConcurrency int   `json:"max_concurrency"`
	}{dailyStarts, remaining, resetAfter.Milliseconds(), s.config.MaxConcurrency}
}

// resetToken revokes a token and ends all sessions begun with it, as Discord does
// when an application identifies too often.
func (s *Sim) resetToken(app, token string) {
	s.revoked[bare(token)] = true
	for _, se := range s.sessions {
		if se.app != app {
			continue
		}
		if c := se.connection; c != nil {
			s.detach(se)
			c.close(closeAuthentication, "Authentication failed.")
		}
		s.end(se)
	}
	s.publishState()
}

// isRevoked reports whether a token was reset.
func (s *Sim) isRevoked(token string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.revoked[bare(token)]
}

// bare returns a token without the prefix of the Authorization header, which some
// clients also send to the gateway.
func bare(token string) string { return strings.TrimPrefix(token, "Bot ") }
