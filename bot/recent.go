package bot

import "time"

// recent remembers values by their keys for a while. The zero value is ready for use.
type recent[V any] struct {
	current, previous map[string]V
	since             time.Time
}

// get returns what is remembered of a key. What is put in current now is remembered for that long at least, unless more than size
// come, and twice that at most.
func (r *recent[V]) get(key string, keep time.Duration, size int) (value V, known bool) {
	if now := time.Now(); r.current == nil || len(r.current) >= size || now.Sub(r.since) > keep {
		r.current, r.previous, r.since = make(map[string]V), r.current, now
	}
	if value, known = r.current[key]; !known {
		value, known = r.previous[key]
	}
	return value, known
}
