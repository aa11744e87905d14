//go:build unix

package main

import "syscall"

// freeDisk returns how many bytes this user may still write to the file system of a folder.
func freeDisk(folder string) (uint64, error) {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(folder, &fs); err != nil {
		return 0, err
	}
	return uint64(fs.Bavail) * uint64(fs.Bsize), nil
}
