package sqlite_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"testing"

	"tictactoe/internal/longtest"
	"tictactoe/internal/match"
	"tictactoe/store/sqlite"
)

// A write-ahead log consists of a header and frames. Each frame consists of a header and a page (SQLite's file format, section
// 4.1).
const (
	logHeader   = 32
	frameHeader = 24
	page        = 4096
	frame       = frameHeader + page
)

// acknowledged holds the saves that were acknowledged when the given number of bytes of the log was on disk.
type acknowledged struct {
	bytes   int
	moves   int
	matches map[match.ID]match.Match
}

// recording plays matches on a store, and notes the size of the log after each save.
type recording struct {
	t       *testing.T
	path    string
	store   *sqlite.Store
	matches map[match.ID]match.Match
	moves   int
	saved   []acknowledged
}

func (r *recording) save(m match.Match, what match.Save) {
	r.t.Helper()
	save(r.t, r.store, what)
	r.matches[m.ID] = m
	r.note()
}

func (r *recording) note() {
	r.t.Helper()
	var busy, frames, done int
	if err := raw(r.t, r.path).QueryRow("PRAGMA wal_checkpoint(NOOP)").Scan(&busy, &frames, &done); err != nil {
		r.t.Fatal(err)
	}
	r.saved = append(r.saved, acknowledged{logHeader + frames*frame, r.moves, maps.Clone(r.matches)})
}

// play begins a match and plays it to its end.
func (r *recording) play(id match.ID) {
	r.t.Helper()
	m := begin(id)
	r.save(m, match.Save{Matches: []match.MatchChange{{To: m}}, Names: []match.Name{{Player: "alice", Name: string(id)}}})
	for !m.Result.Over() {
		next := move(r.t, m)
		r.moves++
		r.save(next, match.Save{Matches: []match.MatchChange{{From: m, To: next}}})
		m = next
	}
}

// at returns the saves that were acknowledged when the log had the given size. After a power cut exactly these saves must be there,
// because no other save was complete.
func (r *recording) at(bytes int) acknowledged {
	found := r.saved[0]
	for _, a := range r.saved {
		if a.bytes <= bytes {
			found = a
		}
	}
	return found
}

func (r *recording) read(ending string) []byte {
	r.t.Helper()
	content, err := os.ReadFile(r.path + ending)
	if err != nil {
		r.t.Fatal(err)
	}
	return content
}

// wantAfterCut starts a bot on the files after a power cut, and compares the matches with the acknowledged saves.
func wantAfterCut(t *testing.T, name string, main, log []byte, want acknowledged, thorough bool) {
	t.Helper()
	path := newPath(t)
	for ending, content := range map[string][]byte{"": main, "-wal": log} {
		if err := os.WriteFile(path+ending, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	defer os.Remove(path) // removed early, because a test makes many files
	r, err := sqlite.Check(context.Background(), path, nil)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(r.Findings) > 0 {
		t.Fatalf("%s: %+v", name, r.Findings)
	}
	if r.Moves != want.moves || r.Matches != len(want.matches) {
		t.Fatalf("%s: found %d moves of %d matches; %d moves of %d matches were acknowledged", name, r.Moves, r.Matches, want.moves, len(want.matches))
	}
	if !thorough {
		return
	}
	s := opened(t, path)
	defer shut(t, s)
	for id, m := range want.matches {
		same(t, load(t, s, id), m)
	}
	if err := s.Save(context.Background(), match.Save{Matches: []match.MatchChange{{To: begin("after")}}}); err != nil {
		t.Errorf("%s: the store cannot save: %v", name, err)
	}
}

// cuts returns the positions in a log where a power cut is simulated: the ends of frames, and places within their headers and
// pages.
func cuts(log []byte) (places []int) {
	for end := logHeader; end <= len(log); end += frame {
		places = append(places, end)
		for _, inside := range []int{1, frameHeader, frameHeader + 512, frame - 1} {
			if end+inside < len(log) {
				places = append(places, end+inside)
			}
		}
	}
	return places
}

// agreeing returns the length of the common start of a and b. The tests replace lost bytes by zeros, so bytes that were zeros before
// count as not lost.
func agreeing(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func TestPowerCut(t *testing.T) {
	longtest.Only(t)
	path := newPath(t)
	r := &recording{t: t, path: path, store: opened(t, path), matches: map[match.ID]match.Match{}}
	defer shut(t, r.store)
	other := raw(t, path)
	run(t, other, "PRAGMA wal_checkpoint(TRUNCATE)")
	r.note()
	first := r.read("")
	r.play("one")
	early, firstLog := *r, r.read("-wal")
	if !bytes.Equal(first, r.read("")) {
		t.Fatal("a checkpoint wrote to the file, so the test proves nothing")
	}
	all := early.at(len(firstLog))

	t.Run("while a log grows: complete transactions survive, incomplete ones do not", func(t *testing.T) {
		for _, cut := range cuts(firstLog) {
			wantAfterCut(t, fmt.Sprintf("cut at %d", cut), first, firstLog[:cut], early.at(cut), (cut-logHeader)%(4*frame) == 0)
		}
	})
	t.Run("while a log grows, the length of the file ahead of its content", func(t *testing.T) {
		for _, cut := range cuts(firstLog) {
			torn := make([]byte, len(firstLog))
			copy(torn, firstLog[:cut])
			wantAfterCut(t, fmt.Sprintf("cut at %d", cut), first, torn, early.at(agreeing(torn, firstLog)), false)
		}
	})
	t.Run("while a log grows, later sectors before earlier ones", func(t *testing.T) {
		for hole := logHeader; hole < len(firstLog); hole += frame {
			torn := bytes.Clone(firstLog)
			clear(torn[hole+512 : hole+1024])
			wantAfterCut(t, fmt.Sprintf("hole at %d", hole), first, torn, early.at(agreeing(torn, firstLog)), false)
		}
	})

	run(t, other, "PRAGMA wal_checkpoint(FULL)")
	second := r.read("")
	t.Run("while the log is moved into the file: any of its sectors may be there", func(t *testing.T) {
		chance := rand.New(rand.NewPCG(1, 2))
		for n := range 60 {
			torn := bytes.Clone(first)
			for at := 0; at < len(second); at += 512 {
				if chance.IntN(60) >= n { // more sectors in each round
					continue
				}
				if at+512 > len(torn) {
					torn = append(torn, make([]byte, at+512-len(torn))...)
				}
				copy(torn[at:], second[at:at+512])
			}
			wantAfterCut(t, fmt.Sprintf("mixture %d", n), torn, firstLog, all, n%10 == 0)
		}
	})

	// The log starts again, and overwrites its old content.
	r.saved = nil
	r.saved = append(r.saved, acknowledged{0, r.moves, maps.Clone(r.matches)})
	r.play("two")
	secondLog := r.read("-wal")
	if !bytes.Equal(second, r.read("")) || len(secondLog) != len(firstLog) {
		t.Fatal("the log did not start again, so no old frames follow the new ones")
	}
	t.Run("while a log is written over an older one", func(t *testing.T) {
		end := r.saved[len(r.saved)-1].bytes
		for _, cut := range cuts(secondLog[:end]) {
			torn := append(bytes.Clone(secondLog[:cut]), firstLog[cut:]...)
			wantAfterCut(t, fmt.Sprintf("cut at %d", cut), second, torn, r.at(agreeing(torn, secondLog)), (cut-logHeader)%(4*frame) == 0)
		}
	})
}
