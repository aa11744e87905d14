package sqlstore

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
)

// Store implements the interfaces of the core on a database. The store of each kind of database embeds it, and
// replaces the methods that have more to do there. Use [New].
type Store struct {
	db  Database
	id  string     // identifies this store as a holder of deadlines
	key column.Key // see UseKey
}

// New returns a store on a database.
func New(db Database) *Store { return &Store{db: db, id: rand.Text()} }

// Database runs the transactions of a store. It repeats a transaction that fails for a temporary reason. So its methods may call the
// function do more than once, and that function must not keep results of a failed call.
type Database interface {
	// Read calls the function do. Each of its queries sees one state of the database.
	Read(ctx context.Context, do func(ctx context.Context, tx Tx) error) error
	// ReadTogether is like Read, but all queries of do see the same state.
	ReadTogether(ctx context.Context, do func(ctx context.Context, tx Tx) error) error
	// Write calls do in a transaction, which it commits if do returns nil and no queued statement has failed.
	Write(ctx context.Context, kind Kind, do func(ctx context.Context, tx Tx) error) error
	// Take calls do as Write does if several bots share the database, so that no two bots take the same row. If the database has one
	// bot, it calls do as Read does.
	Take(ctx context.Context, do func(ctx context.Context, tx Tx) error) error
	// See records the time up to which a bot has heard the players of a partition: it has handled everything that they did before. Unless
	// back is set, the recorded time never goes back.
	See(ctx context.Context, tx Tx, seen match.Seen, back bool) error
	// OthersPresent reports whether another bot hears the players of a partition now. The argument last is the latest time at which any
	// bot heard them.
	OthersPresent(ctx context.Context, tx Tx, p match.Partition, last, now time.Time) (bool, error)
	// Arrive tells other bots that this bot hears the players of a partition.
	Arrive(ctx context.Context, p match.Partition) error
}

// Kind holds the properties of a transaction that a database has to know before it begins.
type Kind struct {
	Locks []Lock // the transaction takes these locks first
	Long  bool   // the transaction changes the rows of many players, and no player waits for it
	Bulk  bool   // the transaction may change millions of rows, all computed from stored rows: constraints need no check, and memory matters little
	// Save, if set, holds everything that the transaction writes. After a COMMIT without an answer, the store compares it with the
	// stored rows.
	Save *match.Save
}

// Tx runs statements, inside or outside of a transaction. A statement that is only for the other database must not be run; Queue
// ignores it.
type Tx interface {
	// Row returns the only row of a query. Its Scan returns [sql.ErrNoRows] if the query has no row.
	Row(ctx context.Context, query string, args ...any) column.Row
	// Each calls do with every row of a query, without keeping them.
	Each(ctx context.Context, do func(column.Row) error, query string, args ...any) error
	// Exec runs a statement and reports how many rows it changed.
	Exec(ctx context.Context, statement string, args ...any) (changed int, err error)
	// Queue runs a statement at the latest with the next statement whose answer is needed. If the queued statement fails, the next
	// statement and the transaction fail with its error.
	Queue(o Outcome, statement string, args ...any)
	// Flush runs the queued statements, and returns the error of the first that fails.
	Flush(ctx context.Context) error
	// Lock takes further locks, after the locks of the transaction's [Kind].
	Lock(locks ...Lock)
}

// carryOut runs one statement in a transaction.
func (s *Store) carryOut(ctx context.Context, kind Kind, o Outcome, statement string, args ...any) error {
	return s.db.Write(ctx, kind, func(_ context.Context, tx Tx) error {
		tx.Queue(o, statement, args...)
		return nil
	})
}

// readRow reads the only row of a query. The error is [match.ErrNotFound] if the query has no row.
func readRow[T any](
	ctx context.Context, db Database, o Outcome, scan func(column.Row) (T, error), query string, args ...any,
) (v T, err error) {
	err = db.Read(ctx, func(ctx context.Context, tx Tx) error {
		v, err = scan(tx.Row(ctx, query, args...))
		return err
	})
	if errors.Is(err, sql.ErrNoRows) {
		err = match.ErrNotFound
	}
	if err != nil {
		return *new(T), o.Wrap(err)
	}
	return v, nil
}

// readOptionalRow is like readRow, but returns the zero value if the query has no row.
func readOptionalRow[T any](
	ctx context.Context, db Database, o Outcome, scan func(column.Row) (T, error), query string, args ...any,
) (T, error) {
	v, err := readRow(ctx, db, o, scan, query, args...)
	if errors.Is(err, match.ErrNotFound) {
		err = nil
	}
	return v, err
}

