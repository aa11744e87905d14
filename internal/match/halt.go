package match

import (
	"sync"
	"time"
)

// halt is whether the clocks stand still, because nothing can be saved.
type halt struct {
	mu     sync.Mutex
	last   time.Time // up to which players were heard when that was recorded last; zero before the first time
	since  time.Time // what the clocks show while they stand still, else zero
	failed time.Time // when nothing could be saved last
}

// at is what the clocks show while they stand still, else zero, and when nothing could be saved last.
func (h *halt) at() (since, failed time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.since, h.failed
}

func (h *halt) on() bool {
	since, _ := h.at()
	return !since.IsZero()
}

// begin lets the clocks stand still at the time that was noted last, if they do not already. Before the first there is
// nothing to stand still.
func (h *halt) begin(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.failed = now
	if h.since.IsZero() {
		h.since = h.last
	}
}

// end lets them run: players were heard up to then, and that is recorded.
func (h *halt) end(heard time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last, h.since = heard, time.Time{}
}

// move sets the time at which they stand still.
func (h *halt) move(to time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last, h.since = to, to
}

// note says that players were heard up to then, and that is recorded.
func (h *halt) note(heard time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last = heard
}

// follow moves what was noted with a clock that was set.
func (h *halt) follow(jump time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last = h.last.Add(jump)
}
