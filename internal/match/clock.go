package match

import "time"

// Clock tells the time and wakes whoever waits for it. Both matter: a clock that can be moved must wake the scheduler
// when it is.
type Clock interface {
	Now() time.Time
	// Passed is the time that passed between two of its readings. The difference of their dates is another if the clock was
	// set in between.
	Passed(from, to time.Time) time.Duration
	// After sends once when that much time has passed on this clock.
	After(time.Duration) <-chan time.Time
}

// SystemClock is the machine's own clock.
type SystemClock struct{}

// Now is the current time.
func (SystemClock) Now() time.Time { return time.Now() }

// Passed is the difference by the machine's monotonic clock.
func (SystemClock) Passed(from, to time.Time) time.Duration { return to.Sub(from) }

// After is [time.After].
func (SystemClock) After(d time.Duration) <-chan time.Time { return time.After(d) }
