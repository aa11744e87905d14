// Package migrations holds the numbered SQL that builds and changes the databases, one folder for each kind.
//
// The first file of each folder is the whole schema as of commit 39a184c5, under the version number that the schema had in that
// commit. A migration is never edited: a later migration changes what it did. There are no down migrations: to go back, an operator
// restores a copy of the database. The SQLite store makes such a copy before it migrates.
package migrations

import (
	"embed"
	"io/fs"
)

//go:embed sqlite/*.sql postgres/*.sql
var files embed.FS

// SQLite returns the migrations of store/sqlite, in goose's form: 00032_name.sql and so on.
func SQLite() fs.FS { return folder("sqlite") }

// Postgres returns the migrations of store/postgres, in the same form.
func Postgres() fs.FS { return folder("postgres") }

func folder(name string) fs.FS {
	sub, err := fs.Sub(files, name)
	if err != nil {
		panic(err) // only a malformed path can fail, and these are constants
	}
	return sub
}
