package main

import (
	"bytes"

	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/websocket"
	"go.uber.org/goleak"

	"tictactoe/internal/discordsim"
	"tictactoe/internal/match"
	"tictactoe/store/postgres/pgtest"
	"tictactoe/store/sqlite"
)

// These tests run the program that people run: real processes, real sockets, real signals. What they say to Discord is
// what docs/simulator.md offers to everybody.

// patience bounds every wait here. Nothing is expected to take that long.
const patience = 20 * time.Second

// secret is the part of a token that nobody may ever read.
const secret = "c2VjcmV0.never-to-be-printed"

const secretToken = "MTAwMDAwMDAwMDAwMDAwMDAx." + secret

// built is the folder of the program, empty until a test needs it.
var built atomic.Pointer[string]

// program is the path of the program, built for the first test that asks.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "tictactoe-test-")
	if err != nil {
		return "", err
	}
	built.Store(&dir)
	path := filepath.Join(dir, "tictactoe")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	code := pgtest.Main(m)
	if dir := built.Load(); dir != nil {
		os.RemoveAll(*dir)
	}
	os.Exit(code)
}

func TestThePlaygroundGoesOnAfterAStop(t *testing.T) {
	t.Parallel()
	home := t.TempDir() // as on a fresh machine: the data folder is not there yet
	env := []string{"HOME=" + home}
	first := start(t, env, "playground", "--listen", "127.0.0.1:0")
	d := first.discord()
	d.awaitBot()
	d.command("alice", "tictactoe challenge", map[string]any{"opponent": "bob", "first": "me"})
	board := d.latest()
	d.press("bob", board, "Accept")
	d.press("alice", board, "b2")
	d.press("bob", board, "a1")
	d.wantBoard(board, "O../.X./...")
	before := d.messages("alice")
	first.stop()
	if info, err := os.Stat(filepath.Join(home, ".local", "share", "tictactoe")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the data folder is %v, %v", info, err)
	}

	second := start(t, env, "playground", "--listen", d.address())
	if diff := cmp.Diff(before, d.messages("alice")); diff != "" {
		t.Errorf("the channel is another one after the restart (-before +after)\n%s", diff)
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
	d.press("bob", rematch, "b2") // the marks are swapped
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
	t.Parallel()
	db := filepath.Join(t.TempDir(), "playground.db")
	first := start(t, nil, "playground", "--listen", "127.0.0.1:0", "--db", db)
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
	d.wantText(board, "ran out of time") // at once: the call has waited for it
	d.wantBoard(board, ".../.X./...")

	board = begin()
	d.advance("4m")
	first.stop()
	start(t, nil, "playground", "--listen", d.address(), "--db", db)
	d.awaitBot()
	d.advance("30s")
	d.wantText(board, "to move") // neither the stop nor the start has taken anything from Bob
	d.advance("2m")
	d.wantText(board, "ran out of time")
	if got := textOf(d.command("bob", "tictactoe leaderboard", nil).Message); !strings.Contains(got, "2 won, 0 drawn, 0 lost") {
		t.Errorf("the leaderboard says:\n%s", got)
	}
}

// A kill at any moment loses nothing that anybody was shown, and leaves no board that is not true.
func TestABotKilledBetweenClicks(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes half a minute")
	}
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
			h.send(who, board, square)
			h.restart() // with a click under way, which may or may not have been saved
			h.awaitTruth(board)
		} else {
			h.restart() // between two clicks
			h.wantBoard(board, shown)
		}
		if h.board(board) == shown { // a click that was not saved is made again
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

// Whatever was saved is shown after the restart, though nobody was told before: the answer never left.
func TestABotKilledBetweenCommitAndAnswer(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes half a minute")
	}
	t.Parallel()
	h := newHalves(t)

	h.killAnswering(func() {
		h.hold("command", map[string]any{"as": "alice", "channel": "general", "name": "tictactoe challenge",
			"options": map[string]any{"opponent": "bob", "first": "me"}})
	})
	h.eventually("the challenge is posted", func() bool { return h.latest() != "" })
	board := h.latest()
	lost := func(who, button, text string) {
		t.Helper()
		h.killAnswering(func() { h.send(who, board, button) })
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

	h.killAnswering(func() { h.send("alice", board, "Accept rematch") })
	h.eventually("the rematch has a board of its own", func() bool { return h.latest() != board })
	h.eventually("the old board leads to it", func() bool { return strings.Contains(textOf(h.message(board)), "The rematch is on") })
	board = h.latest()
	h.wantBoard(board, ".../.../...")
	opened := h.press("bob", board, "Resign")
	h.killAnswering(func() { h.hold("modal", map[string]any{"as": "bob", "interaction": opened.Interaction}) })
	h.eventually("the match is called off", func() bool { return strings.Contains(textOf(h.message(board)), "Called off") })

	if got := textOf(h.command("carol", "tictactoe leaderboard", nil).Message); !strings.Contains(got, "1 won, 0 drawn, 0 lost") ||
		!strings.Contains(got, "0 won, 0 drawn, 1 lost") {
		t.Errorf("the leaderboard says:\n%s", got)
	}
	h.wantTrueScores()
}

func TestAStopFinishesWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	h := newHalves(t)
	h.command("alice", "tictactoe challenge", map[string]any{"opponent": "bob", "first": "me"})
	board := h.latest()
	h.press("bob", board, "Accept")

	// Its answer is on the way.
	h.wire.holding.Store(true)
	click := h.send("alice", board, "b2")
	answer := h.wire.await(t)
	h.bot.signal(syscall.SIGTERM)
	h.wire.holding.Store(false)
	h.eventually("the bot hangs up", func() bool { return !h.connected() })
	answer <- true
	h.wantAnswered(click)
	h.bot.wantExit(exitOK)
	h.wantBoard(board, ".../.X./...")

	// It waits for a database that somebody else holds: the acknowledgement shows that it has arrived.
	h.begin()
	h.command("bob", "tictactoe games", nil) // it has the database
	release := h.lockDatabase()
	h.wire.holding.Store(true)
	click = h.send("bob", board, "a1")
	acknowledgement := h.wire.await(t)
	h.bot.signal(syscall.SIGTERM)
	h.wire.holding.Store(false)
	acknowledgement <- true
	h.eventually("the bot hangs up", func() bool { return !h.connected() })
	release()
	h.wantAnswered(click)
	h.bot.wantExit(exitOK)
	h.wantBoard(board, "O../.X./...")
}

