package sqlstore

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"tictactoe/store/internal/column"
)

const (
	selectAllCounts = `SELECT (SELECT count(*) FROM matches), (SELECT count(*) FROM moves), (SELECT count(*) FROM challenges),
		(SELECT count(*) FROM scores), (SELECT count(*) FROM boards)`

	selectAllMatches    = `SELECT ` + matchColumns + ` ORDER BY id`
	selectAllChallenges = `SELECT ` + challengeColumns + ` ORDER BY id`
)

// law is a condition across several rows, which a CHECK constraint cannot express. The query lists the violations.
type law struct {
	query, what string
	remedy      column.Remedy
}

func laws() []law {
	return []law{
		{`SELECT 'match ' || id FROM matches AS m WHERE rematch_next IS NOT NULL
			AND NOT EXISTS (SELECT 1 FROM matches AS n WHERE id = m.rematch_next
				AND series = CASE WHEN m.best_of > 0 AND m.rematch_by IS NOT NULL THEN n.id ELSE m.series END)`, // see [match.Match.NextGame]
			"its rematch is not there, or not in its series", column.RestoreBackup},
		{`SELECT 'challenge ' || id FROM challenges AS c WHERE status = 'accepted'
			AND NOT EXISTS (SELECT 1 FROM matches WHERE id = c.id)`,
			"it was accepted, and its match is not there", column.RestoreBackup},
		{`SELECT 'board ' || id FROM boards AS b WHERE NOT EXISTS (SELECT 1 FROM matches WHERE id = b.id)
			AND NOT EXISTS (SELECT 1 FROM challenges WHERE id = b.id) AND NOT EXISTS (SELECT 1 FROM arenas WHERE id = b.id)`,
			"it shows no match, challenge or arena that is there", column.LeaveIt},
		{selectAllLostPairings, "its arena is not there, or in another server", column.RestoreBackup},
		{selectAllLostEntrants, "the arena is not there", column.RestoreBackup},
		{selectAllWrongBoards, "it does not know which version of its match is the latest, so that it may not be redrawn", column.RebuildScores},
		{selectAllWrongVerdicts, "its review says more than its moves can bear, or counts them wrong", column.RebuildScores},
	}
}

// Check checks that every match of a database is a legal game by its rules and has the result of its moves, that referenced rows exist,
// and that the scores and ladders agree with the matches. The progress counts matches.
func Check(ctx context.Context, tx Tx, r *column.Report, progress column.Progress) error {
	err := tx.Row(ctx, selectAllCounts).Scan(&r.Matches, &r.Moves, &r.Challenges, &r.Scores, &r.Boards)
	if err != nil {
		return err
	}
	if err := checkRows(ctx, tx, r, progress); err != nil {
		return err
	}
	if len(r.Findings) == 0 { // otherwise the contribution of the unreadable matches is unknown
		if err := checkScores(ctx, tx, r); err != nil {
			return err
		}
		if err := checkLadders(ctx, tx, r); err != nil {
			return err
		}
	}
	for _, law := range laws() {
		broken, err := ScanRows(ctx, tx, Value[string], law.query)
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

// Export writes each match as a line of JSON, in the order of the ids, and returns the number of lines. It leaves out unreadable
// matches; then the error wraps an [*column.UnreadableError] for each of them.
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
