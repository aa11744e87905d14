// Package longtest keeps tests that take long out of a plain go test ./..., behind one switch. Nothing else decides which
// tests run: no test asks for -short.
package longtest

import (
	"os"
	"strings"
	"testing"
)

// Switch is the environment variable that has the long tests run, whatever its value is.
const Switch = "TICTACTOE_LONG"

// Only skips the test unless the switch is set. It is the first line of a test that takes seconds of processor time: a large
// proof, a heavy load, a browser with many pages, programs that are killed over and over. The test is a whole one, not a
// part of another, so that .ci/run can run by name what the plain run has skipped; it counts both.
func Only(t *testing.T) {
	t.Helper()
	if strings.Contains(t.Name(), "/") {
		t.Fatalf("longtest.Only is called in the subtest %s; make the subtest a test of its own", t.Name())
	}
	if os.Getenv(Switch) == "" {
		t.Skip("a long test: set " + Switch + "=1 to run it")
	}
}
