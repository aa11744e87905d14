// Package migrations holds the numbered SQL that builds and changes the databases, one folder for each kind.
//
// A migration that was released is never edited: a later one changes what it did. There are no down migrations; the way
// back is the copy that a store makes before it migrates.
package migrations

import (
	"embed"
	"io/fs"
)

//go:embed sqlite/*.sql
var files embed.FS

// SQLite are the migrations of store/sqlite, in goose's form: 00001_name.sql and so on.
func SQLite() fs.FS {
	sub, err := fs.Sub(files, "sqlite")
	if err != nil {
		panic(err) // only a malformed path can fail, and this one is a constant
	}
	return sub
}
