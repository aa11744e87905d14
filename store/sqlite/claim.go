package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// forgetAtOnce is how many claims are forgotten in one transaction: clicks are not to wait for long.
const forgetAtOnce = 500

const (
	insertClaim  = `INSERT INTO claims (id, until) VALUES (?1, ?2) ON CONFLICT (id) DO NOTHING`
	deleteClaims = `DELETE FROM claims WHERE id IN (SELECT id FROM claims WHERE until <= ?1 ORDER BY until LIMIT ?2)`
)

// Claim reports whether nobody has claimed the id before, and remembers the claim until a time at least. It is not waited
// for the disk: a power cut may take the claims of the last moments with it. Errors: [match.ErrBusy], [match.ErrUnsaved].
func (s *Store) Claim(ctx context.Context, id string, until time.Time) (first bool, err error) {
	err = s.writeBy(ctx, s.loose, func(ctx context.Context, tx *sql.Conn) error {
		n, err := changed(ctx, tx, insertClaim, id, instant(until))
		first = n == 1
		return err
	})
	if err != nil {
		return false, fmt.Errorf("claim %s: %w", id, err)
	}
	return first, nil
}

// ForgetClaims forgets the claims that were to be remembered until before or earlier, a little at a time.
func (s *Store) ForgetClaims(ctx context.Context, before time.Time) error {
	for gone := forgetAtOnce; gone == forgetAtOnce; {
		err := s.writeBy(ctx, s.loose, func(ctx context.Context, tx *sql.Conn) (err error) {
			gone, err = changed(ctx, tx, deleteClaims, instant(before), forgetAtOnce)
			return err
		})
		if err != nil {
			return fmt.Errorf("forget claims: %w", err)
		}
	}
	return nil
}
