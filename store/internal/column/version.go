package column

import (
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

// Newest is the version that the migrations lead to.
func Newest(steps fs.FS) (int64, error) {
	files, err := fs.Glob(steps, "*.sql")
	if err != nil {
		return 0, err
	}
	var version int64
	for _, file := range files {
		v, err := goose.NumericComponent(file)
		if err != nil {
			return 0, fmt.Errorf("migration %s: %w", file, err)
		}
		version = max(version, v)
	}
	return version, nil
}
