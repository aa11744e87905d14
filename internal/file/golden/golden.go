// Package golden compares what tests drew with files of drawings. A file holds the drawings of one area, each under a line
// "-- name --", so that a person can review a change in one place.
package golden

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Compare fails the test if got is not the drawing of that name in the file at path. A missing newline at the end of got is added.
// With update it writes got to the file instead.
func Compare(t *testing.T, path, name, got string, update bool) {
	t.Helper()
	if !strings.HasSuffix(got, "\n") {
		got += "\n"
	}
	drawings := read(t, path, update)
	if update && drawings[name] != got {
		drawings[name] = got
		write(t, path, drawings)
	}
	if d := cmp.Diff(drawings[name], got); d != "" {
		t.Errorf("%s: %s: %s", path, name, d)
	}
}

// Only fails the test if the file at path has a drawing whose name is not among names. With update it removes such drawings
// instead.
func Only(t *testing.T, path string, names []string, update bool) {
	t.Helper()
	drawings := read(t, path, update)
	for _, name := range slices.Sorted(maps.Keys(drawings)) {
		if slices.Contains(names, name) {
			continue
		}
		if !update {
			t.Errorf("%s: nothing draws %q", path, name)
		}
		delete(drawings, name)
	}
	if update {
		write(t, path, drawings)
	}
}

func read(t *testing.T, path string, update bool) map[string]string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil && !(update && errors.Is(err, fs.ErrNotExist)) {
		t.Fatal(err)
	}
	drawings := map[string]string{}
	for section := range strings.SplitSeq("\n"+string(raw), "\n-- ") {
		if name, drawing, ok := strings.Cut(section, " --\n"); ok {
			drawings[name] = drawing
		}
	}
	return drawings
}

func write(t *testing.T, path string, drawings map[string]string) {
	t.Helper()
	var sections []string
	for _, name := range slices.Sorted(maps.Keys(drawings)) {
		sections = append(sections, "-- "+name+" --\n"+drawings[name])
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Join(sections, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
}
