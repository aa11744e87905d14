//go:build !linux

package sqlite

import "os"

// pin does nothing: a lock of the database itself would be dropped whenever SQLite closes a handle on it, or keep SQLite out.
func pin(string) (*os.File, error) { return nil, nil }
