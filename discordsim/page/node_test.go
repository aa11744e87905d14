package page_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The parsers of the page are tested in JavaScript.
func TestTheParsersOfThePage(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		if required("node") {
			t.Fatal("no node found, and TICTACTOE_REQUIRE asks for it")
		}
		t.Skip("skipped: no node found in PATH, so the parsers of the page are not tested")
	}
	files, err := filepath.Glob("testdata/node/*.test.mjs")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test files found: %v", err)
	}
	command := exec.CommandContext(t.Context(), node, append([]string{"--test"}, files...)...)
	command.Env = append(os.Environ(), "TZ=UTC")
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("node --test: %v\n%s", err, out)
	}
}
