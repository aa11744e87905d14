package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tictactoe/store/sqlite"
)

func TestDatabaseCommandsRefuseADefaultThatIsNotThere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, backup, home := ownDatabase(t, dir), filepath.Join(dir, "x.bak"), filepath.Join(dir, "home")
	if err := sqlite.Backup(t.Context(), db, backup, nil); err != nil {
		t.Fatal(err)
	}
	at := func(args ...string) (said string, code int) {
		var out output
		env := func(name string) string { return map[string]string{"HOME": home}[name] }
		code = run(t.Context(), append([]string{"db"}, args...), surroundings{env, strings.NewReader(""), &out, &out})
		return out.String(), code
	}
	usual := filepath.Join(home, ".local", "share", "tictactoe", "tictactoe.db")
	for _, args := range [][]string{{"restore", backup}, {"rebuild"}, {"check"}, {"export"}, {"backup", filepath.Join(dir, "y.bak")}} {
		said, code := at(args...)
		for _, part := range []string{"--db PATH", usual, "/var/lib/tictactoe/tictactoe.db"} {
			if code != exitUsage || !strings.Contains(said, part) {
				t.Errorf("%v: %d, %s", args, code, said)
			}
		}
	}
	if _, err := os.Stat(home); err == nil {
		t.Error("something was made in the home folder")
	}
	for _, args := range [][]string{{"restore", "--db", usual, backup}, {"check"}, {"rebuild"}, {"restore", backup}, {"copy", usual, filepath.Join(dir, "z.db")}} {
		if said, code := at(args...); code != exitOK {
			t.Errorf("%v: %d, %s", args, code, said)
		}
	}
}
