// Package sqlitetest prepares database files for tests. Applying all migrations takes longer than most tests, so each process
// applies them once, to one file, and copies the file.
package sqlitetest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"tictactoe/store/sqlite"
)

// Prepare writes an empty database with the newest schema to path, where no file may exist. [sqlite.Open] has nothing to migrate
// there.
func Prepare(path string) error {
	content, err := empty()
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("prepare a database: %w", err)
	}
	_, err = f.Write(content)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("prepare a database: %w", err)
	}
	return nil
}

// Open prepares a database at path, and opens it.
func Open(ctx context.Context, path string) (*sqlite.Store, error) {
	if err := Prepare(path); err != nil {
		return nil, err
	}
	return sqlite.Open(ctx, path)
}

// empty is the content of the file of an empty database.
var empty = sync.OnceValues(func() (content []byte, err error) {
	folder, err := os.MkdirTemp("", "tictactoe-empty-")
	if err != nil {
		return nil, fmt.Errorf("prepare a database: %w", err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "empty.db")
	store, err := sqlite.Open(context.Background(), path)
	if err != nil {
		return nil, err
	}
	if err := store.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})
