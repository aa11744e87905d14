package postgres

import (
	"context"
	"fmt"
)

const selectOpenCounts = `SELECT
	(SELECT count(*) FROM matches WHERE due IS NOT NULL AND ended IS NULL),
	(SELECT count(*) FROM challenges WHERE deadline IS NOT NULL)`

// CountOpen counts the matches that are being played and the challenges that nobody has answered.
func (s *Store) CountOpen(ctx context.Context) (matches, challenges int, err error) {
	err = s.read(ctx, func(ctx context.Context, q db) error {
		return q.row(ctx, selectOpenCounts).Scan(&matches, &challenges)
	})
	if err != nil {
		return 0, 0, fmt.Errorf("count what is open: %w", err)
	}
	return matches, challenges, nil
}
