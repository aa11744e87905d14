package postgres

import (
	"cmp"
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tictactoe/store/internal/column"
	"tictactoe/store/internal/sqlstore"
)

// db runs statements, in a transaction or outside of one. It sends queued statements together with the next statement whose answer is
// needed.
type db struct {
	conn interface {
		SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
	}
	queued *pgx.Batch
}

// Queue implements sqlstore.Tx.
func (d db) Queue(o sqlstore.Outcome, statement string, args ...any) {
	statement, args = sqlstore.Postgres.Statement(statement, args)
	if statement == "" {
		return // the statement is for the other database
	}
	d.queued.Queue(statement, args...).Fn = func(answers pgx.BatchResults) error {
		tag, err := answers.Exec()
		return o.Of(int(tag.RowsAffected()), err)
	}
}

// Flush implements sqlstore.Tx.
func (d db) Flush(ctx context.Context) error {
	if d.queued.Len() == 0 {
		return nil
	}
	sent := *d.queued
	*d.queued = pgx.Batch{}
	return d.conn.SendBatch(ctx, &sent).Close()
}

// Row implements sqlstore.Tx.
func (d db) Row(ctx context.Context, query string, args ...any) column.Row {
	query, args = sqlstore.Postgres.Statement(query, args)
	return row(func(dest ...any) (err error) {
		// An error of the callback would have pgx prepare the statements again, even if the query only has no row.
		d.queued.Queue(query, args...).QueryRow(func(r pgx.Row) error {
			err = r.Scan(dest...)
			return nil
		})
		return cmp.Or(d.Flush(ctx), err)
	})
}

// row is the row of a query that runs when the row is scanned.
type row func(dest ...any) error

// Scan implements column.Row.
func (r row) Scan(dest ...any) error { return r(dest...) }

// Exec implements sqlstore.Tx.
func (d db) Exec(ctx context.Context, statement string, args ...any) (changed int, err error) {
	statement, args = sqlstore.Postgres.Statement(statement, args)
	d.queued.Queue(statement, args...).Exec(func(tag pgconn.CommandTag) error {
		changed = int(tag.RowsAffected())
		return nil
	})
	err = d.Flush(ctx)
	return changed, err
}

// Each implements sqlstore.Tx.
func (d db) Each(ctx context.Context, do func(column.Row) error, query string, args ...any) error {
	query, args = sqlstore.Postgres.Statement(query, args)
	d.queued.Queue(query, args...).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			if err := do(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	})
	return d.Flush(ctx)
}

// Lock implements sqlstore.Tx.
func (d db) Lock(locks ...sqlstore.Lock) {
	for _, l := range locksOf(locks) {
		d.Queue(sqlstore.Named("lock"), l.statement(), l.key)
	}
}
