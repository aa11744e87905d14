package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tictactoe/store/internal/sqlstore"
)

// Store is a pool of connections to a database. It is safe for concurrent use, as are any number of stores on one
// database. Use [Open].
type Store struct {
	*sqlstore.Store

	// Health tracks whether the store can save. Its Tell must be set before the store is used.
	Health sqlstore.Health

	pool     *pgxpool.Pool
	presence presence
	keyLost  bool
}

func newStore(pool *pgxpool.Pool) *Store {
	s := &Store{pool: pool}
	s.Store = sqlstore.New(database{s})
	s.presence.config, s.presence.held = pool.Config().ConnConfig, make(map[int64]bool)
	return s
}

// Close waits for running transactions and closes the connections. The store must not be used afterwards.
func (s *Store) Close() error {
	s.presence.release()
	s.pool.Close()
	return nil
}

const (
	// transactTime bounds a transaction that has begun, whatever happens to its context.
	transactTime = 5 * time.Second
	// longTime bounds a transaction that changes the rows of many players, and for which no player waits.
	longTime = 5 * time.Minute
)

// transact runs one transaction. When the caller's context ends, statements are cut off. A COMMIT is not cut off, because its result
// would then be unknown. In a long transaction nothing is cut off.
func (s *Store) transact(ctx context.Context, bound time.Duration, locks []sqlstore.Lock, do func(ctx context.Context, tx sqlstore.Tx) error) error {
	lasting, cancel := context.WithTimeout(context.WithoutCancel(ctx), bound)
	defer cancel()
	return s.borrow(ctx, lasting, func(conn *pgx.Conn, tx db) error {
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
		if err := tx.Flush(ctx); err != nil {
			return err
		}
		if _, err := conn.Exec(lasting, "COMMIT"); err != nil {
			return fmt.Errorf("%w: %w", errUnanswered, err)
		}
		return nil
	})
}

// borrow calls do with a connection of the pool, for one transaction. If do returns an error, borrow rolls the transaction back, and
// gives up when the second context ends.
func (s *Store) borrow(ctx, lasting context.Context, do func(conn *pgx.Conn, tx db) error) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release() // closes the connection if the transaction has not ended
	err = do(conn.Conn(), db{conn, new(pgx.Batch)})
	if err != nil && conn.Conn().PgConn().TxStatus() != 'I' && !conn.Conn().IsClosed() {
		_, _ = conn.Exec(lasting, "ROLLBACK") // if this fails, the connection is closed, which has the same effect
	}
	return err
}
