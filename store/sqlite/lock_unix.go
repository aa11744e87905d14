//go:build unix

package sqlite

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// tryLock locks a file for this process, if no other process has, and writes the process id into it. It follows no symbolic link, because
// a link would have it empty another file and, as root, give that file away.
func tryLock(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
	if errors.Is(err, syscall.ELOOP) {
		return nil, fmt.Errorf("the lock file %s is a symbolic link; remove it", name)
	}
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		err = stillThere(file)
	}
	if err == nil {
		err = file.Truncate(0)
	}
	if err == nil {
		_, err = fmt.Fprintln(file, os.Getpid())
	}
	if err == nil {
		return file, nil
	}
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = ErrInUse
	}
	return nil, errors.Join(err, file.Close())
}

// mayWrite reports whether this process may write to a file, without opening it.
func mayWrite(path string) error { return syscall.Access(path, 2 /* W_OK */) }
