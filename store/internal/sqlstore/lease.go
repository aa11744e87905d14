package sqlstore

import (
	"context"
	"slices"
	"time"

	"tictactoe/internal/replica/lease"
	"tictactoe/store/internal/column"
)

const (
	upsertLease = `INSERT INTO leases (name, holder, expires) VALUES ($1, $2, ` + serverTime + `{sqlite:$4} + $3)
		ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires = excluded.expires
		WHERE leases.holder = excluded.holder OR leases.expires <= excluded.expires - $3`

	updateLeases = `WITH now AS (SELECT ` + serverTime + `{sqlite:$3} AS at)
		UPDATE leases SET expires = (SELECT at FROM now) + $2 WHERE holder = $1 AND expires > (SELECT at FROM now) RETURNING name`

	deleteLeases    = `DELETE FROM leases WHERE holder = $1 AND name ` + oneOf2
	selectAllLeases = `SELECT name, holder FROM leases WHERE expires > ` + serverTime + `{sqlite:$1} ORDER BY name`

	// serverTime is the current time, by which leases end. On Postgres it is the server's time. Processes that share a SQLite file run on
	// one machine, whose time is the last argument.
	serverTime = `{postgres:(extract(epoch FROM clock_timestamp()) * 1000)::bigint}`
)

// Acquire gives the lease with the given name to a holder until ttl has passed. It returns false while another holder has the lease.
func (s *Store) Acquire(ctx context.Context, name, holder string, ttl time.Duration) (ok bool, err error) {
	return writeResult(ctx, s.db, Kind{}, Named("acquire %s", name), func(ctx context.Context, tx Tx) (bool, error) {
		n, err := tx.Exec(ctx, upsertLease, name, holder, ttl.Milliseconds(), time.Now().UnixMilli())
		return n == 1, err
	})
}

// Renew extends all leases of a holder until ttl from now, and returns their names, sorted.
func (s *Store) Renew(ctx context.Context, holder string, ttl time.Duration) (names []string, err error) {
	names, err = writeResult(ctx, s.db, Kind{}, Named("renew leases"), func(ctx context.Context, tx Tx) ([]string, error) {
		return ScanRows(ctx, tx, Value[string], updateLeases, holder, ttl.Milliseconds(), time.Now().UnixMilli())
	})
	slices.Sort(names)
	return names, err
}

// Release ends the leases with the given names that the holder has.
func (s *Store) Release(ctx context.Context, holder string, names ...string) error {
	return s.carryOut(ctx, Kind{}, Named("release leases"), deleteLeases, holder, texts(names))
}

// Leases returns the leases that have not expired, sorted by name.
func (s *Store) Leases(ctx context.Context) ([]lease.Lease, error) {
	return readRows(ctx, s.db, Named("leases"), func(row column.Row) (l lease.Lease, err error) {
		err = row.Scan(&l.Name, &l.Holder)
		return l, err
	}, selectAllLeases, time.Now().UnixMilli())
}
