// Package longtest keeps long tests out of a plain go test ./..., behind one switch. No test looks at -short.
package longtest

import (
	"os"
	"strings"
	"testing"
)

// Switch is the environment variable that enables the long tests. Any value but the empty one does.
const Switch = "TICTACTOE_LONG"

// Only skips the test unless the switch is set. It is the first line of a test that takes seconds of processor time: a large
// proof, a heavy load, a browser with many pages, programs that are killed over and over. That test must not be a subtest, because
// .ci/run finds the long tests by the names of the tests that the plain run has skipped.
func Only(t *testing.T) {
	t.Helper()
	if strings.Contains(t.Name(), "/") {
		t.Fatalf("longtest.Only is called in the subtest %s; make the subtest a test of its own", t.Name())
	}
	if os.Getenv(Switch) == "" {
		t.Skip("a long test: set " + Switch + "=1 to run it")
	}
}
