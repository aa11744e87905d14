package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"

	"tictactoe/migrations"
	"tictactoe/store/internal/column"
	"tictactoe/store/internal/sqlstore"
)

// These types describe the result of a check.
type (
	Report  = column.Report
	Finding = column.Finding
	Remedy  = column.Remedy

	UnreadableError = column.UnreadableError
)

// The remedies.
const (
	RestoreBackup = column.RestoreBackup
	RebuildScores = column.RebuildScores
	ReviewAgain   = column.ReviewAgain
	LeaveIt       = column.LeaveIt
)

// Check reads all of the database at path, which may be in use. It runs SQLite's own checks, and checks that referenced rows exist,
// that every match is a legal game by its rules and has the result of its moves, and that the scores are the sums of the matches. If the
// file has an older schema, Check migrates a copy and checks that. The progress counts matches.
//
// Errors mean that the check was not possible: [ErrForeign], [ErrNewer], [ErrOlder], [ErrMigration], errors of the file system. Damage
// is a finding.
func Check(ctx context.Context, path string, progress Progress) (Report, error) {
	r, err := check(ctx, path, progress)
	return r, ofDatabase(path, err)
}

func check(ctx context.Context, path string, progress Progress) (r Report, err error) {
	known := column.Newest(migrations.SQLite())
	err = readSnapshot(ctx, path, func(conn *sql.Conn) (err error) {
		r, err = checkConn(ctx, conn, known, progress)
		return err
	})
	switch {
	case errors.Is(err, ErrDamaged):
		r.Found("the file", RestoreBackup, "%v", err)
		return r, nil
	case err != nil || len(r.Findings) > 0 || r.Schema == known:
		return r, err
	}
	var migrated Report
	err = tryMigration(ctx, path, migrations.SQLite(), func(conn *sql.Conn) (err error) {
		migrated, err = checkConn(ctx, conn, known, progress)
		return err
	})
	if err != nil {
		return Report{}, fmt.Errorf("check a migrated copy of the database (schema %d): %w", r.Schema, err)
	}
	migrated.Schema = r.Schema
	return migrated, nil
}

// checkConn checks the database of a connection. With an older schema it runs only SQLite's own checks.
func checkConn(ctx context.Context, conn *sql.Conn, known int64, progress Progress) (r Report, err error) {
	r.Findings = []Finding{}
	if r.Schema, err = knownVersion(ctx, conn, known); err != nil {
		return r, err
	}
	if err := checkFile(ctx, conn, &r); err != nil || len(r.Findings) > 0 || r.Schema < known {
		return r, err // queries on a damaged file prove nothing
	}
	return r, sqlstore.Check(ctx, newTx(ctx, conn), &r, progress)
}

// checkFile runs SQLite's own checks.
func checkFile(ctx context.Context, conn *sql.Conn, r *Report) error {
	findings, err := integrityFindings(ctx, conn)
	if err != nil {
		return err
	}
	dangling, err := danglingRows(ctx, conn)
	for _, finding := range append(findings, dangling...) {
		r.Found("the file", RestoreBackup, "%s", finding)
	}
	return err
}

// Export writes every match of the database at path, which may be in use, as a line of JSON each, in the order of the ids, and returns
// the number of lines. It leaves out unreadable matches; then the error wraps an [*UnreadableError] for each of them.
func Export(ctx context.Context, path string, w io.Writer, progress Progress) (n int, err error) {
	err = readSnapshotOnce(ctx, path, func(conn *sql.Conn) (err error) {
		n, err = sqlstore.Export(ctx, newTx(ctx, conn), w, progress)
		return err
	})
	if err != nil {
		err = fmt.Errorf("export of %s: %w", path, err)
	}
	return n, err
}

// Reader is a store that shows one state of a database.
type Reader = sqlstore.Store

// Look calls do with a store that shows one state of the database at path, which may be in use. Look writes nothing.
func Look(ctx context.Context, path string, do func(ctx context.Context, r *Reader) error) error {
	return ofDatabase(path, readSnapshotOnce(ctx, path, func(conn *sql.Conn) error { return do(ctx, sqlstore.Reading(newTx(ctx, conn))) }))
}
