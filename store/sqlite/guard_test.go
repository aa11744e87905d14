package sqlite_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tictactoe/internal/longtest"
	"tictactoe/internal/match"
	"tictactoe/store/sqlite"
	"tictactoe/store/storetest"
)

// guarded is a store that watches its files. The test closes it.
func guarded(t testing.TB, path string) *sqlite.Store {
	t.Helper()
	s := open(t, path)
	if err := s.Guard(context.Background()); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestGuardedStore(t *testing.T) {
	longtest.Only(t) // it is all of TestStore once more
	storetest.Run(t, func(t *testing.T) storetest.Store { return guarded(t, prepared(t)) })
}

func TestStandingsOfAGuardedStore(t *testing.T) {
	longtest.Only(t)
	storetest.Standings(t, 5, func(t *testing.T) storetest.Store { return guarded(t, prepared(t)) })
}

// overwrite changes a file in place, as something does that knows nothing of SQLite.
func overwrite(t *testing.T, name string, change func(content []byte) []byte) {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, change(content), 0); err != nil { // truncates it, and writes
		t.Fatal(err)
	}
}

// garbage writes over some bytes of a file and leaves its size.
func garbage(t *testing.T, name string, at int64, length int) {
	t.Helper()
	file, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err == nil {
		_, err = file.WriteAt(bytes.Repeat([]byte{0xa5}, length), at)
	}
	if err = errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
}

// damages are what was done to the files of a bot that runs. The older file is a sound backup.
func damages(older []byte) map[string]func(t *testing.T, path string) {
	cut := func(part int) func([]byte) []byte {
		return func(content []byte) []byte { return content[:len(content)*part/100] }
	}
	return map[string]func(t *testing.T, path string){
		"an older backup is copied over it": func(t *testing.T, path string) {
			overwrite(t, path, func([]byte) []byte { return older })
		},
		"another program's file is copied over it": func(t *testing.T, path string) {
			overwrite(t, path, func([]byte) []byte { return []byte("dear diary") })
		},
		"it is truncated to nothing":      func(t *testing.T, path string) { overwrite(t, path, cut(0)) },
		"it is truncated to a half":       func(t *testing.T, path string) { overwrite(t, path, cut(50)) },
		"garbage is in its header":        func(t *testing.T, path string) { garbage(t, path, 0, 64) },
		"garbage is in its pages":         func(t *testing.T, path string) { garbage(t, path, 5*page+100, 9*page) },
		"its log is truncated to nothing": func(t *testing.T, path string) { overwrite(t, path+"-wal", cut(0)) },
		"its log is truncated": func(t *testing.T, path string) {
			overwrite(t, path+"-wal", func(content []byte) []byte { return content[:logHeader+7*frame/2] })
		},
		"garbage is in the header of its log": func(t *testing.T, path string) {
			garbage(t, path+"-wal", 0, 64)
		},
		"garbage is in its log": func(t *testing.T, path string) { garbage(t, path+"-wal", logHeader+frame+200, 3*page) },
	}
}

// play saves moves of matches until something cannot be saved, and returns what was acknowledged.
func play(s *sqlite.Store, name string, enough func(moves int) bool) (saved map[match.ID]match.Match, failed error) {
	saved = make(map[match.ID]match.Match)
	for n, moves := 0, 0; ; n++ {
		m := begin(match.ID(fmt.Sprint(name, n)))
		err := s.Save(context.Background(), match.Save{Matches: []match.MatchChange{{To: m}}, Names: []match.Name{{Player: "alice", Name: name}}})
		for ; err == nil; moves++ {
			saved[m.ID] = m
			if m.Result.Over() {
				break
			}
			if enough(moves) {
				return saved, nil
			}
			next, wrong := moved(m)
			if wrong != nil {
				return saved, wrong
			}
			if err = s.Save(context.Background(), match.Save{Matches: []match.MatchChange{{From: m, To: next}}}); err == nil {
				m = next
			}
		}
		if err != nil {
			return saved, err
		}
	}
}

// rescued is the file that a store has put beside its own.
func rescued(t *testing.T, path string) string {
	t.Helper()
	found, err := filepath.Glob(path + ".rescued-*.bak")
	if err != nil || len(found) != 1 {
		t.Fatalf("rescued: %q, %v", found, err)
	}
	return found[0]
}

// wantSaved sees that a file is sound and holds these matches, at least so far: what was being saved at the time may be there
// as well.
func wantSaved(t *testing.T, file string, saved map[match.ID]match.Match) {
	t.Helper()
	same(t, checked(t, file).Findings, []sqlite.Finding{})
	copied := newPath(t)
	clone(t, file, copied, "")
	s := opened(t, copied)
	defer shut(t, s)
	for id, m := range saved {
		if have := load(t, s, id); have.Version < m.Version || have.Version > m.Version+1 {
			t.Errorf("match %s has version %d, and %d was saved", id, have.Version, m.Version)
		}
	}
}

