package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

const (
	selectLastSeen = `SELECT last_seen FROM presence`

	upsertLastSeen = `INSERT INTO presence (only, last_seen) VALUES (1, ?1)
		ON CONFLICT (only) DO UPDATE SET last_seen = max(last_seen, excluded.last_seen)`

	replaceLastSeen = `INSERT OR REPLACE INTO presence (only, last_seen) VALUES (1, ?1)`
)

// LastSeen is the latest time saved by a [match.Seen], zero if there is none.
func (s *Store) LastSeen(ctx context.Context) (time.Time, error) {
	var seen instant
	err := s.read(ctx, func(db querier) error { return db.QueryRowContext(ctx, selectLastSeen).Scan(&seen) })
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("last seen: %w", err)
	}
	return seen.Time(), nil
}

func saveSeen(ctx context.Context, tx *sql.Conn, at time.Time) error {
	_, err := tx.ExecContext(ctx, upsertLastSeen, at.UnixMilli())
	if err != nil {
		return fmt.Errorf("record presence: %w", err)
	}
	return nil
}

// setSeen is saveSeen also where that goes back, which it does with a clock that was set back.
func setSeen(ctx context.Context, tx *sql.Conn, at time.Time) error {
	_, err := tx.ExecContext(ctx, replaceLastSeen, at.UnixMilli())
	if err != nil {
		return fmt.Errorf("record presence: %w", err)
	}
	return nil
}
