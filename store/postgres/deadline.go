package postgres

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"tictactoe/internal/clock"
	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
)

const (
	// What others hold, and what they are just about to, is passed over. $5 is this store, $6 until when it holds them.
	takeChallenges = `WITH free AS MATERIALIZED (
			SELECT id FROM challenges WHERE deadline <= $3 AND (held_by IS NULL OR held_by = $5 OR held_until <= $3) AND ` + ofPartition + `
			ORDER BY deadline DESC, id LIMIT $4 FOR UPDATE SKIP LOCKED)
		UPDATE challenges AS c SET held_by = $5, held_until = $6 FROM free WHERE c.id = free.id RETURNING c.id, c.deadline`
	takeMatches = `WITH free AS MATERIALIZED (
			SELECT id FROM matches WHERE due <= $3 AND (held_by IS NULL OR held_by = $5 OR held_until <= $3) AND ` + ofPartition + `
			ORDER BY due DESC, id LIMIT $4 FOR UPDATE SKIP LOCKED)
		UPDATE matches AS m SET held_by = $5, held_until = $6 FROM free WHERE m.id = free.id RETURNING m.id, m.due`

	selectNextDeadline = `SELECT least(
		(SELECT deadline FROM challenges WHERE deadline > $3 AND (held_by IS NULL OR held_by = $4) AND ` + ofPartition + ` ORDER BY deadline LIMIT 1),
		(SELECT due FROM matches WHERE due > $3 AND (held_by IS NULL OR held_by = $4) AND ` + ofPartition + ` ORDER BY due LIMIT 1))`

	moveChallengeDeadlines = `UPDATE challenges SET deadline = deadline + $4, version = version + 1,
			held_by = NULL, held_until = NULL
		WHERE deadline > $3 AND ` + ofPartition + ` RETURNING id`
	moveTurnDeadlines = `UPDATE matches SET deadline = deadline + $4, version = version + 1,
			held_by = NULL, held_until = NULL
		WHERE due > $3 AND deadline IS NOT NULL AND ` + ofPartition + ` RETURNING id`
	moveRematchDeadlines = `UPDATE matches SET rematch_deadline = rematch_deadline + $4, version = version + 1,
			held_by = NULL, held_until = NULL
		WHERE due > $3 AND rematch_deadline IS NOT NULL AND ` + ofPartition + ` RETURNING id`

	// Each version has grown by one with its deadline.
	keepShown = `UPDATE boards SET shown = shown + 1 WHERE id = ANY($1) AND shown = latest - 1`
)

// TakeDue are the challenges and matches of the partition whose deadline is at now or before, latest first, at most limit, and not
// those that another store holds. This one holds them until that time, unless they are changed before.
func (s *Store) TakeDue(ctx context.Context, p match.Partition, now time.Time, limit int, until time.Time) ([]match.ID, error) {
	type taken struct {
		id  match.ID
		due int64
	}
	var all []taken
	err := s.write(ctx, nil, func(ctx context.Context, tx db) error {
		all = all[:0]
		for _, statement := range []string{takeChallenges, takeMatches} {
			some, err := list(ctx, tx, func(r column.Row) (c taken, err error) {
				err = r.Scan(&c.id, &c.due)
				return c, err
			}, statement, p.Index, p.Count(), now.UnixMilli(), limit, s.id, until.UnixMilli())
			if err != nil {
				return err
			}
			all = append(all, some...)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("deadlines due: %w", err)
	}
	slices.SortFunc(all, func(a, b taken) int { return cmp.Or(cmp.Compare(b.due, a.due), cmp.Compare(a.id, b.id)) })
	var ids []match.ID
	for _, c := range all[:min(limit, len(all))] { // what is too much is this store's as well, and comes with the next
		ids = append(ids, c.id)
	}
	return ids, nil
}

// NextDeadline is the earliest deadline of the partition after a time that no other store holds, zero if there is none.
func (s *Store) NextDeadline(ctx context.Context, p match.Partition, after time.Time) (time.Time, error) {
	var next column.Time
	err := s.read(ctx, func(ctx context.Context, q db) error {
		return q.row(ctx, selectNextDeadline, p.Index, p.Count(), after.UnixMilli(), s.id).Scan(&next)
	})
	if err != nil {
		return time.Time{}, fmt.Errorf("next deadline: %w", err)
	}
	return next.Time(), nil
}

// Credit credits what players of the partition missed in a span, by the rule of [clock.Span.Credit], and records until when they
// were heard. It reports how many deadlines moved. Of several bots that ask at once the first credits, and is there for the
// next.
func (s *Store) Credit(ctx context.Context, p match.Partition, span clock.Span) (n int, err error) {
	err = s.writeFor(ctx, longTime, []lock{judging(p)}, func(ctx context.Context, tx db) error {
		var seen column.Time
		if err := tx.row(ctx, selectLastSeen, p.Index, p.Count()).Scan(&seen); err != nil {
			return err
		}
		if n > 0 && seen.Time().UnixMilli() == span.Heard().UnixMilli() {
			return nil // it was committed, and nobody said so
		}
		n = 0
		others, err := s.othersPresent(ctx, tx, p, seen.Time(), span.To)
		if err != nil {
			return err
		}
		from, by := span.Credit(seen.Time(), others)
		if by != 0 {
			if n, err = moveDeadlines(ctx, tx, p, from, by); err != nil {
				return err
			}
		}
		tx.queue(named("record presence"), see, p.Index, p.Count(), span.Heard().UnixMilli(), by != 0)
		return s.presence.hold(ctx, p) // before the next one asks
	})
	if err != nil {
		return 0, fmt.Errorf("credit: %w", err)
	}
	return n, nil
}

// moveDeadlines moves the deadlines of a partition later than from, and says how many there were.
func moveDeadlines(ctx context.Context, tx db, p match.Partition, from time.Time, by time.Duration) (int, error) {
	var moved []match.ID
	for _, move := range []string{moveChallengeDeadlines, moveTurnDeadlines, moveRematchDeadlines} {
		some, err := list(ctx, tx, scan[match.ID], move, p.Index, p.Count(), from.UnixMilli(), by.Milliseconds())
		if err != nil {
			return 0, err
		}
		moved = append(moved, some...)
	}
	if by.Abs() < match.BriefGap {
		tx.queue(named("boards"), keepShown, texts(moved))
	}
	return len(moved), nil
}
