package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"math"
	"slices"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/score"
	"tictactoe/store/internal/column"
)

// The best come first; who is level in everything else is ordered by id, so that no two share a rank: that is the order of
// place. A rank is the lengths of the rank buckets before, and what comes before in its own.
const (
	// The rank bucket in which the page begins that is so many standings after the first, or the last page.
	selectBucket = `SELECT first, upto - length, total FROM (
			SELECT first, length, sum(length) OVER (ORDER BY first) AS upto, sum(length) OVER () AS total
			FROM stretches WHERE venue = $1 AND computers = $2) AS s
		WHERE upto > CAST($3 AS bigint) OR upto > (total - 1) / CAST($4 AS bigint) * CAST($4 AS bigint) ORDER BY first LIMIT 1`

	// The index alone says where the page begins. The ranks of its rows follow from that.
	selectStandings = `SELECT player, ` + shownName + `, wins, draws, losses, 0
		FROM standings WHERE venue = $1 AND computers = $2 AND place >= (
			SELECT place FROM standings WHERE venue = $1 AND computers = $2 AND place >= $3 ORDER BY place LIMIT 1 OFFSET $5)
		ORDER BY place LIMIT $4`

	selectStanding = `SELECT player, ` + shownName + `, wins, draws, losses,
			1 + (SELECT coalesce(sum(length), 0) FROM stretches WHERE venue = $1 AND computers = $2 AND first < stretch) +
			(SELECT count(*) FROM standings WHERE venue = $1 AND computers = $2 AND place >= stretch AND place < own.place)
		FROM (SELECT player, wins, draws, losses, place,
				(SELECT max(first) FROM stretches WHERE venue = $1 AND computers = $2 AND first <= place) AS stretch
			FROM standings WHERE venue = $1 AND computers = $2 AND player = $3) AS own`

	selectLevels = `SELECT player, level, wins, draws, losses FROM scores
		WHERE venue = $1 AND player IN ` + each2 + ` AND level <> '' ORDER BY player, level`

	selectEntries = `SELECT venue, player, level, wins, draws, losses, nullif(reached, 0) FROM scores
		WHERE player = $1 ORDER BY level, venue`

	addScore = `INSERT INTO scores (venue, player, level, wins, draws, losses, reached)
		SELECT $1, $2, $3, CAST($4 AS integer), CAST($5 AS integer), CAST($6 AS integer), coalesce(CAST($7 AS bigint), 0)
		WHERE NOT EXISTS (SELECT 1 FROM score_resets WHERE venue = $1 AND at >= CAST($8 AS bigint))
		ON CONFLICT (venue, player, level) DO UPDATE SET wins = scores.wins + excluded.wins,
			draws = scores.draws + excluded.draws, losses = scores.losses + excluded.losses,
			reached = CASE WHEN scores.reached > excluded.reached THEN scores.reached ELSE excluded.reached END`

	// In Postgres what changes scores has the standings follow; in SQLite triggers do.
	stand    = `{postgres:SELECT stand($1, $2, $3)}`
	standAll = `{postgres:SELECT stand_all($1)}`

	upsertReset = `INSERT INTO score_resets (venue, at) VALUES ($1, $2) ON CONFLICT (venue) DO UPDATE
		SET at = CASE WHEN score_resets.at > excluded.at THEN score_resets.at ELSE excluded.at END`

	// The standings go first, which else would follow with each score.
	deleteVenueBuckets   = `DELETE FROM stretches WHERE venue = $1`
	deleteVenueStandings = `DELETE FROM standings WHERE venue = $1`
	deleteVenueScores    = `DELETE FROM scores WHERE venue = $1`
	deleteScoresAt       = `DELETE FROM scores WHERE venue = $1 AND player = $2`

	// What the matches add up to. A condition on the matches stands in it twice: SQLite would not look it up by an index
	// if it stood outside. Who is called left has had everything deleted; see [match.Left].
	addedUp = `venue, player, level,
			count(CASE WHEN outcome = mark THEN 1 END) AS wins,
			count(CASE WHEN outcome = 'draw' THEN 1 END) AS draws,
			count(CASE WHEN outcome <> mark AND outcome <> 'draw' THEN 1 END) AS losses,
			coalesce(max(CASE WHEN outcome <> 'draw' THEN ended END), 0) AS reached
		FROM (SELECT venue, x_player AS player, coalesce(o_level, '') AS level, 'X' AS mark, outcome, ended
			FROM matches WHERE x_player <> 'left' AND outcome IS NOT NULL`
	withO = ` UNION ALL SELECT venue, o_player, coalesce(x_level, ''), 'O', outcome, ended
			FROM matches WHERE o_player <> 'left' AND outcome IS NOT NULL`
	sinceReset = `) AS played
		WHERE NOT EXISTS (SELECT 1 FROM score_resets AS r WHERE r.venue = played.venue AND r.at >= played.ended)
		GROUP BY venue, player, level`
	selectAllEntries = `SELECT ` + addedUp + withO + sinceReset

	intoScores       = `scores (venue, player, level, wins, draws, losses, reached)`
	countVenueScores = `INSERT INTO ` + intoScores + ` SELECT ` + addedUp + ` AND venue = $1` + withO + ` AND venue = $1` + sinceReset
	countScoresAt    = `INSERT INTO ` + intoScores + ` SELECT ` + addedUp + ` AND venue = $1 AND x_player = $2` +
		withO + ` AND venue = $1 AND o_player = $2` + sinceReset
)

