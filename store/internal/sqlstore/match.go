package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
)

// A row includes the moves of the match, as "1:0 0:4" in any order, and the votes, in one line each, so that all are read in one state.
const matchFields = `id, series, venue, rules,
	coalesce(x_player, ''), coalesce(x_level, ''), coalesce(o_player, ''), coalesce(o_level, ''),
	turn_ms, created, deadline, coalesce(outcome, ''), coalesce(cause, ''), coalesce(voided_outcome, ''), coalesce(voided_cause, ''),
	coalesce(rematch, ''), coalesce(rematch_by, ''), rematch_deadline, coalesce(rematch_next, ''), ended, version, coalesce(proposer, ''), coalesce(stakes, ''), helped,
	coalesce(wish, ''), coalesce(wish_by, ''), wish_ply, backs, best_of, coalesce(left_by, ''), coalesce(arena, ''), coalesce(host, ''), coalesce(place, ''),
	coalesce((SELECT string_agg(ply || ':' || square, ' ') FROM moves WHERE match = matches.id), ''),
	CASE WHEN place IS NULL THEN '' ELSE coalesce((SELECT string_agg(side || ':' || ply || ':' || square || ':' || since || ':' || player, '
') FROM votes WHERE match = matches.id), '') END`

const matchColumns = matchFields + ` FROM matches`

const (
	// The row includes the names of the players and the disabled features of the venue: a caller that loads one match is about to show
	// it.
	selectMatch = `SELECT ` + matchFields + `, ` + shownColumns

	shownColumns = `coalesce(x_id, ''), coalesce(x_name, ''), coalesce(x_text, false), coalesce(x_hidden, false),
			coalesce(o_id, ''), coalesce(o_name, ''), coalesce(o_text, false), coalesce(o_hidden, false),
			coalesce((SELECT off FROM policies WHERE policies.venue = matches.venue), ''),
			coalesce((SELECT locale FROM boards WHERE boards.id = matches.id), ''),
			coalesce((SELECT small FROM boards WHERE boards.id = matches.id), false)
		FROM matches
		LEFT JOIN (SELECT id AS x_id, name AS x_name, text_board AS x_text, hidden AS x_hidden FROM players) AS x ON x_id = x_player
		LEFT JOIN (SELECT id AS o_id, name AS o_name, text_board AS o_text, hidden AS o_hidden FROM players) AS o ON o_id = o_player
		WHERE id = $1`

	selectMatchAlone = `SELECT ` + matchColumns + ` WHERE id = $1`

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

	selectGames = `SELECT ` + matchColumns + ` WHERE series = $1 AND ended IS NOT NULL`

	insertMatch = `INSERT INTO matches (id, series, venue, rules, x_player, x_level, o_player, o_level, turn_ms, created,
			deadline, outcome, cause, voided_outcome, voided_cause, rematch, rematch_by, rematch_deadline, rematch_next, ended, version, helped, wish, wish_by, wish_ply, backs, left_by,
			proposer, stakes, best_of, arena, host, place)
		VALUES ($1, $2, $3, $4, nullif($5, ''), nullif($6, ''), nullif($7, ''), nullif($8, ''), $9, $10,
			$11, nullif($12, ''), nullif($13, ''), nullif($14, ''), nullif($15, ''), nullif($16, ''), nullif($17, ''), $18, nullif($19, ''), $20, $21,
			$22, nullif($23, ''), nullif($24, ''), $25, $26, nullif($27, ''), nullif($28, ''), nullif($29, ''), $30, nullif($31, ''), nullif($32, ''), nullif($33, '')) ON CONFLICT DO NOTHING`

	updateMatch = `UPDATE matches SET x_level = nullif($20, ''), o_level = nullif($21, ''), deadline = $3, outcome = nullif($4, ''), cause = nullif($5, ''),
			voided_outcome = nullif($6, ''), voided_cause = nullif($7, ''), rematch = nullif($8, ''), rematch_by = nullif($9, ''),
			rematch_deadline = $10, rematch_next = nullif($11, ''), ended = $12, version = $13, helped = $14,
			wish = nullif($15, ''), wish_by = nullif($16, ''), wish_ply = $17, backs = $18, left_by = nullif($19, '')` + released + `
		WHERE id = $1 AND version = $2`

	// A move that does not end the match sets no other columns, because setting an indexed column to its old value costs SQLite as much as
	// changing it.
	moveMatch = `UPDATE matches SET deadline = $3, version = $4` + released + ` WHERE id = $1 AND version = $2`

	// The statement takes back the move of a ply and all later moves.
	deleteMovesFrom = `DELETE FROM moves WHERE match = $1 AND ply >= $2`

	upsertVote = `INSERT INTO votes (match, player, side, ply, square, since) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (match, player) DO UPDATE SET ply = excluded.ply, square = excluded.square, since = excluded.since`
	deleteVote = `DELETE FROM votes WHERE match = $1 AND player = $2`

	selectCrowdIn   = `SELECT ` + matchColumns + ` WHERE place = $1 AND ended IS NULL`
	selectCrowdWins = `SELECT count(*) FROM matches WHERE place IS NOT NULL AND venue = $1 AND (venue <> '' OR place = $2)
		AND (x_level = 'crowd' AND o_level = $3 AND outcome = 'X' OR o_level = 'crowd' AND x_level = $3 AND outcome = 'O')`

	insertMove = `INSERT INTO moves (match, ply, square, at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`
)

