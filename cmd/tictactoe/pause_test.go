package main

import (
	"context"
	"database/sql"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tictactoe/internal/longtest"
	"tictactoe/internal/match"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgtest"
)

// dueIn moves the deadlines of all matches to the given time from now, because the shortest turn time is a minute.
func (h *halves) dueIn(d time.Duration) {
	h.t.Helper()
	due, err := time.Now().Add(d).UnixMilli(), error(nil)
	if postgres.IsAddress(h.db) {
		var conn *pgx.Conn
		if conn, err = pgx.Connect(h.t.Context(), h.db); err == nil {
			defer conn.Close(context.Background())
			_, err = conn.Exec(h.t.Context(), "UPDATE tictactoe.matches SET deadline = $1", due)
		}
	} else {
		var db *sql.DB
		if db, err = sql.Open("sqlite3", "file:"+h.db+"?_busy_timeout=5000"); err == nil {
			defer db.Close()
			_, err = db.ExecContext(h.t.Context(), "UPDATE matches SET deadline = ?", due)
		}
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// The bot is stopped with SIGSTOP before the deadlines of three matches, and continued after them. One player moves in time.
func TestAPausedBot(t *testing.T) {
	longtest.Only(t)
	onGateway := func(t *testing.T, db string) *halves {
		h := &halves{state: filepath.Join(t.TempDir(), "state"), db: db}
		h.sim = start(t, nil, "sim", "--listen", "127.0.0.1:0", "--state", h.state)
		h.driver = h.sim.discord()
		h.wire = newWire(t, h.url)
		h.begin()
		return h
	}
	t.Run("on SQLite", func(t *testing.T) {
		t.Parallel()
		onGateway(t, filepath.Join(t.TempDir(), "bot.db")).pause(func() {})
	})
	t.Run("on Postgres", func(t *testing.T) {
		t.Parallel()
		onGateway(t, pgtest.Migrated(t)).pause(func() {})
	})
	t.Run("with a lost connection", func(t *testing.T) {
		t.Parallel()
		h := onGateway(t, filepath.Join(t.TempDir(), "bot.db"))
		h.pause(func() {
			var cut map[string]int
			h.ask("POST", "gateway", map[string]any{"action": "drop"}, &cut)
		})
	})
	t.Run("over HTTP", func(t *testing.T) {
		t.Parallel()
		newBehindProxy(t).pause(func() {})
	})
}

// pause pauses the bot for twelve seconds, during which the deadlines of three matches pass. One second after the start of the pause
// it calls act. It checks that the players get the time of the pause back, and that a player who stays inactive then loses.
func (h *halves) pause(act func()) {
	h.t.Helper()
	pressed, waiting, dozing := h.begun(), h.begun(), h.begunWith("carol")
	const left = 8 * time.Second // enough for the following steps on a busy machine
	h.dueIn(left)
	h.bot.signal(syscall.SIGSTOP)
	due := time.Now().Add(left)
	<-time.After(time.Second)
	h.send("bob", pressed, "a1")
	act()
	<-time.After(time.Until(due.Add(4 * time.Second)))
	h.bot.signal(syscall.SIGCONT)

	h.eventually("the move that was made in time counts", func() bool { return h.load(pressed).Record.Len() == 2 })
	h.awaitBot()
	h.press("bob", waiting, "a1") // bob still has the time that he had left
	for _, board := range []string{pressed, waiting, dozing} {
		if h.load(board).Result.Over() {
			h.t.Error("a match is lost on time")
		}
	}
	h.eventually("an inactive player loses in the end", func() bool { return h.load(dozing).Result.Cause == match.ByTime })
	if now := time.Now(); now.Before(due.Add(11 * time.Second)) {
		h.t.Errorf("%v of the pause were not credited", due.Add(12*time.Second).Sub(now))
	}
}
