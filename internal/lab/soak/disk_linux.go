package soak

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// diskSize is the size of the small disk in bytes: large enough for the database of a long run, and quickly filled.
const diskSize = 256 << 20

// smallDisk mounts a small disk at a folder, which needs the privilege to mount. It returns a function that fills the disk and one that
// unmounts it.
func smallDisk(folder string) (fill func() (empty func(), err error), remove func() error, err error) {
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, fmt.Sprintf("size=%d,mode=700", diskSize)); err != nil {
		return nil, nil, fmt.Errorf("a small disk cannot be mounted here: %w", err)
	}
	filler := filepath.Join(folder, "filler")
	fill = func() (func(), error) {
		file, err := os.Create(filler)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		for block := make([]byte, 1<<20); len(block) > 0; {
			if _, err := file.Write(block); errors.Is(err, syscall.ENOSPC) {
				block = block[:len(block)/2]
			} else if err != nil {
				os.Remove(filler)
				return nil, err
			}
		}
		return func() { os.Remove(filler) }, nil
	}
	return fill, func() error { return syscall.Unmount(folder, syscall.MNT_DETACH) }, nil
}