// Leaderboard is one page. The venue of direct messages has none: its page is empty.
func (s *Store) Leaderboard(ctx context.Context, v match.Venue, b score.Leaderboard, where score.Where, own match.User) (p score.Page, err error) {
	err = s.db.ReadTogether(ctx, func(ctx context.Context, tx Tx) error {
		p, err = ranking{tx, v, b == score.Computers}.page(ctx, where, own)
		return err
	})
	return p, Named("leaderboard").Wrap(err)
}

// ranking is a leaderboard as one transaction sees it.
type ranking struct {
	tx        Tx
	venue     match.Venue
	computers bool
}

func (r ranking) page(ctx context.Context, where score.Where, own match.User) (score.Page, error) {
	p := score.Page{Page: 1, Pages: 1}
	if where.Player != "" {
		where.Page = 1
		if row, err := r.rowOf(ctx, where.Player); err != nil {
			return p, err
		} else if row != nil {
			where.Page = score.PageOf(row.Rank)
		}
	}
	var first string
	var before, total int
	page := min(max(where.Page, 1), math.MaxInt32)
	skipped := (page - 1) * score.RowsOnAPage
	err := r.tx.Row(ctx, selectBucket, r.venue, r.computers, skipped, score.RowsOnAPage).Scan(&first, &before, &total)
	if errors.Is(err, sql.ErrNoRows) {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	p.Pages = (total + score.RowsOnAPage - 1) / score.RowsOnAPage
	p.Page = min(page, p.Pages)
	skipped = (p.Page - 1) * score.RowsOnAPage
	p.Rows, err = List(ctx, r.tx, scanRow, selectStandings, r.venue, r.computers, first, score.RowsOnAPage, skipped-before)
	if err != nil {
		return p, err
	}
	for i := range p.Rows {
		p.Rows[i].Rank = skipped + i + 1
		if p.Rows[i].Player == own {
			p.Own = &p.Rows[i]
		}
	}
	rows := p.Rows
	if p.Own == nil && own != "" {
		row, err := r.rowOf(ctx, own)
		if err != nil {
			return p, err
		}
		if row != nil {
			rows = append(rows, *row)
			p.Rows, p.Own = rows[:len(p.Rows)], &rows[len(p.Rows)]
		}
	}
	if !r.computers {
		return p, nil
	}
	return p, r.addLevels(ctx, rows)
}

// rowOf is the row of a player without the levels, nil if there is none.
func (r ranking) rowOf(ctx context.Context, p match.User) (*score.Row, error) {
	row, err := scanRow(r.tx.Row(ctx, selectStanding, r.venue, r.computers, p))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &row, nil
}

// addLevels adds to the rows of players what each has played against which level.
func (r ranking) addLevels(ctx context.Context, rows []score.Row) error {
	players := make([]match.User, len(rows))
	for i, row := range rows {
		players[i] = row.Player
	}
	return r.tx.Each(ctx, func(row column.Row) error {
		var of match.User
		var l score.LevelTally
		if err := row.Scan(&of, &l.Level, &l.Wins, &l.Draws, &l.Losses); err != nil {
			return err
		}
		i := slices.Index(players, of)
		rows[i].Levels = append(rows[i].Levels, l)
		return nil
	}, selectLevels, r.venue, texts(players))
}

// Own are all entries of a player, of every venue, people first, then by level.
func (s *Store) Own(ctx context.Context, p match.User) ([]score.Entry, error) {
	return all(ctx, s.db, Named("scores of player %s", p), scanEntry, selectEntries, p)
}

// keepScores lets the scores and the ladder follow a match that has changed.
func keepScores(ctx context.Context, tx Tx, from, to match.Match) error {
	switch {
	case !from.Result.Over() && to.Result.Over():
		addScores(tx, to)
		return rate(ctx, tx, to)
	case from.Result.Counts() && !to.Result.Counts():
		takeBack(tx, from)
		return unrate(ctx, tx, from)
	}
	return nil
}

// addScores adds a match that has just ended, unless its venue has begun anew since. The rows are locked in the order of
// the players, so that two matches of the same two in direct messages do not wait for each other in a circle.
func addScores(tx Tx, m match.Match) {
	entries := score.Of(m)
	slices.SortFunc(entries, func(a, b score.Entry) int { return cmp.Compare(a.Player, b.Player) })
	for _, e := range entries {
		done := Named("score of player %s", e.Player)
		tx.Queue(done, addScore,
			e.Venue, e.Player, e.Level, e.Wins, e.Draws, e.Losses, column.Time(e.Reached), m.Ended.UnixMilli())
		tx.Queue(done, stand, e.Venue, e.Level != "", e.Player)
	}
}

// takeBack counts the entries anew that a match had a part in. It is stored as what does not count already.
func takeBack(tx Tx, m match.Match) {
	for _, e := range score.Of(m) {
		done := Named("score of player %s", e.Player)
		tx.Queue(done, deleteScoresAt, e.Venue, e.Player)
		tx.Queue(done, countScoresAt, e.Venue, e.Player)
		tx.Queue(done, stand, e.Venue, e.Level != "", e.Player)
	}
}

// resetScores leaves of a venue's scores what has ended later.
func resetScores(tx Tx, v match.Venue, at time.Time) {
	done := Named("reset %s", v)
	tx.Queue(done, upsertReset, v, at.UnixMilli())
	countScores(tx, done, v)
}

// countScores counts the scores of a venue anew.
func countScores(tx Tx, done Outcome, v match.Venue) {
	deleteScoresIn(tx, done, v)
	tx.Queue(done, countVenueScores, v)
	tx.Queue(done, standAll, v)
}

func deleteScoresIn(tx Tx, done Outcome, v match.Venue) {
	for _, statement := range []string{deleteVenueBuckets, deleteVenueStandings, deleteVenueScores} {
		tx.Queue(done, statement, v)
	}
}

func scanEntry(row column.Row) (e score.Entry, err error) {
	err = row.Scan(&e.Venue, &e.Player, &e.Level, &e.Wins, &e.Draws, &e.Losses, (*column.Time)(&e.Reached))
	return e, err
}

func scanRow(row column.Row) (r score.Row, err error) {
	err = row.Scan(&r.Player, &r.Name, &r.Hidden, &r.Wins, &r.Draws, &r.Losses, &r.Rank)
	return r, err
}
