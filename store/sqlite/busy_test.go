package sqlite_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/internal/match"
	"tictactoe/store/sqlite"
)

// occupy holds the write lock of a file with another connection until release is called.
func occupy(t *testing.T, path string) (release func()) {
	t.Helper()
	db := raw(t, path)
	run(t, db, "BEGIN IMMEDIATE")
	return func() {
		if _, err := db.ExecContext(context.Background(), "ROLLBACK"); err != nil {
			t.Error(err)
		}
	}
}

func TestBusy(t *testing.T) {
	seen := match.Save{Seen: match.Seen{At: noon()}}

	t.Run("a save gives up when its context ends, and saves nothing", func(t *testing.T) {
		path := newPath(t)
		s := open(t, path)
		release := occupy(t, path)
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		begun := time.Now()
		err := s.Save(ctx, seen)
		if !errors.Is(err, match.ErrBusy) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		// SQLite ignores the context for a quarter of a second at most. The rest of the time is for a slow machine.
		if took := time.Since(begun); took > 2*time.Second {
			t.Errorf("the save took %s", took)
		}
		release()
		if at, err := s.LastSeen(t.Context(), match.Partition{}); err != nil || !at.IsZero() {
			t.Errorf("saved %v, %v", at, err)
		}
		save(t, s, seen)
	})
	t.Run("a save that waits its turn behind another gives up at once when its context ends", func(t *testing.T) {
		path := newPath(t)
		s := open(t, path)
		release := occupy(t, path)
		first := make(chan error, 1)
		patient, cancel := context.WithCancel(t.Context())
		go func() { first <- s.Save(patient, seen) }()
		ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer stop()
		if err := s.Save(ctx, seen); !errors.Is(err, match.ErrBusy) {
			t.Errorf("got %v", err)
		}
		cancel()
		if err := <-first; !errors.Is(err, match.ErrBusy) || !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		release()
	})
	t.Run("a save waits until its context ends", func(t *testing.T) {
		path := newPath(t)
		s := open(t, path)
		release := occupy(t, path)
		saved := make(chan error, 1)
		go func() { saved <- s.Save(context.WithoutCancel(t.Context()), seen) }()
		select {
		case err := <-saved:
			t.Fatalf("the save did not wait: %v", err)
		case <-time.After(600 * time.Millisecond):
		}
		release()
		if err := <-saved; err != nil {
			t.Error(err)
		}
	})
	t.Run("reading does not wait for a writer", func(t *testing.T) {
		path := newPath(t)
		s := open(t, path)
		save(t, s, match.Save{Matches: []match.MatchChange{{To: begin("m")}}})
		defer occupy(t, path)()
		same(t, load(t, s, "m"), begin("m"))
	})
	t.Run("opening gives up when another process keeps the lock", func(t *testing.T) {
		path := newPath(t)
		s, err := sqlite.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		shut(t, s)
		db := raw(t, path)
		run(t, db, "PRAGMA locking_mode = EXCLUSIVE")
		run(t, db, "BEGIN IMMEDIATE")
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		if _, err := sqlite.Open(ctx, path); !errors.Is(err, match.ErrBusy) {
			t.Errorf("got %v", err)
		}
	})
}

func TestBusyWithFakeTime(t *testing.T) {
	t.Run("a save gives up when its context ends", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			path := newPath(t)
			s := open(t, path)
			release := occupy(t, path)
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			begun := time.Now()
			if err := s.Save(ctx, match.Save{Seen: match.Seen{At: noon()}}); !errors.Is(err, match.ErrBusy) {
				t.Errorf("got %v", err)
			}
			same(t, time.Since(begun), 2*time.Second)
			release()
		})
	})
	t.Run("a save goes on when the file is free", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			path := newPath(t)
			s := open(t, path)
			release := occupy(t, path)
			begun := time.Now()
			time.AfterFunc(time.Second, release)
			save(t, s, match.Save{Seen: match.Seen{At: noon()}})
			if waited := time.Since(begun); waited < time.Second || waited > 2*time.Second {
				t.Errorf("the save waited %s", waited)
			}
		})
	})
}
