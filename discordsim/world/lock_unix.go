//go:build unix

package world

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lockState locks a state file for this simulator until unlockState is called or the process ends. It locks a
// separate file beside the state file, because the state file is replaced from time to time. If the lock file is a
// symbolic link, lockState returns an error.
func lockState(path string) (*os.File, error) {
	file, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, fmt.Errorf("keeping the state: %w", err)
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = fmt.Errorf("%w: %s is used by another running simulator", ErrInUse, path)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// unlockState releases a state file. Closing the lock file is not enough, because a child process that is just being
// started holds it open until it executes its own program.
func unlockState(file *os.File) {
	_ = syscall.Flock(int(file.Fd()), syscall.LOCK_UN)
	file.Close()
}
