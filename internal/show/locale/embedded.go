package locale

import (
	"embed"
	"io/fs"
)

//go:embed texts/*.json
var files embed.FS

// embedded are the files of all languages that the program speaks.
func embedded() fs.FS {
	folder, err := fs.Sub(files, "texts")
	if err != nil {
		panic(err) // the name of the folder is a valid path
	}
	return folder
}
