package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/score"
)

// The best come first; who is level in everything else is ordered by id, so that no two share a rank: that is the order of
// place. A rank is the lengths of the rank buckets before, and what comes before in its own.
const (
	selectBuckets = `SELECT first, length FROM stretches WHERE venue = ?1 AND computers = ?2 ORDER BY first`

	selectStandings = `SELECT player, coalesce((SELECT name FROM players WHERE id = player), ''), wins, draws, losses
		FROM standings WHERE venue = ?1 AND computers = ?2 AND place >= ?3 ORDER BY place LIMIT ?4 OFFSET ?5`

	selectStanding = `SELECT player, coalesce((SELECT name FROM players WHERE id = player), ''), wins, draws, losses,
			(SELECT coalesce(sum(length), 0) FROM stretches WHERE venue = ?1 AND computers = ?2 AND first < stretch) +
			(SELECT count(*) FROM standings WHERE venue = ?1 AND computers = ?2 AND place >= stretch AND place < own.place)
		FROM (SELECT player, wins, draws, losses, place,
				(SELECT max(first) FROM stretches WHERE venue = ?1 AND computers = ?2 AND first <= place) AS stretch
			FROM standings WHERE venue = ?1 AND computers = ?2 AND player = ?3) AS own`

	selectLevels = `SELECT level, wins, draws, losses FROM scores
		WHERE venue = ?1 AND player = ?2 AND level <> '' ORDER BY level`

	selectEntries = `SELECT venue, player, level, wins, draws, losses, nullif(reached, 0) FROM scores
		WHERE player = ?1 ORDER BY level, venue`

	addScore = `INSERT INTO scores (venue, player, level, wins, draws, losses, reached)
		VALUES (?1, ?2, ?3, ?4, ?5, ?6, coalesce(?7, 0))
		ON CONFLICT (venue, player, level) DO UPDATE SET wins = wins + excluded.wins, draws = draws + excluded.draws,
			losses = losses + excluded.losses, reached = max(reached, excluded.reached)`

	selectReset     = `SELECT at FROM score_resets WHERE venue = ?1`
	selectAllResets = `SELECT venue, at FROM score_resets`
	upsertReset     = `INSERT INTO score_resets (venue, at) VALUES (?1, ?2)
		ON CONFLICT (venue) DO UPDATE SET at = max(at, excluded.at)`

	deleteVenueScores    = `DELETE FROM scores WHERE venue = ?1`
	deleteVenueStandings = `DELETE FROM standings WHERE venue = ?1`
	deleteVenueBuckets   = `DELETE FROM stretches WHERE venue = ?1`

	// What counts of a venue, and of that what one player has played.
	selectEndedAt = `SELECT ` + matchColumns + ` WHERE venue = ?1 AND ended > ?2`
	selectEndedOf = `SELECT ` + matchColumns + ` WHERE id IN (
			SELECT id FROM matches WHERE x_player = ?3 AND ended > ?2 AND venue = ?1
			UNION ALL SELECT id FROM matches WHERE o_player = ?3 AND ended > ?2 AND venue = ?1)`

	selectAllScores = `SELECT venue, player, level, wins, draws, losses, nullif(reached, 0) FROM scores`
	selectAllEnded  = `SELECT ` + matchColumns + ` WHERE ended IS NOT NULL`
	// Standings that are not what their triggers make of the scores, or of which only one of the two is there. (A FULL JOIN
	// would compare each with each.)
	selectAllStandings = `SELECT venue, computers, player, wins, draws, losses, reached FROM standings`
	selectAllSums      = `SELECT venue, level <> '' AS computers, player, sum(wins), sum(draws), sum(losses), max(reached)
		FROM scores WHERE venue <> '' GROUP BY venue, computers, player`
	selectAllWrongStandings = `SELECT venue, computers, player FROM (` + selectAllStandings + ` EXCEPT ` + selectAllSums + `)
		UNION SELECT venue, computers, player FROM (` + selectAllSums + ` EXCEPT ` + selectAllStandings + `)`
	deleteStanding = `DELETE FROM standings WHERE venue = ?1 AND computers = ?2 AND player = ?3`
	touchScore     = `UPDATE scores SET level = level WHERE venue = ?1 AND (level <> '') = ?2 AND player = ?3`

	// Leaderboards whose rank buckets are not those of their standings.
	selectAllWrongBuckets = `SELECT venue, computers FROM (
			SELECT venue, computers, first, length, lead(first) OVER (PARTITION BY venue, computers ORDER BY first) AS next
			FROM stretches) AS s
		WHERE length <> (SELECT count(*) FROM standings AS h WHERE h.venue = s.venue AND h.computers = s.computers
				AND place >= first AND (next IS NULL OR place < next))
			OR first <> '' AND NOT EXISTS (SELECT 1 FROM standings AS h
				WHERE h.venue = s.venue AND h.computers = s.computers AND place = first)
		UNION SELECT DISTINCT venue, computers FROM standings AS h WHERE NOT EXISTS (
			SELECT 1 FROM stretches AS s WHERE s.venue = h.venue AND s.computers = h.computers AND first = '')`
	deleteBuckets = `DELETE FROM stretches WHERE venue = ?1 AND computers = ?2`
	// As many in each as a rank bucket has that was just halved.
	insertBuckets = `INSERT INTO stretches (venue, computers, first, length)
		SELECT venue, computers, iif(n = 0, '', min(place)), count(*) FROM (
			SELECT venue, computers, place, (row_number() OVER (ORDER BY place) - 1) / 1024 AS n
			FROM standings WHERE venue = ?1 AND computers = ?2) GROUP BY n`
	deleteScore = `DELETE FROM scores WHERE venue = ?1 AND player = ?2 AND level = ?3`
)

