package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"

	"tictactoe/internal/match"
	"tictactoe/store/internal/sqlstore"
)

// Store is an open database. It is safe for concurrent use. Use [Open].
type Store struct {
	*sqlstore.Store

	// Health is whether it can save. Its Tell is to be set, if at all, before the store is used.
	Health sqlstore.Health

	turn   chan struct{} // holds one token while somebody writes
	firm   writer        // waits for the disk
	loose  writer        // does not: a power cut may take what it wrote
	reader *sql.DB
	places []place               // of the files that commits are written to
	guard  *guard                // nil: nobody has asked for one; of whoever has the turn
	lost   atomic.Pointer[error] // what the guard has noticed

	examined bool
}

// Examined tells whether all of the file was looked at for damage when it was opened. A large one is not; then [Check] is
// what remains to be done.
func (s *Store) Examined() bool { return s.examined }

// Close waits for the write in progress, moves the journal into the database file and closes it. If that file was deleted
// or replaced meanwhile, a copy of it is put beside its place. One that was written over by something else is left as it is.
// The store must not be used afterwards.
func (s *Store) Close() error {
	s.turn <- struct{}{}
	defer func() { <-s.turn }()

	ctx := context.Background()
	defer s.guard.close()
	if s.overwritten() == nil && s.inPlace() == nil {
		if err := s.guard.look(ctx, s); errors.Is(err, errOverwritten) {
			_ = s.Health.Report(err, true)
		}
	}
	if s.overwritten() != nil {
		return nil // the connections end with the process: to close them would write the log into what is not ours any more
	}
	// First: another connection would keep the journal in use.
	err := errors.Join(s.rescueDisplaced(ctx), s.reader.Close(), s.loose.close())
	for _, last := range []string{"PRAGMA optimize", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		// Neither is needed: another process that has the file now will do it, or the next start.
		if _, failed := s.firm.conn.ExecContext(ctx, last); failed != nil && !locked(failed) {
			err = errors.Join(err, fmt.Errorf("%s: %w", last, failed))
		}
	}
	return errors.Join(err, s.firm.close())
}

// read reads, again while somebody else locks the file, until the context ends.
func (s *Store) read(ctx context.Context, do func() error) error {
	return patiently(ctx, func() error {
		err := s.overwritten()
		if err == nil {
			if err = do(); unsavable(err) {
				err = cmp.Or(s.suspect(ctx), err)
			}
		}
		if errors.Is(err, errOverwritten) {
			err = fmt.Errorf("%w: %w", match.ErrUnsaved, err)
		}
		return err
	})
}

// querier is what runs statements: a reader, in a transaction or outside of one, or the writer in its transaction.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}
