// Package clock holds the clock that dates everything, and the rule that decides which time counts for the players.
//
// A [Clock] shows a date, which an administrator may set, and elapsed time, which cannot be set. The players are heard while the bot
// receives their clicks and commands. A [Span] is the time since the players were last known to be heard; [Span.Credit] returns the part of
// the span that is credited to them because they could not use it.
package clock

import (
	"context"
	"sync"
	"time"
)

// Leap is the largest difference between the change of the date and the elapsed time that slewing or a busy machine explains. A larger
// difference means that the clock was set, the machine slept or the process was stopped.
const Leap = time.Second

// Reading is the state of a clock at one moment.
type Reading struct {
	// Date is the date. It has no monotonic part, so that a difference of dates is not replaced by elapsed time.
	Date time.Time
	// Ran is a time on a clock that is never set. Only the difference between two values means anything.
	Ran time.Time
}

// Since returns how much time has elapsed since an earlier reading, regardless of the dates.
func (r Reading) Since(earlier Reading) time.Duration { return r.Ran.Sub(earlier.Ran) }

// Source is the time source of a Clock.
type Source interface {
	// Read returns the date and, at the same moment, a time on a clock that is never set.
	Read() (date, ran time.Time)
	// After returns a channel on which the time is sent once the duration has elapsed.
	After(time.Duration) <-chan time.Time
}

// Machine is the machine's clock. Its date may be set; its elapsed time is the monotonic clock.
type Machine struct {
	Ahead func() time.Duration // if set, the result is added to the date, so that a soak can set the clock of one process
}

// Read implements [Source].
func (c Machine) Read() (date, ran time.Time) {
	ahead := time.Duration(0)
	if c.Ahead != nil {
		ahead = c.Ahead()
	}
	ran = time.Now()
	return ran.Add(ahead), ran
}

// After calls [time.After], since timers do not depend on the date.
func (Machine) After(d time.Duration) <-chan time.Time { return time.After(d) }

// pulse is the interval at which the process notes that it is running.
const pulse = 250 * time.Millisecond

// Clock reads a source, and leaves out of the elapsed time the pauses in which the process was stopped: by SIGSTOP, in
// a frozen container, or on an overloaded machine. The dates are the dates of the source.
//
// The first reading after a pause detects it, so nothing is dated before the pause is known. A Clock is safe for
// concurrent use.
type Clock struct {
	source Source

	mu        sync.Mutex
	lastPulse time.Time     // when the process last noted that it is running; until it is set, no pause is detected
	paused    time.Duration // the sum of all pauses
	woke      time.Time     // when the last pause was noticed
}

// New returns a clock that reads source.
func New(source Source) *Clock { return &Clock{source: source} }

// Run notes at short intervals that the process is running, until the context ends. Without it the clock detects no
// pauses.
func (c *Clock) Run(ctx context.Context) {
	beat := time.NewTicker(pulse)
	defer beat.Stop()
	for ctx.Err() == nil {
		c.mu.Lock()
		c.notice()
		c.lastPulse = time.Now()
		c.mu.Unlock()
		select {
		case <-beat.C:
		case <-ctx.Done():
		}
	}
}

// notice records a pause if there was one. The caller holds mu.
func (c *Clock) notice() {
	now := time.Now()
	if gap := now.Sub(c.lastPulse); !c.lastPulse.IsZero() && gap >= Leap {
		c.paused += gap
		c.lastPulse, c.woke = now, now
	}
}

// Read returns the current reading.
func (c *Clock) Read() Reading {
	c.mu.Lock()
	defer c.mu.Unlock()
	date, ran := c.source.Read() // first, because a pause between notice and Read would count as elapsed time
	c.notice()
	return Reading{Date: date.Round(0), Ran: ran.Add(-c.paused)}
}

// Now returns the date.
func (c *Clock) Now() time.Time { return c.Read().Date }

// After calls After of the source.
func (c *Clock) After(d time.Duration) <-chan time.Time { return c.source.After(d) }

// Woke returns when the process resumed after its last pause, by the machine's clock; zero if there was no pause.
func (c *Clock) Woke() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.notice()
	return c.woke
}
