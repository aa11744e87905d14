package main

import (
	"bytes"
	"context"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/internal/longtest"
)

// If the database is deleted while the bot runs, SQLite would write to the deleted file, and these writes would be lost when the
// bot ends.
func TestADatabaseIsDeletedWhileTheBotRuns(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	h := newHalves(t)
	board := h.begun()
	h.press("bob", board, "a1")
	ready := h.bot.admin() + "/readyz"
	if status, said := get(t, ready); status != 200 {
		t.Errorf("%d %s", status, said)
	}

	all, err := filepath.Glob(h.db + "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range all {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	h.wantUnsaved(h.press("alice", board, "c1"))
	h.wantBoard(board, "O../.X./...")
	h.bot.wantSaid("nothing can be saved", h.db+" was deleted or replaced while it was in use", "put back the file that was there, or stop the bot")
	if status, said := get(t, ready); status != 503 || !strings.Contains(said, "deleted or replaced") {
		t.Errorf("%d %s", status, said)
	}
}

// If a backup is copied over the database while the bot runs, the bot would mix its writes with the data of the backup.
func TestADatabaseIsOverwrittenWhileTheBotRuns(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	for name, damage := range map[string]func(t *testing.T, db string){
		"by an older backup": func(t *testing.T, db string) {
			older, err := os.ReadFile(ownDatabase(t, t.TempDir()))
			if err != nil {
				t.Fatal(err)
			}
			write(t, db, older)
		},
		"by something else": func(t *testing.T, db string) {
			write(t, db, bytes.Repeat([]byte("dear diary\n"), 1000))
		},
		"by nothing": func(t *testing.T, db string) {
			if err := os.Truncate(db, 0); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHalves(t)
			board := h.begun()
			h.press("bob", board, "a1")
			if strings.Contains(name, "backup") { // a new database still has all its data in the log
				h.bot.stop()
				h.begin()
			}
			damage(t, h.db)
			ready := h.bot.admin() + "/readyz"
			h.eventually("readiness fails without a click", func() bool { status, _ := get(t, ready); return status == 503 })
			h.wantUnsaved(h.press("alice", board, "c1"))
			h.wantBoard(board, "O../.X./...")
			h.bot.wantSaid("nothing can be saved", "was written over by something else while it was in use", "tictactoe db restore")
			if status, said := get(t, ready); status != 503 || !strings.Contains(said, "was written over") {
				t.Errorf("%d %s", status, said)
			}
		})
	}
}

