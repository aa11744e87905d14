package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tictactoe/internal/session"
)

const (
	upsertSession = `INSERT OR REPLACE INTO sessions (shard, shards, id, sequence, token, saved)
		VALUES (?1, ?2, ?3, ?4, ?5, ?6)`
	deleteSession = `DELETE FROM sessions WHERE shard = ?1`
	takeSession   = `DELETE FROM sessions WHERE shard = ?1 AND shards = ?2 RETURNING id, sequence, token, saved`
)

// TakeSession returns the session that was kept of a shard of so many, zero if there is none, and forgets it. Whoever had
// it must not run any more, which is so where the file is of one bot.
func (s *Store) TakeSession(ctx context.Context, shard, of int, _ time.Time) (taken session.Session, err error) {
	err = s.write(ctx, func(ctx context.Context, tx *sql.Conn) error {
		var saved instant
		taken = session.Session{}
		err := tx.QueryRowContext(ctx, takeSession, shard, of).
			Scan(&taken.ID, &taken.Sequence, &taken.Token, &saved)
		taken.Saved = saved.Time()
		if errors.Is(err, sql.ErrNoRows) {
			err = nil
		}
		return err
	})
	if err != nil {
		return session.Session{}, fmt.Errorf("take the session of shard %d: %w", shard, err)
	}
	return taken, nil
}

// KeepSession records the session of a shard.
func (s *Store) KeepSession(ctx context.Context, kept session.Kept) error {
	return s.write(ctx, func(ctx context.Context, tx *sql.Conn) error { return keepSession(ctx, tx, kept) })
}

func keepSession(ctx context.Context, tx *sql.Conn, kept session.Kept) (err error) {
	if left := kept.Session; left.ID == "" {
		_, err = tx.ExecContext(ctx, deleteSession, kept.Shard)
	} else {
		_, err = tx.ExecContext(ctx, upsertSession, kept.Shard, kept.Of, left.ID, left.Sequence, left.Token, instant(left.Saved))
	}
	if err != nil {
		return fmt.Errorf("keep the session of shard %d: %w", kept.Shard, err)
	}
	return nil
}