// readSnapshot returns the result of read, whose queries all see the same state of the database. With an error it returns the readable
// part.
func readSnapshot[T any](ctx context.Context, db Database, o Outcome, read func(ctx context.Context, tx Tx) (T, error)) (v T, err error) {
	err = db.ReadTogether(ctx, func(ctx context.Context, tx Tx) error {
		v, err = read(ctx, tx)
		return err
	})
	return v, o.Wrap(err)
}

// writeResult runs write in a transaction and returns its result.
func writeResult[T any](
	ctx context.Context, db Database, kind Kind, o Outcome, write func(ctx context.Context, tx Tx) (T, error),
) (v T, err error) {
	err = db.Write(ctx, kind, func(ctx context.Context, tx Tx) error {
		v, err = write(ctx, tx)
		return err
	})
	if err != nil {
		return *new(T), o.Wrap(err)
	}
	return v, nil
}

// readRows reads all rows of a query. It leaves out unreadable rows, and returns the error of the first of them.
func readRows[T any](
	ctx context.Context, db Database, o Outcome, scan func(column.Row) (T, error), query string, args ...any,
) (vs []T, err error) {
	err = db.Read(ctx, func(ctx context.Context, tx Tx) error {
		vs, err = ScanRows(ctx, tx, scan, query, args...)
		return err
	})
	return vs, o.Wrap(err)
}

// ScanRows reads all rows of a query in a transaction. It leaves out unreadable rows, and returns the error of the first of them.
func ScanRows[T any](ctx context.Context, tx Tx, scan func(column.Row) (T, error), query string, args ...any) ([]T, error) {
	var vs []T
	var broken error
	err := tx.Each(ctx, func(r column.Row) error {
		v, err := scan(r)
		switch {
		case errors.Is(err, match.ErrUnreadable):
			broken = cmp.Or(broken, err)
			return nil
		case err == nil:
			vs = append(vs, v)
		}
		return err
	}, query, args...)
	if err != nil {
		return nil, err
	}
	return vs, broken
}

// optional takes the results of a scan and reports whether the query had a row: for [sql.ErrNoRows] it returns the zero value, false
// and no error.
func optional[T any](v T, err error) (T, bool, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return *new(T), false, nil
	}
	return v, err == nil, err
}

// Value reads the only column of a row.
func Value[T any](r column.Row) (v T, err error) {
	err = r.Scan(&v)
	return v, err
}

// scanTime reads a row whose only column is a time.
func scanTime(r column.Row) (t time.Time, err error) {
	err = r.Scan((*column.Time)(&t))
	return t, err
}

// Reading returns a read-only store that runs all queries in one transaction.
func Reading(tx Tx) *Store { return New(oneTx{tx: tx}) }

// oneTx is the database of a read-only store. It implements only the methods that read.
type oneTx struct {
	Database
	tx Tx
}

// Read implements Database.
func (d oneTx) Read(ctx context.Context, do func(ctx context.Context, tx Tx) error) error {
	return do(ctx, d.tx)
}

// ReadTogether implements Database.
func (d oneTx) ReadTogether(ctx context.Context, do func(ctx context.Context, tx Tx) error) error {
	if err := do(ctx, d.tx); err != nil {
		return err
	}
	return d.tx.Flush(ctx)
}

// Outcome turns the result of a statement into an error.
type Outcome struct {
	format string // names, with args, the action of the statement; formatted only for an error
	args   []any
	nobody error // the error if the statement changes no row; nil if that is not an error
}

// Named returns an outcome whose errors name the action.
func Named(format string, args ...any) Outcome { return Outcome{format: format, args: args} }

// Or returns the outcome of a statement that has to change a row. If the statement changes none, the error is nobody.
func (o Outcome) Or(nobody error) Outcome {
	o.nobody = nobody
	return o
}

// MustChange reports whether the statement has to change a row.
func (o Outcome) MustChange() bool { return o.nobody != nil }

// Of returns the error of a statement that has changed the given number of rows.
func (o Outcome) Of(changed int, err error) error {
	if err == nil && changed == 0 {
		err = o.nobody
	}
	return o.Wrap(err)
}

// Wrap adds the name of the action to an error. It returns nil for nil.
func (o Outcome) Wrap(err error) error {
	if err != nil {
		err = fmt.Errorf("%s: %w", fmt.Sprintf(o.format, o.args...), err)
	}
	return err
}
