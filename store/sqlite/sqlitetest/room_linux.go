package sqlitetest

import "syscall"

// room returns the number of free bytes in a folder; 0 if it is unknown.
func room(folder string) uint64 {
	var s syscall.Statfs_t
	if syscall.Statfs(folder, &s) != nil {
		return 0
	}
	return s.Bavail * uint64(s.Bsize)
}