// Leaderboard is one page, counted from 1; a page beyond the last is the last. The venue of direct messages has none:
// its page is empty.
func (s *Store) Leaderboard(ctx context.Context, v match.Venue, b score.Leaderboard, page int, own match.User) (p score.Page, err error) {
	err = s.readTogether(ctx, func(db querier) error {
		p, err = ranking{db, v, b == score.Computers}.page(ctx, page, own)
		return err
	})
	if err != nil {
		return score.Page{}, fmt.Errorf("leaderboard: %w", err)
	}
	return p, nil
}

// bucket is a number of standings that follow each other, from a place on.
type bucket struct {
	first  string
	length int
}

// ranking is a leaderboard as one transaction sees it.
type ranking struct {
	db        querier
	venue     match.Venue
	computers bool
}

func (r ranking) page(ctx context.Context, page int, own match.User) (score.Page, error) {
	buckets, err := list(ctx, r.db, scanBucket, selectBuckets, r.venue, r.computers)
	if err != nil {
		return score.Page{}, err
	}
	total := 0
	for _, s := range buckets {
		total += s.length
	}
	p := score.Page{Pages: max(1, (total+score.PageSize-1)/score.PageSize)}
	p.Page = min(max(page, 1), p.Pages)
	if total <= 0 {
		return p, nil
	}
	skipped := (p.Page - 1) * score.PageSize
	within := skipped // of the rank bucket in which the page begins
	for within >= buckets[0].length {
		within -= buckets[0].length
		buckets = buckets[1:]
	}
	p.Rows, err = list(ctx, r.db, scanRow, selectStandings, r.venue, r.computers, buckets[0].first, score.PageSize, within)
	if err != nil {
		return score.Page{}, err
	}
	for i := range p.Rows {
		p.Rows[i].Rank = skipped + i + 1
		if err := r.addLevels(ctx, &p.Rows[i]); err != nil {
			return score.Page{}, err
		}
		if p.Rows[i].Player == own {
			row := p.Rows[i]
			p.Own = &row
		}
	}
	if p.Own != nil || own == "" {
		return p, nil
	}
	row, err := scanRanked(r.db.QueryRowContext(ctx, selectStanding, r.venue, r.computers, own))
	if errors.Is(err, sql.ErrNoRows) {
		return p, nil
	}
	if err == nil {
		err = r.addLevels(ctx, &row)
	}
	if err != nil {
		return score.Page{}, err
	}
	p.Own = &row
	return p, nil
}

func (r ranking) addLevels(ctx context.Context, row *score.Row) (err error) {
	if r.computers {
		row.Levels, err = list(ctx, r.db, scanLevel, selectLevels, r.venue, row.Player)
	}
	return err
}

