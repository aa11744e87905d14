package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tictactoe/internal/match"
	"tictactoe/internal/score"
	"tictactoe/migrations"
	"tictactoe/store/internal/column"
)

// What a check has found, and what helps against it.
type (
	Report  = column.Report
	Finding = column.Finding
	Remedy  = column.Remedy
)

// The remedies.
const (
	RestoreBackup = column.RestoreBackup
	RebuildScores = column.RebuildScores
	LeaveIt       = column.LeaveIt
)

// Check reads all of the database at path, which may be in use, and compares it with what has to hold: SQLite's own
// rules, that rows refer to rows that are there, that every match is a game by its rules with the result that its moves
// lead to, and that the scores are what the matches add up to. A file of an older schema is checked as what it will be
// migrated to. The progress counts matches.
//
// Errors are about what cannot be checked: [ErrForeign], [ErrNewer], those of the file system. Damage is a finding.
func Check(ctx context.Context, path string, progress Progress) (Report, error) {
	r, err := check(ctx, path, progress)
	if err != nil {
		return Report{}, fmt.Errorf("database %s: %w", path, err)
	}
	return r, nil
}

func check(ctx context.Context, path string, progress Progress) (Report, error) {
	known, err := column.Newest(migrations.SQLite())
	if err != nil {
		return Report{}, err
	}
	var r Report
	err = peruse(ctx, path, func(conn *sql.Conn) (err error) {
		r = Report{Findings: []Finding{}}
		switch r.Schema, err = schemaVersion(ctx, conn); {
		case err != nil:
			return err
		case r.Schema > known:
			return newer(r.Schema, known)
		}
		if err := checkFile(ctx, conn, &r); err != nil || len(r.Findings) > 0 || r.Schema < known {
			return err // what is read from a damaged file says nothing
		}
		return checkLaws(ctx, conn, &r, progress)
	})
	switch {
	case errors.Is(err, ErrDamaged):
		r.Found("the file", RestoreBackup, "%v", err)
		return r, nil
	case err != nil || len(r.Findings) > 0 || r.Schema == known:
		return r, err
	}
	return checkMigrated(ctx, path, r.Schema, progress)
}

// checkMigrated checks what migrating the database leads to.
func checkMigrated(ctx context.Context, path string, version int64, progress Progress) (r Report, err error) {
	folder, err := os.MkdirTemp("", "tictactoe-check-")
	if err != nil {
		return Report{}, err
	}
	defer os.RemoveAll(folder)
	migrated := filepath.Join(folder, "migrated.db")
	if err := Backup(ctx, path, migrated, nil); err != nil {
		return Report{}, err
	}
	s, err := Open(ctx, migrated)
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		return Report{}, fmt.Errorf("of schema %d, as migrated: %w", version, err)
	}
	r, err = check(ctx, migrated, progress)
	r.Schema = version
	return r, err
}

// checkFile looks for what SQLite itself takes offence at.
func checkFile(ctx context.Context, conn *sql.Conn, r *Report) error {
	integrity, err := list(ctx, conn, scanText, "PRAGMA integrity_check(20)")
	if err != nil {
		return err
	}
	for _, line := range integrity {
		if line != "ok" {
			r.Found("the file", RestoreBackup, "%s", line)
		}
	}
	dangling, err := list(ctx, conn, scanReference, "PRAGMA foreign_key_check")
	if err != nil {
		return err
	}
	for _, reference := range dangling {
		r.Found("the file", RestoreBackup, "%s", reference)
	}
	return nil
}

func checkLaws(ctx context.Context, conn *sql.Conn, r *Report, progress Progress) error {
	err := conn.QueryRowContext(ctx, selectAllCounts).Scan(&r.Matches, &r.Moves, &r.Challenges, &r.Scores, &r.Boards)
	if err != nil {
		return err
	}
	if err := checkMatches(ctx, conn, r, progress); err != nil {
		return err
	}
	if err := checkChallenges(ctx, conn, r); err != nil {
		return err
	}
	for _, law := range laws() {
		broken, err := list(ctx, conn, scanText, law.query)
		if err != nil {
			return err
		}
		for _, where := range broken {
			r.Found(where, law.remedy, "%s", law.what)
		}
	}
	return nil
}

const (
	selectAllCounts = `SELECT (SELECT count(*) FROM matches), (SELECT count(*) FROM moves), (SELECT count(*) FROM challenges),
		(SELECT count(*) FROM scores), (SELECT count(*) FROM boards)`

	selectAllMatches    = `SELECT ` + matchColumns + ` ORDER BY id`
	selectAllChallenges = `SELECT ` + challengeColumns + ` ORDER BY id`
)

