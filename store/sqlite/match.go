package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
)

// The moves come in the same row, as "0:4 1:0": one statement sees one state.
const matchColumns = `id, series, venue, rules,
	coalesce(x_player, ''), coalesce(x_level, ''), coalesce(o_player, ''), coalesce(o_level, ''),
	turn_ms, deadline, coalesce(outcome, ''), coalesce(cause, ''),
	coalesce(rematch, ''), coalesce(rematch_by, ''), rematch_deadline, coalesce(rematch_next, ''),
	created, ended, version,
	coalesce((SELECT group_concat(ply || ':' || square, ' ' ORDER BY ply) FROM moves WHERE match = matches.id), '')
	FROM matches`

const (
	selectMatch = `SELECT ` + matchColumns + ` WHERE id = ?1`

	selectOpenMatches = `SELECT ` + matchColumns + ` WHERE id IN (
			SELECT id FROM matches WHERE x_player = ?1 AND ended IS NULL
			UNION ALL SELECT id FROM matches WHERE o_player = ?1 AND ended IS NULL)
		ORDER BY created, id`

	selectEndedMatches = `SELECT ` + matchColumns + ` WHERE id IN (
			SELECT id FROM matches WHERE x_player = ?1 AND ended >= ?2
			UNION ALL SELECT id FROM matches WHERE o_player = ?1 AND ended >= ?2)
		ORDER BY ended, id`

	selectSeries = `SELECT
		coalesce(x_player, ''), coalesce(x_level, ''), coalesce(o_player, ''), coalesce(o_level, ''),
		coalesce(outcome, ''), cause, count(*)
		FROM matches WHERE series = ?1 AND ended IS NOT NULL
		GROUP BY x_player, x_level, o_player, o_level, outcome, cause`

	insertMatch = `INSERT INTO matches (id, series, venue, rules, x_player, x_level, o_player, o_level, turn_ms, deadline,
			outcome, cause, rematch, rematch_by, rematch_deadline, rematch_next, created, ended, version)
		VALUES (?1, ?2, ?3, ?4, nullif(?5, ''), nullif(?6, ''), nullif(?7, ''), nullif(?8, ''), ?9, ?10,
			nullif(?11, ''), nullif(?12, ''), nullif(?13, ''), nullif(?14, ''), ?15, nullif(?16, ''), ?17, ?18, ?19)
		ON CONFLICT (id) DO NOTHING`

	updateMatch = `UPDATE matches SET deadline = ?3, outcome = nullif(?4, ''), cause = nullif(?5, ''),
			rematch = nullif(?6, ''), rematch_by = nullif(?7, ''), rematch_deadline = ?8, rematch_next = nullif(?9, ''),
			ended = ?10, version = ?11
		WHERE id = ?1 AND version = ?2`

	// Of the columns that a move changes where it does not end the match none but the deadline is in an index, and setting a
	// column of an index to what it is costs as much as changing it.
	moveMatch = `UPDATE matches SET deadline = ?3, version = ?4 WHERE id = ?1 AND version = ?2`

	insertMove = `INSERT INTO moves (match, ply, square, at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (match, ply) DO NOTHING`
)

// Match loads one match. Errors: [match.ErrNotFound], an [*UnreadableError].
func (s *Store) Match(ctx context.Context, id match.ID) (m match.Match, err error) {
	err = s.read(ctx, func(db querier) error {
		m, err = scanMatch(db.QueryRowContext(ctx, selectMatch, id))
		return err
	})
	if errors.Is(err, sql.ErrNoRows) {
		err = match.ErrNotFound
	}
	if err != nil {
		return match.Match{}, fmt.Errorf("match %s: %w", id, err)
	}
	return m, nil
}

// OpenMatches are the matches of a player that go on, oldest first; all that can be read beside an [*UnreadableError].
func (s *Store) OpenMatches(ctx context.Context, p match.User) ([]match.Match, error) {
	return s.matches(ctx, "open matches", selectOpenMatches, p)
}

// EndedMatches are the matches of a player that ended at since or later, in the order in which they ended; all that
// can be read beside an [*UnreadableError].
func (s *Store) EndedMatches(ctx context.Context, p match.User, since time.Time) ([]match.Match, error) {
	return s.matches(ctx, "ended matches", selectEndedMatches, p, since.UnixMilli())
}

func (s *Store) matches(ctx context.Context, what, query string, args ...any) (all []match.Match, err error) {
	err = s.read(ctx, func(db querier) error {
		all, err = list(ctx, db, scanMatch, query, args...)
		return err
	})
	if err != nil {
		return all, fmt.Errorf("%s: %w", what, err)
	}
	return all, nil
}

// Series counts the ended matches of a chain of rematches, those with the same seats and result together. However long the
// chain is, there are not many kinds, and nothing but an index is read.
func (s *Store) Series(ctx context.Context, series match.ID) (past []match.Past, err error) {
	err = s.read(ctx, func(db querier) error {
		past, err = list(ctx, db, scanPast, selectSeries, series)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("series %s: %w", series, err)
	}
	return past, nil
}

// eachMatch calls do with every match that a query finds, and with the error of reading that one, without keeping them.
func eachMatch(ctx context.Context, db querier, query string, do func(m match.Match, err error) error, args ...any) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := do(scanMatch(rows)); err != nil {
			return err
		}
	}
	return rows.Err()
}

func scanMatch(row scanner) (match.Match, error) { return column.ScanMatch(row) }

func scanPast(row scanner) (match.Past, error) { return column.ScanPast(row) }

func createMatch(ctx context.Context, tx *sql.Conn, m match.Match) error {
	n, err := changed(ctx, tx, insertMatch, column.OfMatch(m)...)
	if err == nil && n == 0 {
		err = match.ErrExists
	}
	if err == nil {
		err = appendMoves(ctx, tx, m, 0)
	}
	if err == nil && m.Result.Over() {
		err = addScores(ctx, tx, m)
	}
	if err != nil {
		return fmt.Errorf("create match %s: %w", m.ID, err)
	}
	return nil
}

func replaceMatch(ctx context.Context, tx *sql.Conn, from, to match.Match) error {
	if to.Version <= from.Version {
		return fmt.Errorf("update match %s: version %d does not follow %d", from.ID, to.Version, from.Version)
	}
	var n int
	var err error
	if to.Result == from.Result && to.Rematch == from.Rematch && to.Ended.Equal(from.Ended) {
		n, err = changed(ctx, tx, moveMatch, from.ID, from.Version, column.Time(to.Deadline), to.Version)
	} else {
		n, err = changed(ctx, tx, updateMatch, append([]any{from.ID, from.Version}, column.OfMatchChange(to)...)...)
	}
	if err == nil && n == 0 {
		err = match.ErrConflict
	}
	if err == nil {
		err = appendMoves(ctx, tx, to, from.Record.Len())
	}
	if err == nil {
		err = keepScores(ctx, tx, from, to)
	}
	if err != nil {
		return fmt.Errorf("update match %s: %w", from.ID, err)
	}
	return nil
}

// appendMoves inserts the moves from a ply on.
func appendMoves(ctx context.Context, tx *sql.Conn, m match.Match, from int) error {
	for ply := from; ply < m.Record.Len(); ply++ {
		n, err := changed(ctx, tx, insertMove, m.ID, ply, m.Record.Square(ply), column.MovedAt(m))
		if err != nil {
			return err
		}
		if n == 0 {
			return fmt.Errorf("ply %d: %w", ply, match.ErrConflict)
		}
	}
	return nil
}
