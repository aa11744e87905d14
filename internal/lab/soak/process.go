package soak

import (
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

// stopTime is how long a bot may take to end after SIGTERM, even if its database is locked throughout. The service in folder deploy waits
// twice as long.
const stopTime = 15 * time.Second

// Exit codes of a failed bot and of a Go program that panicked.
const (
	failed   = 1
	panicked = 2
)

// process is a running process of the bot.
type process struct {
	cmd    *exec.Cmd
	exited chan struct{} // closed when code is set
	code   int           // -1 after a signal
}

// start starts the process of a command.
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

// end sends the signal and waits until the process has ended. It returns a description of any fault in how the process ended.
func (p *process) end(signal syscall.Signal) (wrong string) {
	_ = p.cmd.Process.Signal(signal)         // the process may have ended already
	_ = p.cmd.Process.Signal(continueSignal) // a paused process handles no other signal, so service managers also continue it first
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
