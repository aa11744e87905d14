package bot

import "time"

// A duplicate follows its original within moments; both bounds are generous.
const (
	seenFor   = 5 * time.Minute
	seenLimit = 8192
)

// seen remembers ids for seenFor at least, unless more than seenLimit come, and twice that at most.
type seen struct {
	current, previous map[string]struct{}
	since             time.Time
}

// add reports whether the id is new.
func (s *seen) add(id string) bool {
	if now := time.Now(); s.current == nil || len(s.current) >= seenLimit || now.Sub(s.since) > seenFor {
		s.current, s.previous, s.since = make(map[string]struct{}), s.current, now
	}
	_, now := s.current[id]
	_, before := s.previous[id]
	s.current[id] = struct{}{}
	return !now && !before
}
