package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"github.com/mattn/go-sqlite3"

	"tictactoe/migrations"
	"tictactoe/store/internal/column"
)

// readSnapshot calls do with a connection that shows one state of the database at path, even while other processes write. It writes
// nothing, except that it repairs the index of the log after a bot was killed. It may call do again. Errors: [ErrForeign],
// [ErrDamaged], errors of the file system.
//
// Only SQLite opens the file, because this process may be the bot: closing another handle would drop the bot's locks, and then the next
// process to close the database would delete the log.
func readSnapshot(ctx context.Context, path string, do func(conn *sql.Conn) error) error {
	full, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	for {
		before, err := statFile(full)
		if err != nil {
			return err
		}
		if !before.Mode().IsRegular() || before.Size() == 0 {
			return ErrForeign
		}
		options := url.Values{"mode": {"ro"}, "_query_only": {"1"}}
		alone := atRest(full)
		if alone {
			options.Set("immutable", "1") // otherwise reading would create a log and its index
		}
		err = connected(ctx, full, options, func(conn *sql.Conn) error {
			waiting, cancel := context.WithTimeout(ctx, openTime)
			defer cancel()
			if err := patiently(waiting, func() error { return beginReading(ctx, conn) }); err != nil {
				return err
			}
			return do(conn) // closing the connection ends the transaction
		})
		after, failed := os.Stat(full)
		if alone && ctx.Err() == nil && failed == nil &&
			(!atRest(full) || !after.ModTime().Equal(before.ModTime()) || !os.SameFile(before, after)) {
			continue // a bot has started meanwhile, and may have written to the pages that this connection read
		}
		if failedBy(err, sqlite3.ErrNotADB) {
			return ErrForeign
		}
		return asDamage(err)
	}
}

// atRest reports whether no process has the file open, and no process was killed while it had the file open.
func atRest(path string) bool { return size(path+"-wal") <= 0 && size(path+"-shm") < 0 }

// beginReading begins a transaction. Its first query decides which state it reads, and tells whether the file is ours.
func beginReading(ctx context.Context, conn *sql.Conn) error {
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	var id int
	err := conn.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id)
	if err == nil && id != applicationID {
		err = ErrForeign
	}
	if err != nil {
		_, _ = conn.ExecContext(ctx, "ROLLBACK")
	}
	return err
}

// readSnapshotOnce is like readSnapshot, but requires the current schema, and calls do at most once.
func readSnapshotOnce(ctx context.Context, path string, do func(conn *sql.Conn) error) error {
	begun := false
	return readSnapshot(ctx, path, func(conn *sql.Conn) error {
		if begun {
			return errors.New("another program began to write to it; try again")
		}
		known := column.Newest(migrations.SQLite())
		version, err := knownVersion(ctx, conn, known)
		if err == nil && version < known {
			err = fmt.Errorf("its schema is version %d; start the bot once, which migrates it to version %d", version, known)
		}
		if err != nil {
			return err
		}
		begun = true
		return do(conn)
	})
}

// connected calls do with a connection to the file at the given absolute path.
func connected(ctx context.Context, path string, options url.Values, do func(conn *sql.Conn) error) (err error) {
	db := dial(path, 1, options)
	defer func() { err = errors.Join(err, db.Close()) }()
	return withConn(ctx, db, do)
}

// withConn calls do with a connection of a pool.
func withConn(ctx context.Context, db *sql.DB, do func(conn *sql.Conn) error) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return do(conn)
}
