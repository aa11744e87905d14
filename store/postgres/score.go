package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

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
		WHERE upto > least($3::bigint, (total - 1) / $4::bigint * $4::bigint) ORDER BY first LIMIT 1`

	// The index alone says where the page begins.
	selectStandings = `SELECT player, coalesce((SELECT name FROM players WHERE id = player), ''), wins, draws, losses
		FROM standings WHERE venue = $1 AND computers = $2 AND place >= (
			SELECT place FROM standings WHERE venue = $1 AND computers = $2 AND place >= $3 ORDER BY place LIMIT 1 OFFSET $5)
		ORDER BY place LIMIT $4`

	selectStanding = `SELECT player, coalesce((SELECT name FROM players WHERE id = player), ''), wins, draws, losses,
			(SELECT coalesce(sum(length), 0) FROM stretches WHERE venue = $1 AND computers = $2 AND first < stretch) +
			(SELECT count(*) FROM standings WHERE venue = $1 AND computers = $2 AND place >= stretch AND place < own.place)
		FROM (SELECT player, wins, draws, losses, place,
				(SELECT max(first) FROM stretches WHERE venue = $1 AND computers = $2 AND first <= place) AS stretch
			FROM standings WHERE venue = $1 AND computers = $2 AND player = $3) AS own`

	selectLevels = `SELECT player, level, wins, draws, losses FROM scores
		WHERE venue = $1 AND player = ANY($2) AND level <> '' ORDER BY player, level`

	selectEntries = `SELECT venue, player, level, wins, draws, losses, nullif(reached, 0) FROM scores
		WHERE player = $1 ORDER BY level, venue`

	addScore = `INSERT INTO scores (venue, player, level, wins, draws, losses, reached)
		SELECT $1, $2, $3, $4::integer, $5::integer, $6::integer, coalesce($7::bigint, 0)
		WHERE NOT EXISTS (SELECT 1 FROM score_resets WHERE venue = $1 AND at >= $8::bigint)
		ON CONFLICT (venue, player, level) DO UPDATE SET wins = scores.wins + excluded.wins,
			draws = scores.draws + excluded.draws, losses = scores.losses + excluded.losses,
			reached = greatest(scores.reached, excluded.reached)`

	// What changes scores has the standings follow.
	stand    = `SELECT stand($1, $2, $3)`
	standAll = `SELECT stand_all($1)`

	upsertReset = `INSERT INTO score_resets (venue, at) VALUES ($1, $2)
		ON CONFLICT (venue) DO UPDATE SET at = greatest(score_resets.at, excluded.at)`

	deleteVenueScores = `DELETE FROM scores WHERE venue = $1`
	deleteScoresAt    = `DELETE FROM scores WHERE venue = $1 AND player = $2`

	// What the matches add up to is a view; see the migration.
	countScores = `INSERT INTO scores (venue, player, level, wins, draws, losses, reached)
		SELECT venue, player, level, wins, draws, losses, reached FROM entries`
	countVenueScores = countScores + ` WHERE venue = $1`
	countScoresAt    = countScores + ` WHERE venue = $1 AND player = $2`
)

// Leaderboard is one page, counted from 1; a page beyond the last is the last. The venue of direct messages has none:
// its page is empty.
func (s *Store) Leaderboard(ctx context.Context, v match.Venue, b score.Leaderboard, page int, own match.User) (p score.Page, err error) {
	err = s.readTogether(ctx, func(ctx context.Context, q db) error {
		p, err = ranking{q, v, b == score.Computers}.page(ctx, page, own)
		return err
	})
	if err != nil {
		return score.Page{}, fmt.Errorf("leaderboard: %w", err)
	}
	return p, nil
}

// ranking is a leaderboard as one transaction sees it.
type ranking struct {
	db        db
	venue     match.Venue
	computers bool
}

func (r ranking) page(ctx context.Context, page int, own match.User) (score.Page, error) {
	p := score.Page{Page: 1, Pages: 1}
	var first string
	var before, total int
	page = min(max(page, 1), math.MaxInt32)
	skipped := (page - 1) * score.PageSize
	err := r.db.row(ctx, selectBucket, r.venue, r.computers, skipped, score.PageSize).Scan(&first, &before, &total)
	if errors.Is(err, pgx.ErrNoRows) {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	p.Pages = (total + score.PageSize - 1) / score.PageSize
	p.Page = min(page, p.Pages)
	skipped = (p.Page - 1) * score.PageSize
	p.Rows, err = list(ctx, r.db, scanRow, selectStandings, r.venue, r.computers, first, score.PageSize, skipped-before)
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
		row, err := scanRanked(r.db.row(ctx, selectStanding, r.venue, r.computers, own))
		if err == nil {
			rows = append(rows, row)
			p.Rows, p.Own = rows[:len(p.Rows)], &rows[len(p.Rows)]
		} else if !errors.Is(err, pgx.ErrNoRows) {
			return p, err
		}
	}
	if !r.computers {
		return p, nil
	}
	players := make([]match.User, len(rows))
	for i, row := range rows {
		players[i] = row.Player
	}
	err = r.db.each(ctx, func(row column.Row) error {
		var of match.User
		var l score.LevelTally
		if err := row.Scan(&of, &l.Level, &l.Wins, &l.Draws, &l.Losses); err != nil {
			return err
		}
		i := slices.Index(players, of)
		rows[i].Levels = append(rows[i].Levels, l)
		return nil
	}, selectLevels, r.venue, texts(players))
	if err != nil {
		return p, err
	}
	return p, nil
}

// Own are all entries of a player, of every venue, people first, then by level.
func (s *Store) Own(ctx context.Context, p match.User) (entries []score.Entry, err error) {
	err = s.read(ctx, func(ctx context.Context, q db) error {
		entries, err = list(ctx, q, scanEntry, selectEntries, p)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("scores of player %s: %w", p, err)
	}
	return entries, nil
}

// keepScores lets the scores follow a match that has changed.
func keepScores(tx db, from, to match.Match) {
	switch {
	case !from.Result.Over() && to.Result.Over():
		addScores(tx, to)
	case from.Result.Counts() && !to.Result.Counts():
		takeBack(tx, from)
	}
}

// addScores adds a match that has just ended, unless its venue has begun anew since. The rows are locked in the order of
// the players, so that two matches of the same two in direct messages do not wait for each other in a circle.
func addScores(tx db, m match.Match) {
	entries := score.Of(m)
	slices.SortFunc(entries, func(a, b score.Entry) int { return cmp.Compare(a.Player, b.Player) })
	for _, e := range entries {
		done := named("score of player %s", e.Player)
		tx.queue(done, addScore,
			e.Venue, e.Player, e.Level, e.Wins, e.Draws, e.Losses, column.Time(e.Reached), m.Ended.UnixMilli())
		tx.queue(done, stand, e.Venue, e.Level != "", e.Player)
	}
}

// takeBack counts the entries anew that a match had a part in. It is stored as what does not count already.
func takeBack(tx db, m match.Match) {
	for _, e := range score.Of(m) {
		done := named("score of player %s", e.Player)
		tx.queue(done, deleteScoresAt, e.Venue, e.Player)
		tx.queue(done, countScoresAt, e.Venue, e.Player)
		tx.queue(done, stand, e.Venue, e.Level != "", e.Player)
	}
}

// resetScores leaves of a venue's scores what has ended later.
func resetScores(tx db, v match.Venue, at time.Time) {
	done := named("reset %s", v)
	tx.queue(done, upsertReset, v, at.UnixMilli())
	for _, statement := range []string{deleteVenueScores, countVenueScores, standAll} {
		tx.queue(done, statement, v)
	}
}

func scanEntry(row column.Row) (e score.Entry, err error) {
	var reached column.Time
	err = row.Scan(&e.Venue, &e.Player, &e.Level, &e.Wins, &e.Draws, &e.Losses, &reached)
	e.Reached = reached.Time()
	return e, err
}

func scanRow(row column.Row) (r score.Row, err error) {
	err = row.Scan(&r.Player, &r.Name, &r.Wins, &r.Draws, &r.Losses)
	return r, err
}

func scanRanked(row column.Row) (r score.Row, err error) {
	err = row.Scan(&r.Player, &r.Name, &r.Wins, &r.Draws, &r.Losses, &r.Rank)
	r.Rank++ // it counts those before
	return r, err
}
