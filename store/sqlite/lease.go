package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"tictactoe/internal/lease"
)

const (
	deleteExpired = `DELETE FROM leases WHERE expires <= ?1`

	upsertLease = `INSERT INTO leases (name, holder, expires) VALUES (?1, ?2, ?3)
		ON CONFLICT (name) DO UPDATE SET expires = excluded.expires WHERE holder = excluded.holder`

	updateLeases = `UPDATE leases SET expires = ?3 WHERE holder = ?1 AND expires > ?2 RETURNING name`
	deleteLease  = `DELETE FROM leases WHERE name = ?1 AND holder = ?2`
	selectLeases = `SELECT name, holder FROM leases WHERE expires > ?1 ORDER BY name`
)

// Acquire gives the lease of that name to a holder, to run out after ttl, and tells whether it did: not while somebody else
// has it. The time is this machine's: who shares the file is on it as well.
func (s *Store) Acquire(ctx context.Context, name, holder string, ttl time.Duration) (ok bool, err error) {
	err = s.write(ctx, func(ctx context.Context, tx *sql.Conn) error {
		now := time.Now()
		if _, err := tx.ExecContext(ctx, deleteExpired, now.UnixMilli()); err != nil {
			return err
		}
		n, err := changed(ctx, tx, upsertLease, name, holder, now.Add(ttl).UnixMilli())
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
	err = s.write(ctx, func(ctx context.Context, tx *sql.Conn) error {
		now := time.Now()
		names, err = list(ctx, tx, scanText, updateLeases, holder, now.UnixMilli(), now.Add(ttl).UnixMilli())
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
	err := s.write(ctx, func(ctx context.Context, tx *sql.Conn) error {
		for _, name := range names {
			if _, err := tx.ExecContext(ctx, deleteLease, name, holder); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("release leases: %w", err)
	}
	return nil
}

// Leases are all that have not run out, by name.
func (s *Store) Leases(ctx context.Context) (all []lease.Lease, err error) {
	err = s.read(ctx, func(db querier) error {
		all, err = list(ctx, db, scanLease, selectLeases, time.Now().UnixMilli())
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("leases: %w", err)
	}
	return all, nil
}

func scanLease(row scanner) (l lease.Lease, err error) {
	err = row.Scan(&l.Name, &l.Holder)
	return l, err
}
