package sqlite_test

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"tictactoe/internal/match"
	"tictactoe/store/sqlite"
)

// locks returns the locks of a file that belong to processes, like SQLite's locks.
func locks(t *testing.T, path string) (all []string) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile("/proc/locks")
	if err != nil {
		t.Skip(err)
	}
	inode := fmt.Sprintf(":%d ", info.Sys().(*syscall.Stat_t).Ino)
	for line := range strings.Lines(string(content)) {
		if _, lock, is := strings.Cut(line, "POSIX"); is && strings.Contains(lock, inode) {
			all = append(all, lock)
		}
	}
	return all
}

// A bot makes its daily backup, and looks for damage, in its own process. Were it to lose its locks by that, the next program
// that closes the file would take the log away from it (SQLite does so before version 3.51).
func TestABotKeepsItsLocksWhenItsFileIsRead(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	save(t, s, match.Save{Matches: []match.MatchChange{{To: begin("m")}}})
	before := locks(t, path)
	if len(before) == 0 {
		t.Skip("this system does not list them")
	}
	if err := sqlite.Backup(t.Context(), path, newPath(t), nil); err != nil {
		t.Fatal(err)
	}
	same(t, locks(t, path), before)
	checked(t, path)
	same(t, locks(t, path), before)
}
