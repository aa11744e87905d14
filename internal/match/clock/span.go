package clock

import "time"

// RecordInterval is how often presence (the time up to which players were heard) is recorded. A killed process leaves
// at most this much unrecorded, and the players are credited for it.
const RecordInterval = 5 * time.Second

// Span is the time since a process was last known to receive what players do, as one process sees it.
type Span struct {
	From time.Time // the date up to which players were heard, as far as this process knows
	To   time.Time // the date now
	// Counts reports whether players were heard throughout the span and their actions could be saved.
	Counts bool
	// Ran is the time that counts: the elapsed time if Counts, else zero. It is less than To−From if the clock was set forward,
	// the machine slept or the process was stopped.
	Ran time.Duration
}

// Until returns the span from one reading to another.
func Until(from, to Reading, counts bool) Span {
	s := Span{From: from.Date, To: to.Date, Counts: counts}
	if counts {
		s.Ran = to.Since(from)
	}
	return s
}

// Missed returns how much of the span does not count for the players. It is negative if the clock was set back.
func (s Span) Missed() time.Duration { return s.To.Sub(s.From) - s.Ran }

// Heard returns To − Ran: the date from which time counts once Missed has been credited.
func (s Span) Heard() time.Time { return s.To.Add(-s.Ran) }

// Leaps reports whether the change of the date and the elapsed time differ by more than Leap.
func (s Span) Leaps() bool { return s.Missed().Abs() > Leap }

// Credit is the only rule for time: time in which the players could not be heard, or in which nothing they did could be
// saved, does not count. It returns a date and a duration: every deadline later than the date is moved by the duration.
//
// Several processes may hear the same players, one after the other or at once. They share the date recorded, up to which any of them heard
// the players. The first process that finds out about missed time credits it. The argument others reports whether another process hears the
// players now. Where it is unknown what another process did, the rule favours the players.
func (s Span) Credit(recorded time.Time, others bool) (from time.Time, by time.Duration) {
	ahead := time.Duration(0) // how far recorded is beyond From; nonzero only if another process has recorded it
	if !recorded.IsZero() {
		ahead = recorded.Truncate(time.Millisecond).Sub(s.From.Truncate(time.Millisecond)) // stores keep milliseconds
	}
	switch newDate, oldDate := s.To, s.To.Add(-s.Missed()); {
	case !s.Counts && others:
		return s.From, 0
	case !s.Counts && (ahead < 0 || ahead > RecordInterval+Leap):
		return recorded, s.To.Sub(recorded) // another process had to credit the time missed before recorded
	case s.Counts && ahead != 0 && newDate.Sub(recorded).Abs() < oldDate.Sub(recorded).Abs():
		return s.From, 0 // recorded is by the new date, so another process has already credited the jump
	}
	return s.From, s.Missed()
}
