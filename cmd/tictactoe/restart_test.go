package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"tictactoe/discordsim"
	"tictactoe/internal/longtest"
)

func TestThePlaygroundContinuesAfterAStop(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	home := t.TempDir() // a new machine, without the data folder
	env := []string{"HOME=" + home}
	first := start(t, env, "playground", "--listen", ownAddress(t))
	d := first.discord()
	d.awaitBot()
	d.command("alice", "tictactoe challenge", map[string]any{"opponent": "bob", "first": "me"})
	board := d.latest()
	d.press("bob", board, "Accept")
	d.press("alice", board, "b2")
	d.press("bob", board, "a1")
	d.wantBoard(board, "O../.X./...")
	var before []*discordsim.Message
	waitUntil(t, "the mention that the match has begun is gone, since both have moved", func() bool {
		before = d.messages("alice")
		return before[len(before)-1].ID == board
	})
	first.stop()
	if info, err := os.Stat(filepath.Join(home, ".local", "share", "tictactoe")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the data folder is %v, %v", info, err)
	}

	second := start(t, env, "playground", "--listen", d.address())
	if diff := cmp.Diff(before, d.messages("alice")); diff != "" {
		t.Errorf("the channel has changed after the restart (-before +after)\n%s", diff)
	}
	d.awaitBot()
	for _, move := range []struct{ who, square string }{{"alice", "c1"}, {"bob", "b1"}, {"alice", "a3"}} {
		d.press(move.who, board, move.square)
	}
	d.wantBoard(board, "OOX/.X./X..")
	d.wantText(board, "wins with 3 in a row")
	second.stop()

	start(t, env, "playground", "--listen", d.address())
	d.awaitBot()
	d.press("bob", board, "Rematch")
	d.press("alice", board, "Accept rematch")
	rematch := d.latest()
	d.press("bob", rematch, "b2") // the players have swapped marks
	d.wantBoard(rematch, ".../.X./...")
	d.press("alice", rematch, "b1")
	resigned := d.press("alice", rematch, "Resign")
	d.submit("alice", resigned)
	d.wantText(rematch, "resigned")
	if got := textOf(d.command("carol", "tictactoe leaderboard", nil).Message); strings.Count(got, "1 won, 0 drawn, 1 lost") != 2 {
		t.Errorf("the leaderboard says:\n%s", got)
	}
}

func TestTimeIsLostOverARestart(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	db := filepath.Join(t.TempDir(), "playground.db")
	first := start(t, nil, "playground", "--listen", ownAddress(t), "--db", db)
	d := first.discord()
	d.awaitBot()
	begin := func() string {
		d.command("alice", "tictactoe challenge", map[string]any{"opponent": "bob", "first": "me", "clock": "5m"})
		board := d.latest()
		d.press("bob", board, "Accept")
		d.press("alice", board, "b2")
		return board
	}

	board := begin()
	d.advance("6m")
	d.wantText(board, "ran out of time") // the deadline has passed, so the board shows this at once
	d.wantBoard(board, ".../.X./...")

	board = begin()
	d.advance("4m")
	first.stop()
	start(t, nil, "playground", "--listen", d.address(), "--db", db)
	d.awaitBot()
	d.advance("30s")
	d.wantText(board, "to move") // neither the stop nor the start has cost Bob time
	d.advance("2m")
	d.wantText(board, "ran out of time")
	if got := textOf(d.command("bob", "tictactoe leaderboard", nil).Message); !strings.Contains(got, "2 won, 0 drawn, 0 lost") {
		t.Errorf("the leaderboard says:\n%s", got)
	}
}

// A kill at any moment loses no move that was shown to a player, and leaves no wrong board.
func TestABotKilledBetweenClicks(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	h := newHalves(t)
	h.command("alice", "tictactoe challenge", map[string]any{"opponent": "bob", "first": "me"})
	board := h.latest()
	h.restart()
	h.press("bob", board, "Accept")
	shown := ".../.../..."
	for i, square := range []string{"b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3"} {
		who := []string{"alice", "bob"}[i%2]
		if i%3 == 1 {
			click := h.send(who, board, square)
			h.restart() // a click is open; it may be saved or not, and Discord may deliver it again
			h.settled(click)
			h.awaitTruth(board)
		} else {
			h.restart() // no click is open
			h.wantBoard(board, shown)
		}
		if h.board(board) == shown { // the click was not saved, so it is repeated
			h.press(who, board, square)
		}
		shown = h.board(board)
	}
	h.wantBoard(board, "OXX/XXO/OOX")
	h.wantText(board, "A draw")
	h.restart()
	h.wantBoard(board, "OXX/XXO/OOX")
	if got := textOf(h.command("alice", "tictactoe leaderboard", nil).Message); strings.Count(got, "0 won, 1 drawn, 0 lost") != 2 {
		t.Errorf("the leaderboard says:\n%s", got)
	}
	h.wantTrueScores()
}