func TestALostDatabase(t *testing.T) {
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
	h.wantBoard(board, ".../.X./...") // the simulator stays, and so do its messages
	for message, button := range map[string]string{board: "a1", challenge: "Accept"} {
		who := map[string]string{board: "carol", challenge: "bob"}[message]
		h.press(who, message, button)
		h.wantText(message, "This match is gone")
		if left := buttonsOf(h.message(message)); len(left) > 0 {
			t.Errorf("a message without a match has %d buttons", len(left))
		}
	}
	h.command("alice", "tictactoe ai", map[string]any{"first": "me"})
	h.press("alice", h.latest(), "b2") // and life goes on
}

func TestTheSimIsAsItsFlagsSay(t *testing.T) {
	t.Parallel()
	p := start(t, nil, "sim", "--listen", "127.0.0.1:0", "--state", filepath.Join(t.TempDir(), "x"),
		"--heartbeat", "5s", "--max-concurrency", "16", "--privileged-intents")
	address := p.discord().url
	request, err := http.NewRequestWithContext(t.Context(), "GET", address+"/api/v10/gateway/bot", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bot "+playgroundToken)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); err != nil || !strings.Contains(string(body), `"max_concurrency":16`) {
		t.Errorf("the limits are %s, %v", body, err)
	}
	ws, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(address, "http")+"/ws", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	for _, want := range []string{`"heartbeat_interval":5000`, `"t":"READY"`} {
		_, text, err := ws.ReadMessage()
		if err != nil || !strings.Contains(string(text), want) {
			t.Fatalf("got %s, %v; want %s", text, err, want)
		}
		// All intents that a portal has to switch on.
		ws.WriteMessage(websocket.TextMessage, []byte(`{"op":2,"d":{"token":"`+playgroundToken+`","intents":33026}}`))
	}
}

