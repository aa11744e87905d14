package soak

import (
	"slices"
	"sync"
	"time"
)

// recorder writes the history. Its methods may be called by several goroutines.
type recorder struct {
	mu      sync.Mutex
	history History
	faults  int
	sum     Summary
}

func (r *recorder) add(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.At.IsZero() {
		e.At = time.Now()
	}
	r.history = append(r.history, e)
	r.sum.count(e)
}

// next returns the number of the next fault.
func (r *recorder) next() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faults++
	return r.faults
}

// began records that a fault begins now, and returns a function that records that it ends now. Further calls of that function do nothing.
func (r *recorder) began(what Event) (over func()) {
	until := r.lasts(what)
	return sync.OnceFunc(func() { until(time.Now()) })
}

// lasts records the beginning of a fault, and returns a function that records its end at a given time, but never before the
// beginning.
func (r *recorder) lasts(what Event) (until func(time.Time)) {
	what.Kind, what.Number = Began, r.next()
	if what.At.IsZero() {
		what.At = time.Now()
	}
	r.add(what)
	return func(at time.Time) {
		what.Kind, what.At, what.Text, what.Took = Over, later(what.At, at), "", 0
		r.add(what)
	}
}

// finish returns the history in chronological order. The recorder gets events in another order, because a player's action is only
// recorded when it is settled.
func (r *recorder) finish() History {
	r.mu.Lock()
	defer r.mu.Unlock()
	slices.SortStableFunc(r.history, func(a, b Event) int { return a.At.Compare(b.At) })
	return r.history
}

// summary returns the figures so far.
func (r *recorder) summary() Summary {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sum.copy()
}
