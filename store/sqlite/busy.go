package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mattn/go-sqlite3"

	"tictactoe/internal/match"
)

// The caller's context limits how long the store waits for a lock, see [patiently]. SQLite ignores the context while it waits. So SQLite
// waits only for a short busyTimeout, and the store pauses between attempts, briefly at first, then longer.
const (
	busyTimeout  = time.Millisecond
	firstPause   = time.Millisecond
	longestPause = 25 * time.Millisecond
)

// patiently repeats an attempt that fails because another process has locked the file, until the context ends; the error
// then wraps [match.ErrBusy], also if the context cut the attempt off.
func patiently(ctx context.Context, attempt func() error) error {
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		err := attempt()
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil && (locked(err) || cutOff(err)):
			return busy(ctx)
		case !locked(err):
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return busy(ctx)
		}
	}
}

// busy returns the error of a store that could not answer before the context ended.
func busy(ctx context.Context) error { return fmt.Errorf("%w: %w", match.ErrBusy, context.Cause(ctx)) }

// failedBy reports whether a statement failed with one of the given result codes of SQLite.
func failedBy(err error, results ...sqlite3.ErrNo) bool {
	var e sqlite3.Error
	return errors.As(err, &e) && slices.Contains(results, e.Code)
}

// locked reports whether a statement failed only because another process has locked the file.
func locked(err error) bool { return failedBy(err, sqlite3.ErrBusy, sqlite3.ErrLocked) }

// unsavable reports whether a statement failed for a reason other than the statement: the disk is full or broken, or the
// file cannot be written any more or is not where it was.
func unsavable(err error) bool {
	return errors.Is(err, errDisplaced) || errors.Is(err, errOverwritten) || failedBy(err,
		sqlite3.ErrFull, sqlite3.ErrIoErr, sqlite3.ErrReadonly, sqlite3.ErrCantOpen, sqlite3.ErrCorrupt, sqlite3.ErrNotADB)
}

// cutOff reports whether a statement failed because its context ended.
func cutOff(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || failedBy(err, sqlite3.ErrInterrupt)
}
