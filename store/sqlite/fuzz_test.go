package sqlite_test

import (
	"os"
	"testing"

	"tictactoe/store/sqlite"
)

// FuzzRestore tests that any file is either restored to a sound database, or refused without any change.
func FuzzRestore(f *testing.F) {
	sound, _ := full(f)
	content, err := os.ReadFile(sound)
	if err != nil {
		f.Fatal(err)
	}
	for _, at := range []int{0, 18, 28, 44, 60, 68, 100, 101, 105, 4096, 8192, 3 * 4096, len(content) / 2, len(content) - 100} {
		f.Add(at, []byte{0xff, 0, 1}, len(content))
	}
	f.Add(0, []byte(nil), len(content))
	f.Add(0, []byte(nil), 4096)
	f.Add(0, []byte(nil), 100)
	f.Add(0, []byte(nil), 0)
	f.Add(0, []byte("dear diary"), 10)
	// The fuzzer overwrites some bytes of a sound file and truncates it. Random bytes would almost always be refused as no
	// database.
	f.Fuzz(func(t *testing.T, at int, over []byte, size int) {
		if at < 0 || size < 0 || at > len(content) {
			return
		}
		tried := append([]byte(nil), content...)
		copy(tried[at:], over)
		tried = tried[:min(size, len(tried))]
		from, path := newPath(t), newPath(t)
		for path, content := range map[string][]byte{from: tried, path: content} {
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err := sqlite.Restore(t.Context(), from, path, nil)
		if r := checked(t, path); len(r.Findings) > 0 {
			t.Errorf("the restored database has findings: %+v", r.Findings)
		}
		if after, failed := os.ReadFile(path); err != nil && (failed != nil || string(after) != string(content)) {
			t.Errorf("refused with %v, and changed (%v)", err, failed)
		}
	})
}
