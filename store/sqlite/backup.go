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
	d, err := newDraft(to)
	if err != nil {
		return fmt.Errorf("backup %s: %w", to, err)
	}
	defer d.discard()
	err = peruse(ctx, path, func(conn *sql.Conn) error { return d.fill(ctx, conn, progress) })
	if err == nil {
		err = d.keep()
	}
	if err != nil {
		return fmt.Errorf("backup of %s: %w", path, err)
	}
	return nil
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

// draft is a database file that is not complete yet. It lies beside its place under another name, so that what is in its
// place is complete at every moment.
type draft struct {
	file  *os.File
	place string
}

func newDraft(place string) (*draft, error) {
	place, err := filepath.Abs(place)
	if err != nil {
		return nil, err
	}
	file, err := os.CreateTemp(filepath.Dir(place), filepath.Base(place)+".new-*")
	if err != nil {
		return nil, err
	}
	return &draft{file, place}, nil
}

// fill copies what a connection sees, and checks the copy.
func (d *draft) fill(ctx context.Context, from *sql.Conn, progress Progress) error {
	if err := copyInto(ctx, from, d.file.Name(), progress); err != nil {
		return err
	}
	if err := checkCopy(ctx, d.file.Name()); err != nil {
		return fmt.Errorf("the copy: %w", err)
	}
	return nil
}

// keep puts it in its place, instead of what is there, for good.
func (d *draft) keep() error {
	if err := d.file.Sync(); err != nil {
		return err
	}
	if err := os.Rename(d.file.Name(), d.place); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(d.place))
}

// discard ends it; one that was kept stays.
func (d *draft) discard() {
	d.file.Close()
	os.Remove(d.file.Name()) // it is not there any more once it was kept
}

// copyInto overwrites a file that nobody else uses.
func copyInto(ctx context.Context, conn *sql.Conn, path string, progress Progress) error {
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
				done, err := b.Step(copyPages)
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
	if err := sound(ctx, copied, "integrity_check"); err != nil {
		return err
	}
	return checkReferences(ctx, copied)
}

// syncFolder makes a rename last through a power cut.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
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
		if damaged(err) && !errors.Is(err, ErrDamaged) {
			err = fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		return err
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