// Match loads one match, with how its players are shown. Errors: [match.ErrNotFound], an [*column.UnreadableError].
func (s *Store) Match(ctx context.Context, id match.ID) (match.Match, error) {
	return readRow(ctx, s.db, Named("match %s", id), column.ScanShownMatch, selectMatch, id)
}

// CrowdIn returns the running match of a crowd in a channel. Errors: [match.ErrNotFound], an [*column.UnreadableError].
func (s *Store) CrowdIn(ctx context.Context, place string) (match.Match, error) {
	return readRow(ctx, s.db, Named("match of the crowd in %s", place), column.ScanMatch, selectCrowdIn, place)
}

// CrowdWins counts the wins of crowds over a level, in a venue or, without a venue, in a channel.
func (s *Store) CrowdWins(ctx context.Context, v match.Venue, place, level string) (int, error) {
	return readRow(ctx, s.db, Named("wins of crowds"), Value[int], selectCrowdWins, v, place, level)
}

// OpenMatches returns the running matches of a player, the oldest first. With an [*column.UnreadableError] it returns the readable
// matches.
func (s *Store) OpenMatches(ctx context.Context, p match.User) ([]match.Match, error) {
	return readRows(ctx, s.db, Named("open matches"), column.ScanMatch, selectOpenMatches, p)
}

// EndedMatches returns the matches of a player that ended at since or later, in the order in which they ended. With an
// [*column.UnreadableError] it returns the readable matches.
func (s *Store) EndedMatches(ctx context.Context, p match.User, since time.Time) ([]match.Match, error) {
	return readRows(ctx, s.db, Named("ended matches"), column.ScanMatch, selectEndedMatches, p, since.UnixMilli())
}

// Series counts the ended matches of a chain of rematches, grouped by seats and result. A chain of any length has few groups, and the
// query reads only an index.
func (s *Store) Series(ctx context.Context, series match.ID) ([]match.Past, error) {
	return readRows(ctx, s.db, Named("series %s", series), column.ScanPast, selectSeries, series)
}

// Games returns the ended matches of a chain. With an [*column.UnreadableError] it returns the readable matches.
func (s *Store) Games(ctx context.Context, series match.ID) ([]match.Match, error) {
	return readRows(ctx, s.db, Named("games of series %s", series), column.ScanMatch, selectGames, series)
}

// MoveTimes returns when the moves of a match were made, in order.
func (s *Store) MoveTimes(ctx context.Context, id match.ID) ([]time.Time, error) {
	return readRows(ctx, s.db, Named("moves of match %s", id), scanTime, selectMoveTimes, id)
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
	if to.Seats == from.Seats && to.Result == from.Result && to.Rematch == from.Rematch && to.Ended.Equal(from.Ended) && to.Helped == from.Helped &&
		to.Wish == from.Wish && to.Backs == from.Backs {
		tx.Queue(done, moveMatch, from.ID, from.Version, column.Time(to.Deadline), to.Version)
	} else {
		tx.Queue(done, updateMatch, append(append([]any{from.ID, from.Version}, column.OfMatchChange(to)...), column.Level(to.Seats[0]), column.Level(to.Seats[1]))...)
	}
	if to.Record.Len() < from.Record.Len() {
		tx.Queue(done, deleteMovesFrom, to.ID, to.Record.Len())
	}
	appendMoves(tx, done, to, from.Record.Len())
	for _, v := range from.Votes {
		if !slices.ContainsFunc(to.Votes, func(w match.Vote) bool { return w.By == v.By }) {
			tx.Queue(Named("delete vote"), deleteVote, to.ID, v.By)
		}
	}
	for _, v := range to.Votes {
		if !slices.Contains(from.Votes, v) {
			tx.Queue(done, upsertVote, column.OfVote(to.ID, v)...)
		}
	}
	return keepScores(ctx, tx, from, to)
}

// appendMoves inserts the moves from a ply on.
func appendMoves(tx Tx, done Outcome, m match.Match, from int) {
	for ply := from; ply < m.Record.Len(); ply++ {
		tx.Queue(done.Or(match.ErrConflict), insertMove, m.ID, ply, m.Record.Square(ply), column.Time(m.MovedAt()))
	}
}

// Find returns the match with the given id, or the challenge with that id if it has led to no match. Errors: [match.ErrNotFound], an
// [*column.UnreadableError].
func (s *Store) Find(ctx context.Context, id match.ID) (match.Found, error) {
	return readSnapshot(ctx, s.db, Named("match or challenge %s", id), func(ctx context.Context, tx Tx) (match.Found, error) {
		m, is, err := optional(column.ScanMatch(tx.Row(ctx, selectMatchAlone, id)))
		if is || err != nil {
			return match.Found{Match: &m}, err
		}
		c, err := column.ScanChallenge(tx.Row(ctx, selectChallenge, id))
		if errors.Is(err, sql.ErrNoRows) {
			err = match.ErrNotFound
		}
		return match.Found{Challenge: &c}, err
	})
}
