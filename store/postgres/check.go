package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"

	"tictactoe/store/internal/column"
)

// What a check has found, and how far it is.
type (
	Report          = column.Report
	Progress        = column.Progress
	UnreadableError = column.UnreadableError
)

const (
	selectAllCounts = `SELECT (SELECT count(*) FROM matches), (SELECT count(*) FROM moves), (SELECT count(*) FROM challenges),
		(SELECT count(*) FROM scores), (SELECT count(*) FROM boards)`

	selectAllMatches    = `SELECT ` + matchColumns + ` ORDER BY id`
	selectAllChallenges = `SELECT ` + challengeColumns + ` ORDER BY id`

	selectAllWrongScores = `SELECT venue, player FROM scores FULL JOIN entries USING (venue, player, level)
		WHERE (scores.wins, scores.draws, scores.losses, scores.reached)
			IS DISTINCT FROM (entries.wins, entries.draws, entries.losses, entries.reached)`
	selectAllWrongStandings = `SELECT venue, player, computers FROM standings AS h FULL JOIN sums AS s USING (venue, computers, player)
		WHERE (h.wins, h.draws, h.losses, h.reached) IS DISTINCT FROM (s.wins, s.draws, s.losses, s.reached)`
	// Leaderboards whose rank buckets are not those of their standings.
	selectAllWrongBuckets = `SELECT venue, computers FROM (
			SELECT venue, computers, first, length, lead(first) OVER (PARTITION BY venue, computers ORDER BY first) AS next
			FROM stretches) AS s
		WHERE length <> (SELECT count(*) FROM standings AS h WHERE h.venue = s.venue AND h.computers = s.computers
				AND place >= first AND (next IS NULL OR place < next))
			OR first <> '' AND NOT EXISTS (SELECT 1 FROM standings AS h
				WHERE h.venue = s.venue AND h.computers = s.computers AND place = first)
		UNION SELECT venue, computers FROM standings AS h WHERE NOT EXISTS (
			SELECT 1 FROM stretches AS s WHERE s.venue = h.venue AND s.computers = h.computers AND first = '')`

	lockTables = `LOCK TABLE matches, score_resets, scores, standings, stretches IN SHARE ROW EXCLUSIVE MODE`
	countWrong = `SELECT (SELECT count(*) FROM (` + selectAllWrongScores + `) AS scores)
		+ (SELECT count(*) FROM (` + selectAllWrongStandings + `) AS standings)
		+ (SELECT count(*) FROM (` + selectAllWrongBuckets + `) AS stretches)`
	deleteAllScores = `DELETE FROM scores`
	standEverybody  = `SELECT stand_all(venue) FROM (
		SELECT venue FROM scores UNION SELECT venue FROM standings UNION SELECT venue FROM stretches) AS venues`
)

// law is something that no table's own CHECK can say. The query lists what breaks it.
type law struct {
	query, what string
	remedy      column.Remedy
}

func laws() []law {
	return []law{
		{`SELECT 'match ' || id FROM matches AS m WHERE rematch_next IS NOT NULL
			AND NOT EXISTS (SELECT 1 FROM matches WHERE id = m.rematch_next AND series = m.series)`,
			"its rematch is not there, or not in its series", column.RestoreBackup},
		{`SELECT 'challenge ' || id FROM challenges AS c WHERE status = 'accepted'
			AND NOT EXISTS (SELECT 1 FROM matches WHERE id = c.id)`,
			"it was accepted, and its match is not there", column.RestoreBackup},
		{`SELECT 'board ' || id FROM boards AS b WHERE NOT EXISTS (SELECT 1 FROM matches WHERE id = b.id)
			AND NOT EXISTS (SELECT 1 FROM challenges WHERE id = b.id)`,
			"it shows neither a match nor a challenge that is there", column.LeaveIt},
		{`SELECT 'board ' || b.id FROM boards AS b LEFT JOIN matches AS m USING (id) LEFT JOIN challenges AS c USING (id)
			WHERE latest <> greatest(m.version, c.version)`,
			"it does not know which version of its match is the latest, so that it may not be redrawn", column.RestoreBackup},
		{`SELECT 'score of player ' || player || ' in ' || venue FROM (` + selectAllWrongScores + `) AS wrong`,
			"it is not what the matches add up to", column.RebuildScores},
		{`SELECT 'standing of player ' || player || ' in ' || venue || CASE WHEN computers THEN ' against the computer' ELSE '' END
			FROM (` + selectAllWrongStandings + `) AS wrong`,
			"it is not the sum of the scores", column.RebuildScores},
		{`SELECT 'leaderboard of ' || venue || CASE WHEN computers THEN ' against the computer' ELSE '' END
			FROM (` + selectAllWrongBuckets + `) AS wrong`,
			"its stretches are not as long as they say", column.RebuildScores},
	}
}

