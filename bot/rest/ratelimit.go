package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
	"golang.org/x/time/rate"

	"tictactoe/bot/backoff"
	"tictactoe/internal/boards/messages"
)

// Discord blocks an address that makes 10,000 invalid requests in ten minutes: requests answered with 401, 403 or 429. The bot stops
// earlier: at mostInvalidProbes it makes no request that only asks for a permission, at mostInvalid only callbacks, at mostInvalidAll no
// requests.
const (
	invalidWindow     = 10 * time.Minute
	mostInvalidProbes = 500
	mostInvalid       = 5_000
	mostInvalidAll    = 9_000
)

// Keys of limits.holds that are not the key of a bucket or a message.
const (
	holdGlobal  = "global"  // all requests with the bot's token
	holdAddress = "address" // all requests except callbacks: a proxy in front of the API has limited our address
)

// limits holds the API's current rate limits.
type limits struct {
	preventive *rate.Limiter // Discord allows 50 requests a second over all authorized routes

	mu      sync.Mutex
	holds   map[string]time.Time // the times until which requests of a key must wait
	invalid []time.Time          // the times of the invalid requests in the last ten minutes
}

func newLimits() *limits {
	return &limits{preventive: rate.NewLimiter(45, 45), holds: make(map[string]time.Time)}
}

// wait blocks until the request may be made. It returns a *messages.LimitError at once if ctx ends earlier, or if the request is hurried and would
// have to wait for a limit of Discord's. After too many invalid requests it returns another error that wraps messages.ErrRateLimited.
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
			return &messages.LimitError{After: left}
		}
		if err := backoff.Pause(ctx, left); err != nil {
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
		return messages.ErrRateLimited
	}
	return nil
}

// left returns how long the request must wait. It returns an error if too many requests were invalid, so that no request must be made.
func (l *limits) left(q *request) (time.Duration, error) {
	most := mostInvalid
	if q.callback {
		most = mostInvalidAll
	}
	if n := l.invalidRequests(); n >= most {
		return 0, fmt.Errorf("%w: Discord has refused %d requests in ten minutes", messages.ErrRateLimited, n)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	until := l.holds[q.bucket]
	if held := l.holds[q.message]; held.After(until) {
		until = held
	}
	if held := l.holds[holdAddress]; !q.callback && held.After(until) {
		until = held
	}
	if held := l.holds[holdGlobal]; !q.anonymous && held.After(until) {
		until = held
	}
	return time.Until(until), nil
}

// invalidRequests returns the number of invalid requests in the last ten minutes.
func (l *limits) invalidRequests() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.invalid) > 0 && time.Since(l.invalid[0]) > invalidWindow {
		l.invalid = l.invalid[1:]
	}
	return len(l.invalid)
}

// learn records the rate limits in the answer to a request, and whether the request was invalid.
func (l *limits) learn(q *request, resp *http.Response, body []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch resp.StatusCode {
	case http.StatusTooManyRequests:
		l.learnLimit(q, resp.Header, body)
	case http.StatusUnauthorized, http.StatusForbidden:
		l.invalid = append(l.invalid, time.Now())
	default:
		seconds, err := strconv.ParseFloat(resp.Header.Get("X-RateLimit-Reset-After"), 64)
		if err == nil && resp.Header.Get("X-RateLimit-Remaining") == "0" {
			l.hold(q.bucket, seconds)
		}
	}
}

// learnLimit records which requests must wait after an answer with status 429, and how long. The caller holds mu.
func (l *limits) learnLimit(q *request, header http.Header, body []byte) {
	var told struct {
		RetryAfter float64 `json:"retry_after"`
		Global     bool    `json:"global"`
		Code       int     `json:"code"`
	}
	shared := header.Get("X-RateLimit-Scope") == "shared"
	if !shared {
		l.invalid = append(l.invalid, time.Now())
	}
	switch unreadable := json.Unmarshal(body, &told); {
	case unreadable != nil || told.RetryAfter <= 0: // the answer comes from a proxy in front of the API
		seconds := LimitOf(header).After.Seconds()
		l.hold(holdAddress, seconds)
		if q.callback {
			l.hold(q.bucket, seconds)
		}
	case told.Global && !q.anonymous:
		l.hold(holdGlobal, told.RetryAfter)
	case q.message != "" && (shared || told.Code == discordgo.ErrCodeMaximumNumberOfEditsToMessagesOlderThanOneHourReached):
		l.hold(q.message, told.RetryAfter) // for up to an hour; other messages of the channel need not wait
	default:
		l.hold(q.bucket, told.RetryAfter)
	}
}

// hold makes requests with the key wait for that many seconds, unless they must wait longer already. The caller holds mu.
func (l *limits) hold(key string, seconds float64) {
	now := time.Now()
	until := now.Add(time.Duration(seconds * float64(time.Second)))
	if key == "" || !until.After(l.holds[key]) {
		return
	}
	maps.DeleteFunc(l.holds, func(_ string, until time.Time) bool { return !until.After(now) })
	l.holds[key] = until
}

// LimitOf returns the limit in the headers of an answer with status 429: at most a day, and a minute if the headers name no time.
func LimitOf(h http.Header) *messages.LimitError {
	seconds, err := strconv.ParseFloat(h.Get("Retry-After"), 64)
	if err != nil || !(seconds >= 0) { // the comparison is false for NaN, too
		seconds = 60
	}
	return &messages.LimitError{After: time.Duration(min(seconds, 24*60*60) * float64(time.Second))}
}
