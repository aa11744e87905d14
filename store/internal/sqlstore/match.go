package sqlstore

import (
	"context"
	"fmt"
	"time"

	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
)

// The moves come in the same row, as "0:4 1:0": one statement sees one state.
const matchColumns = `id, series, venue, rules,
	coalesce(x_player, ''), coalesce(x_level, ''), coalesce(o_player, ''), coalesce(o_level, ''),
	turn_ms, created, deadline, coalesce(outcome, ''), coalesce(cause, ''),
	coalesce(rematch, ''), coalesce(rematch_by, ''), rematch_deadline, coalesce(rematch_next, ''), ended, version, coalesce(proposer, ''), coalesce(stakes, ''),
	coalesce((SELECT string_agg(ply || ':' || square, ' ' ORDER BY ply) FROM moves WHERE match = matches.id), '')
	FROM matches`

const (
	selectMatch = `SELECT ` + dated + matchColumns + ` WHERE id = $1`

	selectOpenMatches = `SELECT ` + matchColumns + ` WHERE id IN (
			SELECT id FROM matches WHERE x_player = $1 AND ended IS NULL
			UNION ALL SELECT id FROM matches WHERE o_player = $1 AND ended IS NULL)
		ORDER BY created, id`

	selectEndedMatches = `SELECT ` + matchColumns + ` WHERE id IN (
			SELECT id FROM matches WHERE x_player = $1 AND ended >= $2
			UNION ALL SELECT id FROM matches WHERE o_player = $1 AND ended >= $2)
		ORDER BY ended, id`

	selectSeries = `SELECT
		coalesce(x_player, ''), coalesce(x_level, ''), coalesce(o_player, ''), coalesce(o_level, ''),
		coalesce(outcome, ''), cause, count(*)
		FROM matches WHERE series = $1 AND ended IS NOT NULL
		GROUP BY x_player, x_level, o_player, o_level, outcome, cause`

	insertMatch = `INSERT INTO matches (id, series, venue, rules, x_player, x_level, o_player, o_level, turn_ms, created,
			deadline, outcome, cause, rematch, rematch_by, rematch_deadline, rematch_next, ended, version, proposer, stakes)
		VALUES ($1, $2, $3, $4, nullif($5, ''), nullif($6, ''), nullif($7, ''), nullif($8, ''), $9, $10,
			$11, nullif($12, ''), nullif($13, ''), nullif($14, ''), nullif($15, ''), $16, nullif($17, ''), $18, $19, nullif($20, ''), nullif($21, ''))
		ON CONFLICT (id) DO NOTHING`

	updateMatch = `UPDATE matches SET x_level = nullif($12, ''), o_level = nullif($13, ''), deadline = $3, outcome = nullif($4, ''), cause = nullif($5, ''),
			rematch = nullif($6, ''), rematch_by = nullif($7, ''), rematch_deadline = $8, rematch_next = nullif($9, ''),
			ended = $10, version = $11` + released + `
		WHERE id = $1 AND version = $2`

	// Of the columns that a move changes where it does not end the match none but the deadline is in an index, and setting a
	// column of an index to what it is costs SQLite as much as changing it.
	moveMatch = `UPDATE matches SET deadline = $3, version = $4` + released + ` WHERE id = $1 AND version = $2`

	insertMove = `INSERT INTO moves (match, ply, square, at) VALUES ($1, $2, $3, $4) ON CONFLICT (match, ply) DO NOTHING`
)

// Match loads one match. Errors: [match.ErrNotFound], an [*column.UnreadableError].
func (s *Store) Match(ctx context.Context, id match.ID) (match.Match, error) {
	return one(ctx, s.db, Named("match %s", id), column.ScanMatch, selectMatch, id)
}

// OpenMatches are the matches of a player that go on, oldest first; all that can be read beside an [*column.UnreadableError].
func (s *Store) OpenMatches(ctx context.Context, p match.User) ([]match.Match, error) {
	return all(ctx, s.db, Named("open matches"), column.ScanMatch, selectOpenMatches, p)
}

// EndedMatches are the matches of a player that ended at since or later, in the order in which they ended; all that
// can be read beside an [*column.UnreadableError].
func (s *Store) EndedMatches(ctx context.Context, p match.User, since time.Time) ([]match.Match, error) {
	return all(ctx, s.db, Named("ended matches"), column.ScanMatch, selectEndedMatches, p, since.UnixMilli())
}

// Series counts the ended matches of a chain of rematches, those with the same seats and result together. However long the
// chain is, there are not many kinds, and nothing but an index is read.
func (s *Store) Series(ctx context.Context, series match.ID) ([]match.Past, error) {
	return all(ctx, s.db, Named("series %s", series), column.ScanPast, selectSeries, series)
}

func createMatch(ctx context.Context, tx Tx, m match.Match) error {
	done := Named("create match %s", m.ID)
	tx.Queue(done.Or(match.ErrExists), insertMatch, column.OfMatch(m)...)
	appendMoves(tx, done, m, 0)
	if m.Result.Over() {
		return keepScores(ctx, tx, match.Match{}, m)
	}
	return nil
}

func replaceMatch(ctx context.Context, tx Tx, from, to match.Match) error {
	if to.Version <= from.Version {
		return fmt.Errorf("update match %s: version %d does not follow %d", from.ID, to.Version, from.Version)
	}
	done := Named("update match %s", from.ID).Or(match.ErrConflict)
	if to.Seats == from.Seats && to.Result == from.Result && to.Rematch == from.Rematch && to.Ended.Equal(from.Ended) {
		tx.Queue(done, moveMatch, from.ID, from.Version, column.Time(to.Deadline), to.Version)
	} else {
		tx.Queue(done, updateMatch, append(append([]any{from.ID, from.Version}, column.OfMatchChange(to)...), to.Seats[0].Level, to.Seats[1].Level)...)
	}
	appendMoves(tx, done, to, from.Record.Len())
	return keepScores(ctx, tx, from, to)
}

// appendMoves inserts the moves from a ply on.
func appendMoves(tx Tx, done Outcome, m match.Match, from int) {
	for ply := from; ply < m.Record.Len(); ply++ {
		tx.Queue(done.Or(match.ErrConflict), insertMove, m.ID, ply, m.Record.Square(ply), column.MovedAt(m))
	}
}