func TestWhatCannotStart(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { taken.Close() })
	refusing := newRefusingDiscord(t)
	sim, err := discordsim.New(discordsim.Config{})
	if err != nil {
		t.Fatal(err)
	}
	local := httptest.NewServer(sim.Handler())
	t.Cleanup(func() { sim.Close(); local.Close() })

	plain := func(name, content string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) { write(t, filepath.Join(dir, name), []byte(content)) }
	}
	token := "DISCORD_TOKEN=" + secretToken
	tests := []struct {
		name    string
		prepare func(t *testing.T, dir string)
		env     []string
		args    string // DIR is the folder that has to stay as it is
		code    int
		says    []string
	}{
		{"a playground on a port in use", nil, nil, "playground --listen " + taken.Addr().String() + " --db DIR/a/x.db", exitFailure, []string{"in use", "--listen"}},
		{"a sim on a port in use", nil, nil, "sim --listen " + taken.Addr().String() + " --state DIR/a/x", exitFailure, []string{"in use", "--listen"}},
		{"an address without a port", nil, nil, "playground --listen nonsense --db DIR/a/x.db", exitFailure, []string{`"nonsense"`, "--listen 127.0.0.1:"}},

		{"no token", nil, nil, "serve --db DIR/a/x.db", exitConfig, []string{"DISCORD_TOKEN", "README", "tictactoe playground"}},
		{"a token file that is not there", nil, []string{"DISCORD_TOKEN_FILE=/nowhere/token"}, "serve --db DIR/a/x.db", exitConfig, []string{"DISCORD_TOKEN_FILE", "/nowhere/token"}},
		{"a token of two words", nil, []string{token + " " + secret}, "serve --db DIR/a/x.db", exitConfig, []string{"DISCORD_TOKEN", "one word"}},

		{"a playground below a file", plain("file", "x"), nil, "playground --listen 127.0.0.1:0 --db DIR/file/x.db", exitConfig, []string{"file/x.db", "cannot be written", "not a directory"}},
		{"a sim below a file", plain("file", "x"), nil, "sim --listen 127.0.0.1:0 --state DIR/file/x", exitConfig, []string{"file/x", "cannot be written", "not a directory"}},
		{"a bot below a file", plain("file", "x"), []string{token}, "serve --db DIR/file/x.db", exitConfig, []string{"file/x.db", "cannot be written", "not a directory"}},
		{"a database that is a folder", nil, []string{token}, "serve --db DIR", exitConfig, []string{"cannot be written", "regular file"}},

		{"a damaged database", damagedDatabase, []string{token}, "serve --db DIR/x.db", exitConfig, []string{"x.db", "damaged", "restore"}},
		{"a database of a newer version", newerDatabase, []string{token}, "serve --db DIR/x.db", exitConfig, []string{"x.db", "newer version"}},
		{"a text file", plain("x.db", strings.Repeat("Dear diary, ", 999)), []string{token}, "serve --db DIR/x.db", exitConfig, []string{"x.db", "no database of this program"}},
		{"somebody else's database", foreignDatabase, []string{token}, "serve --db DIR/x.db", exitConfig, []string{"x.db", "no database of this program"}},
		{"a state that is none", plain("x", "Dear diary\n"), nil, "sim --listen 127.0.0.1:0 --state DIR/x", exitConfig, []string{"damaged", "/x ", "delete"}},

		{"a heartbeat without pause", nil, nil, "sim --state DIR/a/x --heartbeat 10ms", exitUsage, []string{"--heartbeat", "10ms"}},
		{"no shard at once", nil, nil, "sim --state DIR/a/x --max-concurrency 0", exitUsage, []string{"--max-concurrency"}},
		{"an address for interactions that is in use", nil, []string{token}, "serve --db DIR/a/x.db --http " + taken.Addr().String() + " --public-key " + strings.Repeat("5a", 32), exitFailure, []string{"in use", "--http"}},
		{"interactions over HTTP without a key", nil, []string{token}, "serve --db DIR/a/x.db --http 127.0.0.1:0", exitUsage, []string{"--public-key", "TICTACTOE_PUBLIC_KEY", "developer portal"}},
		{"a key that is none", nil, []string{token, "TICTACTOE_PUBLIC_KEY=5a"}, "serve --db DIR/a/x.db --http 127.0.0.1:0", exitUsage, []string{"--public-key", "64 hexadecimal digits"}},
		{"an endpoint that is no address", nil, nil, "sim --state DIR/a/x --endpoint 127.0.0.1:8081", exitUsage, []string{"--endpoint", "http://127.0.0.1:8081/interactions"}},
		{"an unknown flag", nil, []string{token}, "serve --db DIR/a/x.db --nonsense", exitUsage, []string{"--nonsense", "tictactoe serve --help"}},
		{"an unknown command", nil, nil, "nonsense", exitUsage, []string{"nonsense", "tictactoe --help"}},
		{"an address of Discord that is none", nil, []string{token}, "serve --db DIR/a/x.db --discord-url nonsense", exitUsage, []string{"--discord-url", "http://127.0.0.1:8080"}},
		{"a policy that is no address", nil, []string{token}, "serve --db DIR/a/x.db --privacy-url PRIVACY.md", exitUsage, []string{"--privacy-url", "PRIVACY.md", "https://example.com/privacy"}},
		{"terms of another kind", nil, []string{token}, "serve --db DIR/a/x.db --terms-url javascript:alert(1)", exitUsage, []string{"--terms-url", "javascript"}},
		{"a rate below nothing", nil, []string{token}, "serve --db DIR/a/x.db --user-rate=-1", exitUsage, []string{"--user-rate", "-1"}},
		{"a rate that is no number", nil, []string{token}, "serve --db DIR/a/x.db --user-rate=NaN", exitUsage, []string{"--user-rate", "NaN"}},
		{"an address of Discord with a path", nil, []string{token}, "serve --db DIR/a/x.db --discord-url http://127.0.0.1:1/api", exitUsage, []string{"--discord-url", "/api"}},
		{"an address of Discord of another kind", nil, []string{token}, "serve --db DIR/a/x.db --discord-url ws://127.0.0.1:1", exitUsage, []string{"--discord-url", "http://127.0.0.1:8080"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if test.prepare != nil {
				test.prepare(t, dir)
			}
			before := contents(t, dir)
			p := start(t, test.env, strings.Fields(strings.ReplaceAll(test.args, "DIR", dir))...)
			p.wantExit(test.code)
			p.wantSaid(test.says...)
			if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
				t.Errorf("something was touched (-before +after)\n%s", diff)
			}
		})
	}

	for name, discord := range map[string]struct{ url, token string }{
		"a token that the gateway refuses": {refusing.URL, secretToken},
		"a token that the API refuses":     {local.URL, secret},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := start(t, []string{"DISCORD_TOKEN=" + discord.token}, "serve", "--db", filepath.Join(t.TempDir(), "x.db"), "--discord-url", discord.url)
			p.wantExit(exitConfig)
			p.wantSaid("token is not valid", "developer portal")
		})
	}
}

