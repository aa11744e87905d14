package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/mattn/go-sqlite3"

	"tictactoe/migrations"
	"tictactoe/store/internal/column"
	"tictactoe/store/internal/sqlstore"
)

// applicationID marks a database file as ours, in the field that SQLite keeps for it in a file's header: "TTTo". The
// neighbouring user_version is not used; goose keeps its versions in a table.
const applicationID = 0x5454546f

// checkTime limits the check for damage at a start. It is enough for about 50,000 moves, and short enough not to keep people waiting.
// The rest can be checked later, see [Store.Examined].
var checkTime = 400 * time.Millisecond

// The reasons why a file is not opened.
var (
	ErrForeign = errors.New("it is no database of this program")
	ErrDamaged = errors.New("it is damaged; restore a copy of it")
	ErrNewer   = column.ErrNewer
	ErrOlder   = column.ErrOlder // the error names the version that brings the database up to date
)

// Inspect reads a database without changing it. It returns its schema version and the newest version known to this program. The version
// is 0 if the file does not exist or is empty. The errors are the errors of [Open].
func Inspect(ctx context.Context, path string) (version, known int64, err error) {
	known = column.Newest(migrations.SQLite())
	path, err = filepath.Abs(path)
	if err == nil && size(path) > 0 {
		version, _, err = inspect(ctx, path, known)
	}
	return version, known, err
}

// inspect reads the schema version of a file without changing it or leaving anything beside it; 0 means an empty file. It looks for
// damage for checkTime at most, and reports whether it checked the whole file. Errors: [ErrForeign], [ErrNewer] if the version is
// beyond the newest known, [ErrOlder], [ErrDamaged].
func inspect(ctx context.Context, path string, known int64) (version int64, whole bool, err error) {
	if size(path) == 0 {
		return 0, true, nil
	}
	if err := identify(path); err != nil {
		return 0, false, err
	}
	if size(path+"-journal") > 0 {
		// Only the creation of a database uses a rollback journal, so the creation was interrupted. migrate will
		// roll it back when it writes.
		return 0, true, nil
	}
	err = readSnapshot(ctx, path, func(conn *sql.Conn) (err error) {
		if version, err = knownVersion(ctx, conn, known); err != nil {
			return err
		}
		brief, cancel := context.WithTimeout(ctx, checkTime)
		defer cancel()
		err = sound(brief, conn)
		whole = err == nil
		if cutOff(err) && ctx.Err() == nil {
			return nil
		}
		return err
	})
	return version, whole, err
}

// identify returns an error unless the header of a file says that it is ours. The header is in the file itself and never only in a journal,
// see migrate. It is read as bytes: after an interrupted checkpoint the file is not whole without its log, and SQLite would call it
// damaged.
func identify(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNotWritable, err)
	}
	defer file.Close()
	_, err = readHeader(file)
	return err
}

// header is the beginning of a database: https://www.sqlite.org/fileformat.html#the_database_header
type header [72]byte

// readHeader reads the header of a database. It returns ErrForeign if the header does not say that the database is ours.
func readHeader(file *os.File) (h header, err error) {
	switch _, err := file.ReadAt(h[:], 0); {
	case err != nil && !errors.Is(err, io.EOF):
		return h, err
	case err != nil, string(h[:16]) != "SQLite format 3\x00", binary.BigEndian.Uint32(h[68:]) != applicationID:
		return h, ErrForeign
	}
	return h, nil
}

// ErrMissing is wrapped when a database that was to be read does not exist.
var ErrMissing = errors.New("no such database")

// There returns an error that wraps ErrMissing if there is no file at path.
func There(path string) error {
	_, err := statFile(path)
	return err
}

func statFile(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: %w", ErrMissing, err)
	}
	return info, err
}

// size returns the size of a file, or -1 if the file does not exist.
func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return -1
	}
	return info.Size()
}

const (
	selectMigrated = `SELECT 'goose_db_version' IN (SELECT name FROM sqlite_schema)`
	selectVersion  = `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`
)

// schemaVersion returns the number of the last migration, 0 before the first. It does not ask goose, which would create
// its table, and would take a schema that is newer than its migrations for a current one.
func schemaVersion(ctx context.Context, db querier) (version int64, err error) {
	var migrated bool
	err = db.QueryRowContext(ctx, selectMigrated).Scan(&migrated)
	if err == nil && migrated {
		err = db.QueryRowContext(ctx, selectVersion).Scan(&version)
	}
	return version, err
}

// knownVersion is like schemaVersion, but also returns an [ErrNewer] if the version is beyond the newest known, and an [ErrOlder]
// if it is below the oldest.
func knownVersion(ctx context.Context, db querier, known int64) (version int64, err error) {
	version, err = schemaVersion(ctx, db)
	if err == nil {
		err = column.Upgradable(version, known, migrations.SQLite())
	}
	return version, err
}

// sound runs SQLite's own checks, and stops after the first check that finds damage.
func sound(ctx context.Context, db querier) error {
	if err := unsound(integrityFindings(ctx, db)); err != nil {
		return err
	}
	return unsound(danglingRows(ctx, db))
}

// integrityFindings runs the whole check, since the quick one does not compare indexes with their tables.
func integrityFindings(ctx context.Context, db querier) ([]string, error) {
	findings, err := texts(ctx, db, "PRAGMA integrity_check(20)")
	if slices.Equal(findings, []string{"ok"}) {
		return nil, err
	}
	return findings, err
}

// danglingRows looks for rows that refer to missing rows.
func danglingRows(ctx context.Context, db querier) ([]string, error) {
	return texts(ctx, db, `SELECT 'a row of ' || "table" || ' refers to one of ' || parent || ' that is not there' FROM pragma_foreign_key_check`)
}

// texts returns the rows of a query of one column.
func texts(ctx context.Context, db querier, query string) ([]string, error) {
	return sqlstore.ScanRows(ctx, &tx{querier: db}, sqlstore.Value[string], query)
}

// errUnsound is wrapped by the error that reports what a check has found.
var errUnsound = errors.New("integrity check: unsound")

// unsound returns an error if a check has found anything.
func unsound(findings []string, err error) error {
	if err == nil && len(findings) > 0 {
		err = fmt.Errorf("%w: %s", errUnsound, findings[0])
	}
	return err
}

// asDamage wraps an error in an [ErrDamaged] if it says that a file is damaged.
func asDamage(err error) error {
	if errors.Is(err, errUnsound) || failedBy(err, sqlite3.ErrCorrupt, sqlite3.ErrNotADB) {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return err
}
