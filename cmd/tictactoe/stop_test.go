package main

import (
	"bytes"
	"context"
	"database/sql"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"tictactoe/internal/longtest"
	"tictactoe/store/sqlite"
)

// stopTime is the longest time for a stop with open clicks: five seconds, and some more for a busy machine.
const stopTime = 7 * time.Second

// wantStop stops the process and checks that it ends in time and with the given exit code.
func (p *process) wantStop(code int) {
	p.t.Helper()
	began := time.Now()
	p.signal(syscall.SIGTERM)
	p.wantExit(code)
	if took := time.Since(began); took > stopTime {
		p.t.Errorf("the process took %v to end", took)
	}
}

func TestAStopFinishesOpenWork(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	h := newHalves(t)
	h.command("alice", "tictactoe challenge", map[string]any{"opponent": "bob", "first": "me"})
	board := h.latest()
	h.press("bob", board, "Accept")

	// The answer to the click is on its way when the bot is stopped.
	h.wire.holding.Store(true)
	click := h.send("alice", board, "b2")
	answer := h.wire.await(t, click)
	h.bot.signal(syscall.SIGTERM)
	h.wire.holding.Store(false)
	h.eventually("the bot hangs up", func() bool { return !h.connected() })
	answer <- true
	h.wantAnswered(click)
	h.bot.wantExit(exitOK)
	h.wantBoard(board, ".../.X./...")

	// The click waits for the lock on the database. Its acknowledgement shows that it has arrived.
	h.begin()
	h.command("bob", "tictactoe games", nil) // the answer shows that the new process handles interactions
	release := h.lockDatabase()
	h.wire.holding.Store(true)
	click = h.send("bob", board, "a1")
	acknowledgement := h.wire.await(t, click)
	h.bot.signal(syscall.SIGTERM)
	h.wire.holding.Store(false)
	acknowledgement <- true
	h.eventually("the bot hangs up", func() bool { return !h.connected() })
	release()
	h.wantAnswered(click)
	h.bot.wantExit(exitOK)
	h.wantBoard(board, "O../.X./...")
}

func TestAStopIsFast(t *testing.T) {
	t.Parallel()
	h := newHalves(t)

	var boards, clicks []string
	for range 2 {
		h.command("alice", "tictactoe challenge", map[string]any{"opponent": "bob", "first": "me"})
		board := h.latest()
		h.press("bob", board, "Accept")
		boards = append(boards, board)
	}
	h.wire.holding.Store(true)
	var answers []chan<- bool
	for _, board := range boards {
		click := h.send("alice", board, "b2")
		clicks = append(clicks, click)
		answers = append(answers, h.wire.await(t, click)) // the click is saved, and its answer is on its way
	}
	h.wire.holding.Store(false)
	for _, answer := range answers {
		answer <- true
	}
	h.bot.wantStop(exitOK)
	for _, click := range clicks {
		h.wantAnswered(click)
	}

	// The database stays locked, and a click waits for it. The user is told so, and the click has no effect.
	h.begin()
	shown := h.board(boards[0])
	release := h.lockDatabase()
	h.wire.holding.Store(true)
	click := h.send("bob", boards[0], "a1")
	acknowledgement := h.wire.await(t, click)
	h.wire.holding.Store(false)
	acknowledgement <- true
	h.bot.wantStop(exitOK)
	release()
	h.wantAnswered(click)
	h.wantBoard(boards[0], shown)
}

func TestASecondSignalEndsAtOnce(t *testing.T) {
	t.Parallel()
	for name, second := range map[string]syscall.Signal{"interrupt": syscall.SIGINT, "termination": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHalves(t)
			h.command("alice", "tictactoe challenge", map[string]any{"opponent": "bob", "first": "me"})
			board := h.latest()
			h.press("bob", board, "Accept")
			h.wire.holding.Store(true)
			answer := h.wire.await(t, h.send("alice", board, "b2")) // the click is saved, and its answer is on its way
			h.bot.signal(syscall.SIGTERM)
			h.eventually("the bot hangs up", func() bool { return !h.connected() })
			h.bot.signal(second)
			<-h.bot.ended // the answer is still held back, so a process that waited for it would not have ended
			if status, ok := h.bot.cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != second {
				t.Errorf("the bot ended with %v, want the signal", h.bot.cmd.ProcessState)
			}
			h.wire.holding.Store(false)
			answer <- false
			h.begin()
			h.eventually("the board shows what was saved", func() bool { return h.board(board) == ".../.X./..." })
		})
	}
}

