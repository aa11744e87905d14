package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"

	"tictactoe/internal/match"
	"tictactoe/internal/score"
)

// The best come first; who is level in everything else is ordered by id, so that no two share a rank. A venue without
// name has no leaderboard.
const (
	countPeople = `SELECT count(*) FROM scores WHERE venue = ?1 AND level = '' AND venue <> ''`

	selectPeople = `SELECT player, coalesce((SELECT name FROM players WHERE id = player), ''), wins, draws, losses
		FROM scores WHERE venue = ?1 AND level = '' AND venue <> ''
		ORDER BY wins DESC, losses, reached, player LIMIT ?2 OFFSET ?3`

	selectPerson = `SELECT player, coalesce((SELECT name FROM players WHERE id = player), ''), wins, draws, losses,
			(SELECT count(*) FROM scores AS better WHERE better.venue = ?1 AND better.level = '' AND better.wins >= own.wins
			AND (-better.wins, better.losses, better.reached, better.player) < (-own.wins, own.losses, own.reached, own.player))
		FROM scores AS own WHERE venue = ?1 AND level = '' AND venue <> '' AND player = ?2`

	countComputers = `SELECT count(*) FROM computer_scores WHERE venue = ?1 AND venue <> ''`

	selectComputers = `SELECT player, coalesce((SELECT name FROM players WHERE id = player), ''), wins, draws, losses
		FROM computer_scores WHERE venue = ?1 AND venue <> ''
		ORDER BY wins DESC, draws DESC, losses, reached, player LIMIT ?2 OFFSET ?3`

	selectComputersOwn = `SELECT player, coalesce((SELECT name FROM players WHERE id = player), ''), wins, draws, losses,
			(SELECT count(*) FROM computer_scores AS better WHERE better.venue = ?1 AND better.wins >= own.wins
			AND (-better.wins, -better.draws, better.losses, better.reached, better.player)
				< (-own.wins, -own.draws, own.losses, own.reached, own.player))
		FROM computer_scores AS own WHERE venue = ?1 AND venue <> '' AND player = ?2`

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
	deleteVenueScores = `DELETE FROM scores WHERE venue = ?1`

	// What counts of a venue, and of that what one player has played.
	selectEndedAt = `SELECT ` + matchColumns + ` WHERE venue = ?1 AND ended > ?2`
	selectEndedOf = `SELECT ` + matchColumns + ` WHERE id IN (
			SELECT id FROM matches WHERE x_player = ?3 AND ended > ?2 AND venue = ?1
			UNION ALL SELECT id FROM matches WHERE o_player = ?3 AND ended > ?2 AND venue = ?1)`

	selectAllScores = `SELECT venue, player, level, wins, draws, losses, nullif(reached, 0) FROM scores`
	selectAllEnded  = `SELECT ` + matchColumns + ` WHERE ended IS NOT NULL`
	// Sums over the levels that are not what their triggers make of the scores.
	selectAllWrongSums = `SELECT coalesce(c.venue, s.venue) AS venue, coalesce(c.player, s.player) AS player
		FROM computer_scores AS c FULL JOIN (
			SELECT venue, player, sum(wins) AS wins, sum(draws) AS draws, sum(losses) AS losses, max(reached) AS reached
			FROM scores WHERE level <> '' GROUP BY venue, player) AS s ON c.venue = s.venue AND c.player = s.player
		WHERE (c.wins, c.draws, c.losses, c.reached) IS NOT (s.wins, s.draws, s.losses, s.reached)`
	deleteSum   = `DELETE FROM computer_scores WHERE venue = ?1 AND player = ?2`
	touchScore  = `UPDATE scores SET level = level WHERE venue = ?1 AND player = ?2 AND level <> ''`
	deleteScore = `DELETE FROM scores WHERE venue = ?1 AND player = ?2 AND level = ?3`
)