func TestALocalDiscordThatOthersCanReachWarns(t *testing.T) {
	t.Parallel()
	for listen, want := range map[string]bool{"127.0.0.1:0": false, "0.0.0.0:0": true} {
		p := start(t, nil, "sim", "--listen", listen, "--state", filepath.Join(t.TempDir(), "x.discord"))
		p.discord()
		if got := strings.Contains(p.said.String(), "other machines can reach"); got != want {
			t.Errorf("listening on %s: warned is %t, want %t\n%s", listen, got, want, p.said)
		}
	}
}

// The one test that runs the program in this process: what it leaves behind would stay here.
func TestAPlaygroundLeavesNothingBehind(t *testing.T) {
	before := goleak.IgnoreCurrent()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	said := &output{}
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, []string{"playground", "--listen", "127.0.0.1:0", "--db", filepath.Join(t.TempDir(), "x.db")},
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
		t.Errorf("it ended with %d:\n%s", got, said)
	}
	if _, err := io.Copy(io.Discard, stream.Body); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the stream of events ended with %v", err)
	}
	stream.Body.Close()
	d.client.CloseIdleConnections()
	again, err := net.Listen("tcp", d.address())
	if err != nil {
		t.Fatalf("the port is still taken: %v", err)
	}
	again.Close()
	goleak.VerifyNone(t, before)
}

func TestAnInterruptEndsAGameInTheTerminal(t *testing.T) {
	t.Parallel()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	said := &output{}
	cmd := exec.Command(path, "play", "--starting", "X")
	cmd.Stdout = said
	keyboard, err := cmd.StdinPipe() // nobody types
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer keyboard.Close()
	hung := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	waitUntil(t, "it waits for a move", func() bool { return strings.Contains(said.String(), "Your move (X)>") })
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if !hung.Stop() {
		t.Error("an interrupt did not end it")
	}
}

func TestAnInterruptEndsWhatCountsOrReads(t *testing.T) {
	t.Parallel()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args        []string
		input, said string // what it answers before it is interrupted
	}{
		{[]string{"perft", "--rules", "5x5", "--depth", "20"}, "", "\n 4          303600\n"},
		{[]string{"analyse"}, "X.O/.X./..O\n", "X to move: draw in 5"},
		{[]string{"prove", "--rules", "5x5"}, "", "| seconds |\n"},
	} {
		said, complaint := &output{}, &output{}
		cmd := exec.Command(path, c.args...)
		cmd.Stdout, cmd.Stderr = said, complaint
		keyboard, err := cmd.StdinPipe() // stays open
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		defer keyboard.Close()
		if _, err := keyboard.Write([]byte(c.input)); err != nil {
			t.Error(err)
		}
		hung := time.AfterFunc(patience, func() { cmd.Process.Kill() })
		waitUntil(t, "it answers", func() bool { return strings.Contains(said.String(), c.said) })
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
		cmd.Wait()
		if !hung.Stop() {
			t.Errorf("%s: an interrupt did not end it", c.args)
		}
		// Shells make 130 of it.
		if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGINT || complaint.String() != "" {
			t.Errorf("%s: ended with %v, want the signal: %s", c.args, cmd.ProcessState, complaint)
		}
	}
}

