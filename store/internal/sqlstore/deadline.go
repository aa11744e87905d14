package sqlstore

import (
	"context"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
)

// In Postgres the column due of a match holds its deadline, for a turn or for a rematch. The queries find due matches by the column slot.
// A store that has taken a deadline holds the row for some time.
const (
	// The query skips rows that other stores hold or are taking right now. $5 is this store, which holds the taken rows until $6. It may
	// take more rows than it returns; the next call returns the other rows.
	takeDue = `{postgres:WITH free_challenges AS MATERIALIZED (
			SELECT id FROM challenges WHERE deadline <= $3 AND ` + freeOfPostgres + ` ORDER BY deadline DESC, id LIMIT $4 FOR UPDATE SKIP LOCKED),
		free_matches AS MATERIALIZED (
			SELECT id FROM matches WHERE slot <= $3::bigint >> 16 AND due <= $3 AND ` + freeOfPostgres + ` ORDER BY slot DESC LIMIT $4 FOR UPDATE SKIP LOCKED),
		of_challenges AS (
			UPDATE challenges AS c SET held_by = $5, held_until = $6 FROM free_challenges AS f WHERE c.id = f.id RETURNING c.id, c.deadline AS due),
		of_matches AS (
			UPDATE matches AS m SET held_by = $5, held_until = $6 FROM free_matches AS f WHERE m.id = f.id RETURNING m.id, m.due)
		SELECT id FROM (SELECT * FROM of_challenges UNION ALL SELECT * FROM of_matches) AS taken}
		{sqlite:SELECT id FROM (
			SELECT id, deadline AS due FROM challenges WHERE deadline <= $3 AND ` + venueOfSQLite + `
			UNION ALL SELECT id, deadline FROM matches WHERE deadline <= $3 AND ` + venueOfSQLite + `
			UNION ALL SELECT id, rematch_deadline FROM matches WHERE rematch_deadline <= $3 AND ` + venueOfSQLite + `)}
		ORDER BY due DESC, id LIMIT $4`
	freeOfPostgres = `(held_by IS NULL OR held_by = $5 OR held_until <= $3) AND ` + venueOfPostgres

	selectNextDeadline = `{postgres:SELECT least(
		(SELECT deadline FROM challenges WHERE deadline > $3 AND (held_by IS NULL OR held_by = $4) AND ` + venueOfPostgres + ` ORDER BY deadline LIMIT 1),
		(SELECT due FROM matches WHERE slot >= $3::bigint >> 16 AND due > $3 AND (held_by IS NULL OR held_by = $4) AND ` + venueOfPostgres + ` ORDER BY slot, due LIMIT 1))}
		{sqlite:SELECT min(due) FROM (
			SELECT min(deadline) AS due FROM challenges WHERE deadline > $3 AND ` + venueOfSQLite + `
			UNION ALL SELECT min(deadline) FROM matches WHERE deadline > $3 AND ` + venueOfSQLite + `
			UNION ALL SELECT min(rematch_deadline) FROM matches WHERE rematch_deadline > $3 AND ` + venueOfSQLite + `)}`

	moveChallengeDeadlines = `UPDATE challenges SET deadline = deadline + $4, version = version + 1` + released + `
		WHERE deadline > $3 AND ` + venueOfPartition + ` RETURNING id`
	moveTurnDeadlines = `UPDATE matches SET deadline = deadline + $4, version = version + 1` + released + `
		WHERE {postgres:slot >= $3::bigint >> 16 AND due > $3 AND deadline IS NOT NULL}{sqlite:deadline > $3} AND ` + venueOfPartition + ` RETURNING id`
	moveRematchDeadlines = `UPDATE matches SET rematch_deadline = rematch_deadline + $4, version = version + 1` + released + `
		WHERE {postgres:slot >= $3::bigint >> 16 AND due > $3 AND rematch_deadline IS NOT NULL}{sqlite:rematch_deadline > $3} AND ` + venueOfPartition + `
		RETURNING id`

	// After a deadline has moved, the version of its match or challenge is greater by one, so the board's latest version must grow, too.
	tellMoved = `UPDATE boards SET latest = latest + 1 WHERE id ` + oneOf1
	keepShown = `UPDATE boards SET shown = shown + 1 WHERE id ` + oneOf1 + ` AND shown = latest - 1`

	selectLastSeen = `SELECT coalesce(
		(SELECT last_seen FROM presence WHERE part = $1 AND parts = $2),
		(SELECT min(last_seen) FROM presence WHERE parts <> $2))`
)

