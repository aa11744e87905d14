package sqlite_test

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"tictactoe/internal/match"
	"tictactoe/migrations"
	"tictactoe/store/sqlite"
)

func TestOpenCreates(t *testing.T) {
	t.Run("a missing database and its folders, for their owner only", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "one", "two", "tictactoe.db")
		open(t, path)
		for name, want := range map[string]fs.FileMode{
			path:                             0o600,
			path + "-wal":                    0o600,
			filepath.Dir(path):               0o700 | fs.ModeDir,
			filepath.Dir(filepath.Dir(path)): 0o700 | fs.ModeDir,
		} {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			if info.Mode() != want {
				t.Errorf("%s has mode %s", filepath.Base(name), info.Mode())
			}
		}
	})
	t.Run("a file with the application id and a write-ahead log", func(t *testing.T) {
		path := newPath(t)
		open(t, path)
		header, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		same(t, string(header[68:72]), "TTTo")
		same(t, binary.BigEndian.Uint32(header[60:64]), 0) // the field user_version
		same(t, header[18:20], []byte{2, 2})               // the fields that select a write-ahead log
	})
	t.Run("a database in an empty file", func(t *testing.T) {
		path := newPath(t)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		open(t, path)
	})
	t.Run("a file that a killed process had begun to create", func(t *testing.T) {
		path := newPath(t)
		alter(t, path, "PRAGMA application_id = 0x5454546f")
		open(t, path)
	})
	t.Run("a file that a process killed in the middle of a write had begun to create", func(t *testing.T) {
		begun, path := newPath(t), newPath(t)
		alter(t, begun, "PRAGMA application_id = 0x5454546f")
		db := raw(t, begun)
		run(t, db, "PRAGMA cache_size = 1")
		run(t, db, "BEGIN")
		run(t, db, "CREATE TABLE matches (filler)")
		run(t, db, `INSERT INTO matches WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
			SELECT randomblob(4096) FROM n`)
		clone(t, begun, path, "", "-journal")
		open(t, path)
	})
	t.Run("a database of any name", func(t *testing.T) {
		for _, name := range []string{"a b.db", "?mode=memory", "x?mode=ro&y=#%41.db", "'; --", "%2e%2e", "é\n.db", ":memory:", "file:x"} {
			path := filepath.Join(t.TempDir(), name)
			save(t, open(t, path), match.Save{Seen: match.Seen{At: noon()}})
			if info, err := os.Stat(path); err != nil || info.Size() == 0 {
				t.Errorf("%q: %v", name, err)
			}
		}
	})
	t.Run("a database at a relative path", func(t *testing.T) {
		t.Chdir(t.TempDir())
		open(t, "tictactoe.db")
		if _, err := os.Stat("tictactoe.db"); err != nil {
			t.Error(err)
		}
		if version, known, err := sqlite.Inspect(t.Context(), "tictactoe.db"); err != nil || version != known {
			t.Errorf("Inspect reports schema %d of %d: %v", version, known, err)
		}
	})
}

