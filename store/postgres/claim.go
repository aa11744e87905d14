package postgres

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"tictactoe/store/internal/column"
)

// One statement, and so one way to the server and back, that is unsynced as well.
const insertClaim = `INSERT INTO claims (id, claimant, until)
	SELECT $1, $2, $3 WHERE set_config('synchronous_commit', 'off', true) = 'off'
	ON CONFLICT (id) DO UPDATE SET until = claims.until WHERE claims.claimant = excluded.claimant`

// Claim reports whether nobody has claimed the id before, and remembers the claim until a time at least. It is not waited
// for the disk. Errors: [match.ErrBusy], [match.ErrUnsaved].
func (s *Store) Claim(ctx context.Context, id string, until time.Time) (first bool, err error) {
	claimant := rand.Text() // it is claimed again if the answer is lost
	err = s.saving(ctx, func(ctx context.Context) error {
		changed, err := db{s.pool, s.dialect, nil}.Exec(ctx, insertClaim, id, claimant, column.Time(until))
		first = changed > 0
		return err
	})
	if err != nil {
		return false, fmt.Errorf("claim %s: %w", id, err)
	}
	return first, nil
}
