package soak_test

import (
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tictactoe/internal/soak"
)

var sabotage = flag.Bool("sabotage", false, "build programs with one safeguard taken out each, and see that a soak notices; takes minutes")

// sabotages are what is taken out of the program, and the laws that a soak then finds broken: one of them at least, or none
// if there are none, where others bear what is taken out.
var sabotages = []struct {
	patch, faults string
	laws          []string
}{
	{"compare-and-swap", "none", []string{"a match begins once"}},
	{"compare-and-swap", "all", []string{"a match begins once", "scores follow from the results"}},
	{"primary-key", "none", []string{"every ply has one move"}},
	{"save-before-show", "none", []string{"what was shown is stored"}},
	{"save-before-show", "all", []string{"what was shown is stored"}},
	{"recover", "garble", []string{"the bot ends when it is told to"}},
	{"recover", "all", []string{"the bot ends when it is told to"}},
	{"lock", "twin,kill,busy,duplicate", nil},
}

// A checker that has never found anything is not known to look. Each safeguard is taken out by a patch to a copy of the
// sources; the program itself has no switch for it.
func TestSabotageIsNoticed(t *testing.T) {
	if !*sabotage {
		t.Skip("it builds and soaks several programs: run with -sabotage")
	}
	built, folder := map[string]string{}, t.TempDir() // by patch
	for _, s := range sabotages {
		t.Run(s.patch+" with faults "+s.faults, func(t *testing.T) {
			if built[s.patch] == "" {
				built[s.patch] = build(t, filepath.Join(folder, s.patch), s.patch)
			}
			out, err := exec.Command(built[s.patch], "soak", "--seed", "5", "--duration", "40s", "--faults", s.faults, "--json").Output()
			var report soak.Report
			if jsonErr := json.Unmarshal(out, &report); jsonErr != nil {
				t.Fatalf("%v, %v\n%s", err, jsonErr, out)
			}
			if report.Kept != "" {
				os.RemoveAll(report.Kept)
			}
			if s.laws == nil {
				if err != nil {
					t.Errorf("it does harm: %v; the shortest: %s", report.Breaches, report.First.What)
				}
				return
			}
			if err == nil {
				t.Fatal("nothing was noticed, and the exit code is 0")
			}
			t.Logf("broken: %v; the shortest of %d events: %s", report.Breaches, len(report.First.History), report.First.What)
			for _, law := range s.laws {
				if report.Breaches[law] > 0 {
					return
				}
			}
			t.Errorf("none of %q is among what was noticed", s.laws)
		})
	}
}

// build makes a program from a copy of the sources, in that folder, with the patch applied.
func build(t *testing.T, folder, patch string) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	copyTree(t, root, folder)
	run := func(name string, args ...string) {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = folder
		cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(folder))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
	}
	run("git", "apply", filepath.Join(root, "internal", "soak", "testdata", "sabotage", patch+".patch"))
	run("go", "build", "-o", "sabotaged", "./cmd/tictactoe")
	return filepath.Join(folder, "sabotaged")
}

// copyTree copies what a build needs.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case entry.Name() == ".git" || entry.Name() == "node_modules" || name == "docs":
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o700)
		case !entry.Type().IsRegular():
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), content, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
}
