package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tictactoe/store/sqlite"
)

// lockedBy is the environment variable that makes this test program a second process, which holds the lock of a database.
const lockedBy = "TICTACTOE_TEST_LOCK"

func TestMain(m *testing.M) {
	if path := os.Getenv(lockedBy); path != "" {
		os.Exit(lockAndWait(path))
	}
	if path := os.Getenv(writtenBy); path != "" {
		fmt.Fprintln(os.Stderr, writeForEver(path))
		os.Exit(1)
	}
	if path := os.Getenv(replayedBy); path != "" {
		fmt.Fprintln(os.Stderr, voidForEver(path))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// lockAndWait locks a database, prints a line, and keeps the lock until its standard input ends.
func lockAndWait(path string) int {
	if _, err := sqlite.Acquire(context.Background(), path, 0); err != nil {
		os.Stdout.WriteString(err.Error() + "\n")
		return 1
	}
	os.Stdout.WriteString("locked\n")
	os.Stdin.Read(make([]byte, 1))
	return 0
}

func TestLock(t *testing.T) {
	acquire := func(t *testing.T, path string, patience time.Duration) *sqlite.Lock {
		t.Helper()
		lock, err := sqlite.Acquire(t.Context(), path, patience)
		if err != nil {
			t.Fatal(err)
		}
		return lock
	}
	release := func(t *testing.T, lock *sqlite.Lock) {
		t.Helper()
		if err := lock.Release(); err != nil {
			t.Error(err)
		}
	}
	refused := func(t *testing.T, path string, patience time.Duration) error {
		t.Helper()
		lock, err := sqlite.Acquire(t.Context(), path, patience)
		if err == nil {
			release(t, lock)
		}
		if !errors.Is(err, sqlite.ErrInUse) {
			t.Errorf("got %v", err)
		}
		return err
	}

	touch := func(t *testing.T, path string) {
		t.Helper()
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}

	t.Run("a holder leaves no file behind", func(t *testing.T) {
		path := newPath(t)
		lock := acquire(t, path, 0)
		refused(t, path, 0)
		release(t, lock)
		release(t, acquire(t, path, 0))
		same(t, len(files(t, filepath.Dir(path))), 0)
	})
	t.Run("the next holder removes the program's unfinished copies, and no other file", func(t *testing.T) {
		path, link := newPath(t), newPath(t)
		open(t, path)
		if err := os.Symlink(path, link); err != nil {
			t.Fatal(err)
		}
		for _, left := range []string{"", ".before-33.bak", ".daily-2026-11-21.bak", ".key", ".erasures"} {
			for _, ending := range []string{"", "-wal", "-shm", "-journal"} {
				touch(t, path+left+".new-123"+ending)
				touch(t, link+left+".new-4"+ending)
			}
		}
		kept := []string{".key", ".new-", ".new-1x", ".new-mine", ".before-33.bak", ".before-x.bak.new-1", ".daily-2026-11-21.bak", ".daily-mine.bak.new-1",
			".monday.bak.new-1", ".new-1.bak", "2.new-1", ".new-1-wal2"}
		for _, ending := range kept {
			touch(t, path+ending)
		}
		release(t, acquire(t, link, 0))
		for _, name := range []string{path, link} {
			for left := range files(t, filepath.Dir(name)) {
				ending := strings.TrimPrefix(left, filepath.Base(name))
				if !slices.Contains(append(kept, "", "-wal", "-shm"), ending) {
					t.Errorf("%s still exists", left)
				}
			}
		}
		for _, ending := range kept {
			if _, err := os.Stat(path + ending); err != nil {
				t.Error(err)
			}
		}
	})
	t.Run("a holder whose lock file was removed does not remove the file of the next holder", func(t *testing.T) {
		path := newPath(t)
		first := acquire(t, path, 0)
		remove(t, path+".lock")
		second := acquire(t, path, 0)
		release(t, first)
		refused(t, path, 0)
		release(t, second)
	})
	t.Run("all names of a database share one lock", func(t *testing.T) {
		path := newPath(t)
		open(t, path)
		link := newPath(t)
		if err := os.Symlink(path, link); err != nil {
			t.Fatal(err)
		}
		defer release(t, acquire(t, path, 0))
		refused(t, link, 0)
		t.Chdir(filepath.Dir(path))
		refused(t, filepath.Base(path), 0)
	})
	t.Run("a symbolic link in place of the lock file is not followed", func(t *testing.T) {
		path, other := newPath(t), newPath(t)
		if err := os.WriteFile(other, []byte("precious"), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, target := range []string{other, other + ".missing"} {
			if err := os.Symlink(target, path+".lock"); err != nil {
				t.Fatal(err)
			}
			lock, err := sqlite.Acquire(t.Context(), path, 0)
			if err == nil {
				release(t, lock)
			}
			if !errors.Is(err, sqlite.ErrNotWritable) || !strings.Contains(err.Error(), path+".lock is a symbolic link; remove it") {
				t.Errorf("link to %s: %v", target, err)
			}
			remove(t, path+".lock")
		}
		left := files(t, filepath.Dir(other))
		same(t, left[filepath.Base(other)].Content, "precious")
		same(t, len(left), 1)
	})
	t.Run("a waiting process gets the lock as soon as it is free", func(t *testing.T) {
		path := newPath(t)
		lock := acquire(t, path, 0)
		time.AfterFunc(100*time.Millisecond, func() { release(t, lock) })
		release(t, acquire(t, path, time.Minute))
	})
	t.Run("a waiting process is refused after its patience", func(t *testing.T) {
		path := newPath(t)
		defer release(t, acquire(t, path, 0))
		begun := time.Now()
		refused(t, path, 200*time.Millisecond)
		if waited := time.Since(begun); waited < 200*time.Millisecond {
			t.Errorf("it was refused after %v", waited)
		}
	})
	t.Run("the error names the holder, and the lock ends when the holder is killed", func(t *testing.T) {
		path := newPath(t)
		other := exec.Command(os.Args[0])
		other.Env = append(os.Environ(), lockedBy+"="+path)
		stdin, err := other.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		defer stdin.Close()
		stdout, err := other.StdoutPipe()
		if err == nil {
			err = other.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		said := make([]byte, 64)
		n, err := stdout.Read(said)
		if err != nil || string(said[:n]) != "locked\n" {
			t.Fatalf("the process printed %q, %v", said[:n], err)
		}
		if err := refused(t, path, 0); err != nil && !strings.Contains(err.Error(), "process "+strconv.Itoa(other.Process.Pid)) {
			t.Errorf("%v does not name process %d", err, other.Process.Pid)
		}
		if err := other.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		other.Wait()
		release(t, acquire(t, path, 0))
	})
	t.Run("of many processes only one holds the lock at any time", func(t *testing.T) {
		path := newPath(t)
		holding := make(chan struct{}, 1)
		done := make(chan error)
		for range 8 {
			go func() {
				for range 20 {
					lock, err := sqlite.Acquire(context.Background(), path, time.Minute)
					if err != nil {
						done <- err
						return
					}
					select {
					case holding <- struct{}{}:
					default:
						done <- errors.New("two holders have the lock")
						return
					}
					<-holding
					if err := lock.Release(); err != nil {
						done <- err
						return
					}
				}
				done <- nil
			}()
		}
		for range 8 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	})
}
