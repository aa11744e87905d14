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

	"tictactoe/internal/file/draft"
	"tictactoe/migrations"
	"tictactoe/store/internal/column"
)

// stamp is how the name of a file tells when it was put aside.
const stamp = "20060102-150405.000"

// UnfitError says that a file is not fit to take the place of a database.
type UnfitError struct{ Findings []Finding }

func (e *UnfitError) Error() string {
	first := e.Findings[0]
	return fmt.Sprintf("it is not sound: %s: %s (findings: %d)", first.Where, first.What, len(e.Findings))
}

// Restored is what a restore did.
type Restored struct {
	Kept    string // where the old database is, if there was one
	Erased  int    // people who had their data deleted since the backup was made: it is deleted again
	Unknown bool   // the backup is too old, or the key is missing: later erasures are unknown
}

// Restore puts a copy of a backup in the place of the database at path, without the people whose erasures are recorded since. The backup is
// checked first, also one that only an older version can use, and stays as it is; the database is the old one until it is the new one,
// whenever the power fails. The boards of what goes on in the new one are redrawn when the bot starts. The progress counts pages.
//
// Errors: [ErrInUse] while a bot has the database, an [*UnfitError], [ErrForeign] of either file, [ErrNewer], [ErrOlder],
// and those of the file system.
func Restore(ctx context.Context, backup, path string, progress Progress) (r Restored, err error) {
	lock, err := Acquire(ctx, path, lockPause)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	path = lock.database()
	if err := replaceable(ctx, path, backup); err != nil {
		return r, ofDatabase(path, err)
	}
	report, err := Check(ctx, backup, nil)
	if err != nil && !errors.Is(err, ErrMigration) { // the version that made the backup can use it
		return r, err
	}
	if len(report.Findings) > 0 {
		return r, fmt.Errorf("backup %s: %w", backup, &UnfitError{report.Findings})
	}
	if r, err = restore(ctx, backup, path, progress); err != nil {
		return r, fmt.Errorf("restore %s: %w", backup, err)
	}
	return r, nil
}

// replaceable refuses a file that is not ours.
func replaceable(ctx context.Context, path, backup string) error {
	old, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if source, err := os.Stat(backup); err == nil && os.SameFile(old, source) {
		return errors.New("that is the database itself, and no backup of it")
	}
	if !old.Mode().IsRegular() {
		return fmt.Errorf("%w: it is no regular file", ErrNotWritable)
	}
	if old.Size() == 0 {
		return nil
	}
	if err := identify(path); err != nil {
		return fmt.Errorf("%w; if the backup is to take its place all the same, move that file away first, as with mv %s %s.away", err, path, path)
	}
	return nil
}

func restore(ctx context.Context, backup, path string, progress Progress) (r Restored, err error) {
	replace := func(d *draft.File) error {
		r, err = eraseAgain(ctx, d.Name(), path)
		if err == nil {
			err = outdate(ctx, d.Name())
		}
		if err == nil && size(path) >= 0 {
			r.Kept, err = setAside(ctx, path)
		}
		if err == nil {
			err = d.Keep()
		}
		return err
	}
	err = newFile(ctx, path, replace, func(file *os.File) error { return copyOf(ctx, backup, file, progress) })
	return r, err
}

// A message drawn since the backup may show moves that are not in the database any more.
const updateRestored = `UPDATE boards SET shown = latest - 1 WHERE shown = latest AND latest > 0 AND id IN (
	SELECT id FROM matches WHERE deadline IS NOT NULL
	UNION ALL SELECT id FROM challenges WHERE deadline IS NOT NULL)`

// A resumed session would deliver the clicks since the backup again.
const forgetSessions = `DELETE FROM sessions`

// outdate marks boards of what goes on to be redrawn, and deletes the gateway sessions. It leaves a database of an older schema as it is:
// there the next click redraws each board.
func outdate(ctx context.Context, path string) error {
	known := column.Newest(migrations.SQLite())
	return connected(ctx, path, url.Values{"mode": {"rw"}, "_journal_mode": {"DELETE"}}, func(conn *sql.Conn) error {
		version, err := schemaVersion(ctx, conn)
		if err == nil && version == known {
			_, err = conn.ExecContext(ctx, updateRestored+";"+forgetSessions)
		}
		return err
	})
}

// setAside gives an old database a second name, under which it stays when another one takes its place.
func setAside(ctx context.Context, path string) (kept string, err error) {
	kept = fmt.Sprintf("%s.replaced-%s.bak", path, time.Now().UTC().Format(stamp))
	if err := absent(kept); err != nil {
		return "", err
	}
	settle(ctx, path)
	if err := os.Link(path, kept); errors.Is(err, fs.ErrExist) {
		return "", ErrThere
	} else if err != nil { // there are no links here, so there is no database for a moment
		if err := os.Rename(path, kept); err != nil {
			return "", err
		}
	}
	// What a damaged file could not take in goes with it: the new one must not find it.
	for _, ending := range []string{"-wal", "-journal"} {
		if err := os.Rename(path+ending, kept+ending); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	if err := os.Remove(path + "-shm"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return kept, draft.SyncFolder(filepath.Dir(path))
}

// settle moves the log of a killed bot into the file, if it is sound enough for that.
func settle(ctx context.Context, path string) {
	_ = connected(ctx, path, url.Values{"mode": {"rw"}, "_synchronous": {"FULL"}}, func(conn *sql.Conn) error {
		_, err := conn.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
		return err
	})
}