func TestAFileThatIsWrittenOver(t *testing.T) {
	longtest.Only(t)
	older, newer := newPath(t), newPath(t)
	s := opened(t, older)
	everything(t, s)
	shut(t, s)
	backup, err := os.ReadFile(older)
	if err != nil {
		t.Fatal(err)
	}
	clone(t, older, newer, "")
	s = opened(t, newer)
	if _, err := play(s, "since", func(n int) bool { return n == 200 }); err != nil {
		t.Fatal(err)
	}
	shut(t, s)
	for name, damage := range damages(backup) {
		for _, moves := range []int{30, 300} { // of which the second are in the file for the most part
			t.Run(fmt.Sprintf("%s, after %d moves", name, moves), func(t *testing.T) {
				path := newPath(t)
				clone(t, newer, path, "")
				s := guarded(t, path)
				var told []string
				s.Health.Tell = func(err error) { told = append(told, fmt.Sprint(err)) }
				saved, err := play(s, "before", func(n int) bool { return n == moves })
				if err != nil {
					t.Fatal(err)
				}
				damage(t, path)
				left, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				for range 2 {
					if err := s.Save(t.Context(), match.Save{Matches: []match.MatchChange{{To: begin("after")}}}); !errors.Is(err, match.ErrUnsaved) {
						t.Fatalf("got %v", err)
					}
				}
				if _, err := s.Match(t.Context(), "before0"); !errors.Is(err, match.ErrUnsaved) {
					t.Errorf("what is read there is still believed: %v", err)
				}
				file := rescued(t, path)
				if len(told) != 1 || !strings.Contains(told[0], "written to by something else") || !strings.Contains(told[0], "all that was saved is in "+file) {
					t.Errorf("told %q", told)
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
				wantSaved(t, file, saved)
				if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, left) {
					t.Errorf("what somebody has put there was changed: %v", err)
				}
				if size := len(files(t, filepath.Dir(path))); size != 3 { // it, what was rescued, and the log
					t.Errorf("%d files are left", size)
				}
			})
		}
	}
}

// Moves are acknowledged until it is noticed, and every one of them is kept.
func TestAFileThatIsWrittenOverWhileMany(t *testing.T) {
	longtest.Only(t)
	filled := func(name string) (path string) {
		path = newPath(t)
		s := opened(t, path)
		if _, err := play(s, name, func(n int) bool { return n == 400 }); err != nil {
			t.Fatal(err)
		}
		shut(t, s)
		return path
	}
	since := filled("since") // a backup that equals the file, but for what is in the log, would be no damage
	backup, err := os.ReadFile(filled("other"))
	if err != nil {
		t.Fatal(err)
	}
	for name, damage := range damages(backup) {
		if strings.Contains(name, "log is") && !strings.Contains(name, "nothing") {
			continue // what is left of an older log is not missed
		}
		t.Run(name, func(t *testing.T) {
			path := newPath(t)
			clone(t, since, path, "")
			s := guarded(t, path)
			var mu sync.Mutex
			saved, errs := make(map[match.ID]match.Match), []error{}
			var players sync.WaitGroup
			begun := make(chan struct{}, 4)
			for n := range cap(begun) {
				players.Go(func() {
					mine, err := play(s, fmt.Sprint("p", n, "-"), func(moves int) bool {
						if moves == 60 {
							begun <- struct{}{}
						}
						return moves > 2000
					})
					mu.Lock()
					defer mu.Unlock()
					errs = append(errs, err)
					for id, m := range mine {
						saved[id] = m
					}
				})
			}
			for range cap(begun) {
				<-begun
			}
			damage(t, path)
			players.Wait()
			if strings.Contains(name, "log is") && !slices.ContainsFunc(errs, func(err error) bool { return err != nil }) {
				wantSaved(t, path, saved) // all of the log was in the database just then: nothing was lost
				return
			}
			for _, err := range errs {
				if !errors.Is(err, match.ErrUnsaved) {
					t.Errorf("got %v", err)
				}
			}
			shut(t, s)
			wantSaved(t, rescued(t, path), saved)
		})
	}
}

