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

// stamp is the time layout in the name of a replaced database.
const stamp = "20060102-150405.000"

// UnfitError means that a backup cannot replace a database.
type UnfitError struct{ Findings []Finding }

func (e *UnfitError) Error() string {
	first := e.Findings[0]
	return fmt.Sprintf("it is not sound: %s: %s (findings: %d)", first.Where, first.What, len(e.Findings))
}

// Restored is the result of a restore.
type Restored struct {
	Kept    string // the path of the old database; empty if no database existed
	Erased  int    // users whose data was deleted after the backup, and is now deleted again
	Unknown bool   // the backup is too old, or the key is missing: later erasures are unknown
}

// Restore replaces the database at path by a copy of a backup, without the users whose erasures were recorded since the backup. It
// checks the backup first, even a backup with an older schema, and does not change it. A power cut leaves either the old or the new
// database. When the bot starts, it redraws the boards of the running matches and pending challenges of the new database. The progress
// counts pages.
//
// Errors: [ErrInUse] while a bot has the database, an [*UnfitError], [ErrForeign] of either file, [ErrNewer], [ErrOlder], errors of the
// file system.
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
	if err != nil && !errors.Is(err, ErrMigration) { // the version that made the backup may still be able to use it
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
		return fmt.Errorf("%w: it is not a regular file", ErrNotWritable)
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

// updateRestored marks the boards of running matches and pending challenges to be redrawn: a message edited since the backup may show
// moves that the restored database does not have.
const updateRestored = `UPDATE boards SET shown = latest - 1 WHERE shown = latest AND latest > 0 AND id IN (
	SELECT id FROM matches WHERE deadline IS NOT NULL
	UNION ALL SELECT id FROM challenges WHERE deadline IS NOT NULL)`

// A resumed session would deliver the clicks since the backup again.
const forgetSessions = `DELETE FROM sessions`

// outdate marks the boards of running matches and pending challenges to be redrawn, and deletes the gateway sessions. It does not
// change a database with an older schema: there the next click redraws each board.
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
	} else if err != nil { // the file system has no links, so for a moment no database exists
		if err := os.Rename(path, kept); err != nil {
			return "", err
		}
	}
	// The log and journal of a damaged file move with the file: the new database must not find them.
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

// settle moves the log of a killed bot into the file, unless damage prevents it.
func settle(ctx context.Context, path string) {
	_ = connected(ctx, path, url.Values{"mode": {"rw"}, "_synchronous": {"FULL"}}, func(conn *sql.Conn) error {
		_, err := conn.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
		return err
	})
}
