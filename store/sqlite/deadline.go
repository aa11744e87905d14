package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"tictactoe/internal/clock"
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

// Credit credits what players of the partition missed in a span, by the rule of [clock.Span.Credit], and records until when they
// were heard. It reports how many deadlines moved. One bot has the file, so no other hears the players meanwhile.
func (s *Store) Credit(ctx context.Context, p match.Partition, span clock.Span) (n int, err error) {
	err = s.write(ctx, func(ctx context.Context, tx *sql.Conn) error {
		n = 0
		var seen instant
		if err := tx.QueryRowContext(ctx, selectLastSeen, p.Index, p.Count()).Scan(&seen); err != nil {
			return err
		}
		from, by := span.Credit(seen.Time(), false)
		if by == 0 {
			return recordSeen(ctx, tx, upsertLastSeen, p, span.Heard())
		}
		if by.Abs() < match.BriefGap {
			if _, err := tx.ExecContext(ctx, keepShown, p.Index, p.Count(), from.UnixMilli()); err != nil {
				return err
			}
		}
		for _, move := range []string{moveChallengeDeadlines, moveTurnDeadlines, moveRematchDeadlines} {
			moved, err := changed(ctx, tx, move, p.Index, p.Count(), from.UnixMilli(), by.Milliseconds())
			if err != nil {
				return err
			}
			n += moved
		}
		return recordSeen(ctx, tx, replaceLastSeen, p, span.Heard())
	})
	if err != nil {
		return 0, fmt.Errorf("credit: %w", err)
	}
	return n, nil
}

func scanID(row scanner) (id match.ID, err error) {
	err = row.Scan(&id)
	return id, err
}
