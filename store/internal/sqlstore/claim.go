package sqlstore

import (
	"context"
	"time"

	"tictactoe/store/internal/column"
)

// forgetAtOnce is how many claims are forgotten in one transaction: clicks are not to wait for long.
const forgetAtOnce = 500

const (
	insertClaim = `{sqlite:INSERT INTO claims (id, until) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING}`

	// Materialized, or Postgres may look for the old ones anew at each row, and find the next ones each time.
	deleteClaims = `WITH old AS MATERIALIZED (
			SELECT id FROM claims WHERE until <= $1 ORDER BY until LIMIT $2{postgres: FOR UPDATE SKIP LOCKED})
		DELETE FROM claims WHERE id IN (SELECT id FROM old)`
)

// Claim reports whether nobody has claimed the id before, and remembers the claim until a time at least. It is not waited
// for the disk: a power cut may take the claims of the last moments with it. Errors: [match.ErrBusy], [match.ErrUnsaved].
func (s *Store) Claim(ctx context.Context, id string, until time.Time) (first bool, err error) {
	err = s.db.Write(ctx, Kind{Loose: true}, func(ctx context.Context, tx Tx) error {
		n, err := tx.Exec(ctx, insertClaim, id, column.Time(until))
		first = n == 1
		return err
	})
	return first && err == nil, Named("claim %s", id).Wrap(err)
}

// ForgetClaims forgets the claims that were to be remembered until before or earlier, a little at a time.
func (s *Store) ForgetClaims(ctx context.Context, before time.Time) error {
	for gone := forgetAtOnce; gone == forgetAtOnce; {
		err := s.db.Write(ctx, Kind{Loose: true}, func(ctx context.Context, tx Tx) (err error) {
			gone, err = tx.Exec(ctx, deleteClaims, column.Time(before), forgetAtOnce)
			return err
		})
		if err != nil {
			return Named("forget claims").Wrap(err)
		}
	}
	return nil
}
