// Package clock keeps the time that everything is dated by, and the rule which time counts for the players.
//
// A [Clock] shows a date, which may be set, and time that runs, which cannot. A [Span] is the time since players were last
// known to be heard; what of it they could not use is credited to them by [Span.Credit].
package clock

import (
	"context"
	"sync"
	"time"
)

// Leap is the most that a date is steered by, and the most that a process is kept waiting by a busy machine. If the date
// moved by more than that against the time that ran, the clock was set, the machine was asleep or the process was stopped.
const Leap = time.Second

// Reading is what a clock shows at one moment.
type Reading struct {
	// Date is the date. It has no monotonic part, so that differences of dates are what they say.
	Date time.Time
	// Ran is a moment of a clock that is never set. Only differences mean anything.
	Ran time.Time
}

// Since returns how much time ran since an earlier reading, whatever the dates say.
func (r Reading) Since(earlier Reading) time.Duration { return r.Ran.Sub(earlier.Ran) }

// Source is what a clock reads.
type Source interface {
	// Read returns the date and, of the same moment, a time that cannot be set.
	Read() (date, ran time.Time)
	// After sends once when that much time has run.
	After(time.Duration) <-chan time.Time
}

// Machine is the machine's clock. Its date may be set; its time runs by the monotonic clock.
type Machine struct{}

// Read implements [Source].
func (Machine) Read() (date, ran time.Time) { now := time.Now(); return now, now }

// After is [time.After].
func (Machine) After(d time.Duration) <-chan time.Time { return time.After(d) }

// pulse is how often a process notes that it runs.
const pulse = 250 * time.Millisecond

// Clock reads a source and leaves out of the time that runs what the process missed because it was stopped: by SIGSTOP, in a
// frozen container, or on a machine that gave it no time. The dates are those of the source.
//
// The first reading after a pause notices it, so nothing is dated before the pause is known. A Clock is safe for concurrent
// use.
type Clock struct {
	source Source

	mu     sync.Mutex
	beaten time.Time // when the process last noted that it runs; zero before the first time, and until then there are no pauses
	paused time.Duration
	woke   time.Time
}

// New returns a clock that reads a source.
func New(source Source) *Clock { return &Clock{source: source} }

// Run notes that the process runs until the context ends. Without it the clock notices no pauses.
func (c *Clock) Run(ctx context.Context) {
	beat := time.NewTicker(pulse)
	defer beat.Stop()
	for ctx.Err() == nil {
		c.mu.Lock()
		c.notice()
		c.beaten = time.Now()
		c.mu.Unlock()
		select {
		case <-beat.C:
		case <-ctx.Done():
		}
	}
}

// notice notes a pause if there was one; c.mu is held.
func (c *Clock) notice() {
	now := time.Now()
	if gap := now.Sub(c.beaten); !c.beaten.IsZero() && gap >= Leap {
		c.paused += gap
		c.beaten, c.woke = now, now
	}
}

// Read returns what the clock shows.
func (c *Clock) Read() Reading {
	c.mu.Lock()
	defer c.mu.Unlock()
	date, ran := c.source.Read() // before a pause is looked for: one in between would count as time that ran
	c.notice()
	return Reading{Date: date.Round(0), Ran: ran.Add(-c.paused)}
}

// Now returns the date.
func (c *Clock) Now() time.Time { return c.Read().Date }

// After is that of the source.
func (c *Clock) After(d time.Duration) <-chan time.Time { return c.source.After(d) }

// Woke returns when the process went on after its last pause, by the machine's clock; zero if there was none.
func (c *Clock) Woke() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.notice()
	return c.woke
}
