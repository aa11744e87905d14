package sqlstore

import (
	"context"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/ranking/score"
	"tictactoe/store/internal/column"
)

const (
	// The condition for matches that count. Matches of a venue before its latest reset do not count. For one venue the query looks up
	// the reset once, for all venues once for each match.
	inScope = `outcome IS NOT NULL AND ($2 = '' OR venue = $2) AND ($3 = '' OR rules = $3)
		AND ended > coalesce((SELECT max(at) FROM score_resets WHERE venue = $2), ` + beginningOfTime + `)
		AND ($2 <> '' OR NOT EXISTS (SELECT 1 FROM score_resets AS r WHERE r.venue = matches.venue AND r.at >= matches.ended))`

	// A draw by a moderator and a match with a hint are no feats, and over all rule sets neither is a win that [score.FirstWins] makes easy.
	noFeat = `(helped OR outcome = 'draw' AND cause = 'moderator'
		OR $3 = '' AND outcome = 'X' AND o_level IS NOT NULL AND rules = '3x3x3+keep3')`
	selectResults = `SELECT mark, level, outcome, cause, helped, no_feat, coalesce(critical, 0), coalesce(errors, 0), coalesce(recovered, false)
		FROM (
			SELECT 'X' AS mark, coalesce(o_level, '') AS level, outcome, cause, helped, ` + noFeat + ` AS no_feat,
				x_critical AS critical, x_errors AS errors, x_recovered AS recovered, ended, id
			FROM matches WHERE x_player = $1 AND ` + inScope + `
			UNION ALL SELECT 'O', coalesce(x_level, ''), outcome, cause, helped, ` + noFeat + `, o_critical, o_errors, o_recovered, ended, id
			FROM matches WHERE o_player = $1 AND ` + inScope + `) AS played
		ORDER BY ended, id`

	selectFirstMoves = `SELECT rules, square, count(CASE outcome WHEN 'X' THEN 1 END), count(CASE outcome WHEN 'draw' THEN 1 END),
			count(CASE outcome WHEN 'O' THEN 1 END)
		FROM matches JOIN moves ON match = matches.id AND ply = 0 WHERE x_player = $1 AND ` + inScope + ` GROUP BY rules, square ORDER BY rules, square`

	// The subqueries find the latest matches that the player played as X, and as O. The query returns the latest matches of both lists.
	selectLastMatches = `SELECT ` + matchColumns + ` WHERE id IN (
			SELECT id FROM (SELECT id FROM matches WHERE x_player = $1 AND ` + inScope + ` ORDER BY ended DESC, id DESC LIMIT $4) AS x
			UNION ALL
			SELECT id FROM (SELECT id FROM matches WHERE o_player = $1 AND ` + inScope + ` ORDER BY ended DESC, id DESC LIMIT $4) AS o)
		ORDER BY ended DESC, id DESC LIMIT $4`

	selectDuel = `SELECT rules, count(CASE WHEN outcome = mark THEN 1 END), count(CASE WHEN outcome = 'draw' THEN 1 END),
			count(CASE WHEN outcome <> mark AND outcome <> 'draw' THEN 1 END),
			count(CASE WHEN critical > 0 THEN 1 END), coalesce(sum(critical), 0), coalesce(sum(errors), 0),
			count(CASE WHEN others > 0 THEN 1 END), coalesce(sum(others), 0), coalesce(sum(other_errors), 0)
		FROM (SELECT rules, outcome, 'X' AS mark, x_critical AS critical, x_errors AS errors, o_critical AS others, o_errors AS other_errors
				FROM matches WHERE x_player = $1 AND o_player = $4 AND ` + inScope + `
			UNION ALL SELECT rules, outcome, 'O', o_critical, o_errors, x_critical, x_errors
				FROM matches WHERE o_player = $1 AND x_player = $4 AND ` + inScope + `) AS played
		GROUP BY rules ORDER BY rules`
	selectLastDuels = `SELECT ` + matchColumns + ` WHERE id IN (
			SELECT id FROM (SELECT id FROM matches WHERE x_player = $1 AND o_player = $4 AND ` + inScope + ` ORDER BY ended DESC, id DESC LIMIT $5) AS x
			UNION ALL
			SELECT id FROM (SELECT id FROM matches WHERE o_player = $1 AND x_player = $4 AND ` + inScope + ` ORDER BY ended DESC, id DESC LIMIT $5) AS o)
		ORDER BY ended DESC, id DESC LIMIT $5`
)