func TestOpenDoesNotChangeRefusedFiles(t *testing.T) {
	write := func(t *testing.T, path string, content []byte) {
		t.Helper()
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// full makes a closed database with a match in it.
	full := func(t *testing.T, path string) {
		t.Helper()
		s, err := sqlite.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		var many match.Save
		for i := range 200 {
			many.Matches = append(many.Matches, match.MatchChange{To: begin(match.ID(rune('A' + i)))})
		}
		save(t, s, many)
		shut(t, s)
	}
	later := func(t *testing.T, path string) {
		full(t, path)
		alter(t, path, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)")
	}

	for _, test := range []struct {
		name    string
		prepare func(t *testing.T, path string)
		want    error
	}{
		{"a text", func(t *testing.T, path string) { write(t, path, []byte("dear diary,\n")) }, sqlite.ErrForeign},
		{"a long text", func(t *testing.T, path string) { write(t, path, make([]byte, 1<<16)) }, sqlite.ErrForeign},
		{"the database of another program", func(t *testing.T, path string) {
			alter(t, path, "CREATE TABLE diary (entry)")
		}, sqlite.ErrForeign},
		{"the database of another program with a write-ahead log", func(t *testing.T, path string) {
			alter(t, path, "PRAGMA journal_mode = WAL; CREATE TABLE diary (entry)")
		}, sqlite.ErrForeign},
		{"the database of another program while it writes", func(t *testing.T, path string) {
			db := raw(t, path)
			run(t, db, "PRAGMA journal_mode = WAL")
			run(t, db, "CREATE TABLE diary (entry)")
		}, sqlite.ErrForeign},
		{"a database with a page overwritten", func(t *testing.T, path string) {
			full(t, path)
			file, err := os.OpenFile(path, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			info, err := file.Stat()
			if err != nil {
				t.Fatal(err)
			}
			for at := int64(4096 * 3); at < info.Size(); at += 4096 * 3 {
				if _, err := file.WriteAt(make([]byte, 2048), at); err != nil {
					t.Fatal(err)
				}
			}
		}, sqlite.ErrDamaged},
		{"a database cut off in the middle", func(t *testing.T, path string) {
			full(t, path)
			if err := os.Truncate(path, 4096*5); err != nil {
				t.Fatal(err)
			}
		}, sqlite.ErrDamaged},
		{"a database with a move of no match", func(t *testing.T, path string) {
			full(t, path)
			alter(t, path, "INSERT INTO moves VALUES ('nowhere', 0, 0, 0)")
		}, sqlite.ErrDamaged},
		{"a database of a later program", later, sqlite.ErrNewer},
		{"a database of a later program that was killed", func(t *testing.T, path string) {
			full(t, path)
			db := raw(t, path)
			run(t, db, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)") // this row is still in the log
			there := newPath(t)
			clone(t, path, there, "", "-wal", "-shm")
			db.Close()
			clone(t, there, path, "", "-wal", "-shm")
		}, sqlite.ErrNewer},
		{"a database of an earlier program", func(t *testing.T, path string) {
			full(t, path)
			alter(t, path, "DELETE FROM goose_db_version WHERE version_id > 31; INSERT INTO goose_db_version (version_id, is_applied) VALUES (31, 1)")
		}, sqlite.ErrOlder},
		{"a folder", func(t *testing.T, path string) {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		}, sqlite.ErrNotWritable},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := newPath(t)
			test.prepare(t, path)
			before := files(t, filepath.Dir(path))
			s, err := sqlite.Open(t.Context(), path)
			if err == nil {
				shut(t, s)
			}
			if !errors.Is(err, test.want) {
				t.Errorf("got %v", err)
			}
			after := files(t, filepath.Dir(path))
			delete(before, "tictactoe.db-shm") // reading may repair the index of the log of a killed bot
			delete(after, "tictactoe.db-shm")
			same(t, after, before)
		})
	}
	t.Run("a folder that cannot be created", func(t *testing.T) {
		file := newPath(t)
		write(t, file, []byte("a file"))
		before := files(t, filepath.Dir(file))
		for _, below := range []string{"tictactoe.db", "folder/tictactoe.db"} {
			if _, err := sqlite.Open(t.Context(), filepath.Join(file, below)); !errors.Is(err, sqlite.ErrNotWritable) {
				t.Errorf("got %v", err)
			}
		}
		same(t, files(t, filepath.Dir(file)), before)
	})
	t.Run("a read-only file", func(t *testing.T) {
		if os.Geteuid() == 0 {
			t.Skip("root can write to read-only files")
		}
		path := newPath(t)
		full(t, path)
		if err := os.Chmod(path, 0o400); err != nil {
			t.Fatal(err)
		}
		if _, err := sqlite.Open(t.Context(), path); !errors.Is(err, sqlite.ErrNotWritable) {
			t.Errorf("got %v", err)
		}
	})
}

