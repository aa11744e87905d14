package sqlstore

import (
	"fmt"
	"sync"
	"time"

	"tictactoe/internal/match"
)

// calm is the time without a failed save after which saving counts as working again: on a nearly full disk, some saves succeed.
const calm = time.Minute

// Health tracks whether a store can save. It is safe for concurrent use.
type Health struct {
	// Tell, if set before the store is used, is called with the reason when all saves begin to fail, and with nil when saving works
	// again. The goroutine that saves calls Tell; calls do not overlap.
	Tell func(err error)

	mu      sync.Mutex
	failing bool      // whether the latest call of Tell had an error
	failed  time.Time // when saving failed last
}

// Report records the result of a save, and returns its error. The error wraps [match.ErrUnsaved] if unsavable is true, which means that
// no save can succeed.
func (h *Health) Report(err error, unsavable bool) error {
	if err != nil && !unsavable {
		return err // the error concerns only this save
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if unsavable {
		h.failed = time.Now()
	}
	if h.failing != unsavable && (unsavable || time.Since(h.failed) >= calm) {
		h.failing = unsavable
		if h.Tell != nil {
			h.Tell(err)
		}
	}
	if unsavable {
		err = fmt.Errorf("%w: %w", match.ErrUnsaved, err)
	}
	return err
}
