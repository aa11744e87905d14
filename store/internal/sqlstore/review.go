package sqlstore

import (
	"context"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/people/profile"
	"tictactoe/store/internal/column"
)

// A review's verdict is stored in the row of its match. So it is deleted with the match, does not count while the match is void,
// and a profile reads no additional rows.
const (
	selectUnreviewed = `SELECT ` + matchColumns + ` WHERE outcome IS NOT NULL AND reviewed IS NULL AND ended IS NOT NULL ORDER BY ended, id LIMIT $1`

	selectAllJudged   = `SELECT ` + matchColumns + afterJudged
	selectAllVerdicts = `SELECT ` + verdictColumns + afterJudged
	selectVerdict     = `SELECT ` + verdictColumns + ` WHERE reviewed AND id = $1`
	verdictColumns    = `id, x_critical, x_errors, x_recovered, o_critical, o_errors, o_recovered FROM matches`
	afterJudged       = ` WHERE reviewed AND id > $1 ORDER BY id LIMIT $2`

	keepVerdict = `UPDATE matches SET plies = (SELECT count(*) FROM moves WHERE match = $1), reviewed = $2, x_critical = CAST($3 AS integer), x_errors = CAST($4 AS integer), x_recovered = $5,
			o_critical = CAST($6 AS integer), o_errors = CAST($7 AS integer), o_recovered = $8
		WHERE id = $1`

	// Matches whose review counts more critical moves than the match has moves are reviewed again.
	forgetAllWrongVerdicts = `UPDATE matches SET plies = NULL, reviewed = NULL, x_critical = NULL, x_errors = NULL, x_recovered = NULL,
			o_critical = NULL, o_errors = NULL, o_recovered = NULL
		WHERE ` + wrongVerdict
	selectAllWrongVerdicts = `SELECT 'match ' || id FROM matches WHERE ` + wrongVerdict
	wrongVerdict           = `reviewed IS NOT NULL AND (ended IS NULL OR plies IS NULL OR CAST(x_critical AS bigint) + o_critical > plies
		OR plies <> (SELECT count(*) FROM moves WHERE match = matches.id))`
)

// Unreviewed returns at most limit matches that count and have no review, in the order in which they ended. With an
// [*column.UnreadableError] it returns the readable matches.
func (s *Store) Unreviewed(ctx context.Context, limit int) ([]match.Match, error) {
	return readRows(ctx, s.db, Named("matches to review"), column.ScanMatch, selectUnreviewed, limit)
}

// Judged returns reviewed matches and their stored reviews, in the order of the ids.
func (s *Store) Judged(ctx context.Context, after match.ID, limit int) (matches []match.Match, kept []profile.Verdict, err error) {
	err = s.db.ReadTogether(ctx, func(ctx context.Context, tx Tx) error {
		if matches, err = ScanRows(ctx, tx, column.ScanMatch, selectAllJudged, after, limit); err != nil {
			return err
		}
		kept, err = ScanRows(ctx, tx, scanVerdict, selectAllVerdicts, after, limit)
		return err
	})
	return matches, kept, Named("reviews").Wrap(err)
}

func scanVerdict(row column.Row) (v profile.Verdict, err error) {
	v.Judged = true
	x, o := &v.Sides[0], &v.Sides[1]
	err = row.Scan(&v.Match, &x.Critical, &x.Errors, &x.Recovered, &o.Critical, &o.Errors, &o.Recovered)
	return v, err
}

// KeepVerdicts saves reviews.
func (s *Store) KeepVerdicts(ctx context.Context, verdicts []profile.Verdict) error {
	return s.db.Write(ctx, Kind{}, func(_ context.Context, tx Tx) error {
		for _, v := range verdicts {
			args := []any{v.Match, v.Judged, nil, nil, nil, nil, nil, nil}
			if v.Judged {
				x, o := v.Sides[0], v.Sides[1]
				args = []any{v.Match, v.Judged, x.Critical, x.Errors, x.Recovered, o.Critical, o.Errors, o.Recovered}
			}
			tx.Queue(Named("review of match %s", v.Match), keepVerdict, args...)
		}
		return nil
	})
}

// reviewOf returns the stored review of a player's moves in a match, and false if the match has no review.
func reviewOf(ctx context.Context, tx Tx, m match.Match, p match.User) (profile.Side, bool, error) {
	v, judged, err := optional(scanVerdict(tx.Row(ctx, selectVerdict, m.ID)))
	if m.Seats.Mark(p) == game.O {
		return v.Sides[1], judged, err
	}
	return v.Sides[0], judged, err
}
