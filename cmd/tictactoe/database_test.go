package main

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"tictactoe/store/sqlite"
)

// ownDatabase returns the path of a database that this program has made.
func ownDatabase(t *testing.T, dir string) (path string) {
	t.Helper()
	path = filepath.Join(dir, "x.db")
	store, err := sqlite.Open(t.Context(), path)
	if err == nil {
		err = store.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func damagedDatabase(t *testing.T, dir string) {
	path := ownDatabase(t, dir)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096; i < len(content); i++ { // the first page identifies the file as a database of this program
		content[i] = 0xa5
	}
	write(t, path, content)
}

func newerDatabase(t *testing.T, dir string) {
	change(t, ownDatabase(t, dir), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)")
}

// unmigratableDatabase makes a database whose migrations after the first schema have been applied but not recorded. Some of them, such as
// the one that creates the table of erasures, fail when they are applied again.
func unmigratableDatabase(t *testing.T, dir string) {
	change(t, ownDatabase(t, dir), "DELETE FROM goose_db_version WHERE version_id > 32")
}

func foreignDatabase(t *testing.T, dir string) {
	change(t, filepath.Join(dir, "x.db"), "CREATE TABLE diary (dear TEXT)")
}

func change(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec(statement)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// contents returns the files below a folder, with their contents.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			all[path] = "a folder"
			return err
		}
		content, err := os.ReadFile(path)
		all[path] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
