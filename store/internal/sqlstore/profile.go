package sqlstore

import (
	"context"
	"fmt"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/profile"
	"tictactoe/store/internal/column"
)

// A record is read from the matches themselves, of which a player may have thousands: the database makes one text of all results
// against one kind of opponent, a letter for each match, W, D and L as X, and w, d and l as O.
const (
	// Which matches count. Those of a venue that were played before its latest reset do not.
	inScope = `outcome IS NOT NULL AND ($2 = '' OR venue = $2) AND ($3 = '' OR rules = $3)
		AND NOT EXISTS (SELECT 1 FROM score_resets AS r WHERE r.venue = matches.venue AND r.at >= matches.ended)`

	selectResults = `SELECT level, string_agg(letter, '' ORDER BY ended, id) FROM (
			SELECT id, ended, coalesce(o_level, '') AS level, CASE outcome WHEN 'X' THEN 'W' WHEN 'draw' THEN 'D' ELSE 'L' END AS letter
			FROM matches WHERE x_player = $1 AND ` + inScope + `
			UNION ALL SELECT id, ended, coalesce(x_level, ''), CASE outcome WHEN 'O' THEN 'w' WHEN 'draw' THEN 'd' ELSE 'l' END
			FROM matches WHERE o_player = $1 AND ` + inScope + `) AS played
		GROUP BY level`

	// The latest of each side, and of these the latest.
	selectLastMatches = `SELECT ` + matchColumns + ` WHERE id IN (
			SELECT id FROM (SELECT id FROM matches WHERE x_player = $1 AND ` + inScope + ` ORDER BY ended DESC, id DESC LIMIT $4) AS x
			UNION ALL
			SELECT id FROM (SELECT id FROM matches WHERE o_player = $1 AND ` + inScope + ` ORDER BY ended DESC, id DESC LIMIT $4) AS o)
		ORDER BY ended DESC, id DESC LIMIT $4`

	selectDuel = `SELECT rules, count(CASE WHEN outcome = mark THEN 1 END), count(CASE WHEN outcome = 'draw' THEN 1 END),
			count(CASE WHEN outcome <> mark AND outcome <> 'draw' THEN 1 END)
		FROM (SELECT rules, outcome, 'X' AS mark FROM matches WHERE x_player = $1 AND o_player = $4 AND ` + inScope + `
			UNION ALL SELECT rules, outcome, 'O' FROM matches WHERE o_player = $1 AND x_player = $4 AND ` + inScope + `) AS played
		GROUP BY rules ORDER BY rules`
	selectLastDuels = `SELECT ` + matchColumns + ` WHERE id IN (
			SELECT id FROM (SELECT id FROM matches WHERE x_player = $1 AND o_player = $4 AND ` + inScope + ` ORDER BY ended DESC, id DESC LIMIT $5) AS x
			UNION ALL
			SELECT id FROM (SELECT id FROM matches WHERE o_player = $1 AND x_player = $4 AND ` + inScope + ` ORDER BY ended DESC, id DESC LIMIT $5) AS o)
		ORDER BY ended DESC, id DESC LIMIT $5`
)

// Record is that of a player.
func (s *Store) Record(ctx context.Context, in profile.Scope, p match.User) (r profile.Record, err error) {
	done := Named("record of player %s", p)
	err = s.db.ReadTogether(ctx, func(ctx context.Context, tx Tx) error {
		r = profile.Record{Computers: map[string]profile.Results{}}
		err := tx.Each(ctx, func(row column.Row) error {
			var level, letters string
			if err := row.Scan(&level, &letters); err != nil {
				return err
			}
			results, err := resultsOf(letters)
			if level == "" {
				r.People = results
			} else {
				r.Computers[level] = results
			}
			return err
		}, selectResults, p, in.Venue, rulesIn(in))
		if err != nil {
			return err
		}
		r.Last, err = List(ctx, tx, column.ScanMatch, selectLastMatches, p, in.Venue, rulesIn(in), profile.Last)
		return err
	})
	return r, done.Wrap(err)
}

// Duel is that of two players, as the first sees it.
func (s *Store) Duel(ctx context.Context, in profile.Scope, a, b match.User) (d profile.Duel, err error) {
	done := Named("duel of players %s and %s", a, b)
	err = s.db.ReadTogether(ctx, func(ctx context.Context, tx Tx) error {
		d.Boards, err = List(ctx, tx, scanOnBoard, selectDuel, a, in.Venue, rulesIn(in), b)
		if err != nil {
			return err
		}
		d.Last, err = List(ctx, tx, column.ScanMatch, selectLastDuels, a, in.Venue, rulesIn(in), b, profile.Last)
		return err
	})
	return d, done.Wrap(err)
}

func rulesIn(s profile.Scope) string {
	if s.Rules == (game.Rules{}) {
		return ""
	}
	return s.Rules.String()
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
		switch letter {
		case 'W':
			r.Score = profile.Win
		case 'D':
			r.Score = profile.Draw
		case 'L':
			r.Score = profile.Loss
		default:
			return nil, fmt.Errorf("result %q is none", letters[i])
		}
		results[i] = r
	}
	return results, nil
}

func scanOnBoard(row column.Row) (b profile.OnBoard, err error) {
	var rules string
	if err := row.Scan(&rules, &b.Wins, &b.Draws, &b.Losses); err != nil {
		return b, err
	}
	b.Rules, err = game.ParseRules(rules)
	return b, err
}
