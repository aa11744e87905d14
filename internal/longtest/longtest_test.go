package longtest_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"tictactoe/internal/longtest"
)

func TestOnly(t *testing.T) {
	for _, test := range []struct{ name, value, want string }{
		{"without the switch the test is skipped, and says what would run it", "", "TICTACTOE_LONG=1"},
		{"with the switch it runs", "1", "--- PASS: TestALongOne"},
		{"a subtest cannot be a long one: .ci/run would not find it", "sub", "make the subtest a test of its own"},
	} {
		t.Run(test.name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run", "^TestALongOne$", "-test.v")
			cmd.Env = append(os.Environ(), longtest.Switch+"="+strings.TrimPrefix(test.value, "sub"))
			if test.value == "sub" {
				cmd.Args[2] = "^TestASubtest$"
				cmd.Env = append(cmd.Env, "LONGTEST_SUBTEST=1")
			}
			out, err := cmd.CombinedOutput()
			if (err != nil) != (test.value == "sub") || !strings.Contains(string(out), test.want) {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestALongOne does nothing after the first line of a long test. TestOnly runs it.
func TestALongOne(t *testing.T) {
	longtest.Only(t)
}

// TestASubtest calls longtest.Only in a subtest, which is a mistake, if TestOnly asks for it.
func TestASubtest(t *testing.T) {
	if os.Getenv("LONGTEST_SUBTEST") == "" {
		return
	}
	t.Run("of another", longtest.Only)
}
