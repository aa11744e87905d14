package postgres

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tictactoe/internal/lease"
	"tictactoe/store/internal/column"
)

const (
	serverTime = `(extract(epoch FROM clock_timestamp()) * 1000)::bigint`

	upsertLease = `INSERT INTO leases (name, holder, expires) VALUES ($1, $2, ` + serverTime + ` + $3)
		ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires = excluded.expires
		WHERE leases.holder = excluded.holder OR leases.expires <= ` + serverTime

	updateLeases = `UPDATE leases SET expires = ` + serverTime + ` + $2
		WHERE holder = $1 AND expires > ` + serverTime + ` RETURNING name`

	deleteLeases = `DELETE FROM leases WHERE holder = $1 AND name = ANY($2::text[])`
	selectLeases = `SELECT name, holder FROM leases WHERE expires > ` + serverTime + ` ORDER BY name`
)

// Acquire gives the lease of that name to a holder, to run out after ttl, and tells whether it did: not while somebody else
// has it. The time is the server's.
func (s *Store) Acquire(ctx context.Context, name, holder string, ttl time.Duration) (ok bool, err error) {
	err = s.write(ctx, nil, func(ctx context.Context, tx db) error {
		n, err := tx.exec(ctx, upsertLease, name, holder, ttl.Milliseconds())
		ok = n == 1
		return err
	})
	if err != nil {
		return false, fmt.Errorf("acquire %s: %w", name, err)
	}
	return ok, nil
}

// Renew lets all that a holder has run out after ttl from now, and returns their names, sorted.
func (s *Store) Renew(ctx context.Context, holder string, ttl time.Duration) (names []string, err error) {
	err = s.write(ctx, nil, func(ctx context.Context, tx db) error {
		names, err = list(ctx, tx, scan[string], updateLeases, holder, ttl.Milliseconds())
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("renew leases: %w", err)
	}
	slices.Sort(names)
	return names, nil
}

// Release gives up those of the names that the holder has.
func (s *Store) Release(ctx context.Context, holder string, names ...string) error {
	return s.write(ctx, nil, func(_ context.Context, tx db) error {
		tx.queue(named("release leases"), deleteLeases, holder, texts(names))
		return nil
	})
}

// Leases are all that have not run out, by name.
func (s *Store) Leases(ctx context.Context) (all []lease.Lease, err error) {
	err = s.read(ctx, func(ctx context.Context, q db) error {
		all, err = list(ctx, q, scanLease, selectLeases)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("leases: %w", err)
	}
	return all, nil
}

func scanLease(row column.Row) (l lease.Lease, err error) {
	err = row.Scan(&l.Name, &l.Holder)
	return l, err
}