func TestOpenMigrates(t *testing.T) {
	t.Parallel()
	// Rebuilding a table that other tables refer to would lose rows if foreign keys were enforced.
	later := func(sql string) fs.FS {
		return steps(t, "-- +goose Up\n"+sql)
	}
	// older returns a closed database of the current version with one match in it.
	older := func(t *testing.T) (path string, m match.Match) {
		t.Helper()
		path = newPath(t)
		s, err := sqlite.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		m = begin("m")
		save(t, s, match.Save{Matches: []match.MatchChange{{To: m}}})
		next := move(t, m)
		save(t, s, match.Save{Matches: []match.MatchChange{{From: m, To: next}}})
		shut(t, s)
		return path, next
	}

	t.Run("an older database, after a copy that the older program can use", func(t *testing.T) {
		path, m := older(t)
		s, err := sqlite.OpenWith(t.Context(), path, later(`
			CREATE TABLE rebuilt (match TEXT, ply INTEGER, square INTEGER, at INTEGER, PRIMARY KEY (match, ply)) STRICT;
			INSERT INTO rebuilt SELECT * FROM moves;
			DROP TABLE moves;
			ALTER TABLE rebuilt RENAME TO moves;
			CREATE TABLE puzzles (id TEXT) STRICT;`))
		if err != nil {
			t.Fatal(err)
		}
		same(t, load(t, s, "m"), m)
		shut(t, s)
		if _, err := sqlite.Open(t.Context(), path); !errors.Is(err, sqlite.ErrNewer) {
			t.Errorf("the older program opens the migrated database: %v", err)
		}
		copied := path + ".before-99.bak"
		info, err := os.Stat(copied)
		if err != nil {
			t.Fatal(err)
		}
		same(t, info.Mode(), 0o600)
		same(t, load(t, open(t, copied), "m"), m)
	})
	t.Run("a current database, without a copy", func(t *testing.T) {
		path, _ := older(t)
		open(t, path)
		copies, err := filepath.Glob(path + ".*.bak")
		if err != nil || len(copies) > 0 {
			t.Errorf("%q, %v", copies, err)
		}
	})
	t.Run("a failed migration changes nothing, and each start gives advice", func(t *testing.T) {
		want := load(t, open(t, built(t, "testdata/schema-32.sql")), "m-second")
		for name, sql := range map[string]string{
			"it is refused":                        "DELETE FROM moves; INSERT INTO nowhere VALUES (1);",
			"it leaves rows that refer to nothing": "DELETE FROM matches;",
		} {
			t.Run(name, func(t *testing.T) {
				// All migrations except the last one succeed.
				path := built(t, "testdata/schema-32.sql")
				copied := path + ".before-99.bak"
				for range 2 {
					_, err := sqlite.OpenWith(t.Context(), path, later(sql))
					want := "of schema 32, and if that one refuses the database: tictactoe db restore --db " + path + " " + copied
					if !errors.Is(err, sqlite.ErrMigration) || !strings.HasSuffix(err.Error(), want) {
						t.Errorf("%v does not say %s", err, want)
					}
					for _, file := range []string{path, copied} {
						if version, _, err := sqlite.Inspect(t.Context(), file); err != nil || version != 32 {
							t.Errorf("%s has schema %d, %v", file, version, err)
						}
					}
				}
				same(t, load(t, open(t, path), "m-second"), want)
			})
		}
	})
	t.Run("only when no other process has it open", func(t *testing.T) {
		path, m := older(t)
		s := open(t, path)
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		_, err := sqlite.OpenWith(ctx, path, later("DROP TABLE scores;"))
		if !errors.Is(err, match.ErrBusy) {
			t.Errorf("got %v", err)
		}
		same(t, load(t, s, "m"), m)
	})
}

// steps returns the real migrations, followed by a migration with the number 99.
func steps(t *testing.T, last string) fs.FS {
	t.Helper()
	all := fstest.MapFS{"00099_last.sql": &fstest.MapFile{Data: []byte(last)}}
	names, err := fs.Glob(migrations.SQLite(), "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(migrations.SQLite(), name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = &fstest.MapFile{Data: text}
	}
	return all
}

// file is the content and the mode of a file that must not change.
type file struct {
	Content string
	Mode    fs.FileMode
	Changed time.Time
}

func files(t testing.TB, folder string) map[string]file {
	t.Helper()
	all := make(map[string]file)
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			t.Fatal(err)
		}
		f := file{Mode: info.Mode(), Changed: info.ModTime()}
		if info.Mode().IsRegular() {
			content, err := os.ReadFile(filepath.Join(folder, entry.Name()))
			if err != nil {
				t.Fatal(err)
			}
			f.Content = string(content)
		}
		all[entry.Name()] = f
	}
	return all
}

// clone copies a database file and the files with the given endings beside it, in the state that a power cut would leave. It
// ignores data that is appended during the copy, because writers may append faster than clone reads.
func clone(t testing.TB, from, to string, endings ...string) {
	t.Helper()
	for _, ending := range endings {
		file, err := os.Open(from + ending)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		info, err := file.Stat()
		if err != nil {
			t.Fatal(err)
		}
		content := make([]byte, info.Size())
		if _, err := io.ReadFull(file, content); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to+ending, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
