package match

import "time"

// Passing replaces how the scheduler knows how much time has passed between two readings of its clock. It is the reading of
// the monotonic clock that a time.Time holds, but those of a bubble hold none.
func (s *Scheduler) Passing(passed func(from, to time.Time) time.Duration) { s.passed = passed }
