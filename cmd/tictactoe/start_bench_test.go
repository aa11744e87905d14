package main

import (
	"database/sql"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tictactoe/discordsim"
	"tictactoe/store/sqlite"
)

const (
	// finishedGames inserts 100,000 matches with a million moves.
	finishedGames = `INSERT INTO matches (id, series, venue, rules, x_player, o_player, turn_ms, outcome, cause, created, ended, version)
			WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99999)
			SELECT printf('%013d', i), printf('%013d', i), 'v' || (i % 50), '4x4x4', 'p' || (i % 5000), 'q' || (i * 7 % 5000), 3600000,
				'X', 'resignation', i, i + 1, 12 FROM n;
		INSERT INTO moves WITH RECURSIVE p (ply) AS (SELECT 0 UNION ALL SELECT ply + 1 FROM p WHERE ply < 9)
			SELECT id, ply, ply, created FROM matches, p`
	// openMatches10k inserts 10,000 open matches whose boards are up to date.
	openMatches10k = `INSERT INTO matches (id, series, venue, rules, x_player, o_player, turn_ms, deadline, created, version)
			WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)
			SELECT printf('%013d', i), printf('%013d', i), 'v' || (i % 50), '3x3x3', 'p' || i, 'q' || i, 86400000,
				unixepoch() * 1000 + 86400000 + i, unixepoch() * 1000, 5 FROM n;
		INSERT INTO moves WITH RECURSIVE p (ply) AS (SELECT 0 UNION ALL SELECT ply + 1 FROM p WHERE ply < 3)
			SELECT id, ply, ply, created FROM matches, p;
		INSERT INTO boards (id, guild, channel, message, token, member, shown, latest)
			SELECT id, venue, 'c' || venue, 'm' || id, 't' || id, 1, 5, 5 FROM matches`
)

// BenchmarkStart measures how long users wait for a starting process, from its start to the answer to their first click, and its
// processor time and resident memory. Without a database, users click as soon as the command that begins a game is registered.
// With one, they have clicked while no process was running, after a stop or a kill, and the process resumes the session. For
// comparison, "floor" measures a process that only prints its version, and a discordgo session that answers a command with a board.
func BenchmarkStart(b *testing.B) {
	path, err := program()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("floor", func(b *testing.B) {
		var took []time.Duration
		for b.Loop() {
			sim, server := benchSim(b)
			begun := time.Now()
			if err := exec.Command(path, "version").Run(); err != nil {
				b.Fatal(err)
			}
			floorBot(b, server.URL, nil)
			eventually(b, func() (discordsim.Result, error) {
				return sim.User("alice").Command(b.Context(), "general", "board", nil)
			})
			took = append(took, time.Since(begun))
		}
		reportStarts(b, took)
	})
	b.Run("no database", func(b *testing.B) {
		s := starting{b: b, path: path}
		var took []time.Duration
		for b.Loop() {
			s.sim, s.server = benchSim(b)
			s.db = filepath.Join(b.TempDir(), "bot.db")
			begun := time.Now()
			s.start()
			board := eventually(b, func() (discordsim.Result, error) {
				return s.sim.User("alice").Command(b.Context(), "general", "tictactoe ai", map[string]any{"first": "me"})
			}).Message.ID
			s.answered(s.sim.User("alice").Click(b.Context(), board, discordsim.Button{Index: 4}))
			took = append(took, time.Since(begun))
			s.end(syscall.SIGTERM)
		}
		reportStarts(b, took)
		s.report(len(took))
	})
	for _, test := range []struct {
		name, fill string
		by         syscall.Signal
		games      bool // whether games are played after the measurement
	}{
		{name: "stop", by: syscall.SIGTERM},
		{name: "kill", by: syscall.SIGKILL},
		{name: "stop, 100,000 finished games", by: syscall.SIGTERM, fill: finishedGames},
		{name: "stop, 10,000 open matches", by: syscall.SIGTERM, fill: openMatches10k, games: true},
	} {
		b.Run(test.name, func(b *testing.B) {
			s := starting{b: b, path: path, db: filepath.Join(b.TempDir(), "bot.db")}
			s.sim, s.server = benchSim(b)
			fillDatabase(b, s.db, test.fill)
			s.start()
			var took []time.Duration
			for b.Loop() {
				p := newPair(b, s.sim, 1000+len(took))
				board := startMatch(b, s.sim, p)
				s.end(test.by)
				pressed, err := s.sim.User(p[0]).Click(b.Context(), board, discordsim.Button{Index: 4, Hold: true})
				if err != nil {
					b.Fatal(err)
				}
				begun := time.Now()
				s.start()
				s.answered(s.sim.Await(b.Context(), pressed.Interaction))
				took = append(took, time.Since(begun))
			}
			if test.games {
				boards := map[pair]string{}
				for _, p := range pairs(b, s.sim, 64) {
					boards[p] = startMatch(b, s.sim, p)
				}
				clickOnce(b, s.sim, boards)
			}
			s.end(syscall.SIGTERM)
			reportStarts(b, took)
			s.report(len(took) + 1)
		})
	}
}

// starting is a bot that is repeatedly started and ended as a process, with its users.
type starting struct {
	b         *testing.B
	path, db  string
	sim       *discordsim.Sim
	server    *httptest.Server
	process   *exec.Cmd
	processor time.Duration // the processor time of the ended processes
	resident  int           // in KiB, the maximum over the ended processes
}

func (s *starting) start() {
	s.b.Helper()
	s.process = exec.Command(s.path, "serve", "--db", s.db, "--discord-url", s.server.URL)
	s.process.Env = []string{"DISCORD_TOKEN=" + playgroundToken}
	if err := s.process.Start(); err != nil {
		s.b.Fatal(err)
	}
	process := s.process.Process
	s.b.Cleanup(func() { _ = process.Kill() }) // fails if the process has ended already
}

func (s *starting) end(by syscall.Signal) {
	s.b.Helper()
	s.resident = max(s.resident, residentKiB(s.b, s.process.Process.Pid))
	if err := s.process.Process.Signal(by); err != nil {
		s.b.Fatal(err)
	}
	if err := s.process.Wait(); err != nil && by == syscall.SIGTERM {
		s.b.Fatal(err)
	}
	s.processor += s.process.ProcessState.UserTime() + s.process.ProcessState.SystemTime()
}

func (s *starting) answered(r discordsim.Result, err error) {
	s.b.Helper()
	if err != nil || r.Status != "answered" || r.Ephemeral {
		s.b.Fatalf("the click ended as %q: %v", r.Status, err)
	}
}

// report reports the averages over the given number of processes.
func (s *starting) report(processes int) {
	s.b.ReportMetric(float64(s.processor.Milliseconds())/float64(processes), "cpu-ms")
	s.b.ReportMetric(float64(s.resident)/1024, "RSS-MiB")
}

func reportStarts(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[0].Milliseconds()), "least-ms")
	b.ReportMetric(float64(took[len(took)/2].Milliseconds()), "median-ms")
	b.ReportMetric(0, "ns/op")
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

// residentKiB returns the resident memory of a process from /proc.
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
