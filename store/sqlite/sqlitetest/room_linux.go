package sqlitetest

import "syscall"

// room is how many bytes are free in a folder; 0 if nobody knows.
func room(folder string) uint64 {
	var s syscall.Statfs_t
	if syscall.Statfs(folder, &s) != nil {
		return 0
	}
	return s.Bavail * uint64(s.Bsize)
}
