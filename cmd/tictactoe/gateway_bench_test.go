package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"tictactoe/discordsim"
	"tictactoe/game"
	"tictactoe/internal/match"
)

// BenchmarkGateway measures the cost of a click in a process that serves 64 boards over the gateway, with an SQLite database. For
// comparison, "floor" is an unmodified discordgo session in a separate process, which saves the minimum for each click and answers
// it with a board.
func BenchmarkGateway(b *testing.B) {
	b.Run("floor", func(b *testing.B) {
		sim, server := benchSim(b)
		process := startFloor(b, server.URL)
		people := pairs(b, sim, 64)
		clickAway(b, sim, people, func(p pair) string {
			return eventually(b, func() (discordsim.Result, error) {
				return sim.User(p[0]).Command(b.Context(), "general", "board", nil)
			}).Message.ID
		}, of(b, "bot-us/click", process))
		reportResident(b, []int{process})
	})
	b.Run("bot", func(b *testing.B) {
		sim, server := benchSim(b)
		process, _ := serveFor(b, regexp.MustCompile(`"gateway (connected)"`), "--db", filepath.Join(b.TempDir(), "bot.db"), "--discord-url", server.URL)
		clickAway(b, sim, pairs(b, sim, 64), func(p pair) string { return startMatch(b, sim, p) }, of(b, "bot-us/click", process))
		reportResident(b, []int{process})
	})
}

// floorAddress is the environment variable with the address of Discord for the floor's process, and floorReady is the line that
// this process prints when it is ready.
const floorAddress, floorReady = "TICTACTOE_FLOOR", "the floor is ready"

// startFloor starts TestFloorOfGateway in a separate process, which ends with the benchmark.
func startFloor(b *testing.B, address string) (process int) {
	path, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	floor := exec.Command(path, "-test.run", "^TestFloorOfGateway$", "-test.v")
	floor.Env = append(os.Environ(), floorAddress+"="+address)
	input, err := floor.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	said, err := floor.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := floor.Start(); err != nil {
		b.Fatal(err)
	}
	lines := bufio.NewScanner(said)
	for lines.Scan() && !strings.Contains(lines.Text(), floorReady) {
	}
	read := make(chan struct{})
	go func() { defer close(read); io.Copy(io.Discard, said) }()
	b.Cleanup(func() {
		input.Close()
		<-read
		if err := floor.Wait(); err != nil {
			b.Error(err)
		}
	})
	return floor.Process.Pid
}

// TestFloorOfGateway runs the floor in the process that startFloor starts. It ends when its standard input ends.
func TestFloorOfGateway(t *testing.T) {
	address := os.Getenv(floorAddress)
	if address == "" {
		return // BenchmarkGateway did not start this process
	}
	store, take := floorOnSQLite(t)
	floorBot(t, address, func(id string, begins bool) error {
		if !begins {
			return take(click{match: id})
		}
		seats := match.Seats{match.Human("1"), match.Human("2")}
		m := match.Start(match.ID(id), match.ID(id), "", game.Classic(), seats, time.Hour, 1, time.Now())
		return store.Save(context.Background(), match.Save{Matches: []match.MatchChange{{To: m}}})
	})
	os.Stdout.WriteString(floorReady + "\n")
	io.Copy(io.Discard, os.Stdin)
}
