package match

import "time"

// Clock tells the time and wakes whoever waits for it. Both matter: a clock that can be moved must wake the scheduler
// when it is.
type Clock interface {
	Now() time.Time
	// After sends once when that much time has passed on this clock.
	After(time.Duration) <-chan time.Time
}

// SystemClock is the machine's own clock.
type SystemClock struct{}

// Now is the current time.
func (SystemClock) Now() time.Time { return time.Now() }

// After is [time.After].
func (SystemClock) After(d time.Duration) <-chan time.Time { return time.After(d) }
