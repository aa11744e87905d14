package bot

import "time"

// Clock tells the date.
type Clock interface{ Now() time.Time }

// machineClock is the machine's own.
type machineClock struct{}

func (machineClock) Now() time.Time { return time.Now() }
