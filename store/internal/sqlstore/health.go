package sqlstore

import (
	"sync"
	"time"
)

// calm is how long nothing may have failed for saving to work again: on a disk that is about full, some saves succeed.
const calm = time.Minute

// Health is whether a store can save. It is safe for concurrent use.
type Health struct {
	mu      sync.Mutex
	failing bool      // what was told
	failed  time.Time // when saving failed last
}

// Report records whether a save failed for a reason that affects all saves. It calls tell only if that has changed.
func (h *Health) Report(failing bool, err error, tell func(err error)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if failing {
		h.failed = time.Now()
	} else if !h.failing || time.Since(h.failed) < calm {
		return
	}
	if h.failing != failing && tell != nil {
		tell(err)
	}
	h.failing = failing
}
