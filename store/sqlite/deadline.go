package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"tictactoe/internal/match"
)

const (
	selectDue = `SELECT id FROM (
			SELECT id, deadline AS due FROM challenges WHERE deadline <= ?3 AND ` + ofPartition + `
			UNION ALL SELECT id, deadline FROM matches WHERE deadline <= ?3 AND ` + ofPartition + `
			UNION ALL SELECT id, rematch_deadline FROM matches WHERE rematch_deadline <= ?3 AND ` + ofPartition + `)
		ORDER BY due DESC, id LIMIT ?4`

	selectNextDeadline = `SELECT min(due) FROM (
			SELECT min(deadline) AS due FROM challenges WHERE deadline > ?3 AND ` + ofPartition + `
			UNION ALL SELECT min(deadline) FROM matches WHERE deadline > ?3 AND ` + ofPartition + `
			UNION ALL SELECT min(rematch_deadline) FROM matches WHERE rematch_deadline > ?3 AND ` + ofPartition + `)`

	// Each version grows by one with its deadline.
	keepShown = `UPDATE boards SET shown = shown + 1 WHERE shown = latest AND id IN (
			SELECT id FROM challenges WHERE deadline > ?3 AND ` + ofPartition + `
			UNION ALL SELECT id FROM matches WHERE deadline > ?3 AND ` + ofPartition + `
			UNION ALL SELECT id FROM matches WHERE rematch_deadline > ?3 AND ` + ofPartition + `)`

	moveChallengeDeadlines = `UPDATE challenges SET deadline = deadline + ?4, version = version + 1
		WHERE deadline > ?3 AND ` + ofPartition
	moveTurnDeadlines = `UPDATE matches SET deadline = deadline + ?4, version = version + 1
		WHERE deadline > ?3 AND ` + ofPartition
	moveRematchDeadlines = `UPDATE matches SET rematch_deadline = rematch_deadline + ?4, version = version + 1
		WHERE rematch_deadline > ?3 AND ` + ofPartition
)

// TakeDue are the challenges and matches of the partition whose deadline is at now or before, latest first, at most limit. One bot
// has the file ([Lock]), so there is nobody to hold them against.
func (s *Store) TakeDue(ctx context.Context, p match.Partition, now time.Time, limit int, _ time.Time) (due []match.ID, err error) {
	err = s.read(ctx, func(db querier) error {
		due, err = list(ctx, db, scanID, selectDue, p.Index, p.Count(), now.UnixMilli(), limit)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("deadlines due: %w", err)
	}
	return due, nil
}

// NextDeadline is the earliest deadline of the partition after a time, zero if there is none.
func (s *Store) NextDeadline(ctx context.Context, p match.Partition, after time.Time) (time.Time, error) {
	var next instant
	err := s.read(ctx, func(db querier) error {
		return db.QueryRowContext(ctx, selectNextDeadline, p.Index, p.Count(), after.UnixMilli()).Scan(&next)
	})
	if err != nil {
		return time.Time{}, fmt.Errorf("next deadline: %w", err)
	}
	return next.Time(), nil
}

// GiveBack moves every deadline of the partition later than seen by gap, cut to milliseconds, gives each value changed a new version, and
// records seen+gap as last seen. If the gap is a brief one, boards that were up to date still are. It reports how many
// deadlines there were.
func (s *Store) GiveBack(ctx context.Context, p match.Partition, seen time.Time, gap time.Duration) (n int, err error) {
	err = s.write(ctx, func(ctx context.Context, tx *sql.Conn) error {
		n = 0
		if gap.Abs() < match.BriefGap {
			if _, err := tx.ExecContext(ctx, keepShown, p.Index, p.Count(), seen.UnixMilli()); err != nil {
				return err
			}
		}
		for _, move := range []string{moveChallengeDeadlines, moveTurnDeadlines, moveRematchDeadlines} {
			moved, err := changed(ctx, tx, move, p.Index, p.Count(), seen.UnixMilli(), gap.Milliseconds())
			if err != nil {
				return err
			}
			n += moved
		}
		return setSeen(ctx, tx, p, seen.Add(gap))
	})
	if err != nil {
		return 0, fmt.Errorf("give back %s: %w", gap, err)
	}
	return n, nil
}

// FollowClock is GiveBack from last by jump: one bot has the file, and nobody else follows.
func (s *Store) FollowClock(ctx context.Context, p match.Partition, last, _ time.Time, jump time.Duration) (int, error) {
	return s.GiveBack(ctx, p, last, jump)
}

func scanID(row scanner) (id match.ID, err error) {
	err = row.Scan(&id)
	return id, err
}
