package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"io"

	"tictactoe/store/internal/sqlstore"
)

// Export writes every match of the database at path, which may be in use, as a line of JSON each, in the order of their
// ids, and returns how many. Those that make no sense are left out; then the error wraps an [*UnreadableError] for each,
// and the count is that of the others.
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
