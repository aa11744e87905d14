package sqlite

import (
	"context"
	"fmt"

	"tictactoe/migrations"
	"tictactoe/store/internal/column"
)

const selectOpenCounts = `SELECT
	(SELECT count(*) FROM matches WHERE deadline > 0),
	(SELECT count(*) FROM challenges WHERE deadline > 0)`

// CountOpen counts the matches that are being played and the challenges that nobody has answered.
func (s *Store) CountOpen(ctx context.Context) (matches, challenges int, err error) {
	err = s.read(ctx, func(db querier) error {
		return db.QueryRowContext(ctx, selectOpenCounts).Scan(&matches, &challenges)
	})
	if err != nil {
		return 0, 0, fmt.Errorf("count what is open: %w", err)
	}
	return matches, challenges, nil
}

// Inspect reads a database without changing it: its schema version and the one that this program would make of it. The
// version is 0 if there is no file or nothing in it. Errors are those of [Open].
func Inspect(ctx context.Context, path string) (version, known int64, err error) {
	known, err = column.Newest(migrations.SQLite())
	if err == nil && size(path) > 0 {
		version, _, err = inspect(ctx, path, known)
	}
	return version, known, err
}
