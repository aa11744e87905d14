package sqlstore

import (
	"context"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/replica/session"
	"tictactoe/store/internal/column"
)

const (
	upsertSession = `INSERT INTO sessions (shard, shards, id, sequence, token, saved) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (shard) DO UPDATE SET shards = excluded.shards, id = excluded.id, sequence = excluded.sequence,
			token = excluded.token, saved = excluded.saved`
	deleteSession = `DELETE FROM sessions WHERE shard = $1`
	takeSession   = `DELETE FROM sessions WHERE shard = $1 AND shards = $2 RETURNING id, sequence, token, saved`
)

// TakeSession returns and deletes the stored session of the given shard, out of the given number of shards, or zero if no session
// is stored. While another bot hears the players of the shard, the session is in use, and TakeSession leaves it alone.
func (s *Store) TakeSession(ctx context.Context, shard, of int, now time.Time) (taken session.Session, err error) {
	p := match.Partition{Index: shard, Of: of}
	kind, done := Kind{Locks: []Lock{judging(p)}}, Named("take the session of shard %d", shard)
	return writeResult(ctx, s.db, kind, done, func(ctx context.Context, tx Tx) (taken session.Session, err error) {
		if _, others, err := s.presenceOf(ctx, tx, p, now); others || err != nil {
			return taken, err
		}
		err = tx.Row(ctx, takeSession, shard, of).Scan(&taken.ID, &taken.Sequence, &taken.Token, (*column.Time)(&taken.Saved))
		taken, _, err = optional(taken, err)
		return taken, err
	})
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
