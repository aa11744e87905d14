package soak

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// stopTime is how long a bot may take to end after SIGTERM, with a database that is held all the while. The service that is
// in deploy waits for twice as long.
const stopTime = 15 * time.Second

// panicked is the exit code of a Go program that panics.
const panicked = 2

// process is one bot.
type process struct {
	cmd    *exec.Cmd
	exited chan struct{} // closed when code is set
	code   int           // -1 after a signal
}

// launch starts a bot as its operator would.
func (s *soak) launch() (*process, error) {
	cmd := exec.Command(s.config.Program, "serve", "--db", s.db, "--discord-url", s.address, "--log-level", "warn")
	cmd.Env = []string{"DISCORD_TOKEN=" + token, "HOME=" + s.folder, "PATH=" + os.Getenv("PATH")}
	cmd.Stdout, cmd.Stderr = s.log, s.log
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
	_ = p.cmd.Process.Signal(signal) // it may have ended already
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

// rise starts the bot that the players have, and watches it: if it ends by itself, that is noted and it is started again.
func (s *soak) rise() error {
	p, err := s.launch()
	if err != nil {
		return err
	}
	s.main = p
	s.work.Go(func() {
		<-p.exited
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.main != p {
			return // it was told to end
		}
		// Beside a twin it may refuse the database, and it does not begin on a full disk.
		if p.code == panicked || s.twins == 0 && s.full.Load() == 0 {
			s.record.add(Event{Kind: Died, Text: fmt.Sprintf("ended by itself with code %d", p.code)})
		}
		time.Sleep(restartTime)
		if err := s.rise(); err != nil {
			s.fail(err)
		}
	})
	return nil
}

// restartTime is how long a service manager waits.
const restartTime = 200 * time.Millisecond

// restart ends the bot by the signal and starts it after a while.
func (s *soak) restart(signal syscall.Signal, after time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.main
	s.main = nil
	s.noteEnd(p, p.end(signal))
	time.Sleep(after)
	return s.rise()
}

// twin runs a second bot on the same database until told to stop. It may refuse to.
func (s *soak) twin(until <-chan struct{}) error {
	s.mu.Lock()
	p, err := s.launch()
	s.twins++
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.twins--
		s.mu.Unlock()
	}()
	if err != nil {
		return err
	}
	wrong := ""
	select {
	case <-p.exited:
		if p.code == panicked {
			wrong = fmt.Sprintf("beside another ended with code %d", p.code)
		}
	case <-until:
		wrong = p.end(syscall.SIGTERM)
	}
	s.noteEnd(p, wrong)
	return nil
}

// noteEnd notes what was wrong about how a process ended, if anything. On a full disk it may say that it failed to put away
// the database's log: nothing of it is lost.
func (s *soak) noteEnd(p *process, wrong string) {
	if wrong != "" && (p.code != 1 || s.full.Load() == 0) {
		s.record.add(Event{Kind: Died, Text: wrong})
	}
}