func TestThePageIsWhereItSays(t *testing.T) {
	t.Parallel()
	tests := []struct{ listen, opened, host string }{
		{"127.0.0.1:0", "127.0.0.1", "localhost"},
		{"localhost:0", "localhost", "127.0.0.1"},
		{":0", "127.0.0.1", "192.0.2.7"},
		{"0.0.0.0:0", "127.0.0.1", "192.0.2.7"},
	}
	for _, test := range tests {
		t.Run("with --listen "+test.listen, func(t *testing.T) {
			t.Parallel()
			p := start(t, nil, "playground", "--listen", test.listen, "--db", filepath.Join(t.TempDir(), "x.db"))
			d := p.discord()
			d.awaitBot()
			host, port, err := net.SplitHostPort(d.address())
			if err != nil || host != test.opened || port == "0" {
				t.Fatalf("it says %s", d.url)
			}
			for name, want := range map[string]int{d.address(): 200, test.host + ":" + port: 200, "evil.example:" + port: 421} {
				request, err := http.NewRequestWithContext(t.Context(), "GET", d.url, nil)
				if err != nil {
					t.Fatal(err)
				}
				request.Host = name
				response, err := d.client.Do(request)
				if err != nil {
					t.Fatal(err)
				}
				response.Body.Close()
				if response.StatusCode != want {
					t.Errorf("as %s it answers %d, want %d", name, response.StatusCode, want)
				}
			}
		})
	}
}

// process is one run of the program.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	said  *output
	ended chan struct{}
}

// start runs the program with nothing in its environment but env, until the test has ended.
func start(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{t: t, cmd: exec.Command(path, args...), said: &output{}, ended: make(chan struct{})}
	p.cmd.Env = append([]string{"HOME=/nowhere", "TICTACTOE_LOG_LEVEL=debug"}, env...)
	p.cmd.Stdout, p.cmd.Stderr = p.said, p.said
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.ended)
		p.cmd.Wait() // how it ended is in ProcessState
	}()
	t.Cleanup(func() {
		p.kill()
		if strings.Contains(p.said.String(), secret) {
			t.Errorf("the token was printed:\n%s", p.said)
		}
		if t.Failed() {
			t.Logf("%s said:\n%s", strings.Join(args, " "), p.said)
		}
	})
	return p
}

func (p *process) signal(s os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.t.Fatal(err)
	}
}

// kill gives it no time for anything.
func (p *process) kill() {
	p.t.Helper()
	p.signal(syscall.SIGKILL)
	<-p.ended
}

// stop asks it to end as a service manager does.
func (p *process) stop() {
	p.t.Helper()
	p.signal(syscall.SIGTERM)
	p.wantExit(exitOK)
}

func (p *process) wantExit(code int) {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(patience):
		p.t.Fatalf("%q does not end", p.cmd.Args[1:])
	}
	if got := p.cmd.ProcessState.ExitCode(); got != code {
		p.t.Errorf("%q ended with %d, want %d", p.cmd.Args[1:], got, code)
	}
}

func (p *process) wantSaid(parts ...string) {
	p.t.Helper()
	for _, part := range parts {
		if !strings.Contains(p.said.String(), part) {
			p.t.Errorf("%q is not in what it said:\n%s", part, p.said)
		}
	}
}

// discord is the local Discord that this process serves.
func (p *process) discord() *driver {
	p.t.Helper()
	return p.said.discord(p.t)
}

// output is what a program has said so far.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

// String is all of it.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

func (o *output) discord(t *testing.T) *driver {
	t.Helper()
	return newDriver(t, o.find(t, `is open: (http://\S+)`))
}

// find waits until something was said, and returns the part in brackets.
func (o *output) find(t *testing.T, pattern string) string {
	t.Helper()
	var found []string
	waitUntil(t, "it says "+pattern, func() bool {
		found = regexp.MustCompile(pattern).FindStringSubmatch(o.String())
		return found != nil
	})
	return found[1]
}

// waitUntil waits until something has become true.
func waitUntil(t *testing.T, what string, holds func() bool) {
	t.Helper()
	end, tick := time.After(patience), time.NewTicker(5*time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-end:
			t.Fatalf("it never became true that %s", what)
		case <-tick.C:
		}
	}
}

// driver drives a local Discord from outside.
type driver struct {
	t      *testing.T
	url    string
	client *http.Client
}

func newDriver(t *testing.T, url string) *driver {
	d := &driver{t, url, &http.Client{Timeout: patience, Transport: &http.Transport{}}}
	t.Cleanup(d.client.CloseIdleConnections)
	return d
}

// address is the host and port.
func (d *driver) address() string { return strings.TrimPrefix(d.url, "http://") }

