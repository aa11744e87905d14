package readme_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// This test does what the ten steps of docs/operating.md say, in one shell and with other ports, and then presses a square of the match
// that was begun before the restart.
func TestTheTenStepsLeadToARunningBot(t *testing.T) {
	t.Parallel()
	watch(t)
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash on this machine")
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("no curl on this machine")
	}
	_, section, _ := strings.Cut(read(t, filepath.Join(root, "docs", "operating.md")), "## From zero to running in ten steps\n")
	section, _, _ = strings.Cut(section, "\n## ")
	steps := regexp.MustCompile(`(?m)^\d+\. `).Split(section, -1)
	if len(steps) != 11 {
		t.Fatalf("found %d steps, want 10", len(steps)-1)
	}
	script := "set -eu\ntrap 'kill $(jobs -p); wait' EXIT\n"
	for i, step := range steps[1:] {
		script += fmt.Sprintf("echo step %d\n", i+1)
		for _, f := range parsePage("", step).fences {
			script += strings.Join(f.lines, "\n") + "\n"
		}
	}
	script += `curl --silent --show-error --fail --retry 60 --retry-delay 1 --retry-all-errors http://127.0.0.1:9090/readyz
message=$(curl --silent --fail 'http://127.0.0.1:8080/sim/messages?channel=general&as=alice' | grep --only-matching '"id":"[0-9]*","channel_id"' | tail -1 | cut -d '"' -f 4)
for index in 0 1; do
  curl --silent --show-error --fail --data "{\"as\":\"alice\",\"message\":\"$message\",\"index\":$index}" http://127.0.0.1:8080/sim/click
done | grep --only-matching '"status":"answered".*"ephemeral":false' # a press on a taken square has a private answer
`
	for _, port := range []string{"127.0.0.1:8080", "127.0.0.1:9090"} {
		script = strings.ReplaceAll(script, port, freeAddress(t))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, bash, "-c", script)
	cmd.Dir, cmd.WaitDelay = root, 10*time.Second
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOFLAGS"} {
		value, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		cmd.Env = append(cmd.Env, name+"="+strings.TrimSpace(string(value)))
	}
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, script, said)
	}
	if !strings.Contains(string(said), "All is well") {
		t.Errorf("the doctor is not content:\n%s", said)
	}
}

// freeAddress returns a local address on which nobody listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
