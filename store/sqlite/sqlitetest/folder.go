package sqlitetest

import (
	"os"
	"testing"
)

// memory is the folder in which Linux keeps files in memory.
const memory = "/dev/shm"

// Folder returns a folder for the databases of a test, in memory if the machine has enough: most tests of a store spend half of
// their time waiting for a disk to confirm commits. Tests of disks themselves belong in [testing.T.TempDir], which Folder also
// returns on other machines.
func Folder(t testing.TB) string {
	t.Helper()
	if room(memory) < 256<<20 {
		return t.TempDir()
	}
	folder, err := os.MkdirTemp(memory, "tictactoe-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	return folder
}
