package world

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Clock is the clock of the simulated Discord: real time plus an offset that only grows. All dates come from it:
// snowflakes, timestamps, the age of an interaction's token. Limits on response times, such as the limit for
// answering an interaction or for a heartbeat, are in real time.
type Clock struct {
	mu      sync.Mutex
	offset  time.Duration
	waiters map[*waiter]struct{}
}

type waiter struct {
	at    time.Time // the awaited date, by this clock
	fired chan time.Time
	timer *time.Timer
}

func newClock(offset time.Duration) *Clock {
	return &Clock{offset: offset, waiters: map[*waiter]struct{}{}}
}

// Now returns the current date by this clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now()
}

func (c *Clock) now() time.Time { return time.Now().Add(c.offset).UTC() }

// Read returns the current date, and a reading from which callers measure elapsed time. Both are the same, so moving
// the clock counts as elapsed time.
func (c *Clock) Read() (date, ran time.Time) {
	now := c.Now()
	return now, now
}

// Offset returns how far the clock has been moved ahead of real time.
func (c *Clock) Offset() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.offset
}

// After delivers the date once d has passed, either in real time or because the
// clock was moved forward.
func (c *Clock) After(d time.Duration) <-chan time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := &waiter{at: c.now().Add(d), fired: make(chan time.Time, 1)}
	if d <= 0 {
		w.fired <- c.now()
		return w.fired
	}
	c.waiters[w] = struct{}{}
	w.timer = time.AfterFunc(d, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.fireIfDue(w)
	})
	return w.fired
}

// move adds d to the offset and wakes the waiters whose date has come.
func (c *Clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset += d
	for w := range c.waiters {
		c.fireIfDue(w)
	}
}

func (c *Clock) fireIfDue(w *waiter) {
	if _, waiting := c.waiters[w]; !waiting {
		return
	}
	now := c.now()
	if left := w.at.Sub(now); left > 0 {
		w.timer.Reset(left)
		return
	}
	w.timer.Stop()
	delete(c.waiters, w)
	w.fired <- now
}

// OnAdvance registers a hook that Advance waits for. The hook can, for example,
// make a bot in the same process act on expired deadlines. Hooks run in the order
// of their registration, after the clock has moved.
func (w *World) OnAdvance(hook func(context.Context) error) {
	w.Lock()
	defer w.Unlock()
	w.hooks = append(w.hooks, hook)
}

// maxOffset limits the clock's offset so that ids and times cannot overflow.
const maxOffset = 100 * 365 * 24 * time.Hour

// Advance waits for the interactions in flight, moves the clock by d and returns
// when every hook has returned. A negative d is an error: the clock never goes back.
func (w *World) Advance(ctx context.Context, d time.Duration) error {
	if d < 0 {
		return fmt.Errorf("the clock cannot go back by %v", -d)
	}
	w.advancing.Lock()
	defer w.advancing.Unlock()
	if d > maxOffset/10 || w.Clock.Offset() > maxOffset-d {
		return fmt.Errorf("the clock moves by ten years at most, and no further than a hundred from the real date")
	}
	for {
		busy := w.moveIfIdle(d)
		if busy == nil {
			break
		}
		select {
		case <-busy:
		case <-ctx.Done():
			return fmt.Errorf("waiting for the interactions in flight: %w", ctx.Err())
		case <-w.Life.Done():
			return ErrClosed
		}
	}
	w.Lock()
	hooks, err := w.hooks, w.State.flush()
	w.Unlock()
	if err != nil {
		return err
	}
	for _, hook := range hooks {
		if err := hook(ctx); err != nil {
			return fmt.Errorf("acting on the moved clock: %w", err)
		}
	}
	return nil
}

// moveIfIdle moves the clock, or returns a channel to wait for if an interaction is in flight.
func (w *World) moveIfIdle(d time.Duration) (busy <-chan struct{}) {
	w.Lock()
	defer w.Unlock()
	for _, in := range w.Interactions.inFlight {
		if !in.IsSettled() {
			return in.settled
		}
	}
	w.Clock.move(d)
	offset := w.Clock.Offset()
	w.Put(Change{Offset: &offset})
	w.Messages.endPolls()
	w.Events.PublishClock()
	return nil
}

// ClockReading is the current date and the clock's offset from real time.
type ClockReading struct {
	Now    string `json:"now"`
	Offset int64  `json:"offset_ms"`
}

// ClockReading returns the clock's date and offset as calls and events report them.
func (w *World) ClockReading() ClockReading {
	return ClockReading{w.Clock.Now().Format("2006-01-02T15:04:05.000Z07:00"), w.Clock.Offset().Milliseconds()}
}
