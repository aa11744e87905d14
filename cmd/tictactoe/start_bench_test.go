package main

import (
	"bufio"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tictactoe/store/sqlite"
)

const (
	// finishedGames are 100,000 matches with a million moves.
	finishedGames = `INSERT INTO matches (id, series, venue, rules, x_player, o_player, turn_ms, outcome, cause, created, ended, version)
			WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99999)
			SELECT printf('%013d', i), printf('%013d', i), 'v' || (i % 50), '4x4x4', 'p' || (i % 5000), 'q' || (i * 7 % 5000), 3600000,
				'X', 'resignation', i, i + 1, 12 FROM n;
		INSERT INTO moves WITH RECURSIVE p (ply) AS (SELECT 0 UNION ALL SELECT ply + 1 FROM p WHERE ply < 9)
			SELECT id, ply, ply, created FROM matches, p`
	// openMatches10k are 10,000 matches that go on and whose boards are as they should be.
	openMatches10k = `INSERT INTO matches (id, series, venue, rules, x_player, o_player, turn_ms, deadline, created, version)
			WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)
			SELECT printf('%013d', i), printf('%013d', i), 'v' || (i % 50), '3x3x3', 'p' || i, 'q' || i, 86400000,
				unixepoch() * 1000 + 86400000 + i, unixepoch() * 1000, 5 FROM n;
		INSERT INTO moves WITH RECURSIVE p (ply) AS (SELECT 0 UNION ALL SELECT ply + 1 FROM p WHERE ply < 3)
			SELECT id, ply, ply, created FROM matches, p;
		INSERT INTO boards (id, guild, channel, message, token, member, shown, latest)
			SELECT id, venue, 'c' || venue, 'm' || id, 't' || id, 1, 5, 5 FROM matches`
)

// BenchmarkStart is how long a process takes from its start to the gateway's READY, how much processor time, and what it
// keeps resident: then, and after 64 people have played a game each.
func BenchmarkStart(b *testing.B) {
	path, err := program()
	if err != nil {
		b.Fatal(err)
	}
	for _, test := range []struct {
		name, fill string
		fresh      bool // no database
		games      bool // are played
	}{
		{name: "no database", fresh: true},
		{name: "empty"},
		{name: "100,000 finished games", fill: finishedGames},
		{name: "10,000 open matches", fill: openMatches10k, games: true},
	} {
		b.Run(test.name, func(b *testing.B) {
			db := filepath.Join(b.TempDir(), "bot.db")
			var ready []time.Duration
			var processor time.Duration
			var resident int
			for b.Loop() {
				if test.fresh {
					db = filepath.Join(b.TempDir(), "bot.db")
				} else if len(ready) == 0 {
					fillDatabase(b, db, test.fill)
				}
				sim, server := benchSim(b)
				bot := exec.Command(path, "serve", "--db", db, "--discord-url", server.URL)
				bot.Env = []string{"DISCORD_TOKEN=" + playgroundToken}
				said, err := bot.StderrPipe()
				if err != nil {
					b.Fatal(err)
				}
				begun := time.Now()
				if err := bot.Start(); err != nil {
					b.Fatal(err)
				}
				lines := bufio.NewScanner(said)
				for connected := false; !connected; connected = strings.Contains(lines.Text(), `"gateway connected"`) {
					if !lines.Scan() {
						b.Fatal("it has ended")
					}
				}
				ready = append(ready, time.Since(begun))
				go func() {
					for lines.Scan() { // so that it can go on talking
					}
				}()
				if test.games {
					boards := map[pair]string{}
					for _, p := range pairs(b, sim, 64) {
						boards[p] = startMatch(b, sim, p)
					}
					clickOnce(b, sim, boards)
				}
				resident = max(resident, residentKiB(b, bot.Process.Pid))
				if err := bot.Process.Signal(syscall.SIGTERM); err != nil {
					b.Fatal(err)
				}
				if err := bot.Wait(); err != nil {
					b.Fatal(err)
				}
				processor += bot.ProcessState.UserTime() + bot.ProcessState.SystemTime()
			}
			slices.Sort(ready)
			b.ReportMetric(float64(ready[0].Milliseconds()), "least-ms")
			b.ReportMetric(float64(ready[len(ready)/2].Milliseconds()), "median-ms")
			b.ReportMetric(float64(processor.Milliseconds())/float64(len(ready)), "cpu-ms")
			b.ReportMetric(float64(resident)/1024, "RSS-MiB")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func fillDatabase(b *testing.B, path, statements string) {
	s, err := sqlite.Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(b.Context(), statements); err != nil {
		b.Fatal(err)
	}
}

// residentKiB is what Linux says that a process has in memory.
func residentKiB(b *testing.B, process int) (kib int) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process))
	if err != nil {
		b.Fatal(err)
	}
	_, after, _ := strings.Cut(string(status), "VmRSS:")
	if _, err := fmt.Sscan(after, &kib); err != nil {
		b.Fatal(err)
	}
	return kib
}
