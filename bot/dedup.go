package bot

import "time"

// A duplicate follows its original within moments; both bounds are generous.
const (
	dedupFor   = 5 * time.Minute
	dedupLimit = 8192
)

// dedup tells interactions that are delivered again from new ones. It remembers their ids for dedupFor at least, unless more
// than dedupLimit come, and twice that at most.
type dedup struct {
	current, previous map[string]struct{}
	since             time.Time
}

// add reports whether the id is new.
func (d *dedup) add(id string) bool {
	if now := time.Now(); d.current == nil || len(d.current) >= dedupLimit || now.Sub(d.since) > dedupFor {
		d.current, d.previous, d.since = make(map[string]struct{}), d.current, now
	}
	_, now := d.current[id]
	_, before := d.previous[id]
	d.current[id] = struct{}{}
	return !now && !before
}
