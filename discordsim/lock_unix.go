//go:build unix

package discordsim

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lockState takes a state file for this simulator alone, until unlockState gives it back or the process ends however it
// ends. The lock is on a file of its own beside it, because the state file itself is replaced now and then.
func lockState(path string) (*os.File, error) {
	file, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("keeping the state: %w", err)
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = fmt.Errorf("%w: %s belongs to another simulator that runs now", ErrInUse, path)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// unlockState gives a state file back. To close the lock's file alone would not do while a process is being started, which
// has that file until its own program begins.
func unlockState(file *os.File) {
	_ = syscall.Flock(int(file.Fd()), syscall.LOCK_UN)
	file.Close()
}