// ask makes one of the documented calls. A Discord that is not there yet is asked again.
func (d *driver) ask(method, call string, body, into any) {
	d.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		d.t.Fatal(err)
	}
	var response *http.Response
	waitUntil(d.t, d.url+" answers", func() bool {
		request, err := http.NewRequestWithContext(d.t.Context(), method, d.url+"/sim/"+call, bytes.NewReader(text))
		if err != nil {
			d.t.Fatal(err)
		}
		response, err = d.client.Do(request)
		if err != nil && !errors.Is(err, syscall.ECONNREFUSED) {
			d.t.Fatal(err)
		}
		return err == nil
	})
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		d.t.Fatalf("%s %s %s: %d %s", method, call, text, response.StatusCode, answer)
	}
	if err := json.Unmarshal(answer, into); err != nil {
		d.t.Fatalf("%s %s: %v\n%s", method, call, err, answer)
	}
}

// state is as much of GET /sim/state as is needed here.
func (d *driver) state() (s struct {
	Commands []struct{} `json:"commands"`
	Bots     []struct {
		Connected bool   `json:"connected"`
		Endpoint  string `json:"interactions_endpoint_url"`
	} `json:"bots"`
}) {
	d.t.Helper()
	d.ask("GET", "state", nil, &s)
	return s
}

func (d *driver) connected() bool {
	d.t.Helper()
	bots := d.state().Bots
	return len(bots) > 0 && bots[0].Connected
}

// awaitBot waits until there is a bot that can be talked to.
func (d *driver) awaitBot() {
	d.t.Helper()
	waitUntil(d.t, "a bot with commands is connected", func() bool { return d.connected() && len(d.state().Commands) > 0 })
}

func (d *driver) messages(as string) (all []*discordsim.Message) {
	d.t.Helper()
	d.ask("GET", "messages?channel=general&as="+as, nil, &all)
	return all
}

// latest is the id of the newest message that everybody sees, empty if there is none.
func (d *driver) latest() string {
	d.t.Helper()
	for _, m := range slices.Backward(d.messages("alice")) {
		if m.Flags&64 == 0 {
			return m.ID
		}
	}
	return ""
}

func (d *driver) message(id string) *discordsim.Message {
	d.t.Helper()
	all := d.messages("alice")
	i := slices.IndexFunc(all, func(m *discordsim.Message) bool { return m.ID == id })
	if i < 0 {
		d.t.Fatalf("there is no message %q", id)
	}
	return all[i]
}

func (d *driver) board(id string) string {
	d.t.Helper()
	return boardOf(d.message(id))
}

func (d *driver) wantBoard(id, want string) {
	d.t.Helper()
	if got := d.board(id); got != want {
		d.t.Fatalf("the board is %s, want %s:\n%s", got, want, textOf(d.message(id)))
	}
}

func (d *driver) wantText(id, part string) {
	d.t.Helper()
	if got := textOf(d.message(id)); !strings.Contains(got, part) {
		d.t.Fatalf("%q is not in:\n%s", part, got)
	}
}

// act does something as a person and sees that it is answered.
func (d *driver) act(call string, body map[string]any) (r discordsim.Result) {
	d.t.Helper()
	d.ask("POST", call, body, &r)
	if r.Status != "answered" {
		d.t.Fatalf("%s %v ended as %q: %v", call, body, r.Status, r.Error)
	}
	return r
}

// hold does something as a person and does not wait for the answer. It returns the interaction.
func (d *driver) hold(call string, body map[string]any) string {
	d.t.Helper()
	body["hold"] = true
	var r discordsim.Result
	d.ask("POST", call, body, &r)
	return r.Interaction
}

func (d *driver) wantAnswered(interaction string) {
	d.t.Helper()
	var r discordsim.Result
	d.ask("GET", "interactions/"+interaction, nil, &r)
	if r.Status != "answered" {
		d.t.Fatalf("the click ended as %q: %v", r.Status, r.Error)
	}
}

func (d *driver) command(as, name string, options map[string]any) discordsim.Result {
	d.t.Helper()
	return d.act("command", map[string]any{"as": as, "channel": "general", "name": name, "options": options})
}

// press clicks the button with that label, or the square of that name.
func (d *driver) press(as, message, button string) discordsim.Result {
	d.t.Helper()
	return d.act("click", d.click(as, message, button))
}

// send presses and does not wait.
func (d *driver) send(as, message, button string) string {
	d.t.Helper()
	return d.hold("click", d.click(as, message, button))
}

func (d *driver) click(as, message, button string) map[string]any {
	d.t.Helper()
	m := d.message(message)
	for _, b := range buttonsOf(m) {
		if b.Label == button || strings.HasPrefix(b.CustomID, "play:") && strings.HasSuffix(b.CustomID, ":"+button) {
			return map[string]any{"as": as, "message": message, "custom_id": b.CustomID}
		}
	}
	d.t.Fatalf("there is no button %q on:\n%s\n%s", button, textOf(m), boardOf(m))
	return nil
}

