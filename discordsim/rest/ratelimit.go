package rest

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"tictactoe/discordsim/faults"
)

// budget is the number of requests that a route accepts within a window of real
// time, for each value of its major parameter.
type budget struct {
	requests int
	window   time.Duration
	major    string // the path parameter whose values have separate buckets; empty for one bucket of the application
}

// globalBudget is an application's budget for all its requests. Requests without a bot token, which are callbacks and
// webhooks, do not count.
var globalBudget = budget{requests: 50, window: time.Second}

// The budgets of the routes. They are close to the limits in Discord's headers.
var (
	messageBudget  = budget{5, 5 * time.Second, "channel"}
	readBudget     = budget{50, time.Second, "channel"}
	reactionBudget = budget{1, 250 * time.Millisecond, "channel"}
	webhookBudget  = budget{5, 2 * time.Second, "token"}
	commandBudget  = budget{20, 5 * time.Second, ""}
	lookUpBudget   = budget{50, time.Second, ""}
)

// bucket returns the name of a route's bucket. As on Discord, the name is the same
// for all values of the major parameter, so a client must distinguish the values itself.
func (b budget) bucket(method, template string) string {
	name := fnv.New64a()
	name.Write([]byte(method + " " + template))
	return fmt.Sprintf("%016x", name.Sum64())
}

// key returns the key under which a request is counted.
func (b budget) key(bucket string, c *call) string {
	key := bucket + " " + c.App
	if b.major != "" {
		key += " " + c.PathValue(b.major)
	}
	return key
}

// limiter counts the requests of each bucket, and the invalid requests of each address.
type limiter struct {
	mu      sync.Mutex
	buckets map[string]*bucket
}

type bucket struct {
	left  int
	reset time.Time
}

func newLimiter() *limiter { return &limiter{buckets: map[string]*bucket{}} }

// usage is the state of a bucket after one more request.
type usage struct {
	limit int
	left  int // -1: the request exceeds the limit
	reset time.Time
	after time.Duration
}

func (l *limiter) take(key string, b budget) usage {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	kept := l.bucket(key, b, now)
	kept.left = max(kept.left-1, -1)
	return usage{b.requests, kept.left, kept.reset, kept.reset.Sub(now)}
}

// bucket finds a bucket, and refills it if its window is over.
func (l *limiter) bucket(key string, b budget, now time.Time) *bucket {
	if len(l.buckets) > 4096 {
		for key, old := range l.buckets {
			if now.After(old.reset) {
				delete(l.buckets, key)
			}
		}
	}
	kept := l.buckets[key]
	if kept == nil || !now.Before(kept.reset) {
		kept = &bucket{left: b.requests, reset: now.Add(b.window)}
		l.buckets[key] = kept
	}
	return kept
}

// header writes all five rate limit headers.
func (u usage) header(h http.Header, bucket string) {
	seconds := func(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) }
	h.Set("X-RateLimit-Limit", strconv.Itoa(u.limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(max(u.left, 0)))
	h.Set("X-RateLimit-Reset", seconds(float64(u.reset.UnixMilli())/1000))
	h.Set("X-RateLimit-Reset-After", seconds(u.after.Seconds()))
	h.Set("X-RateLimit-Bucket", bucket)
}

// limit counts a request against the application's global limit, then against the
// budget of its route.
func (api *API) limit(h http.Header, r route, c *call) error {
	if api.w.Unlimited() {
		return nil
	}
	method, template, _ := strings.Cut(r.pattern, " ")
	if !r.open {
		if used := api.limiter.take("global "+c.App, globalBudget); used.left < 0 {
			return &limitedError{after: used.after, kind: faults.LimitGlobalBare}
		}
	}
	if r.limit.requests == 0 {
		return nil
	}
	bucket := r.limit.bucket(method, template)
	used := api.limiter.take(r.limit.key(bucket, c), r.limit)
	used.header(h, bucket)
	if used.left < 0 {
		return &limitedError{after: used.after}
	}
	return nil
}

// limitedError is the refusal of a request by a rate limit: by the limit of its
// route, or by one of the other limits that Faults.RESTLimit names.
type limitedError struct {
	after time.Duration
	kind  string
	code  int    // Discord's error code, if the limit has its own code
	text  string // the message for that code
}

func (e *limitedError) Error() string { return cmp.Or(e.text, "You are being rate limited.") }

