package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"tictactoe/internal/session"
	"tictactoe/store/internal/column"
)

const (
	upsertSession = `INSERT INTO sessions (shard, shards, id, sequence, token, saved) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (shard) DO UPDATE SET shards = excluded.shards, id = excluded.id, sequence = excluded.sequence,
			token = excluded.token, saved = excluded.saved`
	deleteSession = `DELETE FROM sessions WHERE shard = $1`
	takeSession   = `DELETE FROM sessions WHERE shard = $1 AND shards = $2 RETURNING id, sequence, token, saved`
)

// TakeSession returns the session that was kept of a shard of so many, zero if there is none, and forgets it. Whoever had
// it must not run any more, which is so where the database is of one bot.
func (s *Store) TakeSession(ctx context.Context, shard, of int, _ time.Time) (taken session.Session, err error) {
	err = s.db.Write(ctx, Kind{}, func(ctx context.Context, tx Tx) error {
		taken, err = TakeSession(ctx, tx, shard, of)
		return err
	})
	return taken, Named("take the session of shard %d", shard).Wrap(err)
}

// TakeSession takes the session of a shard in a transaction.
func TakeSession(ctx context.Context, tx Tx, shard, of int) (session.Session, error) {
	var taken session.Session
	var saved column.Time
	err := tx.Row(ctx, takeSession, shard, of).Scan(&taken.ID, &taken.Sequence, &taken.Token, &saved)
	if errors.Is(err, sql.ErrNoRows) {
		return session.Session{}, nil
	}
	taken.Saved = saved.Time()
	return taken, err
}

// KeepSession records the session of a shard.
func (s *Store) KeepSession(ctx context.Context, kept session.Kept) error {
	return s.db.Write(ctx, Kind{}, func(_ context.Context, tx Tx) error {
		keepSession(tx, kept)
		return nil
	})
}

func keepSession(tx Tx, kept session.Kept) {
	done := Named("keep the session of shard %d", kept.Shard)
	if left := kept.Session; left.ID == "" {
		tx.Queue(done, deleteSession, kept.Shard)
	} else {
		tx.Queue(done, upsertSession, kept.Shard, kept.Of, left.ID, left.Sequence, left.Token, column.Time(left.Saved))
	}
}
