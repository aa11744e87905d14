package sqlite_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"tictactoe/internal/longtest"
	"tictactoe/internal/match"
	"tictactoe/store/sqlite"
	"tictactoe/store/storetest"
)

// writtenBy is the environment variable that makes this test program a second process, which plays matches on a database until it
// is killed.
const writtenBy = "TICTACTOE_TEST_WRITE"

// writeForEver plays one match after another. After each save it prints the version of the match and the number of frames in the
// log.
func writeForEver(path string) error {
	s, err := sqlite.Open(context.Background(), path)
	if err != nil {
		return err
	}
	other, err := connected(path)
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		m := begin(match.ID(fmt.Sprintf("%d-%d", os.Getpid(), n)))
		change := match.MatchChange{To: m}
		for {
			if err := s.Save(context.Background(), match.Save{Matches: []match.MatchChange{change}}); err != nil {
				return err
			}
			var busy, frames, done int
			if err := other.QueryRow("PRAGMA wal_checkpoint(NOOP)").Scan(&busy, &frames, &done); err != nil {
				return err
			}
			if _, err := fmt.Printf("%s %d %d\n", m.ID, m.Version, frames); err != nil {
				return err
			}
			if m.Result.Over() {
				break
			}
			next, err := moved(m)
			if err != nil {
				return err
			}
			change, m = match.MatchChange{From: m, To: next}, next
		}
	}
}

// savesBeforeKill runs a process, kills it after the given number of saves, and returns the last printed version of each match and
// the last printed length of the log.
func savesBeforeKill(t *testing.T, path string, saves int) (versions map[match.ID]int, log int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), writtenBy+"="+path)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	versions = map[match.ID]int{}
	lines := bufio.NewReader(out)
	for n := 1; ; n++ {
		line, err := lines.ReadString('\n')
		if err != nil { // an incomplete line does not acknowledge a save
			break
		}
		var id match.ID
		var version, frames int
		if _, err := fmt.Sscan(line, &id, &version, &frames); err != nil {
			t.Fatal(err)
		}
		versions[id], log = version, logHeader+frames*frame
		if n == saves {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != -1 {
		t.Fatalf("the process was not killed: %v", err)
	}
	return versions, log
}

// tear changes the unsynced end of a log in a way that a power cut may change it.
func tear(log []byte, from int, chance *rand.Rand) (string, []byte) {
	log = bytes.Clone(log)
	if from >= len(log) {
		// Only the length of the file changed, and its new end may contain anything.
		log = append(log, make([]byte, 1+chance.IntN(3*frame))...)
	}
	tail := log[from:]
	switch chance.IntN(4) {
	case 0:
		cut := chance.IntN(len(tail))
		return fmt.Sprintf("cut at %d", from+cut), log[:from+cut]
	case 1:
		last := tail[max(0, len(tail)-page):]
		clear(last)
		return "its last page is zero", log
	case 2:
		for at := 0; at < len(tail); at += 512 {
			if chance.IntN(2) == 0 {
				clear(tail[at:min(at+512, len(tail))])
			}
		}
		return "half of its sectors are missing", log
	default:
		at := chance.IntN(len(tail))
		for i := range tail[at:min(at+page, len(tail))] {
			tail[at+i] = byte(chance.Uint32())
		}
		return fmt.Sprintf("rubbish at %d", from+at), log
	}
}

// A process that is killed while it writes has saved every version that it printed. Later saves may be lost.
func TestKillAtAnyInstant(t *testing.T) {
	longtest.Only(t)
	chance := rand.New(rand.NewPCG(3, 4))
	path := newPath(t)
	said := map[match.ID]int{}
	tails := 0
	for round := range 12 {
		versions, end := savesBeforeKill(t, path, 1+chance.IntN(80))
		maps.Copy(said, versions)
		main, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		log, err := os.ReadFile(path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		if len(log) > end {
			tails++
		}
		for variant := range 6 {
			name, torn := "as it was left", log
			if variant > 0 {
				name, torn = tear(log, end, chance)
			}
			name = fmt.Sprintf("round %d, a log of %d, %d of them waited for, %s", round, len(log), end, name)
			after := newPath(t)
			for ending, content := range map[string][]byte{"": main, "-wal": torn} {
				if err := os.WriteFile(after+ending, content, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			s := opened(t, after)
			for id, version := range said {
				if m, err := s.Match(t.Context(), id); err != nil || m.Version < version {
					t.Fatalf("%s: match %s has version %d, but version %d was saved: %v", name, id, m.Version, version, err)
				}
			}
			save(t, s, match.Save{Matches: []match.MatchChange{{To: begin("after")}}})
			shut(t, s)
			if r := checked(t, after); len(r.Findings) > 0 {
				t.Fatalf("%s: %+v", name, r.Findings)
			}
			remove(t, after)
		}
	}
	if tails == 0 {
		t.Error("no process was killed during a write, so the test proves nothing")
	}
	t.Logf("%d matches; %d processes were killed during a write", len(said), tails)
}

// replayedBy is the environment variable that makes this test program a second process, which voids one match of a season after
// another, and begins and undoes seasons, until it is killed. So there is always a ladder to recount.
const replayedBy = "TICTACTOE_TEST_REPLAY"

func voidForEver(path string) error {
	ctx := context.Background()
	s, err := sqlite.Open(ctx, path)
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		m, err := s.Match(ctx, match.ID(fmt.Sprintf("m%04d", n)))
		if err != nil {
			return err
		}
		if void, err := m.Void(noon()); err == nil { // otherwise the previous process has voided it
			if err := s.Save(ctx, match.Save{Matches: []match.MatchChange{{From: m, To: void}}}); err != nil {
				return err
			}
		}
		if _, err := fmt.Println(m.ID); err != nil {
			return err
		}
		if n%3 == 0 {
			if _, err := s.Replay(ctx); err != nil {
				return err
			}
		}
		if n%3 == 1 {
			if err := storetest.MoveSeasons(ctx, s, noon().Add(time.Duration(n*101%1000)*time.Second)); err != nil {
				return err
			}
		}
	}
}

func TestKillDuringARecountOfALadder(t *testing.T) {
	longtest.Only(t)
	path := newPath(t)
	s := opened(t, path)
	storetest.Season(t, s, 1100)
	shut(t, s)
	random := rand.New(rand.NewPCG(5, 6))
	left := 0
	for range 12 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), replayedBy+"="+path)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewReader(out)
		for range 1 + random.IntN(8) {
			if _, err := lines.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
		for range random.IntN(3_000_000) { // up to the duration of the next recount, which takes some milliseconds
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		same(t, checked(t, path).Findings, []sqlite.Finding{}) // a check includes the stale ladders
		if len(column(t, raw(t, path), "SELECT at FROM replays")) > 0 {
			left++
		}
	}
	if left == 0 {
		t.Error("no process was killed during a recount")
	}
	s = open(t, path)
	for more := true; more; {
		var err error
		if more, err = s.Replay(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	same(t, checked(t, path).Findings, []sqlite.Finding{})
}
