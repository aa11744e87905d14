package postgres

import (
	"cmp"
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"tictactoe/store/internal/column"
	"tictactoe/store/internal/sqlstore"
)

// Store is a pool of connections to a database. It is safe for concurrent use, as are any number of stores on one
// database. Use [Open].
type Store struct {
	*sqlstore.Store

	// Health is whether it can save. Its Tell is to be set, if at all, before the store is used.
	Health sqlstore.Health

	pool     *pgxpool.Pool
	presence presence
	clock    atomic.Pointer[Clock] // nil unless somebody lives by it
	keyLost  bool
}

func newStore(pool *pgxpool.Pool) *Store {
	s := &Store{pool: pool}
	s.Store = sqlstore.New(database{s})
	s.presence.config, s.presence.held = pool.Config().ConnConfig, make(map[int64]bool)
	return s
}

// Close waits for what is under way and closes the connections. The store must not be used afterwards.
func (s *Store) Close() error {
	s.presence.release()
	s.pool.Close()
	return nil
}

const (
	// transactTime bounds a transaction that has begun, whatever happens to its context.
	transactTime = 5 * time.Second
	// longTime is what a transaction may take that changes the rows of many, which nobody waits for.
	longTime = 5 * time.Minute
)

// transact runs one transaction. When the caller's context ends, statements are cut off and COMMIT is not: nobody would know whether it was
// done. In a long transaction nothing is cut off.
func (s *Store) transact(ctx context.Context, bound time.Duration, locks []sqlstore.Lock, do func(ctx context.Context, tx db) error) error {
	lasting, cancel := context.WithTimeout(context.WithoutCancel(ctx), bound)
	defer cancel()
	return s.borrow(ctx, lasting, func(tx db) error {
		tx.Queue(sqlstore.Named("begin"), "BEGIN")
		if bound > transactTime {
			ctx = lasting
			for _, timeout := range []string{"statement_timeout", "idle_in_transaction_session_timeout"} {
				tx.Queue(sqlstore.Named("begin"), fmt.Sprintf("SET LOCAL %s = %d", timeout, bound.Milliseconds()))
			}
		}
		tx.Lock(locks...)
		if err := do(ctx, tx); err != nil {
			return err
		}
		return tx.commit(ctx, lasting)
	})
}

// borrow lets do use a connection for one transaction, which is rolled back if do returns an error, as long as lasting allows.
func (s *Store) borrow(ctx, lasting context.Context, do func(tx db) error) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release() // which closes it if the transaction has not ended
	err = do(db{conn.Conn(), new(queue)})
	if err != nil && conn.Conn().PgConn().TxStatus() != 'I' && !conn.Conn().IsClosed() {
		_, _ = conn.Exec(lasting, "ROLLBACK") // else the connection is closed, which does the same
	}
	return err
}

// commit sends what is queued, and then COMMIT, in one round trip. If the caller's context ends before lasting, the statements are sent
// first, with the caller's context, because they may wait for locks.
func (d db) commit(ctx, lasting context.Context) error {
	ends, bounded := ctx.Deadline()
	if last, _ := lasting.Deadline(); bounded && ends.Before(last) {
		if err := d.Flush(ctx); err != nil {
			return err
		}
	}
	d.waiting.commits = true
	return d.Flush(lasting)
}

// db is what runs statements: the pool, or a connection in a transaction. Texts go through it as text.go keeps them.
type db struct {
	querier interface {
		Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
		QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
		Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
		SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
	}
	waiting *queue // nil outside of a transaction
}

// row is a row whose texts are restored.
type row struct{ column.Row }

// Scan implements column.Row.
func (r row) Scan(dest ...any) error {
	err := r.Row.Scan(dest...)
	restore(dest)
	return err
}

// Row implements sqlstore.Tx.
func (d db) Row(ctx context.Context, query string, args ...any) column.Row {
	query, args = sqlstore.Postgres.Statement(query, args)
	if !d.waits() {
		return row{d.querier.QueryRow(ctx, query, storedArgs(args)...)}
	}
	answers, err := d.ask(ctx, query, storedArgs(args))
	if err != nil {
		return row{column.FailedRow{Err: err}}
	}
	return row{asked{answers}}
}

// asked is the row of a query that was sent behind others.
type asked struct{ answers pgx.BatchResults }

// Scan implements column.Row.
func (a asked) Scan(dest ...any) error {
	err := a.answers.QueryRow().Scan(dest...)
	return cmp.Or(err, a.answers.Close())
}

// Exec implements sqlstore.Tx.
func (d db) Exec(ctx context.Context, statement string, args ...any) (int, error) {
	if err := d.Flush(ctx); err != nil {
		return 0, err
	}
	statement, args = sqlstore.Postgres.Statement(statement, args)
	tag, err := d.querier.Exec(ctx, statement, storedArgs(args)...)
	return int(tag.RowsAffected()), err
}

// Each implements sqlstore.Tx.
func (d db) Each(ctx context.Context, do func(column.Row) error, query string, args ...any) error {
	query, args = sqlstore.Postgres.Statement(query, args)
	if !d.waits() {
		rows, err := d.querier.Query(ctx, query, storedArgs(args)...)
		return each(rows, err, do)
	}
	answers, err := d.ask(ctx, query, storedArgs(args))
	if err != nil {
		return err
	}
	defer answers.Close()
	rows, err := answers.Query()
	return each(rows, err, do)
}

// each calls do with every row that a query has found, unless the query has failed.
func each(rows pgx.Rows, err error, do func(column.Row) error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := do(row{rows}); err != nil {
			return err
		}
	}
	return rows.Err()
}
