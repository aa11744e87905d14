package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"tictactoe/internal/match"
)

const (
	// ofPartition and guildOfPartition tell whether a venue or server is in part ?1 of ?2, as [match.Part.Has] does. What is no number
	// is 0 to SQLite.
	ofPartition      = `(CAST(venue AS INTEGER) >> 22) % ?2 = ?1`
	guildOfPartition = `(CAST(guild AS INTEGER) >> 22) % ?2 = ?1`
	idOfPartition    = `(CAST(id AS INTEGER) >> 22) % ?2 = ?1`

	selectLastSeen = `SELECT coalesce(
			(SELECT last_seen FROM presence WHERE part = ?1 AND parts = ?2),
			(SELECT min(last_seen) FROM presence WHERE parts <> ?2))`

	upsertLastSeen = `INSERT INTO presence (part, parts, last_seen) VALUES (?1, ?2, ?3)
		ON CONFLICT (part) DO UPDATE SET last_seen = max(last_seen, excluded.last_seen)`

	replaceLastSeen = `INSERT OR REPLACE INTO presence (part, parts, last_seen) VALUES (?1, ?2, ?3)`

	selectOtherParts = `SELECT min(last_seen) FROM presence WHERE parts <> ?1`
	deletePresence   = `DELETE FROM presence`
)

// LastSeen is the latest time saved by a [match.Seen] of the partition, zero if there is none. Where the record is of another
// number of parts it is the earliest of theirs.
func (s *Store) LastSeen(ctx context.Context, p match.Partition) (time.Time, error) {
	var seen instant
	err := s.read(ctx, func(db querier) error {
		return db.QueryRowContext(ctx, selectLastSeen, p.Index, p.Count()).Scan(&seen)
	})
	if err != nil {
		return time.Time{}, fmt.Errorf("last seen: %w", err)
	}
	return seen.Time(), nil
}

func saveSeen(ctx context.Context, tx *sql.Conn, seen match.Seen) error {
	return recordSeen(ctx, tx, upsertLastSeen, seen.Partition, seen.At)
}

// recordSeen records when players were heard. Of the two statements one replaces what is recorded even where that goes back, as
// it does with a clock that was set back.
func recordSeen(ctx context.Context, tx *sql.Conn, statement string, p match.Partition, at time.Time) error {
	if err := deal(ctx, tx, p.Count()); err != nil {
		return fmt.Errorf("deal presence out: %w", err)
	}
	if _, err := tx.ExecContext(ctx, statement, p.Index, p.Count(), at.UnixMilli()); err != nil {
		return fmt.Errorf("record presence: %w", err)
	}
	return nil
}

// deal makes the record one of so many parts, if it is of another number: each was seen when the earliest of the old ones
// was.
func deal(ctx context.Context, tx *sql.Conn, parts int) error {
	var seen instant
	if err := tx.QueryRowContext(ctx, selectOtherParts, parts).Scan(&seen); err != nil || seen.Time().IsZero() {
		return err
	}
	if _, err := tx.ExecContext(ctx, deletePresence); err != nil {
		return err
	}
	for part := range parts {
		if _, err := tx.ExecContext(ctx, replaceLastSeen, part, parts, seen); err != nil {
			return err
		}
	}
	return nil
}
