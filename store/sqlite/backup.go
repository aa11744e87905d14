package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"time"

	"github.com/mattn/go-sqlite3"

	"tictactoe/internal/file/draft"
	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
)

// ErrThere is wrapped when a file with the name of the new file exists. The existing file is not overwritten.
var ErrThere = errors.New("it exists already; choose another name")

// Progress is called with how much of a long job is done.
type Progress = column.Progress

// A copy is made in short steps with pauses, so that a bot on a small machine still gets the disk and the processor.
const (
	copyPages = 256 // pages of 4 KiB
	copyPause = 5 * time.Millisecond
	copyStall = 5 * time.Second // a copy is given up when it has copied no page for this long
)

// Backup copies one state of the database at path into a new file, whose path is the argument to. A bot may use the database meanwhile,
// and does not wait. The copy has been checked and is on disk when Backup returns. After an error no copy exists, and a crash leaves at
// most an unfinished file, whose name ends in [draft.Ending] and a number. Backup does not overwrite an existing file, not even a file
// that appears while Backup runs.
//
// Errors: [ErrThere], [ErrForeign], [ErrDamaged], errors of the file system.
func Backup(ctx context.Context, path, to string, progress Progress) error {
	if err := absent(to); err != nil {
		return fmt.Errorf("backup %s: %w", to, err)
	}
	err := newFile(ctx, to, (*draft.File).KeepNew, func(file *os.File) error { return copyOf(ctx, path, file, progress) })
	if errors.Is(err, fs.ErrExist) { // the name was free at the start
		return fmt.Errorf("backup %s: %w", to, ErrThere)
	}
	if err != nil {
		return fmt.Errorf("backup of %s: %w", path, err)
	}
	return nil
}

// copyOf copies the database at path into a new file, in short steps.
func copyOf(ctx context.Context, path string, file *os.File, progress Progress) error {
	return readSnapshot(ctx, path, func(conn *sql.Conn) error { return copyInto(ctx, conn, file.Name(), copyPages, progress) })
}

// newFile makes a database: it calls fill to write the file, checks it, and calls keep to give it its final path once it is on disk.
func newFile(ctx context.Context, path string, keep func(*draft.File) error, fill func(file *os.File) error) error {
	d, err := draft.New(path)
	if err != nil {
		return err
	}
	defer d.Discard()
	if err := fill(d.File); err != nil {
		return err
	}
	if err := checkCopy(ctx, d.Name()); err != nil {
		return err
	}
	return keep(d)
}

// absent returns ErrThere if there is a file at path.
func absent(path string) error {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return cmp.Or(err, ErrThere)
}

// copyInto overwrites the unused file at path with the database of a connection.
func copyInto(ctx context.Context, conn *sql.Conn, path string, pages int, progress Progress) error {
	// The copy needs no journal, because the caller syncs the file once, and discards a copy that was cut off.
	options := url.Values{"mode": {"rw"}, "_journal_mode": {"OFF"}, "_synchronous": {"OFF"}}
	return connected(ctx, path, options, func(to *sql.Conn) error { return copyConn(ctx, conn, to, pages, progress) })
}

// copyConn overwrites the database of a connection with the database of another one.
func copyConn(ctx context.Context, from, to *sql.Conn, pages int, progress Progress) error {
	return to.Raw(func(to any) error {
		return from.Raw(func(from any) error {
			return copyPagesOf(ctx, from.(*sqlite3.SQLiteConn), to.(*sqlite3.SQLiteConn), pages, progress)
		})
	})
}

// copyPagesOf copies one database into another in steps of the given number of pages.
func copyPagesOf(ctx context.Context, from, to *sqlite3.SQLiteConn, pages int, progress Progress) (err error) {
	b, err := to.Backup("main", from, "main")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Finish()) }()
	moved := time.Now()
	for left := -1; ; {
		done, err := b.Step(pages)
		if done || err != nil {
			return err
		}
		if left != b.Remaining() {
			left, moved = b.Remaining(), time.Now()
		} else if time.Since(moved) > copyStall { // Step does not report a lock
			return match.ErrBusy
		}
		progress.Say(b.PageCount()-left, b.PageCount())
		select {
		case <-time.After(copyPause):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// checkCopy checks all of an unused file for damage.
func checkCopy(ctx context.Context, path string) error {
	err := connected(ctx, path, url.Values{"mode": {"ro"}, "immutable": {"1"}}, func(conn *sql.Conn) error { return sound(ctx, conn) })
	if err != nil {
		return fmt.Errorf("check the copy: %w", asDamage(err))
	}
	return nil
}
