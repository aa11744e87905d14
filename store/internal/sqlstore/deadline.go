package sqlstore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"tictactoe/internal/clock"
	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
)

// In Postgres a match has one deadline, due, for a turn or for a rematch, and whoever has taken a deadline holds it for a while.
const (
	// What others hold, and what they are just about to, is passed over. $5 is this store, $6 until when it holds them.
	takeChallenges = `{postgres:WITH free AS MATERIALIZED (
			SELECT id FROM challenges WHERE deadline <= $3 AND (held_by IS NULL OR held_by = $5 OR held_until <= $3) AND ` + venueOfPostgres + `
			ORDER BY deadline DESC, id LIMIT $4 FOR UPDATE SKIP LOCKED)
		UPDATE challenges AS c SET held_by = $5, held_until = $6 FROM free WHERE c.id = free.id RETURNING c.id, c.deadline}
		{sqlite:SELECT id, deadline FROM challenges WHERE deadline <= $3 AND ` + venueOfSQLite + ` ORDER BY deadline DESC, id LIMIT $4}`
	takeMatches = `{postgres:WITH free AS MATERIALIZED (
			SELECT id FROM matches WHERE due <= $3 AND (held_by IS NULL OR held_by = $5 OR held_until <= $3) AND ` + venueOfPostgres + `
			ORDER BY due DESC, id LIMIT $4 FOR UPDATE SKIP LOCKED)
		UPDATE matches AS m SET held_by = $5, held_until = $6 FROM free WHERE m.id = free.id RETURNING m.id, m.due}
		{sqlite:SELECT id, due FROM (
			SELECT id, deadline AS due FROM matches WHERE deadline <= $3 AND ` + venueOfSQLite + `
			UNION ALL SELECT id, rematch_deadline FROM matches WHERE rematch_deadline <= $3 AND ` + venueOfSQLite + `)
		ORDER BY due DESC, id LIMIT $4}`

	selectNextDeadline = `{postgres:SELECT least(
		(SELECT deadline FROM challenges WHERE deadline > $3 AND (held_by IS NULL OR held_by = $4) AND ` + venueOfPostgres + ` ORDER BY deadline LIMIT 1),
		(SELECT due FROM matches WHERE due > $3 AND (held_by IS NULL OR held_by = $4) AND ` + venueOfPostgres + ` ORDER BY due LIMIT 1))}
		{sqlite:SELECT min(due) FROM (
			SELECT min(deadline) AS due FROM challenges WHERE deadline > $3 AND ` + venueOfSQLite + `
			UNION ALL SELECT min(deadline) FROM matches WHERE deadline > $3 AND ` + venueOfSQLite + `
			UNION ALL SELECT min(rematch_deadline) FROM matches WHERE rematch_deadline > $3 AND ` + venueOfSQLite + `)}`

	moveChallengeDeadlines = `UPDATE challenges SET deadline = deadline + $4, version = version + 1` + released + `
		WHERE deadline > $3 AND ` + venueOfPartition + ` RETURNING id`
	moveTurnDeadlines = `UPDATE matches SET deadline = deadline + $4, version = version + 1` + released + `
		WHERE {postgres:due > $3 AND deadline IS NOT NULL}{sqlite:deadline > $3} AND ` + venueOfPartition + ` RETURNING id`
	moveRematchDeadlines = `UPDATE matches SET rematch_deadline = rematch_deadline + $4, version = version + 1` + released + `
		WHERE {postgres:due > $3 AND rematch_deadline IS NOT NULL}{sqlite:rematch_deadline > $3} AND ` + venueOfPartition + ` RETURNING id`

	// Each version has grown by one with its deadline.
	keepShown = `UPDATE boards SET shown = shown + 1 WHERE id IN ` + each1 + ` AND shown = latest - 1`

	selectLastSeen = `SELECT coalesce(
		(SELECT last_seen FROM presence WHERE part = $1 AND parts = $2),
		(SELECT min(last_seen) FROM presence WHERE parts <> $2))`
)

