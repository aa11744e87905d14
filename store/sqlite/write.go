package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"tictactoe/internal/match"
)

// pen is a connection that writes, and those who wait for it.
type pen struct {
	db   *sql.DB   // the owner of conn
	conn *sql.Conn // of whoever has the turn

	mu      sync.Mutex
	waiting []*writing // those that nobody has begun to write
}

// writing is what somebody waits for to be written.
type writing struct {
	ctx  context.Context // how long they wait
	do   func(ctx context.Context, tx *sql.Conn) error
	err  error         // how it went
	done chan struct{} // closed when that is known
}

// write runs do in a transaction and waits for the writers of other processes. It commits if do returns nil; do may run
// more than once and must not keep what it learnt in a run that failed.
//
// Whoever has the turn writes for all who wait for it: the disk is synced once for all of them, and each learns how it
// went after that.
func (s *Store) write(ctx context.Context, do func(ctx context.Context, tx *sql.Conn) error) error {
	return s.writeBy(ctx, &s.firm, do)
}

// writeBy is write by a pen of one's choice. There is one turn for all: two connections would only wait for each other.
func (s *Store) writeBy(ctx context.Context, p *pen, do func(ctx context.Context, tx *sql.Conn) error) error {
	if ctx.Err() != nil {
		return busy(ctx)
	}
	w := &writing{ctx: ctx, do: do, done: make(chan struct{})}
	p.mu.Lock()
	p.waiting = append(p.waiting, w)
	p.mu.Unlock()
	select {
	case s.turn <- struct{}{}:
		s.writeFor(p, w)
		<-s.turn
	case <-w.done:
	case <-ctx.Done():
		if p.withdraw(w) {
			return busy(ctx)
		}
		<-w.done // it is being written, which takes a moment
	}
	return w.err
}

// withdraw reports whether nobody has begun to write w; now nobody will.
func (p *pen) withdraw(w *writing) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.Index(p.waiting, w)
	if i < 0 {
		return false
	}
	p.waiting = slices.Delete(p.waiting, i, i+1)
	return true
}

// take is all that waits.
func (p *pen) take() []*writing {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := p.waiting
	p.waiting = nil
	return all
}

// writeFor writes w and whatever waits with it for the same pen. The caller has the turn.
func (s *Store) writeFor(p *pen, w *writing) {
	select {
	case <-w.done:
		return // whoever had the turn before has written it
	default:
	}
	var all []*writing
	err := s.commit(w.ctx, p, func(ctx context.Context, tx *sql.Conn) error {
		all = append(all, p.take()...) // not before, for more may come while another process has the file
		return together(ctx, tx, all)
	})
	if err != nil && len(all) > 1 { // nothing was written, and it may have been the fault of one
		err = s.commit(w.ctx, p, func(ctx context.Context, tx *sql.Conn) error { return apart(ctx, tx, all) })
	}
	switch {
	case err == nil:
	case len(all) < 2:
		p.withdraw(w)
		w.err, all = err, []*writing{w}
	default:
		for _, w := range all {
			w.err = s.commit(w.ctx, p, w.run)
		}
	}
	for _, w := range all {
		unsaved := unsavable(w.err)
		if unsaved || w.err == nil {
			s.health.Report(unsaved, w.err, s.Health)
		}
		if unsaved {
			w.err = fmt.Errorf("%w: %w", match.ErrUnsaved, w.err)
		}
		close(w.done)
	}
}

// commit runs one transaction when no other process has the file, if that is still where it was and as it was written. The
// caller has the turn.
func (s *Store) commit(ctx context.Context, p *pen, do func(ctx context.Context, tx *sql.Conn) error) error {
	return patiently(ctx, func() error {
		err := s.overwritten()
		if err == nil {
			err = s.inPlace()
		}
		if err != nil {
			return err
		}
		err = transact(ctx, p.conn, func(ctx context.Context, tx *sql.Conn) error {
			if err := s.guard.lookBefore(ctx, s, p); err != nil {
				return err
			}
			return do(ctx, tx)
		})
		if err == nil {
			return s.guard.committed(ctx, s, p)
		}
		s.guard.release()
		if unsavable(err) {
			err = cmp.Or(s.guard.look(ctx, s), err)
		}
		return err
	})
}

// run is do. It may run on the goroutine of somebody else, who is not to suffer from its panic.
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

// apart runs all in one transaction, in which nothing is left of those that fail. The error says that the transaction as a whole
// is not to be committed. It costs more than together: SQLite copies each page that one changes.
func apart(ctx context.Context, tx *sql.Conn, all []*writing) error {
	for _, w := range all {
		if _, err := tx.ExecContext(ctx, "SAVEPOINT one"); err != nil {
			return err
		}
		if w.err = w.run(ctx, tx); w.err != nil {
			// This fails if SQLite has already undone more than w.
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

// transact runs one transaction. Its statements get a context that does not end: once begun, a transaction takes a
// moment, and one that was cut off would leave open whether it was committed.
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
