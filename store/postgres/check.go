package postgres

import (
	"context"
	"io"

	"github.com/jackc/pgx/v5"

	"tictactoe/store/internal/column"
	"tictactoe/store/internal/sqlstore"
)

// inspection calls do with one state of the database at address, which bots may use meanwhile. The database must have
// this program's schema.
func inspection(ctx context.Context, address string, do func(ctx context.Context, schema int64, q db) error) error {
	version, err := current(ctx, address)
	if err != nil {
		return err
	}
	oneState := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	return connected(ctx, address, func(conn *pgx.Conn) error {
		return pgx.BeginTxFunc(ctx, conn, oneState, func(tx pgx.Tx) error {
			return do(ctx, version, db{tx, new(pgx.Batch)})
		})
	}, "statement_timeout", "idle_in_transaction_session_timeout")
}

// Check reads all of the database at address, which may be in use. It checks that every match is a legal game by its rules and has the
// result of its moves, that referenced rows exist, and that the scores are the sums of the matches. Postgres ensures the rest. The
// progress counts matches.
func Check(ctx context.Context, address string, progress column.Progress) (column.Report, error) {
	r := column.Report{Findings: []column.Finding{}}
	err := inspection(ctx, address, func(ctx context.Context, version int64, q db) error {
		r.Schema = version
		return sqlstore.Check(ctx, q, &r, progress)
	})
	return r, err
}

// Look calls do with a store that shows one state of the database at address, which may be in use. Look writes nothing.
func Look(ctx context.Context, address string, do func(ctx context.Context, r *sqlstore.Store) error) error {
	return inspection(ctx, address, func(ctx context.Context, _ int64, q db) error { return do(ctx, sqlstore.Reading(q)) })
}

// Export writes every match of the database at address, which may be in use, as a line of JSON each, in the order of the ids, and
// returns the number of lines. It leaves out unreadable matches; then the error wraps an [*column.UnreadableError] for each of them.
func Export(ctx context.Context, address string, w io.Writer, progress column.Progress) (n int, err error) {
	err = inspection(ctx, address, func(ctx context.Context, _ int64, q db) error {
		n, err = sqlstore.Export(ctx, q, w, progress)
		return err
	})
	return n, err
}
