package bot

import "time"

// recent remembers values by their keys for a while. The zero value is ready for use.
type recent[V any] struct {
	current, previous map[string]V
	since             time.Time
}

// get returns the value remembered for key. A value put into current is remembered for at least keep, or until size others have
// followed. get rotates the two generations, at most once per keep unless size is reached, so call it before writing to current. The second
// rotation after a value was put forgets it.
func (r *recent[V]) get(key string, keep time.Duration, size int) (value V, known bool) {
	if now := time.Now(); r.current == nil || len(r.current) >= size || now.Sub(r.since) > keep {
		r.current, r.previous, r.since = make(map[string]V), r.current, now
	}
	if value, known = r.current[key]; !known {
		value, known = r.previous[key]
	}
	return value, known
}
