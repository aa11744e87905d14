package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
)

// writer is a connection that writes, and the writes that wait for it.
type writer struct {
	db   *sql.DB   // the owner of conn
	conn *sql.Conn // used by whoever has the turn

	mu      sync.Mutex
	waiting []*writing // writes that nobody has begun
}

// writing is a queued write and its result.
type writing struct {
	ctx  context.Context // bounds the wait for its turn
	do   func(ctx context.Context, tx *sql.Conn) error
	err  error         // the result, set before done is closed
	done chan struct{} // closed when it is committed or has failed
}

// write runs do in a transaction of that writer, and waits for writers of other processes. It commits if do returns nil; do may run more
// than once and must not keep results of a run that failed.
//
// All writers share one turn, because SQLite has one writer at a time. The goroutine that has the turn runs all writes that wait: the disk
// is synced once for all of them, and each caller gets its result after that.
func (s *Store) write(ctx context.Context, wr *writer, do func(ctx context.Context, tx *sql.Conn) error) error {
	if ctx.Err() != nil {
		return busy(ctx)
	}
	w := &writing{ctx: ctx, do: do, done: make(chan struct{})}
	wr.mu.Lock()
	wr.waiting = append(wr.waiting, w)
	wr.mu.Unlock()
	select {
	case s.turn <- struct{}{}:
		s.writeFor(wr, w)
		<-s.turn
	case <-w.done:
	case <-ctx.Done():
		if wr.withdraw(w) {
			return busy(ctx)
		}
		<-w.done // its transaction has begun, and takes a moment
	}
	return w.err
}

// withdraw removes w from the writes that wait. It reports false if the write has begun.
func (wr *writer) withdraw(w *writing) bool {
	wr.mu.Lock()
	defer wr.mu.Unlock()
	i := slices.Index(wr.waiting, w)
	if i < 0 {
		return false
	}
	wr.waiting = slices.Delete(wr.waiting, i, i+1)
	return true
}

// take removes and returns all writes that wait.
func (wr *writer) take() []*writing {
	wr.mu.Lock()
	defer wr.mu.Unlock()
	all := wr.waiting
	wr.waiting = nil
	return all
}

// writeFor runs w and all other writes that wait for the same writer. The caller has the turn.
func (s *Store) writeFor(wr *writer, w *writing) {
	select {
	case <-w.done:
		return // the goroutine that had the turn before has run it
	default:
	}
	var all []*writing
	err := s.commit(w.ctx, wr, func(ctx context.Context, tx *sql.Conn) error {
		all = append(all, wr.take()...) // not before, for more may come while another process has the file
		return together(ctx, tx, all)
	})
	if err != nil && len(all) > 1 { // nothing was written, and only one of them may have failed
		err = s.commit(w.ctx, wr, func(ctx context.Context, tx *sql.Conn) error { return apart(ctx, tx, all) })
	}
	switch {
	case err == nil:
	case len(all) < 2:
		wr.withdraw(w)
		w.err, all = err, []*writing{w}
	default:
		for _, w := range all {
			w.err = s.commit(w.ctx, wr, w.run)
		}
	}
	for _, w := range all {
		w.err = s.Health.Report(w.err, unsavable(w.err))
		close(w.done)
	}
}

// commit runs one transaction once no other process is writing. It fails if the files are not in their places any more, or were
// written over. The caller has the turn.
func (s *Store) commit(ctx context.Context, wr *writer, do func(ctx context.Context, tx *sql.Conn) error) error {
	return patiently(ctx, func() error {
		if err := s.intact(); err != nil {
			return err
		}
		return transact(ctx, wr.conn, do)
	})
}

// run calls do and turns a panic into an error: the goroutine may be that of another caller.
func (w *writing) run(ctx context.Context, tx *sql.Conn) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	return w.do(ctx, tx)
}

// together runs all in one transaction. The error is that of the first that fails.
func together(ctx context.Context, tx *sql.Conn, all []*writing) error {
	for _, w := range all {
		if w.err = w.run(ctx, tx); w.err != nil {
			return w.err
		}
	}
	return nil
}

// apart runs all in one transaction, and rolls back those that fail. An error means that the transaction as a whole must not be
// committed. It costs more than together: SQLite copies each page that a savepoint changes.
func apart(ctx context.Context, tx *sql.Conn, all []*writing) error {
	for _, w := range all {
		if _, err := tx.ExecContext(ctx, "SAVEPOINT one"); err != nil {
			return err
		}
		if w.err = w.run(ctx, tx); w.err != nil {
			// This fails if SQLite has rolled back the whole transaction by itself.
			if _, err := tx.ExecContext(ctx, "ROLLBACK TO one"); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, "RELEASE one"); err != nil {
			return err
		}
	}
	return nil
}

// transact runs one transaction. Its statements get a context that does not end: a transaction takes a moment, and if it were
// cut off, nobody would know whether it was committed.
func transact(ctx context.Context, conn *sql.Conn, do func(ctx context.Context, tx *sql.Conn) error) error {
	ctx = context.WithoutCancel(ctx)
	// IMMEDIATE takes the write lock before the first read, so that no later statement finds its snapshot outdated.
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	committed := false
	defer func() {
		if committed {
			return
		}
		// Also after a failed COMMIT and in a panic. It fails only if SQLite has rolled back by itself.
		_, _ = conn.ExecContext(ctx, "ROLLBACK")
	}()
	if err := do(ctx, conn); err != nil {
		return err
	}
	if _, err := conn.ExecContext(ctx, "COMMIT"); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	committed = true
	return nil
}
