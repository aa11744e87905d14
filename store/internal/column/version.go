package column

import (
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

// Newest is the version that the migrations lead to. It panics if one of their names has no number, for they are built into the program.
func Newest(steps fs.FS) (version int64) {
	files, err := fs.Glob(steps, "*.sql")
	for _, file := range files {
		var v int64
		if v, err = goose.NumericComponent(file); err != nil {
			break
		}
		version = max(version, v)
	}
	if err != nil {
		panic(fmt.Sprintf("migrations: %v", err))
	}
	return version
}
