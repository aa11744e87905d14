package postgres

import (
	"context"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"

	"tictactoe/store/internal/column"
	"tictactoe/store/internal/sqlstore"
)

// What a check has found, and how far it is.
type (
	Report          = column.Report
	Progress        = column.Progress
	UnreadableError = column.UnreadableError
)

// inspection runs do on the database at that address as it is at one moment, while bots may use it. It has to be of this
// program's schema.
func inspection(ctx context.Context, address string, do func(ctx context.Context, schema int64, q db) error) error {
	version, known, err := Inspect(ctx, address)
	if err != nil {
		return err
	}
	if version < known {
		return fmt.Errorf("database %s: its schema is version %d; start the bot on it once, which brings it to %d",
			Redact(address), version, known)
	}
	s, err := Open(ctx, address)
	if err != nil {
		return err
	}
	defer s.Close()
	snapshot := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err = pgx.BeginTxFunc(ctx, s.pool, snapshot, func(tx pgx.Tx) error {
		q := db{tx, s.dialect, nil}
		if _, err := q.Exec(ctx, "SET LOCAL statement_timeout = 0"); err != nil {
			return err
		}
		return do(ctx, version, q)
	})
	if err != nil {
		err = fmt.Errorf("database %s: %w", Redact(address), err)
	}
	return err
}

// Check reads all of the database at that address, which may be in use, and compares it with what has to hold: that every
// match is a game by its rules with the result that its moves lead to, that rows refer to rows that are there, and that the
// scores are what the matches add up to. Postgres keeps the rest by itself. The progress counts matches.
func Check(ctx context.Context, address string, progress Progress) (Report, error) {
	r := Report{Findings: []column.Finding{}}
	err := inspection(ctx, address, func(ctx context.Context, version int64, q db) error {
		r.Schema = version
		return sqlstore.Check(ctx, q, &r, progress)
	})
	return r, err
}

// Export writes every match of the database at that address, which may be in use, as a line of JSON each, in the order of
// their ids, and returns how many. Those that make no sense are left out; then the error wraps an [*UnreadableError] for
// each, and the count is that of the others.
func Export(ctx context.Context, address string, w io.Writer, progress Progress) (n int, err error) {
	err = inspection(ctx, address, func(ctx context.Context, _ int64, q db) error {
		n, err = sqlstore.Export(ctx, q, w, progress)
		return err
	})
	return n, err
}
