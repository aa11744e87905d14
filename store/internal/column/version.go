package column

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

// ErrNewer is wrapped when a newer version of this program has migrated the database.
var ErrNewer = errors.New("it was written by a newer version of this program")

// ErrOlder is wrapped when the schema of a database is older than the first migration.
var ErrOlder = errors.New("its schema is too old for this version; let commit 39a184c5 bring it up to date first: " +
	"git checkout 39a184c5 && go run ./cmd/tictactoe db rebuild --db DATABASE")

// Newest returns the schema version after all migrations. It panics if the name of a migration has no number: the migrations are built
// into the program.
func Newest(steps fs.FS) int64 { _, newest := span(steps); return newest }

// Upgradable returns an error if no migration leads from the schema version to known, which is the newest version. The error wraps
// [ErrNewer] or [ErrOlder]. Version 0 is a database without a schema.
func Upgradable(version, known int64, steps fs.FS) error {
	if version > known {
		return fmt.Errorf("%w: its schema is version %d, this program knows up to %d", ErrNewer, version, known)
	}
	if oldest, _ := span(steps); 0 < version && version < oldest {
		return fmt.Errorf("%w (its schema is version %d, this program migrates from version %d on)", ErrOlder, version, oldest)
	}
	return nil
}

// span returns the numbers of the first and the last migration.
func span(steps fs.FS) (first, last int64) {
	files, err := fs.Glob(steps, "*.sql")
	for i, file := range files {
		var v int64
		if v, err = goose.NumericComponent(file); err != nil {
			break
		}
		if i == 0 {
			first = v
		}
		first, last = min(first, v), max(last, v)
	}
	if err != nil {
		panic(fmt.Sprintf("migrations: %v", err))
	}
	return first, last
}
