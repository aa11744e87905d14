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

// Export writes every match of the database at path, which may be in use, as a line of JSON each, in the order of their
// ids, and returns how many. Those that make no sense are left out; then the error wraps an [*UnreadableError] for each,
// and the count is that of the others.
func Export(ctx context.Context, path string, w io.Writer, progress Progress) (n int, err error) {
	err = peruse(ctx, path, func(conn *sql.Conn) error {
		if n > 0 {
			return errors.New("a bot has started on it meanwhile; export it again")
		}
		if err := current(ctx, conn); err != nil {
			return err
		}
		n, err = sqlstore.Export(ctx, newTx(conn), w, progress)
		return err
	})
	if err != nil {
		err = fmt.Errorf("export of %s: %w", path, err)
	}
	return n, err
}

// current refuses a schema that the program's statements do not fit.
func current(ctx context.Context, conn *sql.Conn) error {
	known, err := column.Newest(migrations.SQLite())
	if err != nil {
		return err
	}
	switch version, err := schemaVersion(ctx, conn); {
	case err != nil:
		return err
	case version > known:
		return newer(version, known)
	case version < known:
		return fmt.Errorf("its schema is version %d; start the bot on it once, which brings it to %d", version, known)
	}
	return nil
}
