package sqlite_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/store/sqlite"
)

// checked returns the report of a check.
func checked(t testing.TB, path string) sqlite.Report {
	t.Helper()
	r, err := sqlite.Check(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// full returns the path of a closed database with rows in every table, and its matches by id.
func full(t testing.TB) (path string, all map[match.ID]match.Match) {
	t.Helper()
	path = newPath(t)
	made.once.Do(func() {
		s := opened(t, path)
		made.all = everything(t, s)
		shut(t, s)
		alter(t, path, "INSERT INTO replays VALUES ('elsewhere', '3x3x3', 1, 'm-late')") // a store makes such a row only with thousands of matches
		alter(t, path, "INSERT INTO recounts VALUES ('elsewhere', 'carol')")             // the same is true of this row
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		made.content = content
	})
	if err := os.WriteFile(path, made.content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path, made.all
}

// made caches the database that full makes, because saving takes long on a busy disk.
var made struct {
	once    sync.Once
	content []byte
	all     map[match.ID]match.Match
}

// The bot's container image has no folder for temporary files.
func TestCheckWithoutTemporaryFolder(t *testing.T) {
	path, restored := built(t, "testdata/schema-32.sql"), newPath(t)
	t.Setenv("TMPDIR", filepath.Join(filepath.Dir(path), "nowhere"))
	if r := checked(t, path); r.Schema != 32 || r.Moves != 36 || len(r.Findings) > 0 {
		t.Errorf("%+v", r)
	}
	if _, err := sqlite.Restore(t.Context(), path, restored, nil); err != nil {
		t.Error(err)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	t.Run("a sound database is counted and not changed", func(t *testing.T) {
		path, all := full(t)
		before := files(t, filepath.Dir(path))
		r := checked(t, path)
		same(t, r.Findings, []sqlite.Finding{})
		same(t, []int{r.Matches, r.Moves, r.Challenges, r.Scores, r.Boards}, []int{len(all), 44, 5, 18, 21})
		same(t, files(t, filepath.Dir(path)), before)
	})
	t.Run("the rematch of a best-of series begins a series of its own", func(t *testing.T) {
		path, _ := full(t)
		alter(t, path, "UPDATE matches SET best_of = 3 WHERE id IN ('m-first', 'm-second')")
		alter(t, path, "UPDATE matches SET series = id WHERE id = 'm-second'")
		same(t, checked(t, path).Findings, []sqlite.Finding{})
	})
	t.Run("the progress reaches the total", func(t *testing.T) {
		path, all := full(t)
		var last, whole int
		if _, err := sqlite.Check(t.Context(), path, func(done, all int) { last, whole = done, all }); err != nil {
			t.Fatal(err)
		}
		same(t, []int{last, whole}, []int{len(all), len(all)})
	})
	t.Run("the check includes the write-ahead log", func(t *testing.T) {
		path := newPath(t)
		everything(t, open(t, path))
		copied := newPath(t)
		clone(t, path, copied, "", "-wal")
		for _, path := range []string{path, copied} {
			if r := checked(t, path); r.Moves != 44 || len(r.Findings) > 0 {
				t.Errorf("%+v", r)
			}
		}
	})
	for name, test := range map[string]struct {
		damage, where, what string
		remedy              sqlite.Remedy
	}{
		"a move on a taken square":              {"UPDATE moves SET square = 0 WHERE match = 'm-first' AND ply = 1", "match m-first", "taken", sqlite.RestoreBackup},
		"a missing move":                        {"DELETE FROM moves WHERE match = 'm-drawn' AND ply = 3", "match m-drawn", "ply 3 is missing", sqlite.RestoreBackup},
		"a result that nobody played":           {"UPDATE matches SET outcome = 'O' WHERE id = 'm-first'", "match m-first", "the result is O wins by line", sqlite.RestoreBackup},
		"a challenge of unknown rules":          {"UPDATE challenges SET rules = '9' WHERE id = 'c-pending'", "challenge c-pending", "", sqlite.RestoreBackup},
		"a move of no match":                    {"PRAGMA foreign_keys = 0; INSERT INTO moves VALUES ('nowhere', 0, 0, 0)", "the file", "a row of moves refers to one of matches that is not there", sqlite.RestoreBackup},
		"a rematch that is gone":                {"PRAGMA foreign_keys = 0; DELETE FROM moves WHERE match = 'm-second'; DELETE FROM boards WHERE id = 'm-second'; DELETE FROM matches WHERE id = 'm-second'", "match m-first", "its rematch is not there", sqlite.RestoreBackup},
		"an accepted challenge without a match": {"UPDATE challenges SET status = 'accepted' WHERE id = 'c-declined'", "challenge c-declined", "its match is not there", sqlite.RestoreBackup},
		"a game without its arena":              {"DELETE FROM entrants; DELETE FROM arenas", "match dc3bvivgibgai", "its arena is not there", sqlite.RestoreBackup},
		"an entrant of no arena":                {"UPDATE entrants SET arena = 'nothing' WHERE player = 'bob'", "entrant of arena nothing", "the arena is not there", sqlite.RestoreBackup},
		"a board of nothing":                    {"UPDATE boards SET id = 'nowhere' WHERE id = 'c-declined'", "board nowhere", "no match, challenge or arena", sqlite.LeaveIt},
		"a board that will not be redrawn":      {"UPDATE boards SET latest = 1 WHERE id = 'm-second'", "board m-second", "latest", sqlite.RebuildScores},
		"a score that was added to":             {"UPDATE scores SET wins = 7 WHERE venue = 'home' AND player = 'alice' AND level = '' AND rules = ''", "scores venue=home player=alice season=0 rules= level=", "wins is 7 and should be 2", sqlite.RebuildScores},
		"a score that is missing":               {"DELETE FROM scores WHERE venue = 'home' AND player = 'alice' AND level = 'easy' AND rules <> ''", "scores venue=home player=alice season=0 rules=3x3x3 level=easy", "it is missing", sqlite.RebuildScores},
		"a score out of nothing":                {"INSERT INTO scores (venue, player, season, rules, level, wins, draws, losses, reached) VALUES ('', 'eve', 0, '', '', 9, 0, 0, 1)", "scores venue= player=eve season=0 rules= level=", "the matches do not lead to it", sqlite.RebuildScores},
		"a score reached too early":             {"UPDATE scores SET reached = 5 WHERE venue = '' AND player = 'bob' AND rules = ''", "scores venue= player=bob season=0 rules= level=", "reached is 5 and should be ", sqlite.RebuildScores},
		"a standing that is wrong":              {"UPDATE standings SET place = '7' || place WHERE venue = 'home' AND leaderboard = 'people' AND rules = '' AND player = 'alice'", "standings venue=home season=0 rules= leaderboard=people player=alice", "place is 7", sqlite.RebuildScores},
		"a standing that is missing":            {"DELETE FROM standings WHERE leaderboard = 'draws' AND rules <> '' AND player = 'bob'", "standings venue=home season=0 rules=3x3x3 leaderboard=draws player=bob", "it is missing", sqlite.RebuildScores},
		"a standing out of nothing":             {"INSERT INTO standings (venue, player, season, rules, leaderboard, place) VALUES ('home', 'eve', 0, '', 'computers', '9')", "standings venue=home season=0 rules= leaderboard=computers player=eve", "do not lead to it", sqlite.RebuildScores},
		"a run of draws that is wrong":          {"UPDATE scores SET run = 7 WHERE level = 'unbeatable' AND rules = ''", "scores venue=home player=bob season=0 rules= level=unbeatable", "run is 7 and should be ", sqlite.RebuildScores},
		"a rated match that does not count":     {"INSERT INTO rated SELECT venue, rules, player, at + 1, 'nowhere', opponent, score, weight, met, other_value, other_deviation, value, deviation, volatility, wins, draws, losses, opponents FROM rated WHERE player = 'alice'", "rated venue=home rules=3x3x3 player=alice at=1772366400001 match=nowhere", "the matches do not lead to it", sqlite.RebuildScores},
		"a match that is not rated":             {"DELETE FROM rated WHERE player = 'alice'", "rated venue=home rules=3x3x3 player=alice at=1772366400000 match=m-rated", "it is missing", sqlite.RebuildScores},
		"a rated match with another value":      {"UPDATE rated SET value = value + 0.000001 WHERE player = 'bob'", "rated venue=home rules=3x3x3 player=bob at=1772366400000 match=m-rated", "value is 1403.811891 and should be 1403.81189", sqlite.RebuildScores},
		"a rated match with another opponent":   {"UPDATE rated SET opponent = 'eve' WHERE player = 'bob'", "rated venue=home rules=3x3x3 player=bob at=1772366400000 match=m-rated", "opponent is eve and should be alice", sqlite.RebuildScores},
		"a first match that is another":         {"UPDATE rated SET met = 0 WHERE player = 'alice'", "rated venue=home rules=3x3x3 player=alice at=1772366400000 match=m-rated", "met is false and should be true", sqlite.RebuildScores},
		"a rating in another's place":           {"UPDATE standings SET place = '0' WHERE leaderboard = 'rating' AND player = 'bob'", "standings venue=home season=0 rules=3x3x3 leaderboard=rating player=bob", "place is 0 and should be 1", sqlite.RebuildScores},
		"a rating that is missing":              {"DELETE FROM standings WHERE leaderboard = 'rating' AND player = 'alice'", "standings venue=home season=0 rules=3x3x3 leaderboard=rating player=alice", "it is missing", sqlite.RebuildScores},
		"a standing that says something else":   {"UPDATE standings SET wins = wins + 7 WHERE leaderboard = 'rating' AND player = 'alice'", "standings venue=home season=0 rules=3x3x3 leaderboard=rating player=alice", "wins is 8 and should be 1", sqlite.RebuildScores},
		"a standing that says nothing":          {"UPDATE standings SET value = NULL WHERE leaderboard = 'rating' AND player = 'alice'", "standings venue=home season=0 rules=3x3x3 leaderboard=rating player=alice", "value is 0 and should be 1", sqlite.RebuildScores},
		"a rating out of nothing":               {"INSERT INTO standings (venue, player, season, rules, leaderboard, place) SELECT venue, 'eve', season, rules, leaderboard, place || 'eve' FROM standings WHERE leaderboard = 'rating' AND player = 'alice'", "standings venue=home season=0 rules=3x3x3 leaderboard=rating player=eve", "the matches do not lead to it", sqlite.RebuildScores},
		"a review that says too much":           {"UPDATE matches SET x_critical = 5 WHERE id = 'm-first'", "match m-first", "more than its moves can bear", sqlite.RebuildScores},
		"a review that counts other moves":      {"UPDATE matches SET plies = 4 WHERE id = 'm-first'", "match m-first", "more than its moves can bear", sqlite.RebuildScores},
	} {
		t.Run(name+" is the only finding", func(t *testing.T) {
			path, _ := full(t)
			alter(t, path, test.damage)
			r := checked(t, path)
			if len(r.Findings) != 1 {
				t.Fatalf("%+v", r.Findings)
			}
			f := r.Findings[0]
			if f.Where != test.where || !strings.Contains(f.What, test.what) || f.Remedy != test.remedy {
				t.Errorf("%+v", f)
			}
			if test.remedy != sqlite.RebuildScores {
				return
			}
			s := opened(t, path)
			boards, err := s.RebuildBoards(t.Context())
			if about := strings.HasPrefix(test.where, "board"); err != nil || (boards == 1) != about {
				t.Errorf("corrected %d boards: %v", boards, err)
			}
			if _, err := s.RebuildScores(t.Context(), nil); err != nil {
				t.Error(err)
			}
			shut(t, s)
			same(t, checked(t, path).Findings, []sqlite.Finding{})
		})
	}
	t.Run("damage is found", func(t *testing.T) {
		path, _ := full(t)
		spoil(t, path)
		if r := checked(t, path); len(r.Findings) == 0 || r.Findings[0].Remedy != sqlite.RestoreBackup {
			t.Errorf("%+v", r)
		}
	})
	t.Run("an older schema is checked in its migrated state", func(t *testing.T) {
		path := built(t, "testdata/schema-32.sql")
		before := files(t, filepath.Dir(path))
		r := checked(t, path)
		if r.Schema != 32 || r.Moves != 36 || len(r.Findings) > 0 {
			t.Errorf("%+v", r)
		}
		same(t, files(t, filepath.Dir(path)), before)
		alter(t, path, "UPDATE boards SET latest = latest + 7 WHERE id = (SELECT min(id) FROM boards)")
		if r := checked(t, path); len(r.Findings) != 1 {
			t.Errorf("%+v", r)
		}
	})
	t.Run("a foreign file cannot be checked", func(t *testing.T) {
		path, _ := full(t)
		alter(t, path, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)")
		if _, err := sqlite.Check(t.Context(), path, nil); !errors.Is(err, sqlite.ErrNewer) {
			t.Errorf("got %v", err)
		}
		if _, err := sqlite.Check(t.Context(), newPath(t), nil); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("got %v", err)
		}
		for _, text := range []string{"", "dear diary"} {
			path := newPath(t)
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := sqlite.Check(t.Context(), path, nil); !errors.Is(err, sqlite.ErrForeign) {
				t.Errorf("%q: got %v", text, err)
			}
		}
	})
}

// spoil overwrites parts of every page except the first.
func spoil(t testing.TB, path string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096; i < len(content); i += 7 {
		content[i] = 0xa5
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestBackup(t *testing.T) {
	t.Run("a backup shows one moment while the bot runs on", func(t *testing.T) {
		path := newPath(t)
		s := open(t, path)
		everything(t, s)
		ctx, stop := context.WithCancel(t.Context())
		var playing sync.WaitGroup
		playing.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				m := begin(match.ID("x" + string(rune('0'+n%10)) + strings.Repeat("y", n/10)))
				if s.Save(ctx, match.Save{Matches: []match.MatchChange{{To: m}}}) != nil {
					return
				}
				for !m.Result.Over() && ctx.Err() == nil {
					next := move(t, m)
					if s.Save(ctx, match.Save{Matches: []match.MatchChange{{From: m, To: next}}}) != nil {
						return
					}
					m = next
				}
			}
		})
		for range 10 {
			to := newPath(t)
			if err := sqlite.Backup(t.Context(), path, to, nil); err != nil {
				t.Fatal(err)
			}
			same(t, checked(t, to).Findings, []sqlite.Finding{})
			same(t, len(files(t, filepath.Dir(to))), 1)
		}
		stop()
		playing.Wait()
		same(t, checked(t, path).Findings, []sqlite.Finding{})
	})
	t.Run("a backup is readable for its owner only, and a store can open it", func(t *testing.T) {
		path, all := full(t)
		before := files(t, filepath.Dir(path))
		to := newPath(t)
		if err := sqlite.Backup(t.Context(), path, to, nil); err != nil {
			t.Fatal(err)
		}
		same(t, files(t, filepath.Dir(path)), before)
		if info, err := os.Stat(to); err != nil || info.Mode() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		s := open(t, to)
		for id, m := range all {
			same(t, load(t, s, id), m)
		}
	})
	t.Run("an existing file is not overwritten", func(t *testing.T) {
		path, _ := full(t)
		before := files(t, filepath.Dir(path))
		if err := sqlite.Backup(t.Context(), path, path, nil); !errors.Is(err, sqlite.ErrThere) {
			t.Errorf("got %v", err)
		}
		same(t, files(t, filepath.Dir(path)), before)
	})
	t.Run("a file that appears during the copy is not overwritten", func(t *testing.T) {
		path := newPath(t)
		s := open(t, path)
		for _, statement := range []string{"CREATE TABLE filler AS SELECT zeroblob(3000000) AS bytes", "DROP TABLE filler"} { // makes the file large enough for several steps
			if err := sqlite.Write(t.Context(), s, statement); err != nil {
				t.Fatal(err)
			}
		}
		to := newPath(t)
		err := sqlite.Backup(t.Context(), path, to, func(int, int) {
			if err := os.WriteFile(to, []byte("another"), 0o600); err != nil {
				t.Error(err)
			}
		})
		if !errors.Is(err, sqlite.ErrThere) {
			t.Errorf("got %v", err)
		}
		if content, err := os.ReadFile(to); string(content) != "another" {
			t.Errorf("the file now has %d bytes, %v", len(content), err)
		}
		if entries, err := os.ReadDir(filepath.Dir(to)); len(entries) != 1 {
			t.Errorf("%v, %v", entries, err)
		}
	})
	t.Run("no file is left of an interrupted copy, or of a copy of a damaged database", func(t *testing.T) {
		path, _ := full(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		to := newPath(t)
		if err := sqlite.Backup(ctx, path, to, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		spoil(t, path)
		if err := sqlite.Backup(t.Context(), path, to, nil); !errors.Is(err, sqlite.ErrDamaged) {
			t.Errorf("got %v", err)
		}
		same(t, len(files(t, filepath.Dir(to))), 0)
	})
}

func TestRestore(t *testing.T) {
	t.Parallel()
	backup := func(t *testing.T, path string) (to string) {
		t.Helper()
		to = newPath(t)
		if err := sqlite.Backup(t.Context(), path, to, nil); err != nil {
			t.Fatal(err)
		}
		return to
	}
	// started returns a database and a backup of it. The database has one match that began after the backup.
	started := func(t *testing.T) (path, copied string, all map[match.ID]match.Match) {
		t.Helper()
		path, all = full(t)
		copied = backup(t, path)
		s := opened(t, path)
		save(t, s, match.Save{Matches: []match.MatchChange{{To: begin("later")}}})
		shut(t, s)
		return path, copied, all
	}
	t.Run("a backup replaces the database, which is kept under another name", func(t *testing.T) {
		path, copied, all := started(t)
		before := files(t, filepath.Dir(copied))
		r, err := sqlite.Restore(t.Context(), copied, path, nil)
		if err != nil {
			t.Fatal(err)
		}
		same(t, files(t, filepath.Dir(copied)), before)
		aside, err := filepath.Glob(path + ".replaced-*")
		if err != nil || len(aside) != 1 {
			t.Errorf("%q, %v", aside, err)
		}
		load(t, open(t, r.Kept), "later")
		s := open(t, path)
		for id, m := range all {
			same(t, load(t, s, id), m)
		}
		if _, err := s.Match(t.Context(), "later"); !errors.Is(err, match.ErrNotFound) {
			t.Errorf("got %v", err)
		}
		// The board of a running match may show moves that the restored database does not contain.
		behind, err := s.Behind(t.Context(), match.Partition{}, "", 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []match.ID{"c-pending", "m-second"} {
			if !slices.Contains(behind, id) {
				t.Errorf("board %s is not redrawn: %v", id, behind)
			}
		}
		if slices.Contains(behind, "m-drawn") {
			t.Error("the board of a deleted message is redrawn")
		}
	})
	t.Run("the log of a killed bot is kept with the old database", func(t *testing.T) {
		path := newPath(t)
		s := open(t, path)
		everything(t, s)
		copied := backup(t, path)
		save(t, s, match.Save{Matches: []match.MatchChange{{To: begin("later")}}})
		killed := newPath(t)
		clone(t, path, killed, "", "-wal", "-shm")
		r, err := sqlite.Restore(t.Context(), copied, killed, nil)
		if err != nil {
			t.Fatal(err)
		}
		load(t, open(t, r.Kept), "later")
		if _, err := open(t, killed).Match(t.Context(), "later"); !errors.Is(err, match.ErrNotFound) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a damaged database is replaced, and kept with its log", func(t *testing.T) {
		path := newPath(t)
		s := open(t, path)
		everything(t, s)
		copied := backup(t, path)
		spoilt := newPath(t)
		clone(t, path, spoilt, "", "-wal", "-shm")
		spoil(t, spoilt)
		if _, err := sqlite.Restore(t.Context(), copied, spoilt, nil); err != nil {
			t.Fatal(err)
		}
		same(t, checked(t, spoilt).Findings, []sqlite.Finding{})
	})
	t.Run("a missing database is created", func(t *testing.T) {
		_, copied, _ := started(t)
		path := filepath.Join(t.TempDir(), "one", "x.db")
		r, err := sqlite.Restore(t.Context(), copied, path, nil)
		if err != nil || r.Kept != "" || !r.Unknown {
			t.Errorf("%+v, %v", r, err)
		}
		same(t, checked(t, path).Findings, []sqlite.Finding{})
	})
	t.Run("a backup of an older schema is migrated when the bot starts", func(t *testing.T) {
		path, _, all := started(t)
		if _, err := sqlite.Restore(t.Context(), built(t, "testdata/schema-32.sql"), path, nil); err != nil {
			t.Fatal(err)
		}
		want := all["m-second"]
		want.Proposer = game.None // the old schema did not record the proposer
		want.Shown.Locale = "en-US"
		same(t, load(t, open(t, path), "m-second"), want)
	})
	t.Run("a backup that only its own version can use is restored", func(t *testing.T) {
		path, copied, _ := started(t)
		alter(t, copied, "DELETE FROM goose_db_version WHERE version_id >= 35") // migration 35 fails: its column exists already
		if err := sqlite.TryMigration(t.Context(), copied); !errors.Is(err, sqlite.ErrMigration) {
			t.Fatalf("got %v", err)
		}
		if _, err := sqlite.Restore(t.Context(), copied, path, nil); err != nil {
			t.Fatal(err)
		}
		if version, known, err := sqlite.Inspect(t.Context(), path); err != nil || version != 34 {
			t.Errorf("schema %d of %d, %v", version, known, err)
		}
		spoil(t, copied)
		if _, err := sqlite.Restore(t.Context(), copied, path, nil); err == nil {
			t.Error("a damaged backup was restored")
		}
	})
	t.Run("refused without any change", func(t *testing.T) {
		for name, test := range map[string]struct {
			prepare func(t *testing.T, path, copied string)
			want    func(err error) bool
		}{
			"while a bot has the database": {func(t *testing.T, path, copied string) {
				lock, err := sqlite.Acquire(t.Context(), path, 0)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { lock.Release() })
			}, is(sqlite.ErrInUse)},
			"when the backup breaks a law": {func(t *testing.T, path, copied string) {
				alter(t, copied, "DELETE FROM moves WHERE match = 'm-drawn' AND ply = 3")
			}, func(err error) bool { unfit := (*sqlite.UnfitError)(nil); return errors.As(err, &unfit) }},
			"when the backup is damaged": {func(t *testing.T, path, copied string) { spoil(t, copied) },
				func(err error) bool { unfit := (*sqlite.UnfitError)(nil); return errors.As(err, &unfit) }},
			"when the backup is of a newer version": {func(t *testing.T, path, copied string) {
				alter(t, copied, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)")
			}, is(sqlite.ErrNewer)},
			"when the backup is of another program": {func(t *testing.T, path, copied string) {
				alter(t, copied, "PRAGMA application_id = 1")
			}, is(sqlite.ErrForeign)},
			"when the database is of another program": {func(t *testing.T, path, copied string) {
				alter(t, path, "PRAGMA application_id = 1")
			}, func(err error) bool {
				return errors.Is(err, sqlite.ErrForeign) && strings.Contains(err.Error(), "move that file away")
			}},
			"when the backup is not there": {func(t *testing.T, path, copied string) {
				if err := os.Remove(copied); err != nil {
					t.Fatal(err)
				}
			}, is(os.ErrNotExist)},
			"when the backup is the database": {func(t *testing.T, path, copied string) {
				if err := os.Remove(copied); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(path, copied); err != nil {
					t.Fatal(err)
				}
			}, func(err error) bool { return err != nil && strings.Contains(err.Error(), "the database itself") }},
		} {
			t.Run(name, func(t *testing.T) {
				path, copied, _ := started(t)
				test.prepare(t, path, copied)
				before := files(t, filepath.Dir(path))
				_, err := sqlite.Restore(t.Context(), copied, path, nil)
				if !test.want(err) {
					t.Errorf("got %v", err)
				}
				same(t, files(t, filepath.Dir(path)), before)
			})
		}
	})
}

func is(want error) func(err error) bool { return func(err error) bool { return errors.Is(err, want) } }

func TestExport(t *testing.T) {
	t.Run("each match becomes one line", func(t *testing.T) {
		path, all := full(t)
		var out bytes.Buffer
		n, err := sqlite.Export(t.Context(), path, &out, nil)
		if err != nil || n != len(all) {
			t.Errorf("%d, %v", n, err)
		}
		const golden = "testdata/export.jsonl"
		if *update {
			if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(out.String(), "\n")); diff != "" {
			t.Error(diff)
		}
		for line := range strings.Lines(out.String()) {
			if !json.Valid([]byte(line)) {
				t.Errorf("not JSON: %s", line)
			}
		}
	})
	t.Run("an inconsistent match is named, and all others are exported", func(t *testing.T) {
		path, all := full(t)
		alter(t, path, "DELETE FROM moves WHERE match = 'm-drawn' AND ply = 3")
		var out bytes.Buffer
		n, err := sqlite.Export(t.Context(), path, &out, nil)
		var unreadable *sqlite.UnreadableError
		if !errors.As(err, &unreadable) || unreadable.ID != "m-drawn" {
			t.Errorf("got %v", err)
		}
		same(t, []int{n, strings.Count(out.String(), "\n")}, []int{len(all) - 1, len(all) - 1})
	})
}

func TestConstraintsHoldAgainAfterARebuild(t *testing.T) {
	s := opened(t, newPath(t))
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 10 { // a rebuild reads the venues in which matches have ended
		playOut(t, s, random, match.ID(fmt.Sprint(n)))
	}
	if _, err := s.RebuildScores(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if err := sqlite.Write(t.Context(), s, "INSERT INTO claims (id, until) VALUES ('', 1)"); err == nil {
		t.Error("a claim without an id was saved")
	}
}

// A rebuild can find damage that the short check at the start did not reach, and so can its second connection.
func TestARebuildOfADamagedFileEnds(t *testing.T) {
	path := newPath(t)
	s := opened(t, path)
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 60 {
		playOut(t, s, random, match.ID(fmt.Sprint(n)))
	}
	shut(t, s)
	db := raw(t, path)
	var page int64
	if err := db.QueryRowContext(t.Context(), "SELECT rootpage FROM sqlite_schema WHERE name = 'moves'").Scan(&page); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteAt(bytes.Repeat([]byte{0xff}, 100), (page-1)*4096); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	defer func(before time.Duration) { *sqlite.CheckTime = before }(*sqlite.CheckTime)
	*sqlite.CheckTime = 0
	damaged := opened(t, path)
	if _, err := damaged.RebuildScores(t.Context(), nil); err == nil {
		t.Error("the damaged file was rebuilt")
	}
	_ = damaged.Close() // fails because of the damage
}