// A bot that does not run as root may lack the permission to write its files.
func TestAReadOnlyDatabase(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	if os.Getuid() != 0 {
		t.Skip("only root can run a process as another user")
	}
	const nobody = 65534
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	// The test prepares folders to which the user has no access: the program's folder and the database's folder.
	place, err := os.MkdirTemp("", "tictactoe-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(place) })
	content, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(filepath.Join(place, "tictactoe"), content, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	open := func(name string, mode fs.FileMode, owner int) {
		t.Helper()
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(name, owner, owner); err != nil {
			t.Fatal(err)
		}
	}
	open(place, 0o755, 0)
	open(filepath.Join(place, "tictactoe"), 0o755, 0)
	for name, modes := range map[string]struct {
		folder, file           fs.FileMode
		folderOwner, fileOwner int
	}{
		"a file of somebody else's":         {0o755, 0o600, nobody, 0},
		"a file of somebody else's to read": {0o755, 0o644, nobody, 0},
		"a file that may only be read":      {0o755, 0o444, nobody, nobody},
		"a folder of somebody else's":       {0o755, 0o644, 0, nobody},
		"a folder that nobody may enter":    {0o700, 0o600, 0, nobody},
		"a folder that may only be read":    {0o555, 0o644, nobody, nobody},
		"a file and folder only to read":    {0o555, 0o444, nobody, nobody},
		"everything is somebody else's":     {0o755, 0o644, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			folder := filepath.Join(place, strings.ReplaceAll(name, " ", "-"))
			if err := os.Mkdir(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			db := ownDatabase(t, folder)
			open(db, modes.file, modes.fileOwner)
			open(folder, modes.folder, modes.folderOwner)
			before := contents(t, folder)
			cmd := exec.Command(filepath.Join(place, "tictactoe"), "serve", "--db", db)
			cmd.Dir = "/"
			cmd.Env = []string{"HOME=/nowhere", "DISCORD_TOKEN=" + secretToken}
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
			said, _ := cmd.CombinedOutput()
			if code := cmd.ProcessState.ExitCode(); code != exitConfig || !strings.Contains(string(said), db) || !strings.Contains(string(said), "cannot be written") {
				t.Errorf("the bot ended with %d:\n%s", code, said)
			}
			doctor := exec.Command(cmd.Path, "doctor", "--db", db)
			doctor.Dir, doctor.Env, doctor.SysProcAttr = cmd.Dir, append(cmd.Env, "TICTACTOE_DISCORD_URL=http://127.0.0.1:1"), cmd.SysProcAttr
			if said, _ := doctor.Output(); !strings.Contains(string(said), db) || !strings.Contains(string(said), "give the user that runs the bot the right to write there") {
				t.Errorf("the doctor finds no fault:\n%s", said)
			}
			if diff := cmp.Diff(before, contents(t, folder)); diff != "" {
				t.Errorf("files were changed (-before +after)\n%s", diff)
			}
		})
	}
}

// At the start the bot does not check all of a large file. It checks the rest afterwards and reports damage.
func TestDamageFoundAfterTheStart(t *testing.T) {
	t.Parallel()
	_, a, admin := administered(t)
	examine := func(prepare func(t *testing.T, dir string)) string {
		dir, said := t.TempDir(), &output{}
		prepare(t, dir)
		a.health.db, a.health.log = filepath.Join(dir, "x.db"), slog.New(slog.NewTextHandler(said, nil))
		a.health.examine(t.Context())
		return said.String()
	}
	if said := examine(func(t *testing.T, dir string) { ownDatabase(t, dir) }); !strings.Contains(said, "the database is sound") {
		t.Error(said)
	}
	if status, said := get(t, admin.URL+"/readyz"); status != 200 {
		t.Errorf("%d %s", status, said)
	}
	if said := examine(func(t *testing.T, dir string) { foreignDatabase(t, dir) }); strings.Count(said, "level=ERROR") != 1 || !strings.Contains(said, "could not be examined") {
		t.Error(said)
	}
	if status, said := get(t, admin.URL+"/readyz"); status != 200 {
		t.Errorf("a failed examination was reported as damage: %d %s", status, said)
	}
	if said := examine(damagedDatabase); strings.Count(said, "level=ERROR") != 1 || !strings.Contains(said, "tictactoe db check") {
		t.Error(said)
	}
	if status, said := get(t, admin.URL+"/readyz"); status != 503 || !strings.Contains(said, "restore a backup") {
		t.Errorf("%d %s", status, said)
	}
}

// A daily backup reads the whole file, so it may be the first to find damage.
func TestADailyBackupReportsDamage(t *testing.T) {
	t.Parallel()
	_, a, admin := administered(t)
	dir := t.TempDir()
	damagedDatabase(t, dir)
	b := a.backups(settings{db: filepath.Join(dir, "x.db"), backups: 7})
	ready := admin.URL + "/readyz"
	if status, said := get(t, ready); status != 200 {
		t.Errorf("%d %s", status, said)
	}
	ctx, stop := context.WithCancel(t.Context())
	var work sync.WaitGroup
	work.Go(func() { b.run(ctx) })
	waitUntil(t, "the backup has failed", func() bool {
		_, said := get(t, admin.URL+"/metrics")
		return strings.Contains(said, `tictactoe_backup_timestamp_seconds{outcome="failed"}`)
	})
	stop()
	work.Wait()
	if status, said := get(t, ready); status != 503 || !strings.Contains(said, "restore a copy") {
		t.Errorf("%d %s", status, said)
	}
}
