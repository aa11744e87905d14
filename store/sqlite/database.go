package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"tictactoe/store/internal/column"
	"tictactoe/store/internal/sqlstore"
)

// database implements [sqlstore.Database].
type database struct{ *Store }

// Read implements sqlstore.Database.
func (d database) Read(ctx context.Context, do func(ctx context.Context, tx sqlstore.Tx) error) error {
	return d.read(ctx, func() error {
		conn, err := d.reader.Conn(ctx)
		if err != nil {
			return err
		}
		defer conn.Close()
		// The context must not end: for a statement that can be cut off, database/sql starts a goroutine, which takes longer than a
		// usual query.
		return do(context.WithoutCancel(ctx), &tx{querier: conn})
	})
}

// ReadTogether implements sqlstore.Database.
func (d database) ReadTogether(ctx context.Context, do func(ctx context.Context, tx sqlstore.Tx) error) error {
	return d.read(ctx, func() error {
		one, err := d.reader.BeginTx(ctx, nil)
		if err != nil {
			return fmt.Errorf("begin: %w", err)
		}
		defer one.Rollback() // the transaction has written nothing
		t := &tx{querier: one, ctx: ctx}
		return t.run(do)
	})
}

// Write implements sqlstore.Database.
func (d database) Write(ctx context.Context, kind sqlstore.Kind, do func(ctx context.Context, tx sqlstore.Tx) error) error {
	return d.write(ctx, func(ctx context.Context, conn *sql.Conn) error {
		t := &tx{querier: conn, ctx: ctx}
		if kind.Bulk {
			if _, err := conn.ExecContext(ctx, forBulk); err != nil {
				return err
			}
			defer func() { _, _ = conn.ExecContext(ctx, asUsual) }() // these settings cannot fail
		}
		return t.run(do)
	})
}

// The settings of a connection while it changes millions of rows, and its normal settings. For many rows it keeps more pages in memory
// (in KiB; 2,000 is SQLite's default), because a page that does not fit is written to the log after each of its changes. It does not
// evaluate CHECK constraints: rows that are computed from stored rows satisfy them, and SQLite builds a table in memory for each list
// in them, for every row.
const (
	forBulk = "PRAGMA cache_size = -65536; PRAGMA ignore_check_constraints = ON"
	asUsual = "PRAGMA cache_size = -2000; PRAGMA ignore_check_constraints = OFF"
)

// Take implements sqlstore.Database.
func (d database) Take(ctx context.Context, do func(ctx context.Context, tx sqlstore.Tx) error) error {
	return d.Read(ctx, do)
}

// newTx returns a tx that reads over a connection that does not belong to a store.
func newTx(ctx context.Context, conn *sql.Conn) *tx {
	return &tx{querier: conn, ctx: ctx}
}

// tx runs statements on a connection. It runs queued statements immediately: SQLite has no round trips to save.
type tx struct {
	querier
	ctx    context.Context // for queued statements
	failed error           // the first statement of the queue that failed
}

// run calls do and returns its error, or the error of a queued statement.
func (t *tx) run(do func(ctx context.Context, tx sqlstore.Tx) error) error {
	if err := do(t.ctx, t); err != nil {
		return err
	}
	return t.failed
}

// Row implements sqlstore.Tx.
func (t *tx) Row(ctx context.Context, query string, args ...any) column.Row {
	if t.failed != nil {
		return column.FailedRow{Err: t.failed}
	}
	query, args = sqlstore.SQLite.Statement(query, args)
	return t.QueryRowContext(ctx, query, args...)
}

// Each implements sqlstore.Tx.
func (t *tx) Each(ctx context.Context, do func(column.Row) error, query string, args ...any) error {
	if t.failed != nil {
		return t.failed
	}
	query, args = sqlstore.SQLite.Statement(query, args)
	rows, err := t.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := do(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Exec implements sqlstore.Tx.
func (t *tx) Exec(ctx context.Context, statement string, args ...any) (int, error) {
	if t.failed != nil {
		return 0, t.failed
	}
	statement, args = sqlstore.SQLite.Statement(statement, args)
	result, err := t.ExecContext(ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	n, err := result.RowsAffected()
	return int(n), err
}

// Queue implements sqlstore.Tx.
func (t *tx) Queue(o sqlstore.Outcome, statement string, args ...any) {
	if t.failed == nil && sqlstore.SQLite.Text(statement) != "" {
		t.failed = o.Of(t.Exec(t.ctx, statement, args...))
	}
}

// Flush implements sqlstore.Tx.
func (t *tx) Flush(context.Context) error { return t.failed }

// Lock implements sqlstore.Tx. It does nothing, because SQLite has only one writer.
func (t *tx) Lock(...sqlstore.Lock) {}
