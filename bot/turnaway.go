package bot

import (
	"net/http"
	"sync"
	"time"
)

const (
	// turnAwayLimit is how many people may be turned away at the same moment, rateLimitedLimit how many of them for asking for
	// too much: who is turned away through no fault of theirs finds room.
	turnAwayLimit    = 512
	rateLimitedLimit = 64
	// complainEvery is how often the log tells of interactions that were dropped.
	complainEvery = 10 * time.Second
)

// turnAway answers an interaction with the outcome Busy or RateLimited, at once and with nothing before it. It returns what
// accept does.
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
		if n := d.turned.drop(); n > 0 {
			d.log.Error("interactions dropped: more come than can even be told to wait", "dropped", n, "interaction", t.in.ID)
		}
	}
	d.report(t, outcome)
}

// turnedAway counts the people who are being turned away.
type turnedAway struct {
	mu          sync.Mutex
	all         int
	rateLimited int // of these
	dropped     int // since the log last told of it
	complained  time.Time
}

// begin reports whether there is room for one more.
func (t *turnedAway) begin(outcome Outcome) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all >= turnAwayLimit || outcome == RateLimited && t.rateLimited >= rateLimitedLimit {
		return false
	}
	t.add(outcome, 1)
	return true
}

func (t *turnedAway) end(outcome Outcome) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.add(outcome, -1)
}

// add counts; the caller holds mu.
func (t *turnedAway) add(outcome Outcome, n int) {
	t.all += n
	if outcome == RateLimited {
		t.rateLimited += n
	}
}

// drop counts one that there was no room for. It returns how many there were when it is time to tell of them, else 0.
func (t *turnedAway) drop() (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.dropped++
	if now := time.Now(); now.Sub(t.complained) >= complainEvery {
		n, t.dropped, t.complained = t.dropped, 0, now
	}
	return n
}

func (t *turnedAway) count() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.all
}
