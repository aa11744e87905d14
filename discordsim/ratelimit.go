package discordsim

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// budget is how many requests a route takes in a window of real time, for each
// value of its major parameter.
type budget struct {
	requests int
	window   time.Duration
	major    string // the path's part that has a bucket of its own; empty: the application
}

// everything is the budget of an application for all its requests, apart from
// those without a bot token: callbacks and webhooks do not count.
var everything = budget{requests: 50, window: time.Second}

// The budgets, of about the size that Discord's headers show.
var (
	someMessages = budget{5, 5 * time.Second, "channel"}
	someReads    = budget{50, time.Second, "channel"}
	someReacts   = budget{1, 250 * time.Millisecond, "channel"}
	someWebhooks = budget{5, 2 * time.Second, "token"}
	someCommands = budget{20, 5 * time.Second, ""}
	someLookUps  = budget{50, time.Second, ""}
)

// bucket returns the name of a route's bucket. As on Discord, it is the same for
// all values of the major parameter, so a client must itself count them apart.
func (b budget) bucket(method, template string) string {
	name := fnv.New64a()
	name.Write([]byte(method + " " + template))
	return fmt.Sprintf("%016x", name.Sum64())
}

// key returns the key by which a request is counted.
func (b budget) key(bucket string, c *call) string {
	key := bucket + " " + c.App
	if b.major != "" {
		key += " " + c.PathValue(b.major)
	}
	return key
}

// limiter counts the requests of each bucket, and the invalid ones of each address.
type limiter struct {
	mu      sync.Mutex
	buckets map[string]*bucket
}

type bucket struct {
	left  int
	reset time.Time
}

func newLimiter() *limiter { return &limiter{buckets: map[string]*bucket{}} }

// usage is a bucket after one more request.
type usage struct {
	limit int
	left  int // -1: this request was one too many
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

// bucket finds a bucket. It refills one whose window is over.
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

// header tells a client where it stands: all five headers, always.
func (u usage) header(h http.Header, bucket string) {
	seconds := func(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) }
	h.Set("X-RateLimit-Limit", strconv.Itoa(u.limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(max(u.left, 0)))
	h.Set("X-RateLimit-Reset", seconds(float64(u.reset.UnixMilli())/1000))
	h.Set("X-RateLimit-Reset-After", seconds(u.after.Seconds()))
	h.Set("X-RateLimit-Bucket", bucket)
}

// limit counts a request against what its application may send in all, then
// against the budget of its route.
func (s *Sim) limit(h http.Header, r route, c *call) error {
	if s.unlimited.Load() {
		return nil
	}
	method, template, _ := strings.Cut(r.pattern, " ")
	if !r.open {
		if used := s.limiter.take("global "+c.App, everything); used.left < 0 {
			return &limitedError{after: used.after, kind: LimitGlobalBare}
		}
	}
	if r.limit.requests == 0 {
		return nil
	}
	bucket := r.limit.bucket(method, template)
	used := s.limiter.take(r.limit.key(bucket, c), r.limit)
	used.header(h, bucket)
	if used.left < 0 {
		return &limitedError{after: used.after}
	}
	return nil
}

// limitedError is the refusal of a request that came too early: by the limit of
// its route or, else, of a kind that Faults.RESTLimit names as well.
type limitedError struct {
	after time.Duration
	kind  string
	code  int    // of the limits that have one of their own, and then
	text  string // their words
}

func (e *limitedError) Error() string { return cmp.Or(e.text, "You are being rate limited.") }

// header says when to try again. The headers of the route's bucket, if it has
// one, are there already.
func (e *limitedError) header(h http.Header) {
	h.Set("Retry-After", strconv.Itoa(int(math.Ceil(e.after.Seconds()))))
	if e.kind == LimitHTML {
		h.Set("Server", "cloudflare")
		return
	}
	// Libraries take an answer without it for a ban by the proxy before Discord.
	h.Set("Via", "1.1 google")
	switch e.kind {
	case LimitGlobalBare:
		h.Set("X-RateLimit-Global", "true")
	case LimitGlobal:
		h.Set("X-RateLimit-Global", "true")
		e.bucket(h, "global")
	case LimitShared:
		e.bucket(h, "shared")
	default:
		h.Set("X-RateLimit-Scope", "user")
		e.tell(h)
	}
}

// tell changes the headers of the route's bucket, so that they say when a limit
// ends that is not the bucket's own.
func (e *limitedError) tell(h http.Header) {
	bucket := h.Get("X-RateLimit-Bucket")
	limit, err := strconv.Atoi(h.Get("X-RateLimit-Limit"))
	if bucket != "" && err == nil {
		usage{limit: limit, reset: time.Now().Add(e.after), after: e.after}.header(h, bucket)
	}
}

// bucket tells of a bucket that is empty, in the headers of a limit of the scope.
func (e *limitedError) bucket(h http.Header, scope string) {
	usage{limit: 50, reset: time.Now().Add(e.after), after: e.after}.header(h, scope)
	h.Set("X-RateLimit-Scope", scope)
}

// page is an answer in HTML.
type page string

// body returns the body of the refusal: Discord's object, or the page of the proxy.
func (e *limitedError) body() any {
	if e.kind == LimitHTML {
		return page("<!DOCTYPE html>\n<html><head><title>Access denied | discord.com used Cloudflare to restrict access</title></head>\n" +
			"<body><h1>Error 1015</h1><p>You are being rate limited</p></body></html>\n")
	}
	return struct {
		Message    string  `json:"message"`
		RetryAfter float64 `json:"retry_after"`
		Global     bool    `json:"global"`
		Code       int     `json:"code,omitempty"`
	}{e.Error(), math.Ceil(e.after.Seconds()*1000) / 1000, e.kind == LimitGlobal || e.kind == LimitGlobalBare, e.code}
}

// invalid is how many invalid requests one address may send before it is banned.
// Invalid are those answered with 401, 403 or 429, apart from the 429 of a limit
// that is shared with others.
var invalid = budget{requests: 10_000, window: 10 * time.Minute}

// countInvalid counts a request that was answered as invalid.
func (l *limiter) countInvalid(address string, status int, h http.Header) {
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
	case status == http.StatusTooManyRequests && h.Get("X-RateLimit-Scope") != "shared":
	default:
		return
	}
	l.take("invalid "+address, invalid)
}

// banned returns for how long an address is still banned, or 0 if it is not.
func (l *limiter) banned(address string) time.Duration { return l.empty("invalid " + address) }

// empty returns for how long a bucket is still empty, or 0 if it is not.
func (l *limiter) empty(key string) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if kept := l.buckets[key]; kept != nil && kept.left <= 0 && now.Before(kept.reset) {
		return kept.reset.Sub(now)
	}
	return 0
}

// address returns where a request comes from, without the port.
func address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}
