package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"slices"
	"strings"

	"tictactoe/internal/file/draft"
	"tictactoe/migrations"
	"tictactoe/store/internal/column"
	"tictactoe/store/transfer"
)

// ErrUnfinished is wrapped when a database holds an incomplete copy of another database.
var ErrUnfinished = errors.New("a copy into it is not complete; make the same copy again, which goes on where it ended, or remove it")

// TransferFrom calls do with one state of the database at path, which no bot may use meanwhile.
//
// Errors: the error of do, [ErrInUse], [ErrForeign], [ErrDamaged], [ErrNewer], [ErrOlder], [ErrUnfinished], errors of the file system.
func TransferFrom(ctx context.Context, path string, do func(transfer.Source) error) (err error) {
	if err := There(path); err != nil { // taking the lock would create the folder
		return err
	}
	lock, err := Acquire(ctx, path, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	path = lock.database()
	var done error
	err = readSnapshotOnce(ctx, path, func(conn *sql.Conn) error {
		done = do(tables{conn, path})
		return nil
	})
	return errors.Join(done, ofDatabase(path, err))
}

// TransferInto calls do to write to the database at path, which no bot may use meanwhile; it creates the database if it does not
// exist. It does not change a database with an older schema. Errors: the errors of [TransferFrom], [ErrNotWritable].
func TransferInto(ctx context.Context, path string, do func(transfer.Target) error) (err error) {
	lock, err := Acquire(ctx, path, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	path = lock.database()
	if err := vacant(ctx, path); err != nil {
		return ofDatabase(path, err)
	}
	options := url.Values{
		"mode":          {"rw"},
		"_journal_mode": {"WAL"},
		"_synchronous":  {"NORMAL"}, // a copy can be continued, so it may lose rows in a power cut
		"_foreign_keys": {"1"},
	}
	return connected(ctx, path, options, func(conn *sql.Conn) error { return do(tables{conn, path}) })
}

// vacant makes a labelled database at path if no file exists. A database with another schema is an error.
func vacant(ctx context.Context, path string) error {
	version, known, err := Inspect(ctx, path)
	switch {
	case version == known && (err == nil || errors.Is(err, ErrUnfinished)):
		return nil
	case err != nil:
		return err
	case version > 0:
		return fmt.Errorf("its schema is version %d, this program copies into %d; choose a new file", version, known)
	}
	return makeLabelled(ctx, path)
}

// makeLabelled makes a database without games, with the label of an unfinished copy. The file appears complete at its path, so
// that an interrupted copy is not taken for a database.
func makeLabelled(ctx context.Context, path string) error {
	return newFile(ctx, path, (*draft.File).Keep, func(file *os.File) error {
		s, err := open(ctx, file.Name(), migrations.SQLite())
		if err != nil {
			return err
		}
		err = s.write(ctx, false, func(ctx context.Context, tx *sql.Conn) error {
			_, err := tx.ExecContext(ctx, createUnfinished)
			return err
		})
		return errors.Join(err, s.Close())
	})
}

// tables reads the rows of a database for a copy.
type tables struct {
	conn *sql.Conn
	path string
}

const createUnfinished = "CREATE TABLE IF NOT EXISTS " + transfer.Unfinished + " (source TEXT NOT NULL) STRICT"

// SelectColumns implements transfer.Database.
func (tables) SelectColumns() string {
	return `SELECT t.name, c.name, c.pk FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
		WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY t.name, c.pk = 0, c.pk, c.name`
}

// Query implements transfer.Database.
func (d tables) Query(ctx context.Context, query string) iter.Seq2[transfer.Row, error] {
	return func(yield func(transfer.Row, error) bool) {
		rows, err := d.conn.QueryContext(context.WithoutCancel(ctx), query) // the driver need not watch the context
		if err != nil {
			yield(nil, err)
			return
		}
		defer rows.Close()
		columns, err := rows.Columns()
		if err != nil {
			yield(nil, err)
			return
		}
		dest := make([]any, len(columns))
		for rows.Next() {
			row := make(transfer.Row, len(dest))
			for i := range row {
				dest[i] = &row[i]
			}
			err := cmp.Or(ctx.Err(), rows.Scan(dest...))
			if !yield(row, err) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// Key implements transfer.Source.
func (d tables) Key(context.Context) (string, error) {
	key, err := readKey(d.path)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return key.String(), err
}

// SetKey implements transfer.Target.
func (d tables) SetKey(_ context.Context, text string) error {
	key, err := column.ParseKey(text)
	if err != nil {
		return err
	}
	if old, err := readKey(d.path); err == nil && old.String() != text {
		return fmt.Errorf("%s%s is the key of another installation; move it away with the backups that belong to it", d.path, keyEnding)
	}
	if err = writeKey(d.path, key); errors.Is(err, fs.ErrExist) {
		err = nil // an earlier, interrupted copy has written the key file
	}
	return err
}

// Unchanged implements transfer.Source: the lock is held, so no bot can change anything.
func (tables) Unchanged(context.Context) error { return nil }

// Begin implements transfer.Target.
func (d tables) Begin(ctx context.Context, source string) error {
	return transact(ctx, d.conn, func(ctx context.Context, tx *sql.Conn) error {
		_, err := tx.ExecContext(ctx, createUnfinished)
		if err == nil {
			_, err = tx.ExecContext(ctx, "INSERT INTO "+transfer.Unfinished+" VALUES (?1)", source)
		}
		return err
	})
}

// Insert implements transfer.Target.
func (d tables) Insert(ctx context.Context, t transfer.Table, rows []transfer.Row) error {
	return transact(ctx, d.conn, func(ctx context.Context, tx *sql.Conn) error {
		values := strings.Join(slices.Repeat([]string{"?"}, len(t.Columns)), ", ")
		insert, err := tx.PrepareContext(ctx, fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", t.Name, transfer.Names(t.Columns), values))
		if err != nil {
			return err
		}
		defer insert.Close()
		for _, row := range rows {
			if _, err := insert.ExecContext(ctx, row...); err != nil {
				return err
			}
		}
		return nil
	})
}

// Finish implements transfer.Target. Nothing is left to derive: all rows were copied.
func (d tables) Finish(ctx context.Context) error {
	for _, statement := range []string{"PRAGMA synchronous = FULL", "DROP TABLE " + transfer.Unfinished, "PRAGMA wal_checkpoint(TRUNCATE)"} {
		if _, err := d.conn.ExecContext(context.WithoutCancel(ctx), statement); err != nil {
			return err
		}
	}
	return nil
}