// law is something that no table's own CHECK can say. The query lists what breaks it.
type law struct {
	query, what string
	remedy      Remedy
}

func laws() []law {
	return []law{
		{`SELECT 'match ' || id FROM matches AS m WHERE rematch_next IS NOT NULL
			AND NOT EXISTS (SELECT 1 FROM matches WHERE id = m.rematch_next AND series = m.series)`,
			"its rematch is not there, or not in its series", RestoreBackup},
		{`SELECT 'challenge ' || id FROM challenges WHERE status = 'accepted' AND id NOT IN (SELECT id FROM matches)`,
			"it was accepted, and its match is not there", RestoreBackup},
		{`SELECT 'board ' || id FROM boards WHERE id NOT IN (SELECT id FROM matches) AND id NOT IN (SELECT id FROM challenges)`,
			"it shows neither a match nor a challenge that is there", LeaveIt},
		{`SELECT 'board ' || b.id FROM boards AS b WHERE latest <> max(
				coalesce((SELECT version FROM matches WHERE id = b.id), 0),
				coalesce((SELECT version FROM challenges WHERE id = b.id), 0))
			AND (EXISTS (SELECT 1 FROM matches WHERE id = b.id) OR EXISTS (SELECT 1 FROM challenges WHERE id = b.id))`,
			"it does not know which version of its match is the latest, so that it may not be redrawn", RestoreBackup},
		{`SELECT 'standing of player ' || player || ' in ' || venue || iif(computers, ' against the computer', '')
			FROM (` + selectAllWrongStandings + `)`,
			"it is not the sum of the scores", RebuildScores},
		{`SELECT 'leaderboard of ' || venue || iif(computers, ' against the computer', '') FROM (` + selectAllWrongBuckets + `)`,
			"its stretches are not as long as they say", RebuildScores},
	}
}

// checkMatches replays every match, and adds up the scores.
func checkMatches(ctx context.Context, conn *sql.Conn, r *Report, progress Progress) error {
	resets, err := readResets(ctx, conn)
	if err != nil {
		return err
	}
	sums := make(sums)
	done := 0
	err = eachMatch(ctx, conn, selectAllMatches, func(m match.Match, err error) error {
		done++
		progress.Say(done, r.Matches)
		var unreadable *UnreadableError
		switch {
		case errors.As(err, &unreadable):
			r.Found("match "+string(unreadable.ID), RestoreBackup, "%v", unreadable.Err)
			return nil
		case err != nil:
			return err
		}
		if resets.count(m) {
			sums.add(m)
		}
		return nil
	})
	if err != nil || len(r.Findings) > 0 {
		return err // the scores of matches that cannot be read are unknown
	}
	stored, err := list(ctx, conn, scanEntry, selectAllScores)
	if err != nil {
		return err
	}
	for _, have := range stored {
		want, known := sums[keyOf(have)]
		delete(sums, keyOf(have))
		if !known || want != have {
			r.Found(nameOf(have), RebuildScores, "%d won, %d drawn, %d lost; the matches say %d, %d and %d%s",
				have.Wins, have.Draws, have.Losses, want.Wins, want.Draws, want.Losses, since(have, want))
		}
	}
	for _, key := range slices.SortedFunc(maps.Keys(sums), entryKey.compare) {
		want := sums[key]
		r.Found(nameOf(want), RebuildScores, "it is missing; the matches say %d won, %d drawn, %d lost", want.Wins, want.Draws, want.Losses)
	}
	return nil
}

// since tells of scores that differ in nothing but when they were reached.
func since(have, want score.Entry) string {
	if have.Tally == want.Tally {
		return ", reached at another time"
	}
	return ""
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

func checkChallenges(ctx context.Context, conn *sql.Conn, r *Report) error {
	rows, err := conn.QueryContext(ctx, selectAllChallenges)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		_, err := scanChallenge(rows)
		var unreadable *UnreadableError
		if errors.As(err, &unreadable) {
			r.Found("challenge "+string(unreadable.ID), RestoreBackup, "%v", unreadable.Err)
		} else if err != nil {
			return err
		}
	}
	return rows.Err()
}

func scanText(row scanner) (text string, err error) {
	err = row.Scan(&text)
	return text, err
}

// scanReference words a row of foreign_key_check.
func scanReference(row scanner) (string, error) {
	var table, parent string
	var id, key any
	err := row.Scan(&table, &id, &parent, &key)
	return fmt.Sprintf("a row of %s refers to one of %s that is not there", table, parent), err
}

func (k entryKey) compare(l entryKey) int {
	return strings.Compare(fmt.Sprint(k), fmt.Sprint(l))
}
