package draft

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// write begins a file with the given path and writes its content.
func write(t *testing.T, path, content string) *File {
	t.Helper()
	f, err := New(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(content); err != nil {
		t.Fatal(err)
	}
	return f
}

// wantFiles fails unless the folder has exactly the given files, by name.
func wantFiles(t *testing.T, folder string, want map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		content, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if text, is := want[entry.Name()]; err != nil || !is || string(content) != text {
			t.Errorf("%s has %q, %v; want %q", entry.Name(), content, err, text)
		}
	}
	if len(entries) != len(want) {
		t.Errorf("%d files, want %d", len(entries), len(want))
	}
}

func TestKeep(t *testing.T) {
	ways := map[string]struct {
		keep     func(*File) error
		replaces bool
	}{
		"Keep": {(*File).Keep, true}, "KeepNew": {(*File).KeepNew, false}, "KeepNew where there are no links": {(*File).renameNew, false},
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a")
			f := write(t, path, "mine")
			err := way.keep(f)
			f.Discard()
			if err != nil {
				t.Fatal(err)
			}
			wantFiles(t, filepath.Dir(path), map[string]string{"a": "mine"})
			if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
				t.Errorf("%v, %v", info, err)
			}
		})
		t.Run(name+", after a file appeared at the path", func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a")
			f := write(t, path, "mine")
			if err := os.WriteFile(path, []byte("another"), 0o600); err != nil {
				t.Fatal(err)
			}
			err := way.keep(f)
			f.Discard()
			want := "another"
			if way.replaces {
				want = "mine"
			}
			if errors.Is(err, fs.ErrExist) == way.replaces {
				t.Errorf("got %v", err)
			}
			wantFiles(t, filepath.Dir(path), map[string]string{"a": want})
		})
	}
	t.Run("errors name the path that was given", func(t *testing.T) {
		t.Chdir(t.TempDir())
		if _, err := New("none/a"); err == nil || err.Error() != "open none/a: no such file or directory" {
			t.Errorf("begun in a missing folder: %v", err)
		}
		if err := os.MkdirAll("a/b", 0o700); err != nil {
			t.Fatal(err)
		}
		f := write(t, "a", "mine")
		defer f.Discard()
		if err := f.Keep(); err == nil || err.Error() != "write a: file exists" {
			t.Errorf("kept in place of a folder: %v", err)
		}
		f.Close()
		if _, err := f.Write(nil); err == nil || err.Error() != "write a: file already closed" {
			t.Errorf("written after it was closed: %v", err)
		}
	})
	t.Run("a file that is discarded leaves nothing", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "a")
		write(t, path, "mine").Discard()
		wantFiles(t, filepath.Dir(path), nil)
	})
}
