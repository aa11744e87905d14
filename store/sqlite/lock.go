package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"tictactoe/internal/file/draft"
)

// ErrInUse is wrapped when another process has the lock of the database.
var ErrInUse = errors.New("another tictactoe is running on it")

// lockPause is the time between two tries to take a lock.
const lockPause = 50 * time.Millisecond

// Lock is the right to be the only bot of a database. Other processes may read the file meanwhile, and SQLite makes their writes take
// turns; the lock prevents two bots from answering the same people, and a file from being replaced while it is used.
//
// Taking the lock removes unfinished copies that a killed process has left beside the database.
//
// The lock has a file of its own, because the database may be replaced, and because closing the database file drops SQLite's locks on
// it. The operating system releases the lock when the process ends in any way.
type Lock struct{ file *os.File }

// Acquire takes the lock of the database at the given path. While another process has the lock, Acquire waits, but not longer than the
// given duration. It makes the folder of the database. Errors: [ErrInUse], [ErrNotWritable], the error of the context.
func Acquire(ctx context.Context, path string, patience time.Duration) (*Lock, error) {
	name, err := lockName(path)
	if err != nil {
		return nil, fmt.Errorf("database %s: %w: %w", path, ErrNotWritable, err)
	}
	for end := time.Now().Add(patience); ; {
		lock, err := acquire(name)
		switch {
		case err == nil:
			sweep(path)
			sweep(lock.database()) // the database's folder differs from the folder of path if path is a link
			return lock, nil
		case !errors.Is(err, ErrInUse):
			return nil, fmt.Errorf("database %s: %w: %w", path, ErrNotWritable, err)
		case !time.Now().Before(end):
			return nil, ofDatabase(path, err)
		}
		select {
		case <-time.After(lockPause):
		case <-ctx.Done():
			return nil, fmt.Errorf("database %s: %w: %w", path, err, context.Cause(ctx))
		}
	}
}

func acquire(name string) (*Lock, error) {
	file, err := tryLock(name)
	if errors.Is(err, ErrInUse) {
		err = fmt.Errorf("%w%s", err, holder(name))
	}
	if err != nil {
		return nil, err
	}
	l := &Lock{file}
	if err := draft.Own(file, l.database(), filepath.Dir(name)); err != nil { // the lock file stays if this process is killed
		return nil, errors.Join(err, l.Release())
	}
	return l, nil
}

// unfinished is the pattern of the names of unfinished files beside a database, without the database's name at the beginning. Such a file
// becomes a database, a copy before a migration, a daily copy, a key or a record of erasures. Only the process that has the lock makes
// these files. Files that people name do not fit the pattern.
var unfinished = regexp.MustCompile(`^(\.(before-\d+\.bak|daily-\d{4}-\d\d-\d\d\.bak|key|erasures))?` + regexp.QuoteMeta(draft.Ending) + `\d+(-wal|-shm|-journal)?$`)

// sweep removes the unfinished copies of a database. A copy that cannot be removed stays until the next start: it only takes space.
func sweep(path string) {
	entries, _ := os.ReadDir(filepath.Dir(path))
	for _, entry := range entries {
		if ending, ours := strings.CutPrefix(entry.Name(), filepath.Base(path)); ours && unfinished.MatchString(ending) {
			_ = os.Remove(filepath.Join(filepath.Dir(path), entry.Name()))
		}
	}
}

// Release gives the lock up. The database must not be open in this process any more.
func (l *Lock) Release() error {
	var err error
	if stillThere(l.file) == nil { // otherwise the file was removed, and its name may belong to another holder by now
		err = os.Remove(l.file.Name()) // removed while the lock is held, so that no process locks a file that is about to disappear
	}
	return errors.Join(err, l.file.Close())
}

// stillThere checks that the path of a lock's file still leads to the file: the previous holder may have removed it after it was opened
// and before it was locked.
func stillThere(file *os.File) error {
	mine, err := file.Stat()
	if err != nil {
		return err
	}
	if named, err := os.Lstat(file.Name()); err != nil || !os.SameFile(mine, named) {
		return ErrInUse // another holder has just released or just taken the lock
	}
	return nil
}

// database returns the path of the locked database, without symbolic links.
func (l *Lock) database() string { return strings.TrimSuffix(l.file.Name(), lockEnding) }

const lockEnding = ".lock"

// lockName returns the path of the lock file of a database. It is the same for all links to the database.
func lockName(path string) (string, error) {
	full, err := filepath.Abs(path)
	if err == nil {
		err = draft.MakeFolder(filepath.Dir(full))
	}
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(full)
	if errors.Is(err, fs.ErrNotExist) {
		real, err = full, nil
	}
	return real + lockEnding, err
}

// holder describes the process that has the lock, as far as it is known, for an error.
func holder(name string) string {
	content, err := os.ReadFile(name)
	if id := strings.TrimSpace(string(content)); err == nil && id != "" {
		return fmt.Sprintf(" (process %s)", id)
	}
	return ""
}
