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

// TransferFrom calls do with one state of the database at path, which no bot may use meanwhile.
//
// Errors: the error of do, [ErrInUse], [ErrForeign], [ErrDamaged], [ErrNewer], [ErrOlder], errors of the file system.
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

// TransferInto calls do to write to a new database, which it checks, and which gets its place at path only after that. Errors: the error
// of do, [ErrThere], [ErrInUse], [ErrNotWritable], errors of the file system.
func TransferInto(ctx context.Context, path string, do func(transfer.Target) error) (err error) {
	lock, err := Acquire(ctx, path, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	path = lock.database()
	if err := absent(path); err != nil {
		return ofDatabase(path, err)
	}
	return newFile(ctx, path, (*draft.File).KeepNew, func(file *os.File) error {
		s, err := open(ctx, file.Name(), migrations.SQLite())
		if err == nil {
			err = s.Close()
		}
		if err != nil {
			return err
		}
		options := url.Values{"mode": {"rw"}, "_synchronous": {"OFF"}, "_foreign_keys": {"1"}} // newFile syncs the file
		return connected(ctx, file.Name(), options, func(conn *sql.Conn) error { return do(tables{conn, path}) })
	})
}

// tables reads the rows of a database for a copy.
type tables struct {
	conn *sql.Conn
	path string
}

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

// Begin implements transfer.Target: the file has no name yet that a bot knows.
func (tables) Begin(context.Context) error { return nil }

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
func (tables) Finish(context.Context) error { return nil }