// submit sends the form that an answer has opened.
func (d *driver) submit(as string, opened discordsim.Result) discordsim.Result {
	d.t.Helper()
	if opened.Modal == nil {
		d.t.Fatal("no form was opened")
	}
	return d.act("modal", map[string]any{"as": as, "interaction": opened.Interaction})
}

func (d *driver) advance(by string) {
	d.t.Helper()
	var now struct{}
	d.ask("POST", "clock", map[string]any{"advance": by}, &now)
}

// halves are the local Discord and the bot in two processes, and the wire between them.
type halves struct {
	*driver
	sim, bot  *process
	wire      *wire
	state, db string
}

func newHalves(t *testing.T) *halves {
	t.Helper()
	return newHalvesIn(t, t.TempDir())
}

// newHalvesIn is newHalves with the database in that folder.
func newHalvesIn(t *testing.T, folder string) *halves {
	t.Helper()
	h := &halves{state: filepath.Join(t.TempDir(), "discord", "state"), db: filepath.Join(folder, "bot", "bot.db")}
	h.sim = start(t, nil, "sim", "--listen", "127.0.0.1:0", "--state", h.state)
	h.driver = h.sim.discord()
	h.wire = newWire(t, h.url)
	t.Cleanup(h.checkTokens)
	h.begin()
	return h
}

// begin starts the bot.
func (h *halves) begin() {
	h.t.Helper()
	h.bot = start(h.t, []string{"DISCORD_TOKEN=" + secretToken, "TICTACTOE_ADMIN=127.0.0.1:0"}, "serve", "--db", h.db, "--discord-url", h.wire.server.URL)
	h.awaitBot()
}

// restart kills the bot and starts it again.
func (h *halves) restart() {
	h.t.Helper()
	h.bot.kill()
	h.eventually("Discord has noticed", func() bool { return !h.connected() })
	h.begin()
}

// killAnswering kills the bot when it has saved what was asked of it and is about to say so.
func (h *halves) killAnswering(send func()) {
	h.t.Helper()
	h.wire.holding.Store(true)
	send()
	answer := h.wire.await(h.t)
	h.bot.kill()
	h.wire.holding.Store(false)
	answer <- false
	h.eventually("Discord has noticed", func() bool { return !h.connected() })
	h.begin()
}

func (h *halves) eventually(what string, holds func() bool) {
	h.t.Helper()
	waitUntil(h.t, what, holds)
}

// awaitTruth waits until a board shows the match as it is saved.
func (h *halves) awaitTruth(message string) {
	h.t.Helper()
	store, err := sqlite.Open(h.t.Context(), h.db)
	if err != nil {
		h.t.Fatal(err)
	}
	defer store.Close()
	id := strings.Split(buttonsOf(h.message(message))[0].CustomID, ":")[1]
	h.eventually("the board shows what is saved", func() bool {
		m, err := store.Match(h.t.Context(), match.ID(id))
		if err != nil {
			h.t.Fatal(err)
		}
		return m.Position().String() == h.board(message)
	})
}

// wantTrueScores sees that a replay of all matches gives the same scores.
func (h *halves) wantTrueScores() {
	h.t.Helper()
	h.bot.stop()
	store, err := sqlite.Open(h.t.Context(), h.db)
	if err != nil {
		h.t.Fatal(err)
	}
	defer store.Close()
	if changed, err := store.RebuildScores(h.t.Context()); err != nil || changed != 0 {
		h.t.Errorf("%d scores were not what the matches make them (%v)", changed, err)
	}
}

// lockDatabase keeps every other writer out until the returned function is called.
func (h *halves) lockDatabase() (release func()) {
	h.t.Helper()
	db, err := sql.Open("sqlite3", "file:"+h.db+"?_txlock=immediate&_busy_timeout=5000")
	if err != nil {
		h.t.Fatal(err)
	}
	tx, err := db.Begin()
	if err != nil {
		h.t.Fatal(err)
	}
	return func() {
		h.t.Helper()
		if err := errors.Join(tx.Rollback(), db.Close()); err != nil {
			h.t.Fatal(err)
		}
	}
}

var tokenPattern = regexp.MustCompile(`"token":"([^"]+)"`)

// checkTokens sees that no token of an interaction was printed: for fifteen minutes it is as good as the bot's own.
func (h *halves) checkTokens() {
	text, err := os.ReadFile(h.state)
	tokens := tokenPattern.FindAllSubmatch(text, -1)
	if err != nil || len(tokens) == 0 {
		h.t.Errorf("no tokens found to look for: %v", err)
	}
	for _, p := range []*process{h.sim, h.bot} {
		for _, token := range tokens {
			if strings.Contains(p.said.String(), string(token[1])) {
				h.t.Errorf("an interaction's token was printed:\n%s", p.said)
			}
		}
	}
}

