package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tictactoe/discordsim"
	"tictactoe/internal/longtest"
)

// smallDisk mounts a small disk and returns a folder on it. fill fills the disk and returns a function that empties it again.
func smallDisk(t *testing.T) (folder string, fill func() (empty func())) {
	t.Helper()
	folder = t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=8m,mode=700"); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	filler := filepath.Join(folder, "filler")
	return folder, func() func() {
		t.Helper()
		file, err := os.Create(filler)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		for block := make([]byte, 1<<20); len(block) > 0; {
			if _, err := file.Write(block); errors.Is(err, syscall.ENOSPC) {
				block = block[:len(block)/2]
			} else if err != nil {
				t.Fatal(err)
			}
		}
		return func() {
			t.Helper()
			if err := os.Remove(filler); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestAFullDisk(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	folder, fill := smallDisk(t)
	h := newHalvesIn(t, folder)
	board, idle := h.begun(), h.begun()
	others := []string{h.begunWith("carol"), h.begunWith("carol")}
	before := h.load(idle)

	empty := fill()
	// While the disk is full, the bot saves and shows moves as long as the database's log has room, which is not long.
	squares, moves := []string{"a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3"}, 0
	for _, other := range others {
		for i, square := range squares {
			if h.press([]string{"carol", "alice"}[i%2], other, square).Ephemeral {
				break
			}
		}
	}
	shown, began := h.board(board), time.Now()
	var told discordsim.Result
	for ; moves < len(squares); moves++ {
		began = time.Now()
		if told = h.press([]string{"bob", "alice"}[moves%2], board, squares[moves]); told.Ephemeral {
			break
		}
		shown = h.board(board)
	}
	h.wantUnsaved(told)
	h.wantUnsaved(h.command("carol", "tictactoe ai", nil))
	h.wantUnsaved(h.press("bob", idle, "a1"))
	h.wantBoard(board, shown)
	h.wantBoard(idle, ".../.X./...")
	if got := textOf(h.command("bob", "tictactoe games", nil).Message); strings.Count(got, "Alice") < 2 {
		t.Errorf("a command that saves nothing does not work:\n%s", got)
	}

	var nothing struct{}
	h.ask("POST", "gateway", map[string]any{"action": "drop"}, &nothing)
	h.eventually("the bot is back", func() bool { return strings.Count(h.bot.said.String(), "gateway connected") == 2 })
	h.wantUnsaved(h.press("bob", idle, "a1"))
	if n := strings.Count(h.bot.said.String(), "nothing can be saved"); n != 1 {
		t.Errorf("the log tells of the full disk %d times", n)
	}

	empty()
	freed := time.Now()
	h.press([]string{"bob", "alice"}[moves%2], board, squares[moves])
	if h.board(board) == shown {
		t.Error("the disk has room again, but no move is made")
	}
	h.eventually("time is given back", func() bool { return h.load(idle).Version > before.Version })
	if back := h.load(idle).Deadline.Sub(before.Deadline); back < freed.Sub(began) || back > time.Since(began)+10*time.Second {
		t.Errorf("%s were credited after %s", back, freed.Sub(began))
	}

	shown = h.board(board)
	fill()
	h.eventually("the disk is full again", func() bool {
		return strings.Contains(textOf(h.command("carol", "tictactoe ai", nil).Message), unsaved)
	})
	h.bot.kill()
	empty = fill() // the disk may have some free space again
	refused := start(t, []string{"DISCORD_TOKEN=" + secretToken}, "serve", "--db", h.db, "--discord-url", h.wire.server.URL)
	refused.wantExit(exitFailure) // a restart helps once there is space
	refused.wantSaid(h.db, "full")
	empty()
	h.begin()
	h.wantBoard(board, shown)
	h.press("bob", idle, "a1")
	h.wantBoard(idle, "O../.X./...")
	h.wantTrueScores()
}
