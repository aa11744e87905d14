package bot

import "time"

// Clock tells the time. It may be set: then the dates of two readings do not say which came first, and Passed does.
type Clock interface {
	Now() time.Time
	// Passed is the time that passed between two readings, whatever their dates say.
	Passed(from, to time.Time) time.Duration
}

// machineClock is the machine's own.
type machineClock struct{}

func (machineClock) Now() time.Time                          { return time.Now() }
func (machineClock) Passed(from, to time.Time) time.Duration { return to.Sub(from) }

// since is a reading of a clock as of an earlier moment of the real one.
func since(c Clock, moment time.Time) time.Time { return c.Now().Add(-time.Since(moment)) }

// before tells whether one reading of a clock came before another.
func before(c Clock, one, other time.Time) bool { return c.Passed(one, other) > 0 }
