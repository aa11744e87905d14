package sqlstore

import (
	"context"
	"time"

	"tictactoe/internal/replica/claim"
	"tictactoe/store/internal/column"
)

// forgetAtOnce is how many claims are forgotten in one transaction: clicks are not to wait for long.
const forgetAtOnce = 500

const (
	insertClaim = `INSERT INTO claims (id, until{postgres:, claimant}) VALUES ($1, $2{postgres:, $3}) ON CONFLICT (id)
		{sqlite:DO NOTHING}{postgres:DO UPDATE SET until = claims.until WHERE claims.claimant = excluded.claimant}`

	// Materialized, or Postgres may look for the old ones anew at each row, and find the next ones each time.
	deleteClaims = `WITH old AS MATERIALIZED (
			SELECT id FROM claims WHERE until <= $1 ORDER BY until LIMIT $2{postgres: FOR UPDATE SKIP LOCKED})
		DELETE FROM claims WHERE id IN (SELECT id FROM old)`
)

// Claim saves a claim that nothing is saved with. It does not wait for the disk: a power cut may take the claims of the last
// moments with it. Errors: [claim.ErrTaken], [match.ErrBusy], [match.ErrUnsaved].
func (s *Store) Claim(ctx context.Context, c claim.Claim) error {
	return s.db.Write(ctx, Kind{Loose: true}, func(_ context.Context, tx Tx) error {
		saveClaim(tx, c)
		return nil
	})
}

func saveClaim(tx Tx, c claim.Claim) {
	tx.Queue(Named("claim %s", c.Interaction).Or(claim.ErrTaken), insertClaim, c.Interaction, column.Time(c.Until), c.By)
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
