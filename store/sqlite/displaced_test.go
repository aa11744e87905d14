package sqlite_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tictactoe/internal/match"
	"tictactoe/store/sqlite"
)

func TestAFileIsRemovedInUse(t *testing.T) {
	ways := map[string]func(t *testing.T, path string){
		"deleted":                        func(t *testing.T, path string) { remove(t, path, path+"-wal", path+"-shm") },
		"deleted, and the log is left":   func(t *testing.T, path string) { remove(t, path) },
		"deleted without it: the log is": func(t *testing.T, path string) { remove(t, path+"-wal") },
		"replaced by another": func(t *testing.T, path string) {
			another := newPath(t)
			shut(t, opened(t, another))
			if err := os.Rename(another, path); err != nil {
				t.Fatal(err)
			}
		},
	}
	for name, take := range ways {
		t.Run(name, func(t *testing.T) {
			path := newPath(t)
			s := opened(t, path)
			var told []string
			s.Health.Tell = func(err error) { told = append(told, fmt.Sprint(err)) }
			save(t, s, match.Save{Matches: []match.MatchChange{{To: begin("before")}}})
			take(t, path)
			for range 2 {
				if err := s.Save(t.Context(), match.Save{Matches: []match.MatchChange{{To: begin("after")}}}); !errors.Is(err, match.ErrUnsaved) {
					t.Fatalf("got %v", err)
				}
			}
			same(t, load(t, s, "before"), begin("before")) // reads still work
			if len(told) != 1 || !strings.Contains(told[0], path) || !strings.Contains(told[0], "deleted or replaced") {
				t.Errorf("told %q", told)
			}
			shut(t, s)
		})
	}
	t.Run("after the file was put back, saves work again", func(t *testing.T) {
		path := newPath(t)
		s := opened(t, path)
		if err := os.Rename(path, path+".away"); err != nil {
			t.Fatal(err)
		}
		if err := s.Save(t.Context(), match.Save{Matches: []match.MatchChange{{To: begin("m")}}}); !errors.Is(err, match.ErrUnsaved) {
			t.Fatalf("got %v", err)
		}
		if err := os.Rename(path+".away", path); err != nil {
			t.Fatal(err)
		}
		save(t, s, match.Save{Matches: []match.MatchChange{{To: begin("m")}}})
		shut(t, s)
		same(t, len(files(t, filepath.Dir(path))), 2) // the database and the key
		same(t, load(t, open(t, path), "m"), begin("m"))
	})
}

func remove(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAStartLimitsTheCheckForDamage(t *testing.T) {
	path := newPath(t)
	s := opened(t, path)
	for n := range 100 {
		save(t, s, match.Save{Matches: []match.MatchChange{{To: begin(match.ID(fmt.Sprint("m", n)))}}})
	}
	if s.Examined() == false {
		t.Error("a new file is not reported as wholly checked")
	}
	shut(t, s)
	s = opened(t, path)
	if !s.Examined() {
		t.Error("a small file was not wholly checked")
	}
	shut(t, s)

	defer func(before time.Duration) { *sqlite.CheckTime = before }(*sqlite.CheckTime)
	*sqlite.CheckTime = 0 // no time for the check, as with a very large file
	s = opened(t, path)
	if s.Examined() {
		t.Error("the store reports that it has checked the whole file")
	}
	save(t, s, match.Save{Matches: []match.MatchChange{{To: begin("after")}}})
	shut(t, s)
}

func TestAStartComparesIndexesWithTheirTables(t *testing.T) {
	path := newPath(t)
	shut(t, opened(t, path))
	var root, sql any
	db := raw(t, path)
	if err := db.QueryRow("SELECT rootpage, sql FROM sqlite_schema WHERE name = 'matches_of_x'").Scan(&root, &sql); err != nil {
		t.Fatal(err)
	}
	// Rows that are inserted while the schema lacks the index are missing from the index.
	run(t, db, "PRAGMA writable_schema = 1; DELETE FROM sqlite_schema WHERE name = 'matches_of_x'")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	alter(t, path, `INSERT INTO matches (id, series, venue, rules, x_player, o_player, turn_ms, deadline, created, version)
		VALUES ('m', 'm', '', '3x3x3', 'alice', 'bob', 1, 1, 1, 1)`)
	db = raw(t, path)
	run(t, db, "PRAGMA writable_schema = 1; INSERT INTO sqlite_schema VALUES ('index', 'matches_of_x', 'matches', ?1, ?2)", root, sql)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err := sqlite.Open(t.Context(), path); !errors.Is(err, sqlite.ErrDamaged) || !strings.Contains(err.Error(), "matches_of_x") {
		t.Errorf("got %v", err)
		if err == nil {
			shut(t, s)
		}
	}
}
