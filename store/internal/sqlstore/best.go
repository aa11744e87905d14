package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/people/archive"
	"tictactoe/store/internal/column"
)

// The queries find the best matches of each of the days $2. An index sorts the matches of a venue by day and by the ranked value, so a
// query reads few rows however many matches the venue has. The best matches of all days are among the best matches of each day.
const (
	// The queries look up whether a player is hidden for each of the few rows that they read. If one subquery looked up both players,
	// Postgres would read the whole table.
	hides  = `coalesce((SELECT hidden FROM players WHERE id = `
	orNot  = `), false)`
	hidesX = hides + `x_player` + orNot
	hidesO = hides + `o_player` + orNot

	// The result has a row for each of the best matches m of each day.
	ofDays = ` FROM {sqlite:json_each($2)}{postgres:unnest($2::text[])} AS d {postgres:(value)} CROSS JOIN
		{sqlite:matches AS m ON m.id IN (SELECT id}{postgres:LATERAL (SELECT *}
		FROM matches WHERE venue = $1 AND ended / 86400000 = {sqlite:d.value + 0}{postgres:CAST(d.value AS bigint)} AND outcome IS NOT NULL
			AND x_player IS NOT NULL AND o_player IS NOT NULL AND NOT ` + hidesX + ` AND NOT ` + hidesO
	best = ` LIMIT $3) {postgres:AS m}`

	featColumns = `m.id, m.venue, m.rules, m.x_player, '', m.o_player, '', m.outcome, m.cause, m.ended, `

	playedOut      = ` AND plies IS NOT NULL AND cause IN ('line', 'full board')`
	selectShortest = `SELECT ` + featColumns + `m.plies, 0, 0, 0` + ofDays + playedOut + ` AND cause = 'line' ORDER BY plies, ended DESC` + best
	// If several matches of a day are equally long, the earliest win: the index, read backwards, has this order.
	selectLongest  = `SELECT ` + featColumns + `m.plies, 0, 0, 0` + ofDays + playedOut + ` ORDER BY plies DESC, ended` + best
	selectAccurate = `SELECT ` + featColumns + `0, m.x_critical + m.o_critical, m.x_errors + m.o_errors, 0` + ofDays + ` AND x_critical + o_critical >= 4
		ORDER BY (x_critical + o_critical - x_errors - o_errors) * 1000 / (x_critical + o_critical) DESC, x_critical + o_critical DESC, ended DESC` + best

	// The query sorts the matches of a day by the loser's rating before the match less the winner's rating after it; foremost sorts the
	// matches of all days by the loser's lead before the match. The row of each player holds the opponent's rating before the match.
	selectUpsets = `SELECT ` + featColumns + `0, 0, 0, r.other_value - l.other_value
		FROM {sqlite:json_each($2)}{postgres:unnest($2::text[])} AS d {postgres:(value)} CROSS JOIN
			{sqlite:rated AS r ON r.venue = $1 AND (r.rules, r.player, r.at, r.match) IN (SELECT rules, player, at, match}{postgres:LATERAL (SELECT *}
			FROM rated WHERE venue = $1 AND at / 86400000 = {sqlite:d.value + 0}{postgres:CAST(d.value AS bigint)} AND score = 1 AND other_value - value > 0
				AND NOT ` + hides + `player` + orNot + ` AND NOT ` + hides + `opponent` + orNot + `
			ORDER BY other_value - value DESC LIMIT $3) {postgres:AS r} JOIN
			rated AS l ON l.venue = r.venue AND l.rules = r.rules AND l.player = r.opponent AND l.at = r.at AND l.match = r.match JOIN
			matches AS m ON m.id = r.match`
)

// Best returns the best matches of a venue on the given number of days, the last of which contains the time last.
func (s *Store) Best(ctx context.Context, v match.Venue, last time.Time, days int) (archive.Best, error) {
	var of Texts
	for day := range int64(min(max(days, 1), archive.MaxDays)) {
		of = append(of, strconv.FormatInt(floorDay(last)-day, 10))
	}
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
			all, err := ScanRows(ctx, tx, scanFeat, kind.query, v, of, archive.MaxEach)
			if errors.Is(err, match.ErrUnreadable) {
				unreadable = err
			} else if err != nil {
				return b, err
			}
			*kind.into = foremost(all, kind.worth)
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
