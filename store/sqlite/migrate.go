package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"

	"github.com/mattn/go-sqlite3"
	"github.com/pressly/goose/v3"

	"tictactoe/internal/file/draft"
	"tictactoe/migrations"
)

// migrate brings a file to the newest schema, after copying it. After an error the file is unchanged.
//
// It uses one connection of its own, which locks the whole file: a second process waits and then finds the migration done. The
// connection does not enforce foreign keys, because rebuilding a table would delete, by cascade, the rows that refer to it. Foreign
// keys are checked at the end instead.
func migrate(ctx context.Context, path string, steps fs.FS, known int64) (err error) {
	db := dial(path, 1, url.Values{
		"mode":          {"rw"},
		"_locking_mode": {"EXCLUSIVE"},
		"_synchronous":  {"FULL"},
		"_foreign_keys": {"0"},
	})
	defer func() { err = errors.Join(err, db.Close()) }()

	// The file is marked as ours before it has any content, so that it is not refused as foreign if creating it is
	// interrupted.
	if err := withConn(ctx, db, func(conn *sql.Conn) error { return transact(ctx, conn, mark) }); err != nil {
		return err
	}
	version, err := knownVersion(ctx, db, known) // check again: another process may have migrated meanwhile
	if err != nil || version == known {
		return err
	}
	before := ""
	if version > 0 {
		before = fmt.Sprintf("%s.before-%d.bak", path, known)
		err := withConn(ctx, db, func(conn *sql.Conn) error {
			return newFile(ctx, before, (*draft.File).Keep, func(file *os.File) error {
				if err := draft.Own(file, path); err != nil {
					return err
				}
				return copyInto(ctx, conn, file.Name(), copyPages, nil)
			})
		})
		if err != nil {
			return fmt.Errorf("copy before migrating: %w", err)
		}
	}
	err = climb(ctx, db, steps)
	if err != nil && before != "" {
		// Some migrations may have run. The file is put back to its state before the migration, because the next start copies the state
		// that it finds.
		err = errors.Join(err, putBack(context.WithoutCancel(ctx), before, db))
		advice := "a copy from before is in " + before
		if errors.Is(err, ErrMigration) {
			advice = fmt.Sprintf("install the version again that ran before, of schema %d, and if that one refuses the database: "+
				"tictactoe db restore --db %s %s", version, path, before)
		}
		err = fmt.Errorf("migrate from version %d to %d: %w; %s", version, known, err, advice)
	}
	return err
}

// putBack overwrites the database of a connection with an unused copy.
func putBack(ctx context.Context, before string, db *sql.DB) error {
	return connected(ctx, before, url.Values{"mode": {"ro"}, "immutable": {"1"}}, func(from *sql.Conn) error {
		return withConn(ctx, db, func(to *sql.Conn) error { return copyConn(ctx, from, to, copyPages, nil) })
	})
}

// TryMigration migrates a temporary copy of the database at path, which may be in use, as [Open] would migrate the database. Errors:
// [ErrMigration], the errors of [Check].
func TryMigration(ctx context.Context, path string) error {
	return ofDatabase(path, tryMigration(ctx, path, migrations.SQLite(), func(*sql.Conn) error { return nil }))
}

// tryMigration migrates a copy of the database at path, and calls do with a connection to the copy. The copy is a temporary SQLite
// database without a name, in memory, and if memory is short in an unnamed file.
func tryMigration(ctx context.Context, path string, steps fs.FS, do func(conn *sql.Conn) error) (err error) {
	db := dial("", 1, url.Values{"_foreign_keys": {"0"}, "_journal_mode": {"OFF"}, "_cache_size": {"-65536"}}) // in KiB
	defer func() { err = errors.Join(err, db.Close()) }()
	err = readSnapshot(ctx, path, func(from *sql.Conn) error {
		return withConn(ctx, db, func(to *sql.Conn) error { return copyConn(ctx, from, to, copyPages, nil) })
	})
	if err == nil {
		err = climb(ctx, db, steps)
	}
	if err != nil {
		return err
	}
	return withConn(ctx, db, do)
}

// mark writes the application id, by which identify recognises a database.
func mark(ctx context.Context, tx *sql.Conn) error {
	_, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID))
	return err
}

// ErrMigration means that a database cannot be migrated, no matter how often a program tries.
var ErrMigration = errors.New("this version cannot migrate the database")

// climb runs the pending migrations. Its error wraps [ErrMigration], unless it is about the disk, another process or the context.
func climb(ctx context.Context, db *sql.DB, steps fs.FS) error {
	err := runSteps(ctx, db, steps)
	passing := locked(err) || cutOff(err) || unwritable(err) || failedBy(err, sqlite3.ErrFull, sqlite3.ErrIoErr, sqlite3.ErrNomem)
	if err != nil && !passing {
		err = fmt.Errorf("%w: %w", ErrMigration, err)
	}
	return err
}

func runSteps(ctx context.Context, db *sql.DB, steps fs.FS) error {
	if _, err := db.ExecContext(ctx, "PRAGMA journal_mode = WAL"); err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, steps,
		goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return err
	}
	return unsound(danglingRows(ctx, db))
}
