package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/mattn/go-sqlite3"

	"tictactoe/internal/match"
	"tictactoe/store/internal/sqlstore"
)

// Store is an open database. It is safe for concurrent use. Use [Open].
type Store struct {
	*sqlstore.Store

	// Health tracks whether the store can save. Its Tell must be set before the store is used.
	Health sqlstore.Health

	turn   chan struct{} // holds one token while a write runs
	queue  queue         // writes that wait for the turn
	owner  *sql.DB       // the connection of the writer
	writer *sql.Conn     // used by the goroutine that has the turn
	reader *sql.DB
	guard  *guard                // checked by the goroutine that has the turn
	lost   atomic.Pointer[error] // set once another program has written over the file: nothing is saved or read any more

	examined bool
	recalled Recalled

	record    string     // the path of the record of erasures; empty if the store keeps no record
	recording sync.Mutex // held while the record is written

	scrubbing sync.WaitGroup
	closing   context.Context // ends when the store is closed
	stop      context.CancelFunc
}

// Examined reports whether Open checked the whole file for damage. Open does not check the whole of a large file, but [Check] does.
func (s *Store) Examined() bool { return s.examined }

// Close waits for the write in progress, moves the log into the database file and closes the file. It does not change a file that
// another program has overwritten. The store must not be used afterwards.
func (s *Store) Close() error {
	s.stop()
	s.scrubbing.Wait()
	s.turn <- struct{}{}
	defer func() { <-s.turn }()

	if err := s.intact(); errors.Is(err, errOverwritten) {
		_ = s.Health.Report(err, true)
		return nil // closing the connections would write the log into the file; they end with the process
	}
	// The readers close first, because any other connection would keep the log in use.
	err := s.reader.Close()
	for _, last := range []string{"PRAGMA optimize", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		// Neither statement is needed: another process that has the file open, or the next start, will do the
		// same.
		if _, failed := s.writer.ExecContext(context.Background(), last); failed != nil && !locked(failed) {
			err = errors.Join(err, fmt.Errorf("%s: %w", last, failed))
		}
	}
	return errors.Join(err, s.writer.Close(), s.owner.Close(), s.guard.file.Close())
}

// intact returns an error if the files have been replaced or overwritten, so that nothing can be saved in them. The caller has the
// turn.
func (s *Store) intact() error {
	if lost := s.lost.Load(); lost != nil {
		return *lost
	}
	err := s.guard.check()
	if errors.Is(err, errOverwritten) {
		s.lost.Store(&err)
	}
	return err
}

// read calls do, and calls it again while another process has locked the file, until ctx ends.
func (s *Store) read(ctx context.Context, do func() error) error {
	if lost := s.lost.Load(); lost != nil {
		return fmt.Errorf("%w: %w", match.ErrUnsaved, *lost)
	}
	err := patiently(ctx, do)
	if failedBy(err, sqlite3.ErrNotADB) { // the guard, which looks before writes, has not seen it yet
		lost := fmt.Errorf("%s %w", s.guard.file.Name(), errOverwritten)
		s.lost.Store(&lost)
		err = s.Health.Report(lost, true)
	}
	return err
}

// querier runs statements: it is a reader, inside or outside of a transaction, or the writer in its transaction.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}
