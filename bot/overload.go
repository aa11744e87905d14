package bot

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"tictactoe/internal/replica/claim"
)

const (
	// turnAwayLimit is how many people may be turned away at the same moment. rateLimitedLimit is how many of them may be rate
	// limited, so that there is room for those who are turned away through no fault of theirs.
	turnAwayLimit    = 512
	rateLimitedLimit = 64
	// complainEvery is how often the log tells of interactions that were dropped.
	complainEvery = 10 * time.Second
	// turnAwayTime bounds the claim on an interaction that is rate limited. If the claim takes longer, the interaction is answered
	// without it.
	turnAwayTime = time.Second
)

// turnAway answers an interaction with the outcome Busy or RateLimited at once. It returns the same status as accept. Behind an
// endpoint a rate limited interaction is claimed first, because another instance may have counted fewer requests of the user, and
// handle it.
func (d *dispatcher) turnAway(t *task, outcome Outcome) (status int) {
	words := d.Texts.Busy
	if outcome == RateLimited {
		words = d.Texts.RateLimited
	}
	if !d.turned.begin(outcome) {
		defer d.pending.Done()
		d.drop(t, outcome)
		return http.StatusServiceUnavailable
	}
	d.spawn(func() {
		defer d.pending.Done()
		defer d.turned.end(outcome)
		if outcome == RateLimited && d.Endpoint != nil && !t.in.typing() {
			ctx, cancel := context.WithTimeout(d.sending, turnAwayTime)
			err := d.Endpoint.Claim(ctx, *d.claim(t))
			cancel()
			if errors.Is(err, claim.ErrTaken) {
				d.yield(t)
				return
			}
		}
		if err := d.send(t, d.word(t.in, func() Reply { return words(t.in) })); err != nil {
			d.report(t, lost(err))
		} else {
			d.tell(t, outcome)
		}
	})
	return 0
}

// drop gives up an interaction that would have had that outcome.
func (d *dispatcher) drop(t *task, outcome Outcome) {
	if outcome == RateLimited {
		d.log.Debug("interaction dropped: one user asks for too much", "interaction", t.in.ID)
	} else {
		outcome = Dropped
		d.turned.dropped.Add(1)
		d.turned.complain.Do(func() {
			d.log.Error("interactions dropped: more come than can even be told to wait", "dropped", d.turned.dropped.Swap(0), "interaction", t.in.ID)
		})
	}
	d.report(t, outcome)
}

// turnedAway counts the people who are being turned away.
type turnedAway struct {
	mu       sync.Mutex
	by       map[Outcome]int
	dropped  atomic.Int64 // since the log last told of it
	complain rate.Sometimes
}

// begin reports whether there is room for one more.
func (t *turnedAway) begin(outcome Outcome) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.by[Busy]+t.by[RateLimited] >= turnAwayLimit || outcome == RateLimited && t.by[RateLimited] >= rateLimitedLimit {
		return false
	}
	t.by[outcome]++
	return true
}

func (t *turnedAway) end(outcome Outcome) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.by[outcome]--
}

func (t *turnedAway) count() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.by[Busy] + t.by[RateLimited]
}
