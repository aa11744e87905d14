package sqlite

import (
	"context"
	"database/sql"
	"fmt"
)

// write runs do in a transaction, once no other write of this store or of another process runs. It commits if do returns nil; do may run
// more than once and must not keep results of a run that failed.
func (s *Store) write(ctx context.Context, loose bool, do func(ctx context.Context, tx *sql.Conn) error) error {
	if ctx.Err() != nil {
		return busy(ctx)
	}
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return busy(ctx)
	}
	err := patiently(ctx, func() error {
		if err := s.intact(); err != nil {
			return err
		}
		if loose { // the log is written and not synced; the next commit syncs all before it
			const relax, restore = "PRAGMA synchronous = NORMAL", "PRAGMA synchronous = FULL"
			if _, err := s.writer.ExecContext(context.WithoutCancel(ctx), relax); err != nil {
				return err
			}
			defer func() { _, _ = s.writer.ExecContext(context.WithoutCancel(ctx), restore) }()
		}
		return transact(ctx, s.writer, do)
	})
	return s.Health.Report(err, unsavable(err))
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
