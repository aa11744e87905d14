package discordsim

import (
	"fmt"
	"hash/fnv"
	"math"
	"net/http"
	"strconv"
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

// The budgets, of about the size that Discord's headers show.
var (
	someMessages = budget{5, 5 * time.Second, "channel"}
	someReads    = budget{50, time.Second, "channel"}
	someWebhooks = budget{5, 2 * time.Second, "token"}
	someCommands = budget{20, 5 * time.Second, ""}
	someLookUps  = budget{50, time.Second, ""}
)

func (b budget) key(template string, c *call) string {
	if b.major == "" {
		return template + " " + c.App
	}
	return template + " " + c.App + " " + c.PathValue(b.major)
}

// limiter counts the requests of each bucket.
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
	name  string
	limit int
	left  int // -1: this request was one too many
	reset time.Time
	after time.Duration
}

func (l *limiter) take(key string, b budget) usage {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
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
	kept.left = max(kept.left-1, -1)
	name := fnv.New64a()
	name.Write([]byte(key))
	return usage{fmt.Sprintf("%016x", name.Sum64()), b.requests, kept.left, kept.reset, kept.reset.Sub(now)}
}

// header tells a client where it stands: all five headers, always.
func (u usage) header(h http.Header) {
	seconds := func(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) }
	h.Set("X-RateLimit-Limit", strconv.Itoa(u.limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(max(u.left, 0)))
	h.Set("X-RateLimit-Reset", seconds(float64(u.reset.UnixMilli())/1000))
	h.Set("X-RateLimit-Reset-After", seconds(u.after.Seconds()))
	h.Set("X-RateLimit-Bucket", u.name)
}

func (u usage) refused() error {
	if u.left >= 0 {
		return nil
	}
	return &limitedError{after: u.after}
}

// limitedError is the refusal of a request that came too early: by the limit of
// its route or, by a fault, of the kind that RESTLimit names.
type limitedError struct {
	after time.Duration
	kind  string
}

func (e *limitedError) Error() string { return "You are being rate limited." }

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
	}
}

// bucket tells of a bucket that is empty, in the headers of a limit of the scope.
func (e *limitedError) bucket(h http.Header, scope string) {
	usage{name: scope, limit: 50, reset: time.Now().Add(e.after), after: e.after}.header(h)
	h.Set("X-RateLimit-Scope", scope)
}

// page is an answer in HTML.
type page string

// body of the refusal: Discord's object, or the page of the proxy.
func (e *limitedError) body() any {
	if e.kind == LimitHTML {
		return page("<!DOCTYPE html>\n<html><head><title>Access denied | discord.com used Cloudflare to restrict access</title></head>\n" +
			"<body><h1>Error 1015</h1><p>You are being rate limited</p></body></html>\n")
	}
	return struct {
		Message    string  `json:"message"`
		RetryAfter float64 `json:"retry_after"`
		Global     bool    `json:"global"`
	}{e.Error(), e.after.Seconds(), e.kind == LimitGlobal || e.kind == LimitGlobalBare}
}
