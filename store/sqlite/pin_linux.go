package sqlite

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// Linux knows locks that belong to an open file rather than to a process, so that closing another handle on the file does
// not drop them: fcntl(2), open file description locks.
const setOpenFileLock = 37

// pinned is a byte of a database far behind those that SQLite locks and that it ever writes.
const pinned = 1 << 62

// pin locks a database itself, if there is one, so that it is locked by whichever name it is reached. It returns nothing
// where that cannot be done: there the lock is of the name alone.
func pin(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, nil // it is not there yet, or opening it will tell why it cannot be used
	}
	lock := syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart, Start: pinned, Len: 1}
	err = syscall.FcntlFlock(file.Fd(), setOpenFileLock, &lock)
	if err == nil {
		return file, nil
	}
	file.Close()
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) {
		return nil, fmt.Errorf("%w, by another name of the same file", ErrInUse)
	}
	return nil, nil
}
