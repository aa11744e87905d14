package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tictactoe/internal/board"
	"tictactoe/internal/lease"
	"tictactoe/internal/match"
	"tictactoe/internal/player"
	"tictactoe/internal/policy"
	"tictactoe/internal/score"
	"tictactoe/internal/venue"
)

// Store is an open database. It is safe for concurrent use. Use [Open].
type Store struct {
	// Health, if set before the store is used, is called when saving begins to fail for everybody, with the reason, and
	// with nil when it works again. It is called by whoever saves, one at a time.
	Health func(err error)

	failing bool          // what Health was told; this and the next are of whoever has the turn
	failed  time.Time     // when saving failed last
	turn    chan struct{} // holds one token while somebody writes
	conn    *sql.Conn     // the one that writes
	writer  *sql.DB       // the owner of conn
	loose   *sql.Conn     // writes what a power cut may take, without waiting for the disk
	looser  *sql.DB       // the owner of loose
	reader  *sql.DB
}

var (
	_ match.Store = (*Store)(nil)
	_ board.Store = (*Store)(nil)
	_ score.Store = (*Store)(nil)

	_ player.Store = (*Store)(nil)
	_ policy.Store = (*Store)(nil)
	_ venue.Store  = (*Store)(nil)
	_ lease.Store  = (*Store)(nil)
)

// Close waits for the write in progress, moves the journal into the database file and closes it. The store must not be
// used afterwards.
func (s *Store) Close() error {
	s.turn <- struct{}{}
	defer func() { <-s.turn }()

	ctx := context.Background()
	// First: another connection would keep the journal in use.
	err := errors.Join(s.reader.Close(), s.loose.Close(), s.looser.Close())
	for _, last := range []string{"PRAGMA optimize", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		// Neither is needed: another process that has the file now will do it, or the next start.
		if _, failed := s.conn.ExecContext(ctx, last); failed != nil && !locked(failed) {
			err = errors.Join(err, fmt.Errorf("%s: %w", last, failed))
		}
	}
	return errors.Join(err, s.conn.Close(), s.writer.Close())
}

// write runs a transaction, alone among the writers of this store, and waits for those of other processes. It commits
// if do returns nil; do may run more than once and must not keep what it learnt in a run that failed.
func (s *Store) write(ctx context.Context, do func(ctx context.Context, tx *sql.Conn) error) error {
	return s.writeBy(ctx, s.conn, do)
}

// writeBy is write by a connection of one's choice.
func (s *Store) writeBy(ctx context.Context, conn *sql.Conn, do func(ctx context.Context, tx *sql.Conn) error) error {
	if ctx.Err() != nil {
		return busy(ctx)
	}
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return busy(ctx)
	}
	defer func() { <-s.turn }()
	err := patiently(ctx, func() error { return transact(ctx, conn, do) })
	unsaved := unsavable(err)
	if unsaved || err == nil {
		s.report(unsaved, err)
	}
	if unsaved {
		err = fmt.Errorf("%w: %w", match.ErrUnsaved, err)
	}
	return err
}

// calm is how long nothing may have failed for saving to work again: on a disk that is about full, some saves succeed.
const calm = time.Minute

// report tells of a change, and of nothing else.
func (s *Store) report(failing bool, err error) {
	if failing {
		s.failed = time.Now()
	} else if time.Since(s.failed) < calm {
		return
	}
	if s.failing != failing && s.Health != nil {
		s.Health(err)
	}
	s.failing = failing
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

// read runs queries that each see one state of the database; while somebody else locks the file, again until the context
// ends.
func (s *Store) read(ctx context.Context, do func(db querier) error) error {
	return patiently(ctx, func() error { return do(s.reader) })
}

// readTogether is read for several queries that must see the same state.
func (s *Store) readTogether(ctx context.Context, do func(db querier) error) error {
	return patiently(ctx, func() error {
		tx, err := s.reader.BeginTx(ctx, nil)
		if err != nil {
			return fmt.Errorf("begin: %w", err)
		}
		defer tx.Rollback() // it has written nothing
		return do(tx)
	})
}

// querier is what reads: the pool of readers, one of them in a transaction, or the writer in its transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// scanner is a row: the only one of a query, or the current one of several.
type scanner interface{ Scan(dest ...any) error }

// list reads all rows of a query. Those that make no sense are left out, and the error is about the first of them.
func list[T any](ctx context.Context, db querier, scan func(scanner) (T, error), query string, args ...any) ([]T, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []T
	var broken error
	for rows.Next() {
		v, err := scan(rows)
		switch {
		case errors.Is(err, match.ErrUnreadable):
			broken = cmp.Or(broken, err)
		case err != nil:
			return nil, err
		default:
			all = append(all, v)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return all, broken
}

// changed runs a statement and reports how many rows it changed.
func changed(ctx context.Context, tx *sql.Conn, statement string, args ...any) (int, error) {
	result, err := tx.ExecContext(ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	n, err := result.RowsAffected()
	return int(n), err
}
