//go:build unix

package sqlite_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"tictactoe/internal/match"
	"tictactoe/store/sqlite"
	"tictactoe/store/transfer"
)

// stranger is the id of the user who owns the bot's files, while the test runs as root.
const stranger = 65534

func TestRootLeavesFilesToTheUserOfTheBot(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files to another user")
	}
	t.Parallel()
	// ours returns a database with a match in it, and a backup of it that root has made elsewhere.
	ours := func(t *testing.T) (path, backup string) {
		t.Helper()
		path, backup = newPath(t), newPath(t)
		s := opened(t, path)
		save(t, s, match.Save{Matches: []match.MatchChange{{To: begin("m")}}})
		shut(t, s)
		if err := sqlite.Backup(t.Context(), path, backup, nil); err != nil {
			t.Fatal(err)
		}
		return path, backup
	}
	give := func(t *testing.T, path string) {
		t.Helper()
		if err := os.Chown(path, stranger, stranger); err != nil {
			t.Fatal(err)
		}
	}
	restore := func(t *testing.T, backup, path string) {
		t.Helper()
		if _, err := sqlite.Restore(t.Context(), backup, path, nil); err != nil {
			t.Fatal(err)
		}
	}
	for name, do := range map[string]func(t *testing.T, folder string){
		"a restored database, and the old one": func(t *testing.T, folder string) {
			path, backup := ours(t)
			there := filepath.Join(folder, "x.db")
			if err := os.Rename(path, there); err != nil {
				t.Fatal(err)
			}
			give(t, there)
			if err := os.Chmod(there, 0o640); err != nil {
				t.Fatal(err)
			}
			restore(t, backup, there)
			info, err := os.Stat(there)
			if err != nil {
				t.Fatal(err)
			}
			same(t, info.Mode(), 0o640)
		},
		"a restored database where none was": func(t *testing.T, folder string) {
			_, backup := ours(t)
			restore(t, backup, filepath.Join(folder, "x.db"))
		},
		"a restored database in a new folder": func(t *testing.T, folder string) {
			_, backup := ours(t)
			restore(t, backup, filepath.Join(folder, "a", "b", "x.db"))
		},
		"a new database, its log, and the file of its lock": func(t *testing.T, folder string) {
			path := filepath.Join(folder, "x.db")
			lock, err := sqlite.Acquire(t.Context(), path, 0)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { lock.Release() })
			save(t, open(t, path), match.Save{Matches: []match.MatchChange{{To: begin("m")}}})
		},
		"a migrated database, and the copy from before, in a folder that root shares": func(t *testing.T, folder string) {
			if err := os.Chown(folder, 0, stranger); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(folder, 0o770); err != nil {
				t.Fatal(err)
			}
			path, _ := ours(t)
			there := filepath.Join(folder, "x.db")
			if err := os.Rename(path, there); err != nil {
				t.Fatal(err)
			}
			give(t, there)
			s, err := sqlite.OpenWith(t.Context(), there, steps(t, "-- +goose Up\nCREATE TABLE more (id TEXT) STRICT;"))
			if err != nil {
				t.Fatal(err)
			}
			shut(t, s)
			give(t, folder)
		},
		"a backup": func(t *testing.T, folder string) {
			path, _ := ours(t)
			if err := sqlite.Backup(t.Context(), path, filepath.Join(folder, "x.db.mine.bak"), nil); err != nil {
				t.Fatal(err)
			}
		},
		"a database that another is copied into": func(t *testing.T, folder string) {
			err := sqlite.TransferInto(t.Context(), filepath.Join(folder, "x.db"), func(transfer.Target) error { return nil })
			if err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			if err := os.Chmod(filepath.Dir(folder), 0o755); err != nil {
				t.Fatal(err)
			}
			give(t, folder)
			do(t, folder)
			found := 0
			err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				found++
				tried := exec.Command("sh", "-c", `if [ -d "$1" ]; then : >"$1/.probe" && rm "$1/.probe"; else : >>"$1"; fi`, "sh", path)
				tried.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: stranger, Gid: stranger}}
				if said, err := tried.CombinedOutput(); err != nil {
					t.Errorf("user %d cannot write to %s: %v %s", stranger, path, err, said)
				}
				if info, err := entry.Info(); err != nil || info.Sys().(*syscall.Stat_t).Uid != stranger {
					t.Errorf("%s belongs to user %d, %v", path, info.Sys().(*syscall.Stat_t).Uid, err)
				}
				return nil
			})
			if err != nil || found < 2 {
				t.Errorf("%d files, %v", found, err)
			}
		})
	}
}