func TestWhatIsNoDamage(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	s := guarded(t, path)
	saved, err := play(s, "m", func(n int) bool { return n == 700 })
	if err != nil {
		t.Fatal(err)
	}
	other := raw(t, path)
	for name, do := range map[string]func(t *testing.T){
		"touched":                               func(t *testing.T) { touch(t, path) },
		"its log":                               func(t *testing.T) { touch(t, path+"-wal") },
		"its mode":                              func(t *testing.T) { os.Chmod(path, 0o640) },
		"another process moves the log into it": func(t *testing.T) { run(t, other, "PRAGMA wal_checkpoint(FULL)") },
		"another process empties the log":       func(t *testing.T) { run(t, other, "PRAGMA wal_checkpoint(TRUNCATE)") },
		"another process writes":                func(t *testing.T) { run(t, other, "UPDATE players SET name = 'eve'") },
		"another process writes, empties the log and writes": func(t *testing.T) {
			run(t, other, "UPDATE players SET name = 'a'; PRAGMA wal_checkpoint(TRUNCATE); UPDATE players SET name = 'b'")
		},
		"another process empties the log and moves it once more": func(t *testing.T) {
			run(t, other, "PRAGMA wal_checkpoint(TRUNCATE); UPDATE players SET name = 'c'; PRAGMA wal_checkpoint(FULL)")
		},
		"another process gives up what did not fit in its memory": func(t *testing.T) {
			run(t, other, "PRAGMA cache_size = 5; BEGIN; UPDATE moves SET at = at + 1; ROLLBACK")
		},
		"a backup": func(t *testing.T) {
			if err := sqlite.Backup(t.Context(), path, newPath(t), nil); err != nil {
				t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			do(t)
			more, err := play(s, name, func(n int) bool { return n == 40 })
			if err != nil {
				t.Fatal(err)
			}
			for id, m := range more {
				saved[id] = m
			}
		})
	}
	var name string
	if err := other.QueryRow("SELECT name FROM players").Scan(&name); err != nil {
		t.Fatal(err)
	}
	// What others have saved is kept as well.
	wantGuarded(t, s, path, saved)
}

// The time that the file system notes moves on every few milliseconds only, and by then another process may have written, moved
// the log into the file, and left a log of the size that it had before.
func TestAnotherProcessAtTheSameMoment(t *testing.T) {
	for name, does := range map[string]string{
		"moves the log":              "UPDATE players SET name = 'a'; PRAGMA wal_checkpoint(FULL)",
		"moves the log and writes":   "UPDATE players SET name = 'a'; PRAGMA wal_checkpoint(RESTART); UPDATE players SET name = 'b'",
		"writes and moves all of it": "PRAGMA wal_checkpoint(RESTART); UPDATE players SET name = 'a'; PRAGMA wal_checkpoint(FULL)",
	} {
		t.Run(name, func(t *testing.T) {
			path := newPath(t)
			s := guarded(t, path)
			saved, err := play(s, "m", func(n int) bool { return n == 40 })
			if err != nil {
				t.Fatal(err)
			}
			other := raw(t, path)
			run(t, other, "PRAGMA wal_checkpoint(RESTART)")                                       // the next log is in a file with room for more
			if err := s.Save(t.Context(), match.Save{Seen: match.Seen{At: noon()}}); err != nil { // of other pages than what follows
				t.Fatal(err)
			}
			log, err := os.Stat(path + "-wal")
			if err != nil {
				t.Fatal(err)
			}

			run(t, other, does)
			if now, err := os.Stat(path + "-wal"); err != nil || now.Size() != log.Size() {
				t.Fatalf("the log has another size: %v", err)
			}
			if err := os.Chtimes(path+"-wal", time.Time{}, log.ModTime()); err != nil {
				t.Fatal(err)
			}
			touch(t, path)
			after, err := play(s, "after", func(n int) bool { return n == 40 })
			if err != nil {
				t.Fatal(err)
			}
			maps.Copy(saved, after)
			wantGuarded(t, s, path, saved)
		})
	}
}

// A log that is empty whenever the guard looks may have been written and moved into the file in between.
func TestAnotherProcessEmptiesTheLogTwice(t *testing.T) {
	path := newPath(t)
	s := guarded(t, path)
	saved, err := play(s, "m", func(n int) bool { return n == 40 })
	if err != nil {
		t.Fatal(err)
	}
	other := raw(t, path)
	run(t, other, "PRAGMA wal_checkpoint(TRUNCATE)")
	if err := sqlite.Write(t.Context(), s, "DELETE FROM players WHERE FALSE"); err != nil { // the guard looks, and nothing is written
		t.Fatal(err)
	}
	run(t, other, "UPDATE players SET name = 'a'; PRAGMA wal_checkpoint(TRUNCATE)")
	after, err := play(s, "after", func(n int) bool { return n == 40 })
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(saved, after)
	wantGuarded(t, s, path, saved)
}

