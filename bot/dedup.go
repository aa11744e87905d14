package bot

import "time"

// A duplicate follows its original within moments; both bounds are generous.
const (
	dedupFor   = 5 * time.Minute
	dedupLimit = 8192
)

// dedup tells interactions that are delivered again from new ones.
type dedup struct{ ids recent[struct{}] }

// add reports whether the id is new.
func (d *dedup) add(id string) bool {
	_, known := d.ids.get(id, dedupFor, dedupLimit)
	d.ids.current[id] = struct{}{}
	return !known
}
