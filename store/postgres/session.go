package postgres

import (
	"context"
	"fmt"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/session"
	"tictactoe/store/internal/column"
	"tictactoe/store/internal/sqlstore"
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
		var err error
		taken, err = sqlstore.TakeSession(ctx, tx, shard, of)
		return err
	})
	if err != nil {
		return session.Session{}, fmt.Errorf("take the session of shard %d: %w", shard, err)
	}
	return taken, nil
}
