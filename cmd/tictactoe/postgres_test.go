package main

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"tictactoe/internal/longtest"
	"tictactoe/store/postgres/pgtest"
)

// withPassword returns the address with a password. The server does not ask for it, and it must never be shown.
func withPassword(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword(u.User.Username(), secret)
	return u.String()
}

func TestABotOnPostgresIsKilledAndGoesOn(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	db := withPassword(t, pgtest.Migrated(t))
	h := &halves{state: filepath.Join(t.TempDir(), "state"), db: db}
	h.sim = start(t, nil, "sim", "--listen", "127.0.0.1:0", "--state", h.state)
	h.driver = h.sim.discord()
	h.wire = newWire(t, h.url)
	h.begin()
	h.command("alice", "tictactoe challenge", map[string]any{"opponent": "bob", "first": "me"})
	board := h.latest()
	h.press("bob", board, "Accept")
	h.press("alice", board, "b2")
	h.restart()
	h.wantBoard(board, ".../.X./...")
	h.press("bob", board, "a1")
	h.wantBoard(board, "O../.X./...")
	h.bot.wantSaid("postgres://")
	file, again := filepath.Join(t.TempDir(), "file.db"), filepath.Join(t.TempDir(), "again.db")
	running := start(t, nil, "db", "copy", db, file)
	running.wantExit(exitInUse)
	running.wantSaid("a bot runs on it", "stop it first")
	h.bot.stop()

	doctor := start(t, []string{"DISCORD_TOKEN=" + playgroundToken}, "doctor", "--db", db, "--discord-url", h.url)
	doctor.wantExit(exitOK)
	doctor.wantSaid("ok       clock        the database server's agrees with Discord's")

	for _, tt := range []struct {
		args []string
		code int
		said string
	}{
		{[]string{"db", "check", "--db", db}, exitOK, "sound: 1 game with 2 moves"},
		{[]string{"db", "check", "--db", db + "\n"}, exitOK, "sound: 1 game with 2 moves"}, // as read from a file
		{[]string{"db", "export", "--db", db}, exitOK, `"moves":["b2","a1"]`},
		{[]string{"db", "rebuild", "--db", db}, exitOK, "All scores and ratings were right"},
		{[]string{"db", "backup", "--db", db, "x.bak"}, exitConfig, "pg_dump"},
		{[]string{"db", "restore", "--db", db, "x.bak"}, exitConfig, "pg_restore"},
		{[]string{"db", "copy", db, file}, exitOK, "1 game with 2 moves"},
		{[]string{"db", "check", "--db", file}, exitOK, "sound: 1 game with 2 moves"},
		{[]string{"db", "copy", "--json", file, again}, exitOK, `"moves":2`},
		{[]string{"db", "copy", file, db}, exitConfig, "drop the schema tictactoe of postgres://"},
		{[]string{"db", "copy", db, db}, exitFailure, "the same database"},
		{[]string{"playground", "--db", db}, exitConfig, "tictactoe sim"},
		{[]string{"doctor", "--db", db, "--discord-url", h.url}, exitConfig, "can be reached, schema"}, // the bot has no token
		{[]string{"db", "check", "--db", "postgres://bot:" + secret + "@127.0.0.1:port/x"}, exitConfig, "no Postgres address"},
	} {
		out, problems, code := runInProcess(t, "", tt.args...)
		if code != tt.code || !strings.Contains(out+problems, tt.said) {
			t.Errorf("%s %s: %d\n%s%s", tt.args[0], tt.args[1], code, out, problems)
		}
		if strings.Contains(out+problems, secret) {
			t.Errorf("%s %s shows the password", tt.args[0], tt.args[1])
		}
	}
}