// Record returns the record of a player.
func (s *Store) Record(ctx context.Context, in profile.Scope, p match.User) (profile.Record, error) {
	return readSnapshot(ctx, s.db, Named("record of player %s", p), func(ctx context.Context, tx Tx) (r profile.Record, err error) {
		r = profile.Record{Computers: map[string]profile.Results{}, Judged: map[string]profile.Judged{}}
		err = tx.Each(ctx, func(row column.Row) error {
			level, result, judged, err := scanResult(row)
			if level == "" {
				r.People = append(r.People, result)
			} else {
				r.Computers[level] = append(r.Computers[level], result)
			}
			if judged != (profile.Judged{}) {
				r.Judged[level] = r.Judged[level].Plus(judged)
			}
			return err
		}, selectResults, p, in.Venue, rulesName(in.Rules))
		if err == nil {
			r.Openings, err = openings(ctx, tx, in, p)
		}
		if err == nil {
			r.Last, err = ScanRows(ctx, tx, column.ScanMatch, selectLastMatches, p, in.Venue, rulesName(in.Rules), profile.Last)
		}
		return r, err
	})
}

// Duel returns the results of the matches between two players, from the side of the first.
func (s *Store) Duel(ctx context.Context, in profile.Scope, a, b match.User) (profile.Duel, error) {
	return readSnapshot(ctx, s.db, Named("duel of players %s and %s", a, b), func(ctx context.Context, tx Tx) (d profile.Duel, err error) {
		d.Boards, err = ScanRows(ctx, tx, func(row column.Row) (profile.OnBoard, error) {
			on, judged, err := scanOnBoard(row)
			d.Judged[0], d.Judged[1] = d.Judged[0].Plus(judged[0]), d.Judged[1].Plus(judged[1])
			return on, err
		}, selectDuel, a, in.Venue, rulesName(in.Rules), b)
		if err == nil {
			d.Last, err = ScanRows(ctx, tx, column.ScanMatch, selectLastDuels, a, in.Venue, rulesName(in.Rules), b, profile.Last)
		}
		return d, err
	})
}

// scanResult reads a player's result against a level or a person, and what the review of the match adds to the player's.
func scanResult(row column.Row) (level string, r profile.Result, j profile.Judged, err error) {
	var mark, outcome, cause string
	var helped, recovered bool
	err = row.Scan(&mark, &level, &outcome, &cause, &helped, &r.Helped, &j.Critical, &j.Errors, &recovered)
	r.Mark, r.Outcome = game.X, score.Loss
	if mark == "O" {
		r.Mark = game.O
	}
	switch outcome {
	case mark:
		r.Outcome = score.Win
	case "draw":
		r.Outcome = score.Draw
	}
	if helped {
		return match.LevelName(level), r, profile.Judged{}, err
	}
	if j.Critical > 0 {
		j.Matches = 1
	}
	if r.Outcome != score.Loss && cause != "moderator" {
		if j.Errors == 0 && j.Critical >= profile.MinCritical {
			j.Perfect = 1
		}
		if recovered {
			j.Comebacks = 1
		}
	}
	return match.LevelName(level), r, j, err
}

// openings returns the first moves of a player as X, by zone. It skips matches with invalid rules, which a check of the database
// reports.
func openings(ctx context.Context, tx Tx, in profile.Scope, p match.User) ([]profile.Opening, error) {
	var moves []profile.FirstMove
	err := tx.Each(ctx, func(row column.Row) error {
		var m profile.FirstMove
		var rules string
		err := row.Scan(&rules, &m.Square, &m.Wins, &m.Draws, &m.Losses)
		if known, unknown := game.ParseRules(rules); unknown == nil {
			m.Rules = known
			moves = append(moves, m)
		}
		return err
	}, selectFirstMoves, p, in.Venue, rulesName(in.Rules))
	return profile.OpeningsOf(moves), err
}

// scanOnBoard reads the results of the matches on one board, and the reviews of both players in these matches.
func scanOnBoard(row column.Row) (b profile.OnBoard, judged [2]profile.Judged, err error) {
	var rules string
	own, other := &judged[0], &judged[1]
	err = row.Scan(&rules, &b.Wins, &b.Draws, &b.Losses,
		&own.Matches, &own.Critical, &own.Errors, &other.Matches, &other.Critical, &other.Errors)
	if err != nil {
		return b, judged, err
	}
	b.Rules, err = game.ParseRules(rules)
	return b, judged, err
}
