package sqlite

import (
	"context"
	"database/sql"

	"tictactoe/store/internal/sqlstore"
)

// Reader is a store that shows one state of a database.
type Reader = sqlstore.Store

// Look lets do read one state of the database at path, which may be in use, and writes nothing.
func Look(ctx context.Context, path string, do func(ctx context.Context, r *Reader) error) error {
	return ofDatabase(path, readSnapshotOnce(ctx, path, func(conn *sql.Conn) error { return do(ctx, sqlstore.Reading(newTx(ctx, conn))) }))
}
