package bot

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
	"golang.org/x/time/rate"
)

// Discord shuts out an address that makes 10,000 invalid requests in ten minutes: those answered with 401, 403 or 429. The bot
// stops short of that: at mostInvalid with all requests but callbacks, at mostInvalidAll with those too.
const (
	invalidWindow  = 10 // minutes
	mostInvalid    = 5_000
	mostInvalidAll = 9_000
)

// maxHolds bounds how many exhausted buckets are remembered. To forget one costs a 429.
const maxHolds = 1024

// Keys of limits.holds beside those of buckets and messages.
const (
	holdGlobal  = "global"  // everything with the bot's token
	holdAddress = "address" // everything but callbacks: a proxy in front of the API has limited our address
)

// limits is what the API said about rate limits. It keeps only those that hold requests back now.
type limits struct {
	preventive *rate.Limiter // Discord allows 50 requests a second over all authorised routes

	mu      sync.Mutex
	holds   map[string]time.Time // until when requests have to wait, by key
	invalid invalidCount
}

func newLimits() *limits {
	return &limits{preventive: rate.NewLimiter(45, 45), holds: make(map[string]time.Time)}
}

// wait blocks until the request may be made. It returns a *LimitError at once if ctx ends earlier, or if the request is hurried and would
// have to wait for a limit that Discord has told of. After too many invalid requests it returns another error that wraps ErrRateLimited.
func (l *limits) wait(ctx context.Context, q *request) error {
	for {
		left, err := l.left(q)
		if err != nil {
			return err
		}
		if left <= 0 {
			break
		}
		if end, ok := ctx.Deadline(); q.hurried || ok && time.Until(end) < left {
			return &LimitError{After: left}
		}
		if err := Pause(ctx, left); err != nil {
			return err
		}
	}
	if q.anonymous {
		return nil
	}
	if err := l.preventive.Wait(ctx); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return ErrRateLimited
	}
	return nil
}

// left returns how long the request has to wait. The error says that it must not be made at all for now.
func (l *limits) left(q *request) (time.Duration, error) {
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	most := mostInvalid
	if q.callback {
		most = mostInvalidAll
	}
	if n := l.invalid.count(now); n >= most {
		return 0, fmt.Errorf("%w: Discord has refused %d requests in ten minutes", ErrRateLimited, n)
	}
	if q.callback || len(l.holds) == 0 {
		return 0, nil // callbacks have no rate limit known in advance
	}
	var until time.Time
	for _, key := range [...]string{holdAddress, holdGlobal, q.bucket, q.message} {
		if key == holdGlobal && q.anonymous {
			continue
		}
		if held := l.holds[key]; held.After(until) {
			until = held
		}
	}
	return until.Sub(now), nil
}

// invalidRequests returns the number of invalid requests in this minute and the ten before it.
func (l *limits) invalidRequests() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.invalid.count(time.Now())
}

// learn notes what the answer to q says about rate limits.
func (l *limits) learn(q *request, resp *http.Response, body []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch resp.StatusCode {
	case http.StatusTooManyRequests:
		answer := readLimitAnswer(resp, body)
		if answer.scope != "shared" {
			l.invalid.add(time.Now())
		}
		l.hold(answer.holds(q), answer.after)
	case http.StatusUnauthorized, http.StatusForbidden:
		l.invalid.add(time.Now())
	default:
		seconds, err := strconv.ParseFloat(resp.Header.Get("X-RateLimit-Reset-After"), 64)
		if err == nil && q.bucket != "" && resp.Header.Get("X-RateLimit-Remaining") == "0" {
			l.hold(q.bucket, time.Duration(seconds*float64(time.Second)))
		}
	}
}

// hold makes requests with key wait for d from now, unless they wait longer already. The caller holds mu.
func (l *limits) hold(key string, d time.Duration) {
	now := time.Now()
	until := now.Add(d)
	if key == "" || !until.After(l.holds[key]) {
		return
	}
	if _, known := l.holds[key]; !known && len(l.holds) >= maxHolds {
		l.forget(now)
	}
	l.holds[key] = until
}

// forget makes room: it removes the holds that are over, or, if none is, the one that will be over first.
func (l *limits) forget(now time.Time) {
	var first string
	for key, until := range l.holds {
		if !until.After(now) {
			delete(l.holds, key)
		} else if first == "" || until.Before(l.holds[first]) {
			first = key
		}
	}
	if len(l.holds) >= maxHolds {
		delete(l.holds, first)
	}
}

// limitAnswer is an answer of status 429.
type limitAnswer struct {
	after   time.Duration
	global  bool
	address bool // it comes not from the API but from a proxy in front of it
	scope   string
	code    int
}

func readLimitAnswer(resp *http.Response, body []byte) limitAnswer {
	var told struct {
		RetryAfter float64 `json:"retry_after"`
		Global     bool    `json:"global"`
		Code       int     `json:"code"`
	}
	r := limitAnswer{scope: resp.Header.Get("X-RateLimit-Scope")}
	if json.Unmarshal(body, &told) == nil && told.RetryAfter > 0 {
		r.after, r.code = time.Duration(told.RetryAfter*float64(time.Second)), told.Code
		r.global = told.Global || resp.Header.Get("X-RateLimit-Global") == "true"
		return r
	}
	r.address, r.after = true, time.Minute
	if seconds, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && seconds >= 0 {
		r.after = time.Duration(seconds) * time.Second
	}
	return r
}

// holds returns the key of the requests that have to wait after this answer to q.
func (r limitAnswer) holds(q *request) string {
	switch {
	case r.address:
		return holdAddress
	case r.global && !q.anonymous:
		return holdGlobal
	case q.message != "" && (r.code == discordgo.ErrCodeMaximumNumberOfEditsToMessagesOlderThanOneHourReached || r.scope == "shared"):
		return q.message // for up to an hour, in which other messages of the channel need not wait
	}
	return q.bucket
}

// invalidCount counts invalid requests by the minute.
type invalidCount [invalidWindow + 1]struct {
	minute int64
	n      int
}

func (c *invalidCount) add(now time.Time) {
	minute := now.Unix() / 60
	at := &c[minute%int64(len(c))]
	if at.minute != minute {
		at.minute, at.n = minute, 0
	}
	at.n++
}

// count returns how many there were in this minute and the ten before it.
func (c *invalidCount) count(now time.Time) (n int) {
	oldest := now.Unix()/60 - invalidWindow
	for _, at := range c {
		if at.minute >= oldest {
			n += at.n
		}
	}
	return n
}
