package sqlstore

import (
	"context"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/replica/claim"
	"tictactoe/store/internal/column"
)

// forgetAtOnce is the largest number of claims that one transaction deletes, so that players do not wait for long.
const forgetAtOnce = 500

const (
	insertClaim = `{postgres:INSERT INTO claims (id, until, claimant) VALUES ($1, $2, $3)
			ON CONFLICT (id) DO UPDATE SET until = claims.until WHERE claims.claimant = excluded.claimant}
		{sqlite:INSERT INTO claims (id, until) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING}`

	// Without MATERIALIZED, Postgres may run the subquery again for each row, and find further claims each time.
	deleteClaims = `WITH old AS MATERIALIZED (
			SELECT id FROM claims WHERE until <= $1 ORDER BY until LIMIT $2{postgres: FOR UPDATE SKIP LOCKED})
		DELETE FROM claims WHERE id IN (SELECT id FROM old)`
)

// Claim saves a claim on its own, without a [match.Save]. Errors: [claim.ErrTaken], [match.ErrBusy], [match.ErrUnsaved].
func (s *Store) Claim(ctx context.Context, c claim.Claim) error {
	return s.db.Write(ctx, Kind{}, func(_ context.Context, tx Tx) error {
		saveClaim(tx, c)
		return nil
	})
}

func saveClaim(tx Tx, c claim.Claim) {
	tx.Queue(Named("claim %s", c.Interaction).Or(claim.ErrTaken), insertClaim, c.Interaction, column.Time(c.Until), c.By)
}

// ForgetClaims deletes the claims that expire no later than the given time, at most forgetAtOnce in each transaction, and the public posts
// that no longer count at that time.
func (s *Store) ForgetClaims(ctx context.Context, before time.Time) error {
	err := s.carryOut(ctx, Kind{}, Named("forget public posts"), deletePublicPosts, column.Time(before.Add(-match.PostTime)))
	if err != nil {
		return err
	}
	for gone := forgetAtOnce; gone == forgetAtOnce; {
		err := s.db.Write(ctx, Kind{}, func(ctx context.Context, tx Tx) (err error) {
			gone, err = tx.Exec(ctx, deleteClaims, column.Time(before), forgetAtOnce)
			return err
		})
		if err != nil {
			return Named("forget claims").Wrap(err)
		}
	}
	return nil
}