// TakeDue are the challenges and matches of the partition whose deadline is at now or before, latest first, at most limit, and not
// those that another store holds. This one holds them until that time, unless they are changed before.
func (s *Store) TakeDue(ctx context.Context, p match.Partition, now time.Time, limit int, until time.Time) ([]match.ID, error) {
	type taken struct {
		id  match.ID
		due int64
	}
	var due []taken
	err := s.db.Take(ctx, func(ctx context.Context, tx Tx) error {
		due = due[:0]
		for _, statement := range []string{takeChallenges, takeMatches} {
			some, err := List(ctx, tx, func(r column.Row) (c taken, err error) {
				err = r.Scan(&c.id, &c.due)
				return c, err
			}, statement, p.Index, p.Count(), now.UnixMilli(), limit, s.id, until.UnixMilli())
			if err != nil {
				return err
			}
			due = append(due, some...)
		}
		return nil
	})
	if err != nil {
		return nil, Named("deadlines due").Wrap(err)
	}
	slices.SortFunc(due, func(a, b taken) int { return cmp.Or(cmp.Compare(b.due, a.due), cmp.Compare(a.id, b.id)) })
	var ids []match.ID
	for _, c := range due[:min(limit, len(due))] { // what is too much is this store's as well, and comes with the next
		ids = append(ids, c.id)
	}
	return ids, nil
}

// NextDeadline is the earliest deadline of the partition after a time that no other store holds, zero if there is none.
func (s *Store) NextDeadline(ctx context.Context, p match.Partition, after time.Time) (time.Time, error) {
	return one(ctx, s.db, Named("next deadline"), scanTime, selectNextDeadline, p.Index, p.Count(), after.UnixMilli(), s.id)
}

// LastSeen is the latest time saved by a [match.Seen] of the partition by any bot, zero if there is none. Where the record is of
// another number of parts it is the earliest of theirs.
func (s *Store) LastSeen(ctx context.Context, p match.Partition) (time.Time, error) {
	return one(ctx, s.db, Named("last seen"), scanTime, selectLastSeen, p.Index, p.Count())
}

// presenceOf is when the partition was seen last, and whether another bot hears it now.
func (s *Store) presenceOf(ctx context.Context, tx Tx, p match.Partition, now time.Time) (seen time.Time, others bool, err error) {
	seen, err = scanTime(tx.Row(ctx, selectLastSeen, p.Index, p.Count()))
	if err == nil {
		others, err = s.db.OthersPresent(ctx, tx, p, seen, now)
	}
	return seen, others, err
}

// Credit credits what players of the partition missed in a span, by the rule of [clock.Span.Credit], and records until when they
// were heard. It reports how many deadlines moved. Of several bots that ask at once the first credits, and is there for the
// next.
func (s *Store) Credit(ctx context.Context, p match.Partition, span clock.Span) (n int, err error) {
	err = s.db.Write(ctx, Kind{Locks: []Lock{judging(p)}, Long: true}, func(ctx context.Context, tx Tx) error {
		seen, others, err := s.presenceOf(ctx, tx, p, span.To)
		if err != nil {
			return err
		}
		if n > 0 && seen.UnixMilli() == span.Heard().UnixMilli() {
			return nil // it was committed, and nobody said so
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
		return s.db.Arrive(ctx, p) // before the next one asks
	})
	if err != nil {
		return 0, Named("credit").Wrap(err)
	}
	return n, nil
}

// moveDeadlines moves the deadlines of a partition later than from, and says how many there were.
func moveDeadlines(ctx context.Context, tx Tx, p match.Partition, from time.Time, by time.Duration) (int, error) {
	var moved []match.ID
	for _, move := range []string{moveChallengeDeadlines, moveTurnDeadlines, moveRematchDeadlines} {
		some, err := List(ctx, tx, Value[match.ID], move, p.Index, p.Count(), from.UnixMilli(), by.Milliseconds())
		if err != nil {
			return 0, err
		}
		moved = append(moved, some...)
	}
	if by.Abs() < match.BriefGap {
		tx.Queue(Named("boards"), keepShown, texts(moved))
	}
	return len(moved), nil
}
