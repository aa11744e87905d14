//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDoctorJudgesAsTheUserOfTheBotWould(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can make files of other users")
	}
	t.Parallel()
	const stranger = 65534
	all := []string{"", "x.db", "x.db-wal", "x.db.lock"}
	for name, test := range map[string]struct {
		theirs []string // the files of the other user
		file   string
		mode   os.FileMode // the mode of the file
		says   string      // the expected output; empty means no problem
	}{
		"all is root's":                              {},
		"all is the bot's":                           {theirs: all},
		"the database is root's":                     {theirs: []string{"", "x.db-wal", "x.db.lock"}, says: "sudo chown 65534:65534 DIR/x.db"},
		"the log is root's":                          {theirs: []string{"", "x.db", "x.db.lock"}, says: "sudo chown 65534:65534 DIR/x.db-wal"},
		"the lock is root's":                         {theirs: []string{"", "x.db", "x.db-wal"}, says: "sudo chown 65534:65534 DIR/x.db.lock"},
		"the folder is root's":                       {theirs: all[1:], says: "sudo chown 65534:65534 DIR"},
		"the folder is root's, and all may use it":   {theirs: all[1:], mode: 0o777},
		"the bot may not make files in its folder":   {theirs: all, mode: 0o500, says: "sudo chmod u+rwX DIR"},
		"the bot may only read its own log":          {theirs: all, file: "x.db-wal", mode: 0o400, says: "DIR/x.db-wal is read-only"},
		"another's file beside a database of root's": {theirs: []string{"x.db-wal"}, says: "sudo chown 0:0 DIR/x.db-wal"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			ownDatabase(t, dir)
			write(t, filepath.Join(dir, "x.db-wal"), nil)
			write(t, filepath.Join(dir, "x.db.lock"), nil)
			for _, file := range test.theirs {
				if err := os.Chown(filepath.Join(dir, file), stranger, stranger); err != nil {
					t.Fatal(err)
				}
			}
			if test.mode != 0 {
				if err := os.Chmod(filepath.Join(dir, test.file), test.mode); err != nil {
					t.Fatal(err)
				}
			} else if err := os.Chmod(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			out, _, code := runInProcess(t, "", "doctor", "--db", filepath.Join(dir, "x.db"))
			if test.says == "" && (strings.Contains(out, "owner") || !strings.Contains(out, "MiB left")) {
				t.Error(out)
			}
			if want := strings.ReplaceAll(test.says, "DIR", dir); test.says != "" && (code != exitConfig || !strings.Contains(out, want+"\n") && !strings.Contains(out, want+";")) {
				t.Errorf("%s\ndoes not say %s", out, want)
			}
		})
	}
}