// inspection runs do on the database at that address as it is at one moment, while bots may use it. It has to be of this
// program's schema.
func inspection(ctx context.Context, address string, do func(ctx context.Context, schema int64, q db) error) error {
	version, known, err := Inspect(ctx, address)
	if err != nil {
		return err
	}
	if version < known {
		return fmt.Errorf("database %s: its schema is version %d; start the bot on it once, which brings it to %d",
			Redact(address), version, known)
	}
	s, err := Open(ctx, address)
	if err != nil {
		return err
	}
	defer s.Close()
	snapshot := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err = pgx.BeginTxFunc(ctx, s.pool, snapshot, func(tx pgx.Tx) error {
		q := db{tx, nil}
		if _, err := q.exec(ctx, "SET LOCAL statement_timeout = 0"); err != nil {
			return err
		}
		return do(ctx, version, q)
	})
	if err != nil {
		err = fmt.Errorf("database %s: %w", Redact(address), err)
	}
	return err
}

// Check reads all of the database at that address, which may be in use, and compares it with what has to hold: that every
// match is a game by its rules with the result that its moves lead to, that rows refer to rows that are there, and that the
// scores are what the matches add up to. Postgres keeps the rest by itself. The progress counts matches.
func Check(ctx context.Context, address string, progress Progress) (Report, error) {
	r := Report{Findings: []column.Finding{}}
	err := inspection(ctx, address, func(ctx context.Context, version int64, q db) error {
		r.Schema = version
		err := q.row(ctx, selectAllCounts).Scan(&r.Matches, &r.Moves, &r.Challenges, &r.Scores, &r.Boards)
		if err != nil {
			return err
		}
		done := 0
		readable := func(kind string, err error) error {
			if broken := (*UnreadableError)(nil); errors.As(err, &broken) {
				r.Found(kind+string(broken.ID), column.RestoreBackup, "%v", broken.Err)
				return nil
			}
			return err
		}
		err = q.each(ctx, func(row column.Row) error {
			done++
			progress.Say(done, r.Matches)
			_, err := column.ScanMatch(row)
			return readable("match ", err)
		}, selectAllMatches)
		if err != nil {
			return err
		}
		err = q.each(ctx, func(row column.Row) error {
			_, err := column.ScanChallenge(row)
			return readable("challenge ", err)
		}, selectAllChallenges)
		if err != nil {
			return err
		}
		for _, law := range laws() {
			broken, err := list(ctx, q, scan[string], law.query)
			if err != nil {
				return err
			}
			for _, where := range broken {
				r.Found(where, law.remedy, "%s", law.what)
			}
		}
		return nil
	})
	return r, err
}

// Export writes every match of the database at that address, which may be in use, as a line of JSON each, in the order of
// their ids, and returns how many. Those that make no sense are left out; then the error wraps an [*UnreadableError] for
// each, and the count is that of the others.
func Export(ctx context.Context, address string, w io.Writer, progress Progress) (n int, err error) {
	var unreadable []error
	lines := json.NewEncoder(w)
	err = inspection(ctx, address, func(ctx context.Context, _ int64, q db) error {
		var all int
		if err := q.row(ctx, "SELECT count(*) FROM matches").Scan(&all); err != nil {
			return err
		}
		return q.each(ctx, func(row column.Row) error {
			m, err := column.ScanMatch(row)
			progress.Say(n+len(unreadable)+1, all)
			if broken := (*UnreadableError)(nil); errors.As(err, &broken) {
				unreadable = append(unreadable, err)
				return nil
			}
			if err == nil {
				n++
				err = lines.Encode(column.Export(m))
			}
			return err
		}, selectAllMatches)
	})
	return n, errors.Join(append(unreadable, err)...)
}

// RebuildScores counts all ended matches anew and corrects the scores where they differ. It reports how many did: none,
// unless something other than a store has written to the database. Saving waits meanwhile.
func (s *Store) RebuildScores(ctx context.Context) (corrected int, err error) {
	err = s.writeFor(ctx, longTime, nil, func(ctx context.Context, tx db) error {
		if _, err := tx.exec(ctx, lockTables); err != nil {
			return err
		}
		if err := tx.row(ctx, countWrong).Scan(&corrected); err != nil || corrected == 0 {
			return err
		}
		for _, statement := range []string{deleteAllScores, countScores, standEverybody} {
			tx.queue(named("count anew"), statement)
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("rebuild the scores: %w", err)
	}
	return corrected, nil
}