// ranking is how a leaderboard is read.
type ranking struct {
	count, page, own string
	levels           bool
}

// Leaderboard is one page, counted from 1; a page beyond the last is the last. The venue of direct messages has none:
// its page is empty.
func (s *Store) Leaderboard(ctx context.Context, v match.Venue, b score.Board, page int, own match.Player) (score.Page, error) {
	r := ranking{count: countPeople, page: selectPeople, own: selectPerson}
	if b == score.Computers {
		r = ranking{count: countComputers, page: selectComputers, own: selectComputersOwn, levels: true}
	}
	var p score.Page
	err := s.readTogether(ctx, func(db querier) (err error) {
		p, err = r.read(ctx, db, v, page, own)
		return err
	})
	if err != nil {
		return score.Page{}, fmt.Errorf("leaderboard: %w", err)
	}
	return p, nil
}

func (r ranking) read(ctx context.Context, db querier, v match.Venue, page int, own match.Player) (score.Page, error) {
	var total int
	if err := db.QueryRowContext(ctx, r.count, v).Scan(&total); err != nil {
		return score.Page{}, err
	}
	p := score.Page{Pages: max(1, (total+score.PageSize-1)/score.PageSize)}
	p.Page = min(max(page, 1), p.Pages)

	skipped := (p.Page - 1) * score.PageSize
	var err error
	if p.Rows, err = list(ctx, db, scanRow, r.page, v, score.PageSize, skipped); err != nil {
		return score.Page{}, err
	}
	for i := range p.Rows {
		p.Rows[i].Rank = skipped + i + 1
		if err := r.addLevels(ctx, db, v, &p.Rows[i]); err != nil {
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
	row, err := scanRanked(db.QueryRowContext(ctx, r.own, v, own))
	if errors.Is(err, sql.ErrNoRows) {
		return p, nil
	}
	if err == nil {
		err = r.addLevels(ctx, db, v, &row)
	}
	if err != nil {
		return score.Page{}, err
	}
	p.Own = &row
	return p, nil
}

func (r ranking) addLevels(ctx context.Context, db querier, v match.Venue, row *score.Row) (err error) {
	if r.levels {
		row.Levels, err = list(ctx, db, scanLevel, selectLevels, v, row.Player)
	}
	return err
}

// Own are all entries of a player, of every venue, people first, then by level.
func (s *Store) Own(ctx context.Context, p match.Player) (entries []score.Entry, err error) {
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
	player match.Player
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
	sums, err := rebuildSums(ctx, tx)
	return corrected + sums, err
}

// rebuildSums has the triggers correct what somebody else has made of their table.
func rebuildSums(ctx context.Context, tx *sql.Conn) (corrected int, err error) {
	scan := func(row scanner) (k entryKey, err error) {
		err = row.Scan(&k.venue, &k.player)
		return k, err
	}
	wrong, err := list(ctx, tx, scan, selectAllWrongSums)
	if err != nil {
		return 0, err
	}
	for _, k := range wrong {
		for _, statement := range []string{deleteSum, touchScore} {
			if _, err := tx.ExecContext(ctx, statement, k.venue, k.player); err != nil {
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
func resetScores(ctx context.Context, tx *sql.Conn, r score.Reset) error {
	if _, err := tx.ExecContext(ctx, upsertReset, r.Venue, r.At.UnixMilli()); err != nil {
		return fmt.Errorf("reset %s: %w", r.Venue, err)
	}
	since, err := countsSince(ctx, tx, r.Venue)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, deleteVenueScores, r.Venue); err != nil {
		return fmt.Errorf("reset %s: %w", r.Venue, err)
	}
	sums, err := count(ctx, tx, everyMatch, selectEndedAt, r.Venue, since)
	if err != nil {
		return fmt.Errorf("reset %s: %w", r.Venue, err)
	}
	for _, e := range sums {
		if err := insertScore(ctx, tx, e); err != nil {
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
