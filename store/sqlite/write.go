package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
)

// queue holds the writes that wait for the turn.
type queue struct {
	mu      sync.Mutex
	waiting []*writing
}

// writing is a queued write and its result.
type writing struct {
	ctx  context.Context // bounds the wait for the turn
	do   func(ctx context.Context, tx *sql.Conn) error
	err  error         // the result, set before done is closed
	done chan struct{} // closed when the write is committed or has failed
}

// write calls do in a transaction, once no other write of this store or of another process runs. It commits if do returns nil. It may
// call do more than once, so the function must not keep results of a run that failed.
//
// The goroutine that has the turn runs all writes that wait: the disk is synced once for all of them, and each caller gets its result
// after that.
func (s *Store) write(ctx context.Context, do func(ctx context.Context, tx *sql.Conn) error) error {
	if ctx.Err() != nil {
		return busy(ctx)
	}
	w := &writing{ctx: ctx, do: do, done: make(chan struct{})}
	s.queue.add(w)
	select {
	case s.turn <- struct{}{}:
		s.writeFor(w)
		<-s.turn
	case <-w.done:
	case <-ctx.Done():
		if s.queue.withdraw(w) {
			return busy(ctx)
		}
		<-w.done // the transaction has begun and will end soon
	}
	return w.err
}

func (q *queue) add(w *writing) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, w)
}

// withdraw removes w from the writes that wait. It reports false if the write has begun.
func (q *queue) withdraw(w *writing) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.waiting, w)
	if i < 0 {
		return false
	}
	q.waiting = slices.Delete(q.waiting, i, i+1)
	return true
}

// take removes and returns the writes that wait.
func (q *queue) take() []*writing {
	q.mu.Lock()
	defer q.mu.Unlock()
	taken := q.waiting
	q.waiting = nil
	return taken
}

// writeFor runs w and all other waiting writes in one transaction. If the transaction fails, perhaps because of only one of the
// writes, each write is run again in a separate transaction. The caller has the turn.
func (s *Store) writeFor(w *writing) {
	select {
	case <-w.done:
		return // the goroutine that had the turn before has run w
	default:
	}
	var all []*writing
	err := s.commit(w, func(ctx context.Context, tx *sql.Conn) error {
		all = append(all, s.queue.take()...) // not earlier: while another process locks the file, waiting writes may be withdrawn
		for _, w := range all {
			if err := w.run(ctx, tx); err != nil {
				return err
			}
		}
		return nil
	})
	if len(all) == 0 { // the transaction has not begun
		s.queue.withdraw(w)
		all = []*writing{w}
	}
	for _, each := range all {
		each.err = err
		if err != nil && len(all) > 1 {
			each.err = s.commit(each, each.run)
		}
		each.err = s.Health.Report(each.err, unsavable(each.err))
		close(each.done)
	}
}

// commit calls do in a transaction. It waits for other processes until the context of w ends.
func (s *Store) commit(w *writing, do func(ctx context.Context, tx *sql.Conn) error) error {
	return patiently(w.ctx, func() error {
		if err := s.intact(); err != nil {
			return err
		}
		return transact(w.ctx, s.writer, do)
	})
}

// run calls do and turns a panic into an error: the goroutine may belong to another caller.
func (w *writing) run(ctx context.Context, tx *sql.Conn) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	return w.do(ctx, tx)
}

// transact runs one transaction. Its statements get a context that does not end: a transaction takes a moment, and if it were
// cut off, it would be unknown whether it was committed.
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
		// The transaction is also rolled back after a failed COMMIT and in a panic. ROLLBACK fails only if SQLite has rolled back by
		// itself.
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
