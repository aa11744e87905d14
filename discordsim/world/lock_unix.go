//go:build unix

package world

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lockState locks a state file for this simulator until unlockState is called or the process ends. The lock is on a separate file
// beside it, because the state file itself is replaced from time to time. A symbolic link in its place is not followed.
func lockState(path string) (*os.File, error) {
	file, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
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

// unlockState releases a state file. Closing the lock's file is not enough while a child process is being started, which holds
// the file open until it executes its own program.
func unlockState(file *os.File) {
	_ = syscall.Flock(int(file.Fd()), syscall.LOCK_UN)
	file.Close()
}