// After the restart the board shows every saved move, even if the answer to the click never arrived.
func TestABotKilledBetweenCommitAndAnswer(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	h := newHalves(t)

	h.killAnswering(func() string {
		return h.hold("command", map[string]any{"as": "alice", "channel": "general", "name": "tictactoe challenge",
			"options": map[string]any{"opponent": "bob", "first": "me"}})
	})
	h.eventually("the challenge is posted", func() bool { return h.latest() != "" })
	board := h.latest()
	lost := func(who, button, text string) {
		t.Helper()
		h.killAnswering(func() string { return h.send(who, board, button) })
		h.eventually(fmt.Sprintf("after %s pressed %s the message says %q", who, button, text), func() bool {
			return strings.Contains(textOf(h.message(board)), text)
		})
		h.awaitTruth(board)
	}
	lost("bob", "Accept", "to move")
	lost("alice", "a1", "⭕ **Bob** to move")
	lost("bob", "b2", "❌ **Alice** to move")
	lost("alice", "a2", "⭕ **Bob** to move")
	lost("bob", "c3", "❌ **Alice** to move")
	lost("alice", "a3", "wins with 3 in a row")
	h.wantBoard(board, "X../XO./X.O")
	lost("bob", "Rematch", "wants a rematch")

	h.killAnswering(func() string { return h.send("alice", board, "Accept rematch") })
	h.eventually("the rematch has a board of its own", func() bool { return h.latestBoard() != board })
	h.eventually("the old board leads to it", func() bool { return strings.Contains(textOf(h.message(board)), "The rematch is on") })
	board = h.latestBoard()
	h.wantBoard(board, ".../.../...")
	opened := h.press("bob", board, "Resign")
	h.killAnswering(func() string { return h.hold("modal", map[string]any{"as": "bob", "interaction": opened.Interaction}) })
	h.eventually("the match is called off", func() bool { return strings.Contains(textOf(h.message(board)), "Called off") })

	if got := textOf(h.command("carol", "tictactoe leaderboard", nil).Message); !strings.Contains(got, "1 won, 0 drawn, 0 lost") ||
		!strings.Contains(got, "0 won, 0 drawn, 1 lost") {
		t.Errorf("the leaderboard says:\n%s", got)
	}
	h.wantTrueScores()
}

func TestALostDatabase(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	h := newHalves(t)
	h.command("alice", "tictactoe challenge", map[string]any{"opponent": "bob", "first": "me"})
	challenge := h.latest()
	h.command("alice", "tictactoe challenge", map[string]any{"opponent": "carol", "first": "me"})
	board := h.latest()
	h.press("carol", board, "Accept")
	h.press("alice", board, "b2")
	h.bot.stop()
	files, err := filepath.Glob(h.db + "*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no database to delete: %v", err)
	}
	for _, file := range files {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}

	h.begin()
	h.wantBoard(board, ".../.X./...") // the simulator has kept its messages
	for message, button := range map[string]string{board: "a1", challenge: "Accept"} {
		who := map[string]string{board: "carol", challenge: "bob"}[message]
		h.press(who, message, button)
		h.wantText(message, "This match is gone")
		if left := buttonsOf(h.message(message)); len(left) > 0 {
			t.Errorf("a message without a match has %d buttons", len(left))
		}
	}
	h.command("alice", "tictactoe ai", map[string]any{"first": "me"})
	h.press("alice", h.latest(), "b2") // the new match is playable
}

// TestAPlaygroundLeavesNothingBehind runs the program in this process, to find leaked goroutines.
func TestAPlaygroundLeavesNothingBehind(t *testing.T) {
	before := goleak.IgnoreCurrent()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	said := &output{}
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, []string{"playground", "--listen", ownAddress(t), "--db", filepath.Join(t.TempDir(), "x.db")},
			surroundings{func(string) string { return "" }, strings.NewReader(""), said, said})
	}()
	d := said.discord(t)
	d.awaitBot()
	watching, hangUp := context.WithCancel(t.Context())
	defer hangUp()
	request, err := http.NewRequestWithContext(watching, "GET", d.url+"/sim/events?as=bob", nil)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := d.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	d.command("alice", "tictactoe ai", map[string]any{"first": "me"})
	d.press("alice", d.latest(), "b2")
	stop()
	if got := <-code; got != exitOK {
		t.Errorf("the playground ended with %d:\n%s", got, said)
	}
	if _, err := io.Copy(io.Discard, stream.Body); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the stream of events ended with %v", err)
	}
	stream.Body.Close()
	d.client.CloseIdleConnections()
	again, err := net.Listen("tcp", d.address())
	if err != nil {
		t.Fatalf("the port is still in use: %v", err)
	}
	again.Close()
	goleak.VerifyNone(t, before)
}
