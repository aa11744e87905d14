package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"tictactoe/store/postgres/pgtest"
)

// The tests of this package run the built program with real processes, sockets and signals. They use only the API of Discord that
// docs/simulator.md documents.

// patience bounds every wait of these tests. Nothing should take that long.
const patience = 20 * time.Second

// secret is the part of a token that must never be shown.
const secret = "c2VjcmV0.never-to-be-printed"

const secretToken = "MTAwMDAwMDAwMDAwMDAwMDAx." + secret

// built is the folder of the program; empty until the program is built.
var built atomic.Pointer[string]

// program returns the path of the program, and builds it at the first call.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "tictactoe-test-")
	if err != nil {
		return "", err
	}
	built.Store(&dir)
	path := filepath.Join(dir, "tictactoe")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", path, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	// Tests with processes wait most of the time, so twice as many tests as processors run at once. The flag -parallel, which is
	// parsed later, overrides this.
	if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	code := pgtest.Main(m)
	if dir := built.Load(); dir != nil {
		os.RemoveAll(*dir)
	}
	os.Exit(code)
}

// process is one run of the program.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	said  *output
	ended chan struct{}
}

// start runs the program until the end of the test. The program's environment is env and nothing else.
func start(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return startBuild(t, path, env, args...)
}

// startBuild is like start, for another build of the program.
func startBuild(t *testing.T, path string, env []string, args ...string) *process {
	t.Helper()
	p := &process{t: t, cmd: exec.Command(path, args...), said: &output{}, ended: make(chan struct{})}
	p.cmd.Env = append([]string{"HOME=/nowhere", "TICTACTOE_LOG_LEVEL=debug"}, env...)
	p.cmd.Stdout, p.cmd.Stderr = p.said, p.said
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.ended)
		p.cmd.Wait() // ProcessState has the result
	}()
	t.Cleanup(func() {
		p.kill()
		if strings.Contains(p.said.String(), secret) {
			t.Errorf("the token was printed:\n%s", p.said)
		}
		if t.Failed() {
			t.Logf("%s said:\n%s", strings.Join(args, " "), p.said)
		}
	})
	return p
}

func (p *process) signal(s os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.t.Fatal(err)
	}
}

// kill ends the process by SIGKILL.
func (p *process) kill() {
	p.t.Helper()
	p.signal(syscall.SIGKILL)
	<-p.ended
}

// stop ends the process with SIGTERM, as a service manager does.
func (p *process) stop() {
	p.t.Helper()
	p.signal(syscall.SIGTERM)
	p.wantExit(exitOK)
}

func (p *process) wantExit(code int) {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(patience):
		p.t.Fatalf("%q does not end", p.cmd.Args[1:])
	}
	if got := p.cmd.ProcessState.ExitCode(); got != code {
		p.t.Errorf("%q ended with %d, want %d", p.cmd.Args[1:], got, code)
	}
}

func (p *process) wantSaid(parts ...string) {
	p.t.Helper()
	for _, part := range parts {
		if !strings.Contains(p.said.String(), part) {
			p.t.Errorf("%q is not in the output:\n%s", part, p.said)
		}
	}
}

// admin returns the address of the admin port.
func (p *process) admin() string {
	p.t.Helper()
	return "http://" + p.said.find(p.t, `"msg":"admin port open","address":"([^"]+)"`)
}

// discord returns the local Discord that this process serves.
func (p *process) discord() *driver {
	p.t.Helper()
	return p.said.discord(p.t)
}

// output collects a program's output.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

// String returns all output so far.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

func (o *output) discord(t *testing.T) *driver {
	t.Helper()
	return newDriver(t, o.find(t, `is open: (http://\S+)`))
}

// find waits until the output matches, and returns the part in parentheses.
func (o *output) find(t *testing.T, pattern string) string {
	t.Helper()
	var found []string
	waitUntil(t, "it says "+pattern, func() bool {
		found = regexp.MustCompile(pattern).FindStringSubmatch(o.String())
		return found != nil
	})
	return found[1]
}

// ownAddress returns an unused address. Its port is outside of the range from which the system assigns ports, because another
// process may get an assigned port before the address is used.
func ownAddress(t *testing.T) string {
	t.Helper()
	for range 100 {
		if listener, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", 20000+rand.N(10000))); err == nil {
			listener.Close()
			return listener.Addr().String()
		}
	}
	t.Fatal("all ports are in use")
	return ""
}

// runInProcess runs the program in this process with the given input, and returns its output and its exit code.
func runInProcess(t *testing.T, input string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, problems output
	code = run(t.Context(), args, surroundings{func(string) string { return "" }, strings.NewReader(input), &out, &problems})
	return out.String(), problems.String(), code
}

// waitUntil waits until a condition becomes true.
func waitUntil(t *testing.T, what string, holds func() bool) {
	t.Helper()
	end, pause := time.Now().Add(patience), 5*time.Millisecond
	for !holds() {
		if time.Now().After(end) {
			t.Fatalf("timed out waiting until %s", what)
		}
		<-time.After(pause)
		pause = min(pause*5/4, 100*time.Millisecond) // check slow conditions less often
	}
}
