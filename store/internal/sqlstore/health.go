package sqlstore

import (
	"fmt"
	"sync"
	"time"

	"tictactoe/internal/match"
)

// calm is how long no save may have failed before saving counts as working again: on a disk that is about full, some succeed.
const calm = time.Minute

// Health is whether a store can save. It is safe for concurrent use.
type Health struct {
	// Tell, if set before the store is used, is called when saving begins to fail for everybody, with the reason, and
	// with nil when it works again. The goroutine that saves calls it, one at a time.
	Tell func(err error)

	mu      sync.Mutex
	failing bool      // as was told last
	failed  time.Time // when saving failed last
}

// Report notes how a save went, and returns its error: one that wraps [match.ErrUnsaved] if it is unsavable, so that no save can succeed.
func (h *Health) Report(err error, unsavable bool) error {
	if err != nil && !unsavable {
		return err // it has to do with that save alone
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
