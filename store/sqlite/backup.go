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
		return peruse(ctx, path, func(conn *sql.Conn) error { return copyInto(ctx, conn, file.Name(), copyPages, progress) })
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
	switch {
	case err == nil:
		return ErrThere
	case errors.Is(err, fs.ErrNotExist):
		return nil
	default:
		return err
	}
}

// copyInto overwrites a file that nobody else uses.
func copyInto(ctx context.Context, conn *sql.Conn, path string, pages int, progress Progress) error {
	// Whoever made the file syncs it, once, and a copy that was cut off is thrown away: no journal.
	target, err := dial(path, 1, url.Values{"mode": {"rw"}, "_journal_mode": {"OFF"}, "_synchronous": {"OFF"}})
	if err != nil {
		return err
	}
	defer target.Close()
	into, err := target.Conn(ctx)
	if err != nil {
		return err
	}
	defer into.Close()
	return into.Raw(func(to any) error {
		return conn.Raw(func(from any) (err error) {
			b, err := to.(*sqlite3.SQLiteConn).Backup("main", from.(*sqlite3.SQLiteConn), "main")
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
		})
	})
}

// checkCopy reads all of a file that nobody else uses.
func checkCopy(ctx context.Context, path string) error {
	copied, err := dial(path, 1, url.Values{"mode": {"ro"}, "immutable": {"1"}})
	if err != nil {
		return err
	}
	defer copied.Close()
	if err := sound(ctx, copied); err != nil {
		return fmt.Errorf("the copy: %w", asDamage(err))
	}
	return nil
}

// peruse lets do read one state of the database at path, whatever is written meanwhile, and writes nothing; only if its
// bot was killed, the index of its log is repaired. It may call do again. Errors: [ErrForeign], [ErrDamaged], those of the
// file system.
func peruse(ctx context.Context, path string, do func(conn *sql.Conn) error) error {
	full, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	for {
		before, err := os.Stat(full)
		if err != nil {
			return err
		}
		if !before.Mode().IsRegular() || before.Size() == 0 {
			return ErrForeign
		}
		if err := identify(full); err != nil {
			return err
		}
		options := url.Values{"mode": {"ro"}, "_query_only": {"1"}}
		alone := atRest(full)
		if alone {
			options.Set("immutable", "1") // else reading would create a log and its index
		}
		err = perusing(ctx, full, options, do)
		after, failed := os.Stat(full)
		if alone && ctx.Err() == nil && failed == nil &&
			(!atRest(full) || !after.ModTime().Equal(before.ModTime()) || !os.SameFile(before, after)) {
			continue // a bot has started meanwhile, and may have written where this one read
		}
		return asDamage(err)
	}
}

// atRest tells whether no process has a file open, or had it when it was killed.
func atRest(path string) bool { return size(path+"-wal") <= 0 && size(path+"-shm") < 0 }

func perusing(ctx context.Context, path string, options url.Values, do func(conn *sql.Conn) error) error {
	db, err := dial(path, 1, options)
	if err != nil {
		return err
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	begin := func() error {
		if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
			return err
		}
		var n int // the first look decides which state it is
		err := conn.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&n)
		if err != nil {
			_, _ = conn.ExecContext(ctx, "ROLLBACK")
		}
		return err
	}
	waiting, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	if err := patiently(waiting, begin); err != nil {
		return err
	}
	return do(conn) // closing the connection ends the transaction
}