// Own are all entries of a player, of every venue, people first, then by level.
func (s *Store) Own(ctx context.Context, p match.User) (entries []score.Entry, err error) {
	err = s.read(ctx, func(db querier) error {
		entries, err = list(ctx, db, scanEntry, selectEntries, p)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("scores of player %s: %w", p, err)
	}
	return entries, nil
}

// RebuildScores counts all ended matches anew and corrects the scores where they differ. It reports how many entries did:
// none, unless something other than this store has written to the file. Writing waits meanwhile.
func (s *Store) RebuildScores(ctx context.Context) (corrected int, err error) {
	err = s.write(ctx, func(ctx context.Context, tx *sql.Conn) error {
		corrected, err = rebuildScores(ctx, tx)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("rebuild the scores: %w", err)
	}
	return corrected, nil
}

// entryKey is what tells entries apart.
type entryKey struct {
	venue  match.Venue
	player match.User
	level  string
}

func rebuildScores(ctx context.Context, tx *sql.Conn) (int, error) {
	stored, err := list(ctx, tx, scanEntry, selectAllScores)
	if err != nil {
		return 0, err
	}
	want, err := countEnded(ctx, tx)
	if err != nil {
		return 0, err
	}
	corrected := 0
	for _, have := range stored {
		key := keyOf(have)
		if want[key] == have {
			delete(want, key)
			continue
		}
		if _, known := want[key]; !known {
			corrected++ // the others are counted where they are written
		}
		if _, err := tx.ExecContext(ctx, deleteScore, have.Venue, have.Player, have.Level); err != nil {
			return 0, err
		}
	}
	for _, e := range want {
		corrected++
		if err := insertScore(ctx, tx, e); err != nil {
			return 0, err
		}
	}
	// The triggers have followed; this is about what somebody else has made of their tables.
	standings, err := correct(ctx, tx, 3, selectAllWrongStandings, deleteStanding, touchScore)
	if err != nil {
		return 0, err
	}
	boards, err := correct(ctx, tx, 2, selectAllWrongBuckets, deleteBuckets, insertBuckets)
	return corrected + standings + boards, err
}

// correct runs the statements with each row of that many columns that the query finds, and reports how many there were.
func correct(ctx context.Context, tx *sql.Conn, columns int, query string, statements ...string) (int, error) {
	scan := func(row scanner) (key []any, err error) {
		key = make([]any, columns)
		into := make([]any, columns)
		for i := range key {
			into[i] = &key[i]
		}
		err = row.Scan(into...)
		return key, err
	}
	wrong, err := list(ctx, tx, scan, query)
	if err != nil {
		return 0, err
	}
	for _, key := range wrong {
		for _, statement := range statements {
			if _, err := tx.ExecContext(ctx, statement, key...); err != nil {
				return 0, err
			}
		}
	}
	return len(wrong), nil
}

// sums are what matches add up to.
type sums map[entryKey]score.Entry

// add counts a match.
func (s sums) add(m match.Match) {
	for _, e := range score.Of(m) {
		sum, known := s[keyOf(e)]
		if !known {
			s[keyOf(e)] = e
			continue
		}
		sum.Tally = sum.Plus(e.Tally)
		if e.Reached.After(sum.Reached) {
			sum.Reached = e.Reached
		}
		s[keyOf(e)] = sum
	}
}

// countEnded is what all ended matches add up to that count.
func countEnded(ctx context.Context, db querier) (sums, error) {
	counts, err := readResets(ctx, db)
	if err != nil {
		return nil, err
	}
	return count(ctx, db, counts.count, selectAllEnded)
}

// resets are since when the matches of a venue count, where it has begun anew, in unix milliseconds.
type resets map[match.Venue]int64

func readResets(ctx context.Context, db querier) (resets, error) {
	all := make(resets)
	_, err := list(ctx, db, func(row scanner) (none struct{}, err error) {
		var venue match.Venue
		var at int64
		err = row.Scan(&venue, &at)
		all[venue] = at
		return none, err
	}, selectAllResets)
	return all, err
}

// count tells whether a match that has ended counts.
func (r resets) count(m match.Match) bool {
	at, begunAnew := r[m.Venue]
	return !begunAnew || m.Ended.UnixMilli() > at
}

// count is what the matches of a query add up to that pass.
func count(ctx context.Context, db querier, passes func(match.Match) bool, query string, args ...any) (sums, error) {
	all := make(sums)
	err := eachMatch(ctx, db, query, func(m match.Match, err error) error {
		if err == nil && passes(m) {
			all.add(m)
		}
		return err
	}, args...)
	return all, err
}

// keepScores lets the scores follow a match that has changed.
func keepScores(ctx context.Context, tx *sql.Conn, from, to match.Match) error {
	switch {
	case !from.Result.Over() && to.Result.Over():
		return addScores(ctx, tx, to)
	case from.Result.Counts() && !to.Result.Counts():
		return takeBack(ctx, tx, from)
	default:
		return nil
	}
}

// countsSince is the reset of a venue, in unix milliseconds: what ended later counts.
func countsSince(ctx context.Context, tx *sql.Conn, v match.Venue) (at int64, err error) {
	err = tx.QueryRowContext(ctx, selectReset, v).Scan(&at)
	if errors.Is(err, sql.ErrNoRows) {
		return math.MinInt64, nil
	}
	if err != nil {
		return 0, fmt.Errorf("reset of %s: %w", v, err)
	}
	return at, nil
}

// takeBack counts the entries anew that a match had a part in. It is stored as what does not count already.
func takeBack(ctx context.Context, tx *sql.Conn, m match.Match) error {
	since, err := countsSince(ctx, tx, m.Venue)
	if err != nil {
		return err
	}
	for _, e := range score.Of(m) {
		sums, err := count(ctx, tx, everyMatch, selectEndedOf, m.Venue, since, e.Player)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, deleteScore, e.Venue, e.Player, e.Level); err != nil {
			return err
		}
		if sum, left := sums[keyOf(e)]; left {
			if err := insertScore(ctx, tx, sum); err != nil {
				return err
			}
		}
	}
	return nil
}

func everyMatch(match.Match) bool { return true }

// resetScores leaves of a venue's scores what has ended later.
func resetScores(ctx context.Context, tx *sql.Conn, v match.Venue, at time.Time) error {
	if _, err := tx.ExecContext(ctx, upsertReset, v, at.UnixMilli()); err != nil {
		return fmt.Errorf("reset %s: %w", v, err)
	}
	since, err := countsSince(ctx, tx, v)
	if err != nil {
		return err
	}
	if err := clearScores(ctx, tx, v); err != nil {
		return fmt.Errorf("reset %s: %w", v, err)
	}
	sums, err := count(ctx, tx, everyMatch, selectEndedAt, v, since)
	if err != nil {
		return fmt.Errorf("reset %s: %w", v, err)
	}
	for _, e := range sums {
		if err := insertScore(ctx, tx, e); err != nil {
			return err
		}
	}
	return nil
}

// clearScores deletes the scores of a venue, and first what is kept of them, which else would follow with each.
func clearScores(ctx context.Context, tx *sql.Conn, v match.Venue) error {
	for _, statement := range []string{deleteVenueBuckets, deleteVenueStandings, deleteVenueScores} {
		if _, err := tx.ExecContext(ctx, statement, v); err != nil {
			return err
		}
	}
	return nil
}

// addScores adds a match that has just ended, unless its venue has begun anew since.
func addScores(ctx context.Context, tx *sql.Conn, m match.Match) error {
	since, err := countsSince(ctx, tx, m.Venue)
	if err != nil || m.Ended.UnixMilli() <= since {
		return err
	}
	for _, e := range score.Of(m) {
		if err := insertScore(ctx, tx, e); err != nil {
			return err
		}
	}
	return nil
}

func insertScore(ctx context.Context, tx *sql.Conn, e score.Entry) error {
	_, err := tx.ExecContext(ctx, addScore, e.Venue, e.Player, e.Level, e.Wins, e.Draws, e.Losses, instant(e.Reached))
	if err != nil {
		return fmt.Errorf("score of player %s: %w", e.Player, err)
	}
	return nil
}

func keyOf(e score.Entry) entryKey { return entryKey{e.Venue, e.Player, e.Level} }

func scanEntry(row scanner) (e score.Entry, err error) {
	var reached instant
	err = row.Scan(&e.Venue, &e.Player, &e.Level, &e.Wins, &e.Draws, &e.Losses, &reached)
	e.Reached = reached.Time()
	return e, err
}

func scanBucket(row scanner) (s bucket, err error) {
	err = row.Scan(&s.first, &s.length)
	return s, err
}

func scanRow(row scanner) (r score.Row, err error) {
	err = row.Scan(&r.Player, &r.Name, &r.Wins, &r.Draws, &r.Losses)
	return r, err
}

func scanRanked(row scanner) (r score.Row, err error) {
	err = row.Scan(&r.Player, &r.Name, &r.Wins, &r.Draws, &r.Losses, &r.Rank)
	r.Rank++ // it counts those before
	return r, err
}

func scanLevel(row scanner) (l score.LevelTally, err error) {
	err = row.Scan(&l.Level, &l.Wins, &l.Draws, &l.Losses)
	return l, err
}
