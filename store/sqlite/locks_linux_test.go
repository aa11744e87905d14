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

// locks returns the locks that processes hold on a file. SQLite's locks are of this kind.
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

// A bot makes its daily backup and its check for damage in its own process. If that released the bot's locks on the file, the next
// program that closes the file would delete its log (SQLite before version 3.51 does so).
func TestABotKeepsItsLocksWhenItsFileIsRead(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	save(t, s, match.Save{Matches: []match.MatchChange{{To: begin("m")}}})
	before := locks(t, path)
	if len(before) == 0 {
		t.Skip("this system does not list the locks of processes")
	}
	if err := sqlite.Backup(t.Context(), path, newPath(t), nil); err != nil {
		t.Fatal(err)
	}
	same(t, locks(t, path), before)
	checked(t, path)
	same(t, locks(t, path), before)
}