// Whoever empties the log after a commit, so that it is not in there any more, does not take it from what is rescued.
func TestAnotherProcessEmptiesTheLogRightAfterACommit(t *testing.T) {
	older := newPath(t)
	shut(t, opened(t, older))
	for name, more := range map[string]int{"the log begins anew with it": 0, "the log goes on with it": 40} {
		t.Run(name, func(t *testing.T) {
			path := newPath(t)
			s := guarded(t, path)
			saved, err := play(s, "m", func(n int) bool { return n == 40 })
			if err != nil {
				t.Fatal(err)
			}
			other := raw(t, path)
			run(t, other, "PRAGMA busy_timeout = 0")
			run(t, other, "PRAGMA wal_checkpoint(FULL)")
			if more > 0 {
				since, err := play(s, "since", func(n int) bool { return n == more })
				if err != nil {
					t.Fatal(err)
				}
				maps.Copy(saved, since)
			}
			err = sqlite.WriteAnd(t.Context(), s, "INSERT INTO players (id, name) VALUES ('last', 'of all')", func() {
				run(t, other, "PRAGMA wal_checkpoint(TRUNCATE)")
				clone(t, older, path, "")
			})
			if err != nil && !strings.Contains(err.Error(), "written to by something else") {
				t.Fatal(err)
			}
			if err := s.Save(t.Context(), match.Save{Seen: match.Seen{At: noon()}}); !errors.Is(err, match.ErrUnsaved) {
				t.Errorf("got %v", err)
			}
			file := rescued(t, path)
			wantSaved(t, file, saved)
			var last string
			if err := raw(t, file).QueryRow("SELECT name FROM players WHERE id = 'last'").Scan(&last); err != nil {
				t.Errorf("what was committed last: %v", err)
			}
		})
	}
}

// Without a copy, what SQLite can still read is rescued.
func TestADatabaseTooLargeForACopyIsRescuedAsFarAsItCanBeRead(t *testing.T) {
	defer func(before int64) { *sqlite.LargestCopy = before }(*sqlite.LargestCopy)
	*sqlite.LargestCopy = 0
	path := newPath(t)
	s := guarded(t, path)
	saved, err := play(s, "m", func(n int) bool { return n == 40 })
	if err != nil {
		t.Fatal(err)
	}
	touch(t, path)
	if err := s.Save(t.Context(), match.Save{Seen: match.Seen{At: noon()}}); !errors.Is(err, match.ErrUnsaved) || !strings.Contains(err.Error(), "what could still be read is in") {
		t.Errorf("got %v", err)
	}
	wantSaved(t, rescued(t, path), saved)
}

// wantGuarded sees that a store goes on noticing damage, and has in its copy what was saved.
func wantGuarded(t *testing.T, s *sqlite.Store, path string, saved map[match.ID]match.Match) {
	t.Helper()
	overwrite(t, path, func([]byte) []byte { return nil })
	if err := s.Save(t.Context(), match.Save{Seen: match.Seen{At: noon()}}); !errors.Is(err, match.ErrUnsaved) {
		t.Errorf("got %v", err)
	}
	wantSaved(t, rescued(t, path), saved)
}

// Another process may empty the log and write to it at any instant, also between two glances at it.
func TestAnotherProcessAtAnyInstant(t *testing.T) {
	longtest.Only(t)
	path := newPath(t)
	s := guarded(t, path)
	other := raw(t, path)
	over := make(chan struct{})
	var process sync.WaitGroup
	process.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-over:
				return
			default:
			}
			for _, statement := range []string{fmt.Sprint("UPDATE players SET name = 'eve", n, "'"), "PRAGMA wal_checkpoint(TRUNCATE)"} {
				if _, err := other.Exec(statement); err != nil && !strings.Contains(err.Error(), "locked") {
					t.Error(err)
				}
			}
		}
	})
	saved, err := play(s, "m", func(n int) bool { return n == 1500 })
	close(over)
	process.Wait()
	if err == nil {
		err = s.Save(t.Context(), match.Save{Seen: match.Seen{At: noon()}}) // sees what the other has done last
	}
	if err != nil {
		t.Fatal(err)
	}
	wantGuarded(t, s, path, saved)
}

func touch(t *testing.T, name string) {
	t.Helper()
	if err := os.Chtimes(name, time.Time{}, noon()); err != nil {
		t.Fatal(err)
	}
}

func TestARequestThatEndsAtItsCommitIsNoDamage(t *testing.T) {
	s := guarded(t, newPath(t))
	ctx, cancel := context.WithCancel(t.Context())
	if err := sqlite.WriteAnd(ctx, s, "INSERT INTO players (id, name) VALUES ('p', 'P')", cancel); err != nil {
		t.Error(err)
	}
	if err := s.SetClosed(t.Context(), "p", true); err != nil {
		t.Error(err)
	}
}
