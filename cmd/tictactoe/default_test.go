package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tictactoe/store/sqlite"
)

func TestDatabaseCommandsRefuseAMissingDefault(t *testing.T) {
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
		t.Error("a file was created in the home folder")
	}
	for _, args := range [][]string{{"restore", "--db", usual, backup}, {"check"}, {"rebuild"}, {"restore", backup}, {"copy", usual, filepath.Join(dir, "z.db")}} {
		if said, code := at(args...); code != exitOK {
			t.Errorf("%v: %d, %s", args, code, said)
		}
	}
}

func TestVersion(t *testing.T) {
	var v struct{ Version, Go, OS, Arch string }
	out, _, code := runInProcess(t, "", "version", "--json")
	if err := json.Unmarshal([]byte(out), &v); err != nil || code != exitOK || v.Version == "" || v.Go != runtime.Version() || v.OS != runtime.GOOS || v.Arch != runtime.GOARCH {
		t.Errorf("exit %d, %v: %s", code, err, out)
	}
	if got := setting("GOOS"); got != runtime.GOOS {
		t.Errorf("the build recorded GOOS=%q, want %q", got, runtime.GOOS)
	}
	if !strings.Contains(out, `"commit":`) || !strings.Contains(out, `"date":`) {
		t.Errorf("no commit or no date: %s", out)
	}
	if out, _, _ := runInProcess(t, "", "version"); !strings.HasPrefix(out, "tictactoe "+v.Version+", "+v.Go) {
		t.Error(out)
	}
}

// completed returns the completions that bash offers for the last of the words.
func completed(t *testing.T, words ...string) []string {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	script, _, code := runInProcess(t, "", "completion", "bash")
	if code != exitOK {
		t.Fatal(script)
	}
	words = append([]string{path}, words...)
	script += "COMP_WORDS=(" + strings.Join(words, " ") + ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_tictactoe $COMP_WORDS\necho \"${COMPREPLY[@]}\"\n"
	command := exec.Command("bash", "-uc", script)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return strings.Fields(string(out))
}

func TestCompletion(t *testing.T) {
	for _, test := range []struct {
		words []string
		want  []string
	}{
		{[]string{"pl"}, []string{"playground", "play"}},
		{[]string{"db", "re"}, []string{"restore", "rebuild"}},
		{[]string{"db", "--db", "x.db", "check", "--t"}, []string{"--thorough"}},
		{[]string{"daily", "--"}, []string{"--date", "--solution", "--help"}},
		{[]string{"play", "--starting", "r"}, []string{"random"}},
		{[]string{"completion", "nonsense", "--he"}, []string{"--help"}},
		{[]string{"db", "backup", "--db", "b"}, nil}, // bash completes the name of a file itself
	} {
		got := completed(t, test.words...)
		slices.Sort(got)
		slices.Sort(test.want)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.words, got, test.want)
		}
	}
	if _, errs, code := runInProcess(t, "", "completion", "tcsh"); code != exitUsage || !strings.Contains(errs, `"bash"`) {
		t.Errorf("exit %d: %s", code, errs)
	}
	for shell, want := range map[string]string{"zsh": "--thorough:Review every game again", "fish": "--thorough\tReview every game again"} {
		script, _, _ := runInProcess(t, "", "completion", shell)
		if !strings.Contains(script, "completion "+shell) {
			t.Errorf("%s does not ask the program:\n%s", shell, script)
		}
		if path, err := exec.LookPath(shell); err == nil {
			if out, err := exec.Command(path, "-n", "-c", script).CombinedOutput(); err != nil {
				t.Errorf("%s: %v: %s", shell, err, out)
			}
		}
		if said, _, _ := runInProcess(t, "", "completion", shell, "tictactoe", "db", "check"); !strings.Contains(said, want) {
			t.Errorf("%s lacks %s:\n%s", shell, want, said)
		}
	}
}

func TestManualPage(t *testing.T) {
	page, _, code := runInProcess(t, "", "man")
	if code != exitOK || !strings.HasPrefix(page, ".TH TICTACTOE 1 ") {
		t.Fatalf("exit %d: %s", code, page)
	}
	for _, part := range []string{".SS tictactoe db check [flags]", `\fB\-\-db=FILE, $TICTACTOE_DB\fR`, `tictactoe db check \-\-db monday.bak`, "\n78\nSomebody has to act."} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %q", part)
		}
	}
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, ".") && !strings.Contains(".TH.SH.SS.TP.PP.nf.fi", strings.Fields(line)[0]) || strings.HasPrefix(line, "'") {
			t.Errorf("roff would take a line of text for a request: %s", line)
		}
	}
}
