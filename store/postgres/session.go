package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"tictactoe/internal/match"
	"tictactoe/internal/session"
	"tictactoe/store/internal/column"
)

const (
	upsertSession = `INSERT INTO sessions (shard, shards, id, sequence, token, saved)
		VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (shard) DO UPDATE SET shards = excluded.shards, id = excluded.id, sequence = excluded.sequence, token = excluded.token, saved = excluded.saved`
	deleteSession = `DELETE FROM sessions WHERE shard = $1`
	takeSession   = `DELETE FROM sessions WHERE shard = $1 AND shards = $2 RETURNING id, sequence, token, saved`
)

// TakeSession returns the session that was kept of a shard of so many, zero if there is none, and forgets it. While another
// bot hears the players of that shard the session is in use, and left alone.
func (s *Store) TakeSession(ctx context.Context, shard, of int, now time.Time) (taken session.Session, err error) {
	p := match.Partition{Index: shard, Of: of}
	err = s.write(ctx, []lock{judging(p)}, func(ctx context.Context, tx db) error {
		taken = session.Session{}
		var last column.Time
		if err := tx.row(ctx, selectLastSeen, p.Index, p.Count()).Scan(&last); err != nil {
			return err
		}
		if there, err := s.othersPresent(ctx, tx, p, last.Time(), now); there || err != nil {
			return err
		}
		var saved column.Time
		err := tx.row(ctx, takeSession, shard, of).
			Scan(&taken.ID, &taken.Sequence, &taken.Token, &saved)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		taken.Saved = saved.Time()
		return err
	})
	if err != nil {
		return session.Session{}, fmt.Errorf("take the session of shard %d: %w", shard, err)
	}
	return taken, nil
}

// KeepSession records the session of a shard.
func (s *Store) KeepSession(ctx context.Context, kept session.Kept) error {
	return s.write(ctx, nil, func(_ context.Context, tx db) error {
		keepSession(tx, kept)
		return nil
	})
}

func keepSession(tx db, kept session.Kept) {
	what := named("keep the session of shard %d", kept.Shard)
	if left := kept.Session; left.ID == "" {
		tx.queue(what, deleteSession, kept.Shard)
	} else {
		tx.queue(what, upsertSession, kept.Shard, kept.Of, left.ID, left.Sequence, left.Token, left.Saved.UnixMilli())
	}
}