// unsaved is what people are told while nothing can be saved.
const unsaved = "I cannot save anything at the moment"

// load is a match as it is stored.
func (h *halves) load(board string) match.Match {
	h.t.Helper()
	store, err := sqlite.Open(h.t.Context(), h.db)
	if err != nil {
		h.t.Fatal(err)
	}
	defer store.Close()
	m, err := store.Match(h.t.Context(), match.ID(strings.Split(buttonsOf(h.message(board))[0].CustomID, ":")[1]))
	if err != nil {
		h.t.Fatal(err)
	}
	return m
}

// begun is the board of a match with a minute for each move, in which alice has taken b2.
func (h *halves) begun() string {
	h.t.Helper()
	h.command("alice", "tictactoe challenge", map[string]any{"opponent": "bob", "first": "me", "clock": "1m"})
	board := h.latest()
	h.press("bob", board, "Accept")
	h.press("alice", board, "b2")
	return board
}

// wantUnsaved sees that somebody is told, privately and in time, that nothing can be saved.
func (h *halves) wantUnsaved(r discordsim.Result) {
	h.t.Helper()
	if !r.Ephemeral || !strings.Contains(textOf(r.Message), unsaved) || r.Milliseconds > 3000 {
		h.t.Fatalf("after %d ms it says, privately: %t\n%s", r.Milliseconds, r.Ephemeral, textOf(r.Message))
	}
}

// wire is what a bot's requests pass on their way to Discord. Answers to interactions can be held on it.
type wire struct {
	server  *httptest.Server
	holding atomic.Bool
	held    chan chan<- bool
}

func newWire(t *testing.T, discord string) *wire {
	t.Helper()
	target, err := url.Parse(discord)
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{held: make(chan chan<- bool, 16)}
	through := &httputil.ReverseProxy{
		Rewrite:      func(r *httputil.ProxyRequest) { r.SetURL(target) },
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
		Transport:    &http.Transport{},
	}
	w.server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/callback") && w.holding.Load() {
			// The body comes first: who was killed can send none.
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			pass := make(chan bool, 1)
			w.held <- pass
			if !<-pass {
				panic(http.ErrAbortHandler)
			}
		}
		through.ServeHTTP(rw, r)
	}))
	t.Cleanup(func() { w.server.CloseClientConnections(); w.server.Close() })
	return w
}

// await is an answer that is being held: true lets it through, false loses it.
func (w *wire) await(t *testing.T) chan<- bool {
	t.Helper()
	select {
	case pass := <-w.held:
		return pass
	case <-time.After(patience):
		t.Fatal("no answer came to be held")
		return nil
	}
}

// newRefusingDiscord takes no token: its gateway hears who is there, and closes with 4004.
func newRefusingDiscord(t *testing.T) *httptest.Server {
	t.Helper()
	upgrader := websocket.Upgrader{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/") {
			fmt.Fprintf(w, `{"url":"ws://%s","shards":1,"session_start_limit":{"total":1000,"remaining":999,"reset_after":0,"max_concurrency":1}}`, r.Host)
			return
		}
		ws, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer ws.Close()
		ws.WriteJSON(map[string]any{"op": 10, "d": map[string]any{"heartbeat_interval": 40000}})
		ws.ReadMessage() // IDENTIFY
		ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(4004, "Authentication failed."), time.Now().Add(patience))
		ws.ReadMessage() // the other side's goodbye
	}))
	t.Cleanup(server.Close)
	return server
}

// ownDatabase is a database as this program makes it.
func ownDatabase(t *testing.T, dir string) (path string) {
	t.Helper()
	path = filepath.Join(dir, "x.db")
	store, err := sqlite.Open(t.Context(), path)
	if err == nil {
		err = store.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func damagedDatabase(t *testing.T, dir string) {
	path := ownDatabase(t, dir)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096; i < len(content); i++ { // the first page says whose it is
		content[i] = 0xa5
	}
	write(t, path, content)
}

func newerDatabase(t *testing.T, dir string) {
	change(t, ownDatabase(t, dir), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)")
}

func foreignDatabase(t *testing.T, dir string) {
	change(t, filepath.Join(dir, "x.db"), "CREATE TABLE diary (dear TEXT)")
}

func change(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec(statement)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// contents are the files below a folder, and what is in them.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			all[path] = "a folder"
			return err
		}
		content, err := os.ReadFile(path)
		all[path] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
