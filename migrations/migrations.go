// Package migrations holds the numbered SQL that builds and changes the databases, one folder for each kind.
//
// The first file of each folder is the whole schema of commit 39a184c5, with the number that the schema had there. A migration is never
// edited: a later one changes what it did. There are no down migrations; the way back is the copy that a store makes before it migrates, or
// that an operator does.
package migrations

import (
	"embed"
	"io/fs"
)

//go:embed sqlite/*.sql postgres/*.sql
var files embed.FS

// SQLite are the migrations of store/sqlite, in goose's form: 00032_name.sql and so on.
func SQLite() fs.FS { return folder("sqlite") }

// Postgres are the migrations of store/postgres, likewise.
func Postgres() fs.FS { return folder("postgres") }

func folder(name string) fs.FS {
	sub, err := fs.Sub(files, name)
	if err != nil {
		panic(err) // only a malformed path can fail, and these are constants
	}
	return sub
}