// TakeDue returns at most limit challenges and matches of the partition whose deadline has passed at the first given time, the latest
// first. It leaves out rows that another store holds. This store holds the returned rows until the second given time, or until the rows
// change.
func (s *Store) TakeDue(ctx context.Context, p match.Partition, now time.Time, limit int, until time.Time) (ids []match.ID, err error) {
	err = s.db.Take(ctx, func(ctx context.Context, tx Tx) error {
		ids, err = ScanRows(ctx, tx, Value[match.ID], takeDue, p.Index, p.Count(), now.UnixMilli(), limit, s.id, until.UnixMilli())
		return err
	})
	return ids, Named("deadlines due").Wrap(err)
}

// NextDeadline returns the earliest deadline of the partition that is later than the given time and that no other store holds, or
// zero if there is none.
func (s *Store) NextDeadline(ctx context.Context, p match.Partition, after time.Time) (time.Time, error) {
	return readRow(ctx, s.db, Named("next deadline"), scanTime, selectNextDeadline, p.Index, p.Count(), after.UnixMilli(), s.id)
}

// LastSeen returns the latest time that a bot has saved in a [match.Seen] of the partition, or zero if no time is stored. If the
// stored times are for another number of partitions, it returns the earliest of them.
func (s *Store) LastSeen(ctx context.Context, p match.Partition) (time.Time, error) {
	return readRow(ctx, s.db, Named("last seen"), scanTime, selectLastSeen, p.Index, p.Count())
}

// presenceOf returns the time when the partition was last seen, and whether another bot hears its players now.
func (s *Store) presenceOf(ctx context.Context, tx Tx, p match.Partition, now time.Time) (seen time.Time, others bool, err error) {
	seen, err = scanTime(tx.Row(ctx, selectLastSeen, p.Index, p.Count()))
	if err == nil {
		others, err = s.db.OthersPresent(ctx, tx, p, seen, now)
	}
	return seen, others, err
}

// Credit credits the time that players of the partition missed in a span, by the rule of [clock.Span.Credit], and records the end of
// the span as the time when they were last heard. It returns the number of moved deadlines. Of several bots that call it at the same
// time, only the first credits time: the others see its presence.
func (s *Store) Credit(ctx context.Context, p match.Partition, span clock.Span) (n int, err error) {
	err = s.db.Write(ctx, Kind{Locks: []Lock{judging(p)}, Long: true}, func(ctx context.Context, tx Tx) error {
		seen, others, err := s.presenceOf(ctx, tx, p, span.To)
		if err != nil {
			return err
		}
		if n > 0 && seen.UnixMilli() == span.Heard().UnixMilli() {
			return nil // an earlier attempt has been committed
		}
		n = 0
		from, by := span.Credit(seen, others)
		if by != 0 {
			if n, err = moveDeadlines(ctx, tx, p, from, by); err != nil {
				return err
			}
		}
		if err := s.db.See(ctx, tx, match.Seen{Partition: p, At: span.Heard()}, by != 0); err != nil {
			return err
		}
		return s.db.Arrive(ctx, p) // while this transaction holds its lock, so that the next bot that calls Credit sees this bot
	})
	return n, Named("credit").Wrap(err)
}

// moveDeadlines adds a duration to all deadlines of a partition that are later than the given time, and returns their number.
func moveDeadlines(ctx context.Context, tx Tx, p match.Partition, from time.Time, by time.Duration) (int, error) {
	var moved []match.ID
	for _, move := range []string{moveChallengeDeadlines, moveTurnDeadlines, moveRematchDeadlines, moveAllArenaEnds} {
		some, err := ScanRows(ctx, tx, Value[match.ID], move, p.Index, p.Count(), from.UnixMilli(), by.Milliseconds())
		if err != nil {
			return 0, err
		}
		moved = append(moved, some...)
	}
	tx.Queue(Named("boards"), tellMoved, texts(moved))
	if by.Abs() < match.BriefGap {
		tx.Queue(Named("boards"), keepShown, texts(moved))
	}
	return len(moved), nil
}
