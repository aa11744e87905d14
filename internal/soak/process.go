package soak

import (
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

// stopTime is how long a bot may take to end after SIGTERM, with a database that is held all the while. The service that is
// in deploy waits for twice as long.
const stopTime = 15 * time.Second

// Exit codes: that of a bot that failed, and of a Go program that panics.
const (
	failed   = 1
	panicked = 2
)

// process is one bot.
type process struct {
	cmd    *exec.Cmd
	exited chan struct{} // closed when code is set
	code   int           // -1 after a signal
}

// start starts a process.
func start(cmd *exec.Cmd) (*process, error) {
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the bot: %w", err)
	}
	p := &process{cmd: cmd, exited: make(chan struct{})}
	go func() {
		err := cmd.Wait()
		p.code = cmd.ProcessState.ExitCode()
		if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
			p.code = -1
		}
		close(p.exited)
	}()
	return p, nil
}

// end sends the signal and waits. It says what was wrong about how the process ended, if anything.
func (p *process) end(signal syscall.Signal) (wrong string) {
	_ = p.cmd.Process.Signal(signal)          // it may have ended already
	_ = p.cmd.Process.Signal(syscall.SIGCONT) // as a service manager does: one that is paused hears nothing else
	if signal == syscall.SIGKILL {
		<-p.exited
		return ""
	}
	late := time.NewTimer(stopTime)
	defer late.Stop()
	select {
	case <-p.exited:
	case <-late.C:
		_ = p.cmd.Process.Kill()
		<-p.exited
		return fmt.Sprintf("did not end within %s of SIGTERM", stopTime)
	}
	if p.code > 0 {
		return fmt.Sprintf("ended after SIGTERM with code %d", p.code)
	}
	return ""
}
