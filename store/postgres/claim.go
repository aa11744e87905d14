package postgres

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"tictactoe/store/internal/column"
)

// forgetAtOnce is how many claims are forgotten in one transaction: clicks are not to wait for long.
const forgetAtOnce = 500

const (
	// Nobody waits for the disk: a crash of the server may take the claims of the last moments with it.
	unsynced = `SET LOCAL synchronous_commit = off`

	// One statement, and so one way to the server and back, that is unsynced as well.
	insertClaim = `INSERT INTO claims (id, claimant, until)
		SELECT $1, $2, $3 WHERE set_config('synchronous_commit', 'off', true) = 'off'
		ON CONFLICT (id) DO UPDATE SET until = claims.until WHERE claims.claimant = excluded.claimant`

	// Materialized, or the server may look for the old ones anew at each row, and find the next ones each time.
	deleteClaims = `WITH old AS MATERIALIZED (
			SELECT id FROM claims WHERE until <= $1 ORDER BY until LIMIT $2 FOR UPDATE SKIP LOCKED)
		DELETE FROM claims AS c USING old WHERE c.id = old.id`
)

// Claim reports whether nobody has claimed the id before, and remembers the claim until a time at least. It is not waited
// for the disk. Errors: [match.ErrBusy], [match.ErrUnsaved].
func (s *Store) Claim(ctx context.Context, id string, until time.Time) (first bool, err error) {
	claimant := rand.Text() // it is claimed again if the answer is lost
	err = s.saving(ctx, func(ctx context.Context) error {
		changed, err := db{s.pool, nil}.exec(ctx, insertClaim, id, claimant, column.Time(until))
		first = changed > 0
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
		err := s.write(ctx, nil, func(ctx context.Context, tx db) (err error) {
			tx.queue(named("forget"), unsynced)
			gone, err = tx.exec(ctx, deleteClaims, column.Time(before), forgetAtOnce)
			return err
		})
		if err != nil {
			return fmt.Errorf("forget claims: %w", err)
		}
	}
	return nil
}