// Closing the terminal ends the bot like a stop, unless nohup protects it.
func TestAClosedTerminal(t *testing.T) {
	t.Parallel()
	caught := make(chan os.Signal, 1) // a signal that this process catches is not ignored in the bot
	signal.Notify(caught, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(caught) })
	h := newHalves(t)
	h.command("alice", "tictactoe help", nil)
	h.bot.signal(syscall.SIGHUP)
	h.bot.wantExit(exitOK)
}

// The start can be stopped during every wait.
func TestAStopDuringTheStart(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	silence, err := net.Listen("tcp", "127.0.0.1:0") // accepts connections and sends nothing
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { silence.Close() })
	gateway := newSilentGateway(t)

	serve := func(t *testing.T, db, discord string) *process {
		return start(t, []string{"DISCORD_TOKEN=" + secretToken}, "serve", "--db", db, "--discord-url", discord)
	}
	said := func(p *process, part string) {
		waitUntil(p.t, "it says "+part, func() bool { return strings.Contains(p.said.String(), part) })
	}
	t.Run("while another bot has the database", func(t *testing.T) {
		t.Parallel()
		db := ownDatabase(t, t.TempDir())
		lock, err := sqlite.Acquire(t.Context(), db, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer lock.Release()
		p := serve(t, db, "http://"+silence.Addr().String())
		said(p, "waiting for it to stop")
		p.wantStop(exitOK)
	})
	t.Run("while another process writes to the database", func(t *testing.T) {
		t.Parallel()
		h := &halves{driver: &driver{t: t}, db: ownDatabase(t, t.TempDir())}
		release := h.lockDatabase()
		defer release()
		p := serve(t, h.db, "http://"+silence.Addr().String())
		waitUntil(t, "it has begun", func() bool { _, err := os.Stat(h.db + ".lock"); return err == nil })
		p.wantStop(exitOK)
	})
	t.Run("during the migration", func(t *testing.T) {
		t.Parallel()
		h := &halves{driver: &driver{t: t}, db: filepath.Join(t.TempDir(), "x.db")}
		for _, file := range []string{"migrations/sqlite/00032_schema.sql", "store/sqlite/testdata/schema-32.sql"} {
			old, err := os.ReadFile(filepath.Join("..", "..", file))
			if err != nil {
				t.Fatal(err)
			}
			change(t, h.db, string(old))
		}
		release := h.lockDatabase()
		p := serve(t, h.db, "http://"+silence.Addr().String())
		waitUntil(t, "it has begun", func() bool { _, err := os.Stat(h.db + ".lock"); return err == nil })
		p.wantStop(exitOK)
		release()
		p = serve(t, h.db, "http://"+silence.Addr().String())
		said(p, `"msg":"starting"`) // the program logs this before the next step
		p.wantStop(exitOK)
	})
	t.Run("while the API is silent", func(t *testing.T) {
		t.Parallel()
		p := serve(t, filepath.Join(t.TempDir(), "x.db"), "http://"+silence.Addr().String())
		said(p, `"msg":"starting"`)
		p.wantStop(exitOK)
	})
	t.Run("while the gateway is silent", func(t *testing.T) {
		t.Parallel()
		p := serve(t, filepath.Join(t.TempDir(), "x.db"), gateway.url)
		<-gateway.connected
		p.wantStop(exitOK)
	})
}

// silentGateway accepts connections and never sends HELLO.
type silentGateway struct {
	url       string
	connected chan struct{}
}

func newSilentGateway(t *testing.T) *silentGateway {
	t.Helper()
	g := &silentGateway{connected: make(chan struct{}, 1)}
	upgrader := websocket.Upgrader{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/") {
			w.Write([]byte(`{"url":"ws://` + r.Host + `","shards":1,"session_start_limit":{"total":1000,"remaining":999,"reset_after":0,"max_concurrency":1}}`))
			return
		}
		ws, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer ws.Close()
		g.connected <- struct{}{}
		ws.ReadMessage() // until the bot closes the connection
	}))
	t.Cleanup(server.Close)
	g.url = server.URL
	return g
}

// A bot that is stopped while it waits for its database ends with exit code 0.
func TestAStopWhileTheDatabaseIsAwaited(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tictactoe.db")
	s, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	var stderr bytes.Buffer
	env := func(name string) string { return map[string]string{"DISCORD_TOKEN": playgroundToken}[name] }
	code := run(stopped, []string{"serve", "--db", path, "--discord-url", "http://127.0.0.1:1"}, surroundings{env: env, stdout: &stderr, stderr: &stderr})
	if code != exitOK || !strings.Contains(stderr.String(), "stopped during the start") {
		t.Errorf("code %d, %s", code, stderr.String())
	}
}
