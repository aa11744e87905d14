package match

import (
	"context"
	"slices"
	"sync"
	"time"
)

const (
	// pulse is how often a process notes that it runs.
	pulse = 250 * time.Millisecond
	// pauseLeast is the least time without a pulse that is taken for a pause; less is a machine with much to do.
	pauseLeast = time.Second
	// pausesKept bounds how many pauses are remembered. Readings are compared within seconds of each other.
	pausesKept = 64
)

// Awake is a clock that says when the process did not run, because of SIGSTOP, a frozen container, or a machine that gave it
// no time. Nobody was heard meanwhile, so none of that time passes: it is to the readings of this clock what the sleep of
// the machine is to those of the machine's. The dates are those of Clock.
//
// Whoever is first to read the clock after a pause notices it, so nothing can be dated before the pause is known. It is safe
// for concurrent use; set Clock before.
type Awake struct {
	Clock

	mu     sync.Mutex
	beaten time.Time // the latest pulse by the machine's clock, zero before the first: until then there are no pauses
	shown  time.Time // what Clock showed then
	pauses []lapse   // the latest ones, in their order
	woke   time.Time // the end of the last one by the machine's clock
}

// lapse is a pause between two readings of the clock.
type lapse struct{ from, to time.Time }

// Run keeps the pulse until the context ends.
func (a *Awake) Run(ctx context.Context) {
	beat := time.NewTicker(pulse)
	defer beat.Stop()
	for a.Beat(); ; a.Beat() {
		select {
		case <-beat.C:
		case <-ctx.Done():
			return
		}
	}
}

// Beat notes that the process runs. Run does so by itself.
func (a *Awake) Beat() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.notice()
	a.beaten, a.shown = time.Now(), a.Clock.Now()
}

// notice notes a pause if there was one; a.mu is held.
func (a *Awake) notice() {
	now := time.Now()
	if a.beaten.IsZero() || now.Sub(a.beaten) < pauseLeast {
		return
	}
	if len(a.pauses) == pausesKept {
		a.pauses = slices.Delete(a.pauses, 0, 1)
	}
	shown := a.Clock.Now()
	a.pauses = append(a.pauses, lapse{a.shown, shown})
	a.beaten, a.shown, a.woke = now, shown, now
}

// Now is the date that Clock shows.
func (a *Awake) Now() time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.notice()
	return a.Clock.Now()
}

// Passed is the time between two readings in which the process ran.
func (a *Awake) Passed(from, to time.Time) time.Duration {
	return a.Clock.Passed(from, to) - a.Slept(from, to)
}

// Slept is the time between two readings in which the process did not run, negative if the second is the earlier one.
func (a *Awake) Slept(from, to time.Time) (slept time.Duration) {
	if a.Clock.Passed(from, to) < 0 {
		return -a.Slept(to, from)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range a.pauses {
		if a.Clock.Passed(p.from, from) > 0 {
			p.from = from
		}
		if a.Clock.Passed(to, p.to) > 0 {
			p.to = to
		}
		slept += max(0, a.Clock.Passed(p.from, p.to))
	}
	return slept
}

// Woke is when the process went on after its last pause, by the machine's clock; zero if there was none.
func (a *Awake) Woke() time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.notice()
	return a.woke
}
