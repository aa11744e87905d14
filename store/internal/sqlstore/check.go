package sqlstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"tictactoe/internal/score"
	"tictactoe/store/internal/column"
)

const (
	selectAllCounts = `SELECT (SELECT count(*) FROM matches), (SELECT count(*) FROM moves), (SELECT count(*) FROM challenges),
		(SELECT count(*) FROM scores), (SELECT count(*) FROM boards)`

	selectAllMatches    = `SELECT ` + matchColumns + ` ORDER BY id`
	selectAllChallenges = `SELECT ` + challengeColumns + ` ORDER BY id`

	// Scores that are not what the matches add up to: whether there is one, what it says, and what the matches say.
	selectAllWrongScores = `SELECT coalesce(kept.venue, due.venue), coalesce(kept.player, due.player), coalesce(kept.level, due.level),
			kept.venue IS NOT NULL, coalesce(kept.wins, 0), coalesce(kept.draws, 0), coalesce(kept.losses, 0),
			coalesce(due.wins, 0), coalesce(due.draws, 0), coalesce(due.losses, 0)
		FROM ` + scoresAstray + ` AS kept FULL JOIN ` + scoresMissing + ` AS due
			ON due.venue = kept.venue AND due.player = kept.player AND due.level = kept.level
		ORDER BY 1, 2, 3`
)

// law is something that no table's own CHECK can say. The query lists what breaks it.
type law struct {
	query, what string
	remedy      column.Remedy
}

func laws() []law {
	const againstComputers = ` || CASE WHEN computers THEN ' against the computer' ELSE '' END`
	return []law{
		{`SELECT 'match ' || id FROM matches AS m WHERE rematch_next IS NOT NULL
			AND NOT EXISTS (SELECT 1 FROM matches WHERE id = m.rematch_next AND series = m.series)`,
			"its rematch is not there, or not in its series", column.RestoreBackup},
		{`SELECT 'challenge ' || id FROM challenges AS c WHERE status = 'accepted'
			AND NOT EXISTS (SELECT 1 FROM matches WHERE id = c.id)`,
			"it was accepted, and its match is not there", column.RestoreBackup},
		{`SELECT 'board ' || id FROM boards AS b WHERE NOT EXISTS (SELECT 1 FROM matches WHERE id = b.id)
			AND NOT EXISTS (SELECT 1 FROM challenges WHERE id = b.id)`,
			"it shows neither a match nor a challenge that is there", column.LeaveIt},
		{`SELECT 'board ' || id FROM boards AS b WHERE latest <> (SELECT max(version) FROM (
				SELECT version FROM matches WHERE id = b.id UNION ALL SELECT version FROM challenges WHERE id = b.id) AS shown)`,
			"it does not know which version of its match is the latest, so that it may not be redrawn", column.RestoreBackup},
		{`SELECT 'standing of player ' || player || ' in ' || venue` + againstComputers + ` FROM (` + selectAllWrongStandings + `) AS wrong`,
			"it is not the sum of the scores", column.RebuildScores},
		{`SELECT 'leaderboard of ' || venue` + againstComputers + ` FROM (` + selectAllWrongBuckets + `) AS wrong`,
			"its rank buckets (table stretches) are not as long as they say", column.RebuildScores},
	}
}

// Check compares a database with what has to hold in it: that every match is a game by its rules with the result that its
// moves lead to, that rows refer to rows that are there, and that the scores and ladders are what the matches lead to.
// The progress counts matches.
func Check(ctx context.Context, tx Tx, r *column.Report, progress column.Progress) error {
	err := tx.Row(ctx, selectAllCounts).Scan(&r.Matches, &r.Moves, &r.Challenges, &r.Scores, &r.Boards)
	if err != nil {
		return err
	}
	if err := checkRows(ctx, tx, r, progress); err != nil {
		return err
	}
	if len(r.Findings) == 0 { // else what matches count that cannot be read is unknown
		if err := checkScores(ctx, tx, r); err != nil {
			return err
		}
		if err := checkLadders(ctx, tx, r); err != nil {
			return err
		}
	}
	for _, law := range laws() {
		broken, err := List(ctx, tx, Value[string], law.query)
		if err != nil {
			return err
		}
		for _, where := range broken {
			r.Found(where, law.remedy, "%s", law.what)
		}
	}
	return nil
}

// checkRows reads every match and challenge.
func checkRows(ctx context.Context, tx Tx, r *column.Report, progress column.Progress) error {
	readable := func(kind string, err error) error {
		if broken := (*column.UnreadableError)(nil); errors.As(err, &broken) {
			r.Found(kind+string(broken.ID), column.RestoreBackup, "%v", broken.Err)
			return nil
		}
		return err
	}
	done := 0
	err := tx.Each(ctx, func(row column.Row) error {
		done++
		progress.Say(done, r.Matches)
		_, err := column.ScanMatch(row)
		return readable("match ", err)
	}, selectAllMatches)
	if err != nil {
		return err
	}
	return tx.Each(ctx, func(row column.Row) error {
		_, err := column.ScanChallenge(row)
		return readable("challenge ", err)
	}, selectAllChallenges)
}

// checkScores compares the scores with the matches.
func checkScores(ctx context.Context, tx Tx, r *column.Report) error {
	return tx.Each(ctx, func(row column.Row) error {
		var kept score.Entry
		var there bool
		var due score.Tally
		err := row.Scan(&kept.Venue, &kept.Player, &kept.Level,
			&there, &kept.Wins, &kept.Draws, &kept.Losses, &due.Wins, &due.Draws, &due.Losses)
		if err != nil {
			return err
		}
		what := fmt.Sprintf("it is missing; the matches say %d won, %d drawn, %d lost", due.Wins, due.Draws, due.Losses)
		if there {
			what = fmt.Sprintf("%d won, %d drawn, %d lost; the matches say %d, %d and %d",
				kept.Wins, kept.Draws, kept.Losses, due.Wins, due.Draws, due.Losses)
		}
		if kept.Tally == due {
			what += ", reached at another time"
		}
		r.Found(nameOf(kept), column.RebuildScores, "%s", what)
		return nil
	}, selectAllWrongScores)
}

// nameOf names a score.
func nameOf(e score.Entry) string {
	name := "score of player " + string(e.Player)
	if e.Level != "" {
		name += " against " + e.Level
	}
	if e.Venue != "" {
		name += " in " + string(e.Venue)
	}
	return name
}

// Export writes every match as a line of JSON each, in the order of their ids, and returns how many. Those that make no
// sense are left out; then the error wraps an [*column.UnreadableError] for each, and the count is that of the others.
func Export(ctx context.Context, tx Tx, w io.Writer, progress column.Progress) (n int, err error) {
	matches, err := Value[int](tx.Row(ctx, "SELECT count(*) FROM matches"))
	if err != nil {
		return 0, err
	}
	var unreadable []error
	lines := json.NewEncoder(w)
	err = tx.Each(ctx, func(row column.Row) error {
		m, err := column.ScanMatch(row)
		progress.Say(n+len(unreadable)+1, matches)
		if broken := (*column.UnreadableError)(nil); errors.As(err, &broken) {
			unreadable = append(unreadable, err)
			return nil
		}
		if err == nil {
			n++
			err = lines.Encode(column.Export(m))
		}
		return err
	}, selectAllMatches)
	return n, errors.Join(append(unreadable, err)...)
}
