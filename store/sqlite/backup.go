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

	"tictactoe/internal/draft"
	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
)

// ErrThere is wrapped when a file was to be written over another one.
var ErrThere = errors.New("it exists already; choose another name")

// Progress is told how much of some long work is done.
type Progress = column.Progress

// A copy is made in short steps with pauses, so that a bot on a small machine still gets the disk and the processor.
const (
	copyPages = 256 // of 4 KiB
	allPages  = -1  // in one step, for what is small
	copyPause = 5 * time.Millisecond
	copyStall = 5 * time.Second // that no step may take, since nobody can lock what is read
)

// Backup copies the database at path into a new file, as it is at one moment, while a bot may be using it: nobody waits
// for it. The copy has been checked and is on disk when Backup returns; after an error, or a crash, there is none.
//
// Errors: [ErrThere], [ErrForeign], [ErrDamaged], and those of the file system.
func Backup(ctx context.Context, path, to string, progress Progress) error {
	if err := absent(to); err != nil {
		return fmt.Errorf("backup %s: %w", to, err)
	}
	err := newFile(ctx, to, func(file *os.File) error {
		return readSnapshot(ctx, path, func(conn *sql.Conn) error { return copyInto(ctx, conn, file.Name(), copyPages, progress) })
	})
	if err != nil {
		return fmt.Errorf("backup of %s: %w", path, err)
	}
	return nil
}

// newFile makes a database in a file, which is checked, and appears at path when it is on disk.
func newFile(ctx context.Context, path string, fill func(file *os.File) error) error {
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
	return d.Keep()
}

func absent(path string) error {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return cmp.Or(err, ErrThere)
}

// copyInto overwrites a file that nobody else uses.
func copyInto(ctx context.Context, conn *sql.Conn, path string, pages int, progress Progress) error {
	// Whoever made the file syncs it, once, and a copy that was cut off is thrown away: no journal.
	options := url.Values{"mode": {"rw"}, "_journal_mode": {"OFF"}, "_synchronous": {"OFF"}}
	return connected(ctx, path, options, func(target *sql.Conn) error {
		return target.Raw(func(to any) error {
			return conn.Raw(func(from any) error {
				return copyPagesOf(ctx, from.(*sqlite3.SQLiteConn), to.(*sqlite3.SQLiteConn), pages, progress)
			})
		})
	})
}

// copyPagesOf copies one database into another, so many pages at a time.
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
		} else if time.Since(moved) > copyStall { // Step does not tell of a lock
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

// checkCopy reads all of a file that nobody else uses.
func checkCopy(ctx context.Context, path string) error {
	err := connected(ctx, path, url.Values{"mode": {"ro"}, "immutable": {"1"}}, func(conn *sql.Conn) error { return sound(ctx, conn) })
	if err != nil {
		return fmt.Errorf("the copy: %w", asDamage(err))
	}
	return nil
}
