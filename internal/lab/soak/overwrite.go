package soak

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

const (
	// overwriteTime is how long the bot may take to notice that its database was written over. While players move it notices with the
	// next commit, and otherwise within five seconds.
	overwriteTime = 10 * time.Second
	// lookPause is the time between two looks whether the bot has noticed.
	lookPause = 50 * time.Millisecond
)

// overwrite writes over the file of the database, and then does what an operator would: when the bot has written its rescued copy,
// overwrite stops the bot, restores the copy and starts the bot again. It does nothing while another fault of the process or of its
// disk is under way.
func (s *soak) overwrite(run context.Context, f Planned) error {
	if !s.intact.TryLock() {
		return nil
	}
	defer s.intact.Unlock()
	s.fleet.storageFaults.Add(1) // the bot cannot write back the log of a database that was written over
	defer s.fleet.storageFaults.Add(-1)
	path := s.db.address()
	over := s.record.began(Event{Fault: f.Fault, Text: []string{"garbage", "nothing left"}[f.Strength%2]})
	defer over()
	if err := damage(path, f.Strength%2 == 0); err != nil {
		return err
	}
	rescued, err := s.rescued(run, path)
	if err != nil {
		return err
	}
	if rescued == "" {
		s.record.add(Event{Kind: Died, Text: fmt.Sprintf("did not notice within %s that its database was written over", overwriteTime)})
		return nil
	}
	return s.absent(run, Stop, func() (bool, error) {
		var failed error
		err := s.fleet.restart(s.fleet.replicas[0], syscall.SIGTERM, f.For, func(int) func() {
			return func() { failed = s.restore(path, rescued) }
		})
		if err == nil {
			err = failed
		}
		return true, err
	})
}

// damage writes garbage over the beginning of a file, or leaves nothing of it.
func damage(path string, garbage bool) error {
	if !garbage {
		return os.Truncate(path, 0)
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.Write(bytes.Repeat([]byte("garbage "), 2048))
	return errors.Join(err, file.Close())
}

// rescued waits for the copy of the database that the bot rescues, and returns its path, or the empty string if there is none in time.
func (s *soak) rescued(run context.Context, path string) (string, error) {
	late := time.NewTimer(overwriteTime)
	defer late.Stop()
	look := time.NewTicker(lookPause)
	defer look.Stop()
	for {
		found, err := filepath.Glob(path + ".rescued-*.bak")
		if err != nil || len(found) > 0 {
			return append(found, "")[0], err
		}
		select {
		case <-look.C:
		case <-late.C:
			return "", nil
		case <-run.Done():
			return "", run.Err()
		}
	}
}

// restore puts the rescued copy in the place of the file that was written over, by the program's own command, and removes all other
// files of both.
func (s *soak) restore(path, rescued string) error {
	said, err := exec.Command(s.config.Program, "db", "restore", "--db", path, rescued).CombinedOutput()
	if err != nil {
		s.record.add(Event{Kind: Died, Text: fmt.Sprintf("left a rescued copy that cannot be restored: %v: %s", err, said)})
		if err := os.Rename(rescued, path); err != nil { // so that the run goes on, and all of it is judged
			return err
		}
	}
	for _, pattern := range []string{".rescued-*", ".replaced-*"} {
		files, err := filepath.Glob(path + pattern)
		if err != nil {
			return err
		}
		for _, file := range files {
			if err := os.Remove(file); err != nil {
				return err
			}
		}
	}
	return nil
}
