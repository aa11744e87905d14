//go:build unix

package sqlite

import "syscall"

// mayWrite tells whether this process may write to a file, without opening it.
func mayWrite(path string) error { return syscall.Access(path, 2 /* W_OK */) }
