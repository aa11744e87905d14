package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/people/archive"
	"tictactoe/store/internal/column"
)

// The queries find the best matches of the day $2. An index sorts the matches of a venue by day and by the ranked value, so a query reads
// few rows however many matches the venue has. The best matches of several days are among the best matches of each day.
const (
	// The queries look up whether a player is hidden for each of the few rows that they read. If one subquery looked up both players,
	// Postgres would read the whole table.
	hides  = `coalesce((SELECT hidden FROM players WHERE id = `
	orNot  = `), false)`
	hidesX = hides + `x_player` + orNot
	hidesO = hides + `o_player` + orNot

	ofDay = ` FROM matches AS m WHERE venue = $1 AND ended / 86400000 = $2 AND outcome IS NOT NULL
			AND x_player IS NOT NULL AND o_player IS NOT NULL AND NOT ` + hidesX + ` AND NOT ` + hidesO

	featColumns = `m.id, m.venue, m.rules, m.x_player, '', m.o_player, '', m.outcome, m.cause, m.ended, `

	playedOut      = ` AND plies IS NOT NULL AND cause IN ('line', 'full board')`
	selectShortest = `SELECT ` + featColumns + `plies, 0, 0, 0` + ofDay + playedOut + ` AND cause = 'line' ORDER BY plies, ended DESC LIMIT $3`
	// If several matches of a day are equally long, the earliest win: the index, read backwards, has this order.
	selectLongest  = `SELECT ` + featColumns + `plies, 0, 0, 0` + ofDay + playedOut + ` ORDER BY plies DESC, ended LIMIT $3`
	selectAccurate = `SELECT ` + featColumns + `0, x_critical + o_critical, x_errors + o_errors, 0` + ofDay + ` AND x_critical + o_critical >= 4
		ORDER BY (x_critical + o_critical - x_errors - o_errors) * 1000 / (x_critical + o_critical) DESC, x_critical + o_critical DESC, ended DESC LIMIT $3`

	// The query sorts the matches of a day by the loser's rating before the match minus the winner's rating after the match. The function
	// foremost sorts the matches of all days by the loser's lead before the match. A player's row holds the opponent's rating before the match.
	selectUpsets = `SELECT ` + featColumns + `0, 0, 0, r.other_value - l.other_value
		FROM (SELECT * FROM rated WHERE venue = $1 AND at / 86400000 = $2 AND score = 1 AND other_value - value > 0
				AND NOT ` + hides + `player` + orNot + ` AND NOT ` + hides + `opponent` + orNot + `
			ORDER BY other_value - value DESC LIMIT $3) AS r JOIN
			rated AS l ON l.venue = r.venue AND l.rules = r.rules AND l.player = r.opponent AND l.at = r.at AND l.match = r.match JOIN
			matches AS m ON m.id = r.match`
)

// Best returns the best matches of a venue on the given number of days. The last of these days is the UTC day of the given time.
func (s *Store) Best(ctx context.Context, v match.Venue, last time.Time, days int) (archive.Best, error) {
	return readSnapshot(ctx, s.db, Named("best matches"), func(ctx context.Context, tx Tx) (b archive.Best, err error) {
		var unreadable error
		for _, kind := range []struct {
			query string
			into  *[]archive.Feat
			worth func(archive.Feat) float64
		}{
			{selectShortest, &b.Shortest, func(f archive.Feat) float64 { return -float64(f.Moves) }},
			{selectLongest, &b.Longest, func(f archive.Feat) float64 { return float64(f.Moves) }},
			{selectAccurate, &b.Accurate, precision},
			{selectUpsets, &b.Upsets, func(f archive.Feat) float64 { return float64(f.Ahead) }},
		} {
			for day := range int64(min(max(days, 1), archive.MaxDays)) {
				ofDay, err := ScanRows(ctx, tx, scanFeat, kind.query, v, floorDay(last)-day, archive.MaxEach)
				if errors.Is(err, match.ErrUnreadable) {
					unreadable = err
				} else if err != nil {
					return b, err
				}
				*kind.into = append(*kind.into, ofDay...)
			}
			*kind.into = foremost(*kind.into, kind.worth)
		}
		b.Accurate = slices.DeleteFunc(b.Accurate, func(f archive.Feat) bool { return archive.ErrorIn*f.Errors > f.Critical })
		return b, unreadable
	})
}

// floorDay returns the number of the UTC day of t, counted from 1970.
func floorDay(t time.Time) int64 { return t.UnixMilli() / (24 * time.Hour).Milliseconds() }

// precision sorts matches by the share of critical moves without an error, and then by the number of critical moves.
func precision(f archive.Feat) float64 {
	return math.Floor(1000*float64(f.Critical-f.Errors)/float64(f.Critical))*1000 + float64(f.Critical)
}

// foremost returns the matches with the highest worth, at most [archive.MaxEach]. Of matches with equal worth, the latest comes first.
func foremost(feats []archive.Feat, worth func(archive.Feat) float64) []archive.Feat {
	slices.SortFunc(feats, func(a, b archive.Feat) int {
		return cmp.Or(cmp.Compare(worth(b), worth(a)), b.At.Compare(a.At), cmp.Compare(b.ID, a.ID))
	})
	return feats[:min(len(feats), archive.MaxEach)]
}

func scanFeat(row column.Row) (f archive.Feat, err error) {
	var ahead float64
	f.Played, err = column.ScanPlayed(row, &f.Moves, &f.Critical, &f.Errors, &ahead)
	f.Ahead = int(math.Round(ahead))
	return f, err
}

const (
	archived = `id, venue, rules, coalesce(x_player, ''), coalesce(x_level, ''), coalesce(o_player, ''), coalesce(o_level, ''),
		coalesce(outcome, ''), cause, ended`

	// The subqueries find the latest matches that the player played as X, and as O. The query returns the latest matches of both lists.
	selectLatestPlayed = `SELECT ` + archived + ` FROM matches WHERE id IN (
			SELECT id FROM (SELECT id FROM matches WHERE x_player = $1 AND ended IS NOT NULL ORDER BY ended DESC, id DESC LIMIT $2) AS x
			UNION ALL
			SELECT id FROM (SELECT id FROM matches WHERE o_player = $1 AND ended IS NOT NULL ORDER BY ended DESC, id DESC LIMIT $2) AS o)
		ORDER BY ended DESC, id DESC LIMIT $2`
)

// Latest returns at most limit ended matches of a player, the latest first. With an [*column.UnreadableError] it returns the readable
// matches.
func (s *Store) Latest(ctx context.Context, p match.User, limit int) ([]archive.Played, error) {
	scan := func(row column.Row) (archive.Played, error) { return column.ScanPlayed(row) }
	return readRows(ctx, s.db, Named("latest matches"), scan, selectLatestPlayed, p, limit)
}
