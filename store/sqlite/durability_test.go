package sqlite_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"sync"
	"testing"

	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/store/sqlite"
)

func TestRestart(t *testing.T) {
	t.Run("all values survive a restart", func(t *testing.T) {
		path := newPath(t)
		s, err := sqlite.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		want := move(t, move(t, begin("m")))
		save(t, s, match.Save{
			Matches: []match.MatchChange{{To: want}},
			Names:   []match.Name{{Player: "alice", Name: "Alice"}},
			Seen:    match.Seen{At: noon()},
			Extras:  []match.Extra{board.Reference{ID: "m", Channel: "channel", Message: "message", Token: "token", Expires: noon()}},
		})
		shut(t, s)

		s = open(t, path)
		same(t, load(t, s, "m"), want)
		b, err := s.Board(t.Context(), "m")
		if err != nil {
			t.Fatal(err)
		}
		same(t, b, board.Board{ID: "m", Channel: "channel", Message: "message", Token: "token", Expires: noon()})
		seen, err := s.LastSeen(t.Context(), match.Partition{})
		if err != nil {
			t.Fatal(err)
		}
		same(t, seen, noon())
	})
	t.Run("a closed database is one file", func(t *testing.T) {
		path := newPath(t)
		s, err := sqlite.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		save(t, s, match.Save{Matches: []match.MatchChange{{To: begin("m")}}})
		shut(t, s)
		for _, ending := range []string{"-wal", "-shm", "-journal"} {
			if _, err := os.Stat(path + ending); err == nil {
				t.Errorf("the file %s still exists", ending)
			}
		}
	})
}

func TestCrash(t *testing.T) {
	t.Run("between the first page of a checkpoint and the others", func(t *testing.T) {
		whole, path := newPath(t), newPath(t)
		s := open(t, whole)
		var many match.Save
		for i := range 400 {
			many.Matches = append(many.Matches, match.MatchChange{To: begin(match.ID(rune('A' + i)))})
		}
		save(t, s, many)
		clone(t, whole, path, "", "-wal")
		copyFirstPage(t, path)
		for _, r := range []match.ID{"A", match.ID(rune('A' + 399))} {
			load(t, open(t, path), r)
		}
	})
	t.Run("acknowledged saves are in the file and its log at any instant", func(t *testing.T) {
		path := newPath(t)
		s := open(t, path)

		// An open reader keeps the log from being moved into the file, so copying one file after the other copies one state of
		// both.
		reader := raw(t, path)
		run(t, reader, "BEGIN")
		run(t, reader, "SELECT count(*) FROM matches")

		var mu sync.Mutex
		acknowledged := make(map[match.ID]match.Match)
		enough := make(chan struct{})
		var once sync.Once
		ctx, stop := context.WithCancel(t.Context())
		var players sync.WaitGroup
		for player := range 4 {
			players.Go(func() {
				for n := 0; ctx.Err() == nil; n++ {
					m := begin(match.ID(fmt.Sprintf("%d-%d", player, n)))
					for change := (match.MatchChange{To: m}); ; {
						if s.Save(ctx, match.Save{Matches: []match.MatchChange{change}}) != nil {
							return
						}
						mu.Lock()
						acknowledged[m.ID] = m
						if len(acknowledged) == 40 {
							once.Do(func() { close(enough) })
						}
						mu.Unlock()
						if m.Result.Over() {
							break
						}
						next := move(t, m)
						change, m = match.MatchChange{From: m, To: next}, next
					}
				}
			})
		}
		<-enough
		mu.Lock()
		want := maps.Clone(acknowledged)
		mu.Unlock()
		crashed := newPath(t)
		clone(t, path, crashed, "", "-wal")
		stop()
		players.Wait()
		run(t, reader, "ROLLBACK")

		after := open(t, crashed)
		for id, m := range want {
			found := load(t, after, id)
			if found.Version < m.Version {
				t.Errorf("match %s: version %d was acknowledged, the file has version %d", id, m.Version, found.Version)
			}
		}
		if n, err := after.RebuildScores(t.Context(), nil); n > 0 || err != nil {
			t.Errorf("%d scores are wrong, %v", n, err)
		}
	})
}

// copyFirstPage does the first step of a checkpoint: it copies the newest first page from the log to the file. The header of the
// file then gives a length that the file does not have yet. https://www.sqlite.org/fileformat.html#the_write_ahead_log
func copyFirstPage(t *testing.T, path string) {
	t.Helper()
	log, err := os.ReadFile(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	size := int(binary.BigEndian.Uint32(log[8:]))
	var first []byte
	for frame := log[32:]; len(frame) >= 24+size; frame = frame[24+size:] {
		if binary.BigEndian.Uint32(frame) == 1 {
			first = frame[24 : 24+size]
		}
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if first == nil || int64(binary.BigEndian.Uint32(first[28:]))*int64(size) <= info.Size() {
		t.Fatal("the log has no first page, or the file is as long as it says")
	}
	if _, err := file.WriteAt(first, 0); err != nil {
		t.Fatal(err)
	}
}
