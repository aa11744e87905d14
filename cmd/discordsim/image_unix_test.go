//go:build unix

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tictactoe/discordsim/standalone"
)

// TestTheImageNeedsNothingBelowIt builds the program with the Dockerfile's command and runs it as the image does: in
// an otherwise empty root directory, as a user without privileges, with the health check.
func TestTheImageNeedsNothingBelowIt(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root may change the root folder")
	}
	file := filepath.Join("..", "..", "deploy", "discordsim", "Dockerfile")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, command, found := strings.Cut(string(text), "\nRUN CGO_ENABLED=0 ")
	command, _, _ = strings.Cut(command, "\n")
	root := t.TempDir()
	if !found || !strings.Contains(command, "dist/discordsim") {
		t.Fatalf("%s: no command that builds: %s", file, command)
	}
	build := exec.Command("sh", "-c", strings.Replace(command, "dist/discordsim", filepath.Join(root, "discordsim"), 1))
	build.Dir, build.Env = filepath.Join("..", ".."), append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, folder := range []string{"tmp", "data"} {
		folder = filepath.Join(root, folder)
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(folder, 65532, 65532); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	inside := func(args ...string) *exec.Cmd {
		cmd := exec.Command("/discordsim", args...)
		cmd.Dir, cmd.Env, cmd.Stderr = "/", []string{}, os.Stderr
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: 65532, Gid: 65532}}
		return cmd
	}
	sim := inside("--listen", "127.0.0.1:0", "--proxy", "127.0.0.1:0", "--state", "/data/state", "--ready-file", "/tmp/ready.json", "--no-rate-limits")
	if err := sim.Start(); err != nil {
		t.Fatal(err)
	}
	defer sim.Wait()
	defer sim.Process.Signal(syscall.SIGTERM)
	watch, late := time.NewTicker(10*time.Millisecond), time.After(time.Minute)
	defer watch.Stop()
	var ready standalone.Ready
	for ready.URL == "" {
		select {
		case <-late:
			t.Fatal("it is not ready after a minute")
		case <-watch.C:
			if text, err := os.ReadFile(filepath.Join(root, "tmp", "ready.json")); err == nil && json.Unmarshal(text, &ready) != nil {
				t.Fatalf("ready says %s", text)
			}
		}
	}
	if err := inside("--healthy", ready.URL).Run(); err != nil {
		t.Errorf("the health check: %v", err)
	}
	if err := inside("--healthy", "http://127.0.0.1:1").Run(); err == nil {
		t.Error("the health check finds a simulator where none is")
	}
}
