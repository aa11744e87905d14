package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/mattn/go-sqlite3"

	"tictactoe/internal/file/draft"
	"tictactoe/migrations"
	"tictactoe/store/internal/column"
	"tictactoe/store/internal/sqlstore"
)

// openTime bounds how long opening waits for another process that is busy with the file, migrating it for example.
const openTime = 10 * time.Second

// readers is the number of connections that read: more than the two cores of a small host, so that a long read, for example by a
// rebuild, does not delay short reads.
const readers = 4

// ErrNotWritable is wrapped when the database cannot be written where it is, or its folder cannot be made.
var ErrNotWritable = errors.New("cannot be written there")

// Open opens the database at path. It creates the file and its folder if they do not exist, and migrates an older database after
// copying it to a file beside it. The caller holds the [Lock]. If an older backup has brought back the data of users whose erasure is
// recorded, Open erases the data again.
//
// Open does not change a file that it cannot open. The errors then wrap [ErrForeign], [ErrDamaged], [ErrNewer], [ErrOlder],
// [ErrNotWritable], [ErrMigration], or [match.ErrBusy] when another process has locked the file for long.
func Open(ctx context.Context, path string) (*Store, error) {
	s, err := open(ctx, path, migrations.SQLite())
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		err = s.recall(ctx, real)
	}
	if err == nil {
		s.record = real + recordEnding
		err = s.keepRecord(ctx)
	}
	if err != nil {
		return nil, errors.Join(ofDatabase(path, err), s.Close())
	}
	return s, nil
}

// Join opens the database of a bot that runs, beside it, for a few changes. SQLite makes the writes of both take turns. Join neither migrates
// the database nor changes the files beside it. The errors are those of Open, and [ErrInUse] if the bot is of an older version.
func Join(ctx context.Context, path string) (*Store, error) {
	version, known, err := Inspect(ctx, path)
	if err == nil && version < known {
		err = fmt.Errorf("%w, of an older version", ErrInUse)
	}
	if err != nil {
		return nil, ofDatabase(path, err)
	}
	s, err := open(ctx, path, migrations.SQLite())
	if err != nil {
		return nil, err
	}
	var key column.Key
	if path, err = filepath.EvalSymlinks(path); err == nil {
		key, err = readKey(path)
	}
	if err == nil {
		_, err = s.UseKey(ctx, key, false)
	}
	if err != nil {
		return nil, errors.Join(ofDatabase(path, err), s.Close())
	}
	return s, nil
}

func open(ctx context.Context, path string, steps fs.FS) (*Store, error) {
	waiting, cancel := context.WithTimeout(ctx, openTime) // bounds the wait for other processes; the work itself may take longer
	defer cancel()
	var s *Store
	err := patiently(waiting, func() (err error) {
		s, err = openOnce(ctx, path, steps)
		return err
	})
	if unwritable(err) {
		err = fmt.Errorf("%w: %w", ErrNotWritable, err)
	}
	return s, ofDatabase(path, err)
}

// ofDatabase adds the path of the database to an error.
func ofDatabase(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("database %s: %w", path, err)
}

// openOnce opens the database as it is at this moment.
func openOnce(ctx context.Context, path string, steps fs.FS) (*Store, error) {
	known := column.Newest(steps)
	full, err := prepare(path)
	if err != nil {
		return nil, err
	}
	version, whole, err := inspect(ctx, full, known)
	if err != nil {
		return nil, err
	}
	if version < known {
		if err := migrate(ctx, full, steps, known); err != nil {
			return nil, err
		}
	}
	s, err := connect(ctx, full)
	if err == nil {
		s.examined = whole
	}
	return s, err
}

// prepare creates an empty file if none exists, and returns its absolute path. It does not open an existing file: closing it would drop
// the locks that another store of this process has on it.
func prepare(path string) (string, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(full)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		// The database will hold names and tokens, so only its owner may read it.
		if err = draft.MakeFolder(filepath.Dir(full)); err == nil {
			var file *os.File
			if file, err = os.OpenFile(full, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err == nil {
				err = errors.Join(draft.Own(file, filepath.Dir(full)), file.Close())
			}
		}
	case err == nil && info.Mode().IsRegular():
		err = mayWrite(full) // SQLite would notice it too, but leave a log and its index behind
	case err == nil:
		err = errors.New("it is not a regular file")
	}
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNotWritable, err)
	}
	return full, nil
}

// connect opens the connections of a store on a database of the current schema.
func connect(ctx context.Context, path string) (*Store, error) {
	s := &Store{turn: make(chan struct{}, 1)}
	s.closing, s.stop = context.WithCancel(context.Background())
	s.Store = sqlstore.New(database{s})
	s.owner = dial(path, 1, url.Values{
		"mode":             {"rw"},
		"_journal_mode":    {"WAL"},
		"_synchronous":     {"FULL"},
		"_foreign_keys":    {"1"},
		"_secure_delete":   {"1"}, // deleted data is overwritten in the file
		"_stmt_cache_size": {"64"},
	})
	s.reader = dial(path, readers, url.Values{
		"mode":             {"ro"},
		"_query_only":      {"1"},
		"_stmt_cache_size": {"64"},
	})
	var err error
	s.writer, err = s.owner.Conn(ctx)
	if err == nil {
		err = transact(ctx, s.writer, mark) // fails if the file is not writable; opening the file does not fail then
	}
	if err == nil {
		// The checkpoint writes the change counter into the file, so that the guard can tell the file from every older copy of it.
		_, err = s.writer.ExecContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)")
	}
	if err == nil {
		s.guard, err = watch(path)
	}
	if err != nil {
		if s.writer != nil {
			err = errors.Join(err, s.writer.Close())
		}
		return nil, errors.Join(err, s.reader.Close(), s.owner.Close())
	}
	return s, nil
}

// unwritable reports whether SQLite could not write a file or create its log.
func unwritable(err error) bool {
	return failedBy(err, sqlite3.ErrReadonly, sqlite3.ErrCantOpen, sqlite3.ErrPerm)
}

// dial returns a pool of connections to the file at the given absolute path. The pool opens a connection when it is first needed and
// keeps it open. With an empty path each connection has a temporary database of its own.
func dial(path string, connections int, options url.Values) *sql.DB {
	options.Set("_mutex", "no") // database/sql gives a connection to one goroutine at a time
	options.Set("_busy_timeout", strconv.FormatInt(busyTimeout.Milliseconds(), 10))
	path = filepath.ToSlash(path)
	if path != "" && !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	// A URI: without the scheme the driver would cut the options off, and with a bare path it would take a question mark in a
	// name for the start of them.
	address := url.URL{Scheme: "file", Path: path, RawQuery: options.Encode()}
	db, _ := sql.Open("sqlite3", address.String()) // Open fails only if the driver is missing
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db
}
