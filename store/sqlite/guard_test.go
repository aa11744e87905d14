package sqlite_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"tictactoe/internal/match"
	"tictactoe/store/sqlite"
)

// damages returns the ways in which other programs damage the file of a running bot. older is the content of a sound backup.
func damages(older []byte) map[string]func(t *testing.T, path string) {
	overwrite := func(content []byte) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			if err := os.WriteFile(path, content, 0); err != nil { // truncates the file and writes it anew
				t.Fatal(err)
			}
		}
	}
	return map[string]func(t *testing.T, path string){
		"an older backup is copied over it":        overwrite(older),
		"another program's file is copied over it": overwrite(bytes.Repeat([]byte("dear diary\n"), 100_000)),
		"it is truncated to nothing":               overwrite(nil),
		"it is truncated by a page": func(t *testing.T, path string) {
			info, err := os.Stat(path)
			if err == nil {
				err = os.Truncate(path, info.Size()-page)
			}
			if err != nil {
				t.Fatal(err)
			}
		},
		"garbage is in its header": func(t *testing.T, path string) {
			file, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err == nil {
				_, err = file.WriteAt([]byte("garbage"), 68)
			}
			if err = errors.Join(err, file.Close()); err != nil {
				t.Fatal(err)
			}
		},
	}
}

func TestAFileIsOverwrittenInUse(t *testing.T) {
	older := newPath(t)
	shut(t, opened(t, older))
	backup, err := os.ReadFile(older)
	if err != nil {
		t.Fatal(err)
	}
	for name, damage := range damages(backup) {
		t.Run(name, func(t *testing.T) {
			path := newPath(t)
			clone(t, older, path, "")
			s := opened(t, path)
			var told []string
			s.Health.Tell = func(err error) { told = append(told, fmt.Sprint(err)) }
			for n := range 50 { // enough saves to make the file grow
				save(t, s, match.Save{Matches: []match.MatchChange{{To: begin(match.ID(fmt.Sprint("before", n)))}}})
			}
			run(t, raw(t, path), "PRAGMA wal_checkpoint(FULL)")
			save(t, s, match.Save{Matches: []match.MatchChange{{To: begin("before")}}})
			damage(t, path)
			left, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if err := s.Save(t.Context(), match.Save{Matches: []match.MatchChange{{To: begin("after")}}}); !errors.Is(err, match.ErrUnsaved) {
					t.Fatalf("got %v", err)
				}
			}
			if _, err := s.Match(t.Context(), "before"); !errors.Is(err, match.ErrUnsaved) {
				t.Errorf("the store still reads the overwritten file: %v", err)
			}
			if len(told) != 1 || !strings.Contains(told[0], path+" was written over") || !strings.Contains(told[0], "tictactoe db restore") {
				t.Errorf("told %q", told)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, left) {
				t.Errorf("the store changed the new file: %v", err)
			}
		})
	}
}

func TestAReadFindsThatAFileIsOverwritten(t *testing.T) {
	path := newPath(t)
	s := opened(t, path)
	var told []string
	s.Health.Tell = func(err error) { told = append(told, fmt.Sprint(err)) }
	save(t, s, match.Save{Matches: []match.MatchChange{{To: begin("before")}}})
	run(t, raw(t, path), "PRAGMA wal_checkpoint(TRUNCATE)")
	if err := os.WriteFile(path, bytes.Repeat([]byte("dear diary\n"), 10_000), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := s.Match(t.Context(), "before"); !errors.Is(err, match.ErrUnsaved) {
			t.Errorf("got %v", err)
		}
	}
	if len(told) != 1 || !strings.Contains(told[0], path+" was written over") {
		t.Errorf("told %q", told)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestRegularWritesOfOtherProcessesAreNotDamage(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	for n := range 50 {
		save(t, s, match.Save{Matches: []match.MatchChange{{To: begin(match.ID(fmt.Sprint("before", n)))}}})
	}
	other := raw(t, path)
	for name, do := range map[string]func(t *testing.T){
		"its mode":                              func(t *testing.T) { os.Chmod(path, 0o640) },
		"another process moves the log into it": func(t *testing.T) { run(t, other, "PRAGMA wal_checkpoint(FULL)") },
		"another process empties the log":       func(t *testing.T) { run(t, other, "PRAGMA wal_checkpoint(TRUNCATE)") },
		"another process deletes and shrinks it": func(t *testing.T) {
			run(t, other, "DELETE FROM matches WHERE id LIKE 'before%'; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
		},
		"a backup": func(t *testing.T) {
			if err := sqlite.Backup(t.Context(), path, newPath(t), nil); err != nil {
				t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			do(t)
			save(t, s, match.Save{Matches: []match.MatchChange{{To: begin(match.ID(name))}}})
		})
	}
}
