package sqlstore

import (
	"context"
	"fmt"
	"strings"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/ranking/score"
	"tictactoe/store/internal/column"
)

// A record is computed from the matches of a player, which may be thousands. So the database returns all results against one kind of
// opponent as one text with a letter for each match: W, D and L as X, and w, d and l as O. The next letter of the alphabet stands for a
// match in which the player had a hint, and for a draw by a moderator.
const (
	// The condition for matches that count. Matches of a venue before its latest reset do not count. For one venue the query looks up
	// the reset once, for all venues once for each match.
	inScope = `outcome IS NOT NULL AND ($2 = '' OR venue = $2) AND ($3 = '' OR rules = $3)
		AND ended > coalesce((SELECT max(at) FROM score_resets WHERE venue = $2), ` + beginningOfTime + `)
		AND ($2 <> '' OR NOT EXISTS (SELECT 1 FROM score_resets AS r WHERE r.venue = matches.venue AND r.at >= matches.ended))`

	// Sums over the reviews follow the results against each kind of opponent; $4 is [profile.MinCritical]. A draw by a moderator and a
	// match with a hint are no feats, and over all rule sets neither is a win that [score.FirstWins] makes easy.
	noFeat = `(helped OR outcome = 'draw' AND cause = 'moderator'
		OR $3 = '' AND outcome = 'X' AND o_level IS NOT NULL AND rules = '3x3x3+keep3')`
	selectResults = `SELECT level, string_agg(letter, '' ORDER BY ended, id), ` + judged + `
		FROM (
			SELECT id, ended, cause, coalesce(o_level, '') AS level,
					CASE WHEN ` + noFeat + ` THEN CASE outcome WHEN 'X' THEN 'X' WHEN 'draw' THEN 'E' ELSE 'M' END
						ELSE CASE outcome WHEN 'X' THEN 'W' WHEN 'draw' THEN 'D' ELSE 'L' END END AS letter,
				CASE WHEN NOT helped THEN x_critical END AS critical, CASE WHEN NOT helped THEN x_errors END AS errors,
				CASE WHEN NOT helped THEN x_recovered END AS recovered
			FROM matches WHERE x_player = $1 AND ` + inScope + `
			UNION ALL SELECT id, ended, cause, coalesce(x_level, ''),
					CASE WHEN ` + noFeat + ` THEN CASE outcome WHEN 'O' THEN 'x' WHEN 'draw' THEN 'e' ELSE 'm' END
						ELSE CASE outcome WHEN 'O' THEN 'w' WHEN 'draw' THEN 'd' ELSE 'l' END END,
				CASE WHEN NOT helped THEN o_critical END, CASE WHEN NOT helped THEN o_errors END, CASE WHEN NOT helped THEN o_recovered END
			FROM matches WHERE o_player = $1 AND ` + inScope + `) AS played
		GROUP BY level`
	judged = `count(CASE WHEN critical > 0 THEN 1 END), coalesce(sum(critical), 0), coalesce(sum(errors), 0),
			count(CASE WHEN errors = 0 AND critical >= $4 AND letter NOT IN ('L', 'l') AND cause <> 'moderator' THEN 1 END),
			count(CASE WHEN recovered AND letter NOT IN ('L', 'l') AND cause <> 'moderator' THEN 1 END)`

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
			var level, letters string
			var j profile.Judged
			if err := row.Scan(&level, &letters, &j.Matches, &j.Critical, &j.Errors, &j.Perfect, &j.Comebacks); err != nil {
				return err
			}
			results, err := resultsOf(letters)
			if level = match.LevelName(level); level == "" {
				r.People = results
			} else {
				r.Computers[level] = append(r.Computers[level], results...)
			}
			if j != (profile.Judged{}) {
				r.Judged[level] = r.Judged[level].Plus(j)
			}
			return err
		}, selectResults, p, in.Venue, rulesName(in.Rules), profile.MinCritical)
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

// resultsOf reads the letters of selectResults.
func resultsOf(letters string) (profile.Results, error) {
	results := make(profile.Results, len(letters))
	for i := range len(letters) {
		r := profile.Result{Mark: game.X}
		letter := letters[i]
		if letter >= 'a' {
			r.Mark, letter = game.O, letter-'a'+'A'
		}
		if strings.IndexByte("XEM", letter) >= 0 {
			r.Helped, letter = true, letter-1
		}
		outcome := strings.IndexByte("LDW", letter)
		if outcome < 0 {
			return nil, fmt.Errorf("unknown result %q", letters[i])
		}
		r.Outcome = score.Outcome(outcome)
		results[i] = r
	}
	return results, nil
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
