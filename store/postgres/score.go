package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"tictactoe/internal/match"
	"tictactoe/internal/score"
	"tictactoe/store/internal/column"
)

// The best come first; who is level in everything else is ordered by id, so that no two share a rank. A venue without
// name has no leaderboard.
const (
	countPeople = `SELECT count(*) FROM scores WHERE venue = $1 AND level = '' AND venue <> ''`

	selectPeople = `SELECT player, coalesce((SELECT name FROM players WHERE id = player), ''), wins, draws, losses
		FROM scores WHERE venue = $1 AND level = '' AND venue <> ''
		ORDER BY -wins, losses, reached, player LIMIT $2 OFFSET $3`

	selectPerson = `SELECT player, coalesce((SELECT name FROM players WHERE id = player), ''), wins, draws, losses,
			(SELECT count(*) FROM scores AS better WHERE better.venue = $1 AND better.level = ''
			AND (-better.wins, better.losses, better.reached, better.player) < (-own.wins, own.losses, own.reached, own.player))
		FROM scores AS own WHERE venue = $1 AND level = '' AND venue <> '' AND player = $2`

	countComputers = `SELECT count(*) FROM computer_scores WHERE venue = $1 AND venue <> ''`

	selectComputers = `SELECT player, coalesce((SELECT name FROM players WHERE id = player), ''), wins, draws, losses
		FROM computer_scores WHERE venue = $1 AND venue <> ''
		ORDER BY -wins, -draws, losses, reached, player LIMIT $2 OFFSET $3`

	selectComputersOwn = `SELECT player, coalesce((SELECT name FROM players WHERE id = player), ''), wins, draws, losses,
			(SELECT count(*) FROM computer_scores AS better WHERE better.venue = $1
			AND (-better.wins, -better.draws, better.losses, better.reached, better.player)
				< (-own.wins, -own.draws, own.losses, own.reached, own.player))
		FROM computer_scores AS own WHERE venue = $1 AND venue <> '' AND player = $2`

	selectLevels = `SELECT level, wins, draws, losses FROM scores
		WHERE venue = $1 AND player = $2 AND level <> '' ORDER BY level`

	selectEntries = `SELECT venue, player, level, wins, draws, losses, nullif(reached, 0) FROM scores
		WHERE player = $1 ORDER BY level, venue`

	// The sum over the levels goes with the score.
	addScore = `WITH added AS (
			INSERT INTO scores (venue, player, level, wins, draws, losses, reached)
			SELECT $1, $2, $3, $4::integer, $5::integer, $6::integer, coalesce($7::bigint, 0)
			WHERE NOT EXISTS (SELECT 1 FROM score_resets WHERE venue = $1 AND at >= $8::bigint)
			ON CONFLICT (venue, player, level) DO UPDATE SET wins = scores.wins + excluded.wins,
				draws = scores.draws + excluded.draws, losses = scores.losses + excluded.losses,
				reached = greatest(scores.reached, excluded.reached)
			RETURNING level)
		INSERT INTO computer_scores (venue, player, wins, draws, losses, reached)
		SELECT $1, $2, $4::integer, $5::integer, $6::integer, coalesce($7::bigint, 0) FROM added WHERE level <> ''
		ON CONFLICT (venue, player) DO UPDATE SET wins = computer_scores.wins + excluded.wins,
			draws = computer_scores.draws + excluded.draws, losses = computer_scores.losses + excluded.losses,
			reached = greatest(computer_scores.reached, excluded.reached)`

	upsertReset = `INSERT INTO score_resets (venue, at) VALUES ($1, $2)
		ON CONFLICT (venue) DO UPDATE SET at = greatest(score_resets.at, excluded.at)`

	deleteVenueScores = `DELETE FROM scores WHERE venue = $1`
	deleteVenueSums   = `DELETE FROM computer_scores WHERE venue = $1`
	deleteScoresAt    = `DELETE FROM scores WHERE venue = $1 AND player = $2`
	deleteSumsAt      = `DELETE FROM computer_scores WHERE venue = $1 AND player = $2`

	// What the matches add up to is a view; see the migration.
	countScores = `INSERT INTO scores (venue, player, level, wins, draws, losses, reached)
		SELECT venue, player, level, wins, draws, losses, reached FROM entries`
	countSums = `INSERT INTO computer_scores (venue, player, wins, draws, losses, reached)
		SELECT venue, player, sum(wins), sum(draws), sum(losses), max(reached) FROM scores WHERE level <> ''`
	countVenueScores = countScores + ` WHERE venue = $1`
	countVenueSums   = countSums + ` AND venue = $1 GROUP BY venue, player`
	countScoresAt    = countScores + ` WHERE venue = $1 AND player = $2`
	countSumsAt      = countSums + ` AND venue = $1 AND player = $2 GROUP BY venue, player`
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
	err := s.readTogether(ctx, func(ctx context.Context, q db) (err error) {
		p, err = r.read(ctx, q, v, page, own)
		return err
	})
	if err != nil {
		return score.Page{}, fmt.Errorf("leaderboard: %w", err)
	}
	return p, nil
}

