package clock

import "time"

// Record is how often it is recorded that players are heard. What a killed process cannot record any more is at most this
// much, and is credited to the players.
const Record = 5 * time.Second

// Span is the time since players were last known to be heard, as one process sees it.
type Span struct {
	From time.Time // the date up to which players were heard, as this process knows it
	To   time.Time // the date now
	// Counts is whether players were heard in between, and what they did could be saved. Then Ran is what counts, which is
	// less than from date to date if the clock was set forward, the machine was asleep or the process was stopped.
	Counts bool
	Ran    time.Duration
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

// Heard returns the date up to which players were heard, by the clock as it is now.
func (s Span) Heard() time.Time { return s.To.Add(-s.Ran) }

// Leaps tells whether the date moved by more than a steered clock does.
func (s Span) Leaps() bool { return s.Missed().Abs() > Leap }

// Credit is the one rule for time: time in which the players could not be heard, or nothing of what they did be saved, does
// not count. It returns by how much every deadline after from is moved.
//
// Several processes may hear the same players, one after the other or at once. They share the recorded date, up to which any of
// them heard the players, and the first of them to find out about time that was missed credits it. Others tells whether
// another process hears them now. Where it cannot be known what another process did, the players gain.
func (s Span) Credit(recorded time.Time, others bool) (from time.Time, by time.Duration) {
	ahead := time.Duration(0) // of what this process has recorded itself
	if !recorded.IsZero() {
		ahead = recorded.Truncate(time.Millisecond).Sub(s.From.Truncate(time.Millisecond)) // stores keep milliseconds
	}
	switch newDate, oldDate := s.To, s.To.Add(-s.Missed()); {
	case !s.Counts && others:
		return s.From, 0
	case !s.Counts && (ahead < 0 || ahead > Record+Leap):
		return recorded, s.To.Sub(recorded) // what was missed until then was for another process to credit
	case s.Counts && ahead != 0 && newDate.Sub(recorded).Abs() < oldDate.Sub(recorded).Abs():
		return s.From, 0 // what is recorded is by the new date, so another process has credited the jump already
	}
	return s.From, s.Missed()
}