// header writes the headers that tell when to retry. The headers of the route's
// bucket, if it has one, are already set.
func (e *limitedError) header(h http.Header) {
	h.Set("Retry-After", strconv.Itoa(int(math.Ceil(e.after.Seconds()))))
	if e.kind == faults.LimitHTML {
		h.Set("Server", "cloudflare")
		return
	}
	// Libraries treat a response without this header as a ban by the proxy in front of Discord.
	h.Set("Via", "1.1 google")
	switch e.kind {
	case faults.LimitGlobalBare:
		h.Set("X-RateLimit-Global", "true")
	case faults.LimitGlobal:
		h.Set("X-RateLimit-Global", "true")
		e.bucket(h, "global")
	case faults.LimitShared:
		e.bucket(h, "shared")
	default:
		h.Set("X-RateLimit-Scope", "user")
		e.tell(h)
	}
}

// tell changes the headers of the route's bucket so that they announce the end of
// another limit.
func (e *limitedError) tell(h http.Header) {
	bucket := h.Get("X-RateLimit-Bucket")
	limit, err := strconv.Atoi(h.Get("X-RateLimit-Limit"))
	if bucket != "" && err == nil {
		usage{limit: limit, reset: time.Now().Add(e.after), after: e.after}.header(h, bucket)
	}
}

// bucket writes the headers of a used-up bucket for a limit of the given scope.
func (e *limitedError) bucket(h http.Header, scope string) {
	usage{limit: 50, reset: time.Now().Add(e.after), after: e.after}.header(h, scope)
	h.Set("X-RateLimit-Scope", scope)
}

// page is an HTML response.
type page string

// body returns the body of the refusal: Discord's JSON object, or the proxy's page.
func (e *limitedError) body() any {
	if e.kind == faults.LimitHTML {
		return page("<!DOCTYPE html>\n<html><head><title>Access denied | discord.com used Cloudflare to restrict access</title></head>\n" +
			"<body><h1>Error 1015</h1><p>You are being rate limited</p></body></html>\n")
	}
	return struct {
		Message    string  `json:"message"`
		RetryAfter float64 `json:"retry_after"`
		Global     bool    `json:"global"`
		Code       int     `json:"code,omitempty"`
	}{e.Error(), math.Ceil(e.after.Seconds()*1000) / 1000, e.kind == faults.LimitGlobal || e.kind == faults.LimitGlobalBare, e.code}
}

// invalidBudget is how many invalid requests an address may send before it is banned. Requests are invalid if they
// are answered with 401, 403 or 429, except for the 429 of a shared limit.
var invalidBudget = budget{requests: 10_000, window: 10 * time.Minute}

// countInvalid counts a request if its response makes it invalid.
func (l *limiter) countInvalid(address string, status int, h http.Header) {
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
	case status == http.StatusTooManyRequests && h.Get("X-RateLimit-Scope") != "shared":
	default:
		return
	}
	l.take("invalid "+address, invalidBudget)
}

// banned returns how long an address remains banned, or 0 if it is not banned.
func (l *limiter) banned(address string) time.Duration { return l.empty("invalid " + address) }

// empty returns how long a bucket remains used up, or 0 if it has requests left.
func (l *limiter) empty(key string) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if kept := l.buckets[key]; kept != nil && kept.left <= 0 && now.Before(kept.reset) {
		return kept.reset.Sub(now)
	}
	return 0
}

// address returns the client's address without the port.
func address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// Discord limits the edits of messages older than an hour (30046) without
// documenting the limit. Here each channel has a limit per hour.
const (
	oldMessage  = time.Hour
	maxOldEdits = 30
)

// oldEdits has the dates of each channel's edits of old messages, by the
// simulator's clock. Edits with an interaction's token do not count.
type oldEdits map[string][]time.Time

// refused returns the error for one more edit, or nil if it is allowed.
func (o oldEdits) refused(channel string, now time.Time) error {
	o[channel] = slices.DeleteFunc(o[channel], func(at time.Time) bool { return now.Sub(at) >= time.Hour })
	if len(o[channel]) < maxOldEdits {
		return nil
	}
	return &limitedError{
		after: time.Hour - now.Sub(o[channel][0]), code: 30046,
		text: "Maximum number of edits to messages older than 1 hour reached. Try again later",
	}
}

func (o oldEdits) count(channel string, now time.Time) { o[channel] = append(o[channel], now) }
