//go:build unix

package draft

import (
	"io/fs"
	"syscall"
)

// Owner returns the ids of the user and the group that own a file, or -1 on systems without such ids.
func Owner(file fs.FileInfo) (user, group int) {
	s := file.Sys().(*syscall.Stat_t)
	return int(s.Uid), int(s.Gid)
}
