package sqlstore

import "context"

// In Postgres a match has one deadline in an index, due, for a turn or for a rematch.
const selectOpenCounts = `SELECT
	(SELECT count(*) FROM matches WHERE {postgres:due IS NOT NULL AND ended IS NULL}{sqlite:deadline > 0}),
	(SELECT count(*) FROM challenges WHERE deadline > 0)`

// CountOpen counts the matches that are being played and the challenges that nobody has answered.
func (s *Store) CountOpen(ctx context.Context) (matches, challenges int, err error) {
	err = s.db.Read(ctx, func(ctx context.Context, tx Tx) error {
		return tx.Row(ctx, selectOpenCounts).Scan(&matches, &challenges)
	})
	return matches, challenges, Named("count what is open").Wrap(err)
}
