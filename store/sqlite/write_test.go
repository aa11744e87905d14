package sqlite_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/internal/match"
	"tictactoe/store/sqlite"
)

// saveTogether starts saves so that all of them wait for the same turn, and returns their errors. It calls the function meanwhile while
// the saves wait. No other save may be running.
func saveTogether(t *testing.T, s *sqlite.Store, path string, meanwhile func(), saves ...func() error) []error {
	t.Helper()
	release := occupy(t, path)
	went := make([]error, len(saves))
	done := make(chan struct{})
	for i, save := range saves {
		go func() { went[i] = save(); done <- struct{}{} }()
		synctest.Wait() // the saves queue in this order
	}
	meanwhile()
	release()
	for range saves {
		<-done
	}
	return went
}

// commits returns the number of transactions in the log of a database since the log last started again.
func commits(t *testing.T, path string) (n int) {
	t.Helper()
	log, err := os.ReadFile(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	const header, salt, frame, page = 32, 16, 24, 4096
	for at := header; at+frame+page <= len(log); at += frame + page {
		size := binary.BigEndian.Uint32(log[at+4:])                     // the size of the database, which only the last frame of a transaction has
		if size > 0 && bytes.Equal(log[at+8:at+16], log[salt:salt+8]) { // the frame does not belong to an earlier use of the log
			n++
		}
	}
	return n
}

func TestWaitingSaves(t *testing.T) {
	named := func(ctx context.Context, s *sqlite.Store, name string, more ...match.MatchChange) func() error {
		return func() error {
			return s.Save(ctx, match.Save{Matches: more, Names: []match.Name{{Player: match.User(name), Name: name}}})
		}
	}
	expect := func(t *testing.T, s *sqlite.Store, want ...match.User) {
		t.Helper()
		names, err := s.Names(t.Context(), "a", "b", "c", "d")
		if err != nil {
			t.Fatal(err)
		}
		wanted := map[match.User]string{}
		for _, name := range want {
			wanted[name] = string(name)
		}
		same(t, names, wanted)
	}

	t.Run("share one commit while the first waits", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			path := newPath(t)
			s := open(t, path)
			run(t, raw(t, path), "PRAGMA wal_checkpoint(TRUNCATE)")
			saves := []func() error{named(t.Context(), s, "a"), named(t.Context(), s, "b"), named(t.Context(), s, "c")}
			if went := saveTogether(t, s, path, synctest.Wait, saves...); errors.Join(went...) != nil {
				t.Errorf("got %v", went)
			}
			expect(t, s, "a", "b", "c")
			same(t, commits(t, path), 1)
		})
	})
	t.Run("are made one after the other if one fails, without the abandoned ones", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			path := newPath(t)
			s := open(t, path)
			m := begin("m")
			save(t, s, match.Save{Matches: []match.MatchChange{{To: m}}})
			ctx, giveUp := context.WithCancel(t.Context())
			went := saveTogether(t, s, path, func() { giveUp(); synctest.Wait() },
				named(t.Context(), s, "a"),
				named(t.Context(), s, "b", match.MatchChange{To: m}),
				named(ctx, s, "c"),
				named(t.Context(), s, "d"))
			if went[0] != nil || !errors.Is(went[1], match.ErrExists) || !errors.Is(went[2], match.ErrBusy) || went[3] != nil {
				t.Errorf("got %v", went)
			}
			expect(t, s, "a", "d")
		})
	})
	t.Run("give up at their own deadlines while the writer waits", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			path := newPath(t)
			s := open(t, path)
			release := occupy(t, path)
			saving := func(name string, patience time.Duration) (went chan error) {
				went = make(chan error, 1)
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				t.Cleanup(cancel)
				go func() { went <- named(ctx, s, name)() }()
				synctest.Wait()
				return went
			}
			saving("c", time.Second) // has the turn first, and passes it on when it gives up
			patient, impatient := saving("a", time.Hour), saving("b", 3*time.Second)
			select {
			case err := <-impatient:
				if !errors.Is(err, match.ErrBusy) {
					t.Errorf("got %v", err)
				}
			case <-time.After(time.Minute):
				t.Error("the save still waits after a minute")
			}
			release()
			if err := <-patient; err != nil {
				t.Error(err)
			}
			expect(t, s, "a")
		})
	})
	t.Run("wait until their own deadlines when the writer gives up", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			path := newPath(t)
			s := open(t, path)
			ctx, giveUp := context.WithCancel(t.Context())
			went := saveTogether(t, s, path, func() { giveUp(); synctest.Wait() }, named(ctx, s, "a"), named(t.Context(), s, "b"))
			if !errors.Is(went[0], match.ErrBusy) || went[1] != nil {
				t.Errorf("got %v", went)
			}
			expect(t, s, "b")
		})
	})
	t.Run("do not fail because of a save that rolls the transaction back", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			path := newPath(t)
			s := open(t, path)
			save(t, s, match.Save{Matches: []match.MatchChange{{To: begin("m")}}})
			// SQLite rolls back in this way when it cannot read or write the file.
			spoil := func() error {
				return sqlite.Write(t.Context(), s, "INSERT OR ROLLBACK INTO matches SELECT * FROM matches")
			}
			went := saveTogether(t, s, path, func() {}, named(t.Context(), s, "a"), spoil, named(t.Context(), s, "c"))
			if went[0] != nil || went[1] == nil || went[2] != nil {
				t.Errorf("got %v", went)
			}
			expect(t, s, "a", "c")
		})
	})
	t.Run("are all refused when the file is removed meanwhile", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			path := newPath(t)
			s := opened(t, path)
			told := 0
			s.Health.Tell = func(error) { told++ }
			went := saveTogether(t, s, path, func() { remove(t, path) }, named(t.Context(), s, "a"), named(t.Context(), s, "b"))
			if !errors.Is(went[0], match.ErrUnsaved) || !errors.Is(went[1], match.ErrUnsaved) || told != 1 {
				t.Errorf("got %v, told %d times", went, told)
			}
			expect(t, s)
			shut(t, s)
		})
	})
	t.Run("see the changes of the previous save", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			path := newPath(t)
			s := open(t, path)
			m := begin("m")
			save(t, s, match.Save{Matches: []match.MatchChange{{To: m}}})
			play := func() error {
				return s.Save(t.Context(), match.Save{Matches: []match.MatchChange{{From: m, To: move(t, m)}}})
			}
			went := saveTogether(t, s, path, func() { time.Sleep(time.Second) }, play, play)
			if went[0] != nil || !errors.Is(went[1], match.ErrConflict) {
				t.Errorf("got %v", went)
			}
			same(t, load(t, s, "m"), move(t, m))
		})
	})
}

// The driver ignores unknown options without an error, so the test reads the settings back.
func TestConnectionsHaveTheirSettings(t *testing.T) {
	t.Parallel()
	s := open(t, newPath(t))
	for name, want := range map[string]string{
		"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "secure_delete": "1", "busy_timeout": "1",
	} {
		if value, err := sqlite.Pragma(s, name, true); err != nil || value != want {
			t.Errorf("%s of the writer is %s, %v", name, value, err)
		}
	}
	for name, want := range map[string]string{"query_only": "1", "busy_timeout": "1"} {
		if value, err := sqlite.Pragma(s, name, false); err != nil || value != want {
			t.Errorf("%s of a reader is %s, %v", name, value, err)
		}
	}
}