func (r ranking) read(ctx context.Context, q db, v match.Venue, page int, own match.Player) (score.Page, error) {
	var total int
	if err := q.row(ctx, r.count, v).Scan(&total); err != nil {
		return score.Page{}, err
	}
	p := score.Page{Pages: max(1, (total+score.PageSize-1)/score.PageSize)}
	p.Page = min(max(page, 1), p.Pages)

	skipped := (p.Page - 1) * score.PageSize
	var err error
	if p.Rows, err = list(ctx, q, scanRow, r.page, v, score.PageSize, skipped); err != nil {
		return score.Page{}, err
	}
	for i := range p.Rows {
		p.Rows[i].Rank = skipped + i + 1
		if err := r.addLevels(ctx, q, v, &p.Rows[i]); err != nil {
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
	row, err := scanRanked(q.row(ctx, r.own, v, own))
	if errors.Is(err, pgx.ErrNoRows) {
		return p, nil
	}
	if err == nil {
		err = r.addLevels(ctx, q, v, &row)
	}
	if err != nil {
		return score.Page{}, err
	}
	p.Own = &row
	return p, nil
}

func (r ranking) addLevels(ctx context.Context, q db, v match.Venue, row *score.Row) (err error) {
	if r.levels {
		row.Levels, err = list(ctx, q, scanLevel, selectLevels, v, row.Player)
	}
	return err
}

// Own are all entries of a player, of every venue, people first, then by level.
func (s *Store) Own(ctx context.Context, p match.Player) (entries []score.Entry, err error) {
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
func keepScores(ctx context.Context, tx db, from, to match.Match) error {
	switch {
	case !from.Result.Over() && to.Result.Over():
		return addScores(ctx, tx, to)
	case from.Result.Counts() && !to.Result.Counts():
		return takeBack(ctx, tx, from)
	default:
		return nil
	}
}

// addScores adds a match that has just ended, unless its venue has begun anew since. The rows are locked in the order of
// the players, so that two matches of the same two do not wait for each other.
func addScores(ctx context.Context, tx db, m match.Match) error {
	entries := score.Of(m)
	slices.SortFunc(entries, func(a, b score.Entry) int { return cmp.Compare(a.Player, b.Player) })
	for _, e := range entries {
		_, err := tx.exec(ctx, addScore,
			e.Venue, e.Player, e.Level, e.Wins, e.Draws, e.Losses, column.Time(e.Reached), m.Ended.UnixMilli())
		if err != nil {
			return fmt.Errorf("score of player %s: %w", e.Player, err)
		}
	}
	return nil
}

// takeBack counts the entries anew that a match had a part in. It is stored as what does not count already.
func takeBack(ctx context.Context, tx db, m match.Match) error {
	for _, e := range score.Of(m) {
		for _, statement := range []string{deleteScoresAt, deleteSumsAt, countScoresAt, countSumsAt} {
			if _, err := tx.exec(ctx, statement, e.Venue, e.Player); err != nil {
				return fmt.Errorf("score of player %s: %w", e.Player, err)
			}
		}
	}
	return nil
}

// resetScores leaves of a venue's scores what has ended later.
func resetScores(ctx context.Context, tx db, r score.Reset) error {
	_, err := tx.exec(ctx, upsertReset, r.Venue, r.At.UnixMilli())
	for _, statement := range []string{deleteVenueScores, deleteVenueSums, countVenueScores, countVenueSums} {
		if err == nil {
			_, err = tx.exec(ctx, statement, r.Venue)
		}
	}
	if err != nil {
		return fmt.Errorf("reset %s: %w", r.Venue, err)
	}
	return nil
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

func scanLevel(row column.Row) (l score.LevelTally, err error) {
	err = row.Scan(&l.Level, &l.Wins, &l.Draws, &l.Losses)
	return l, err
}
