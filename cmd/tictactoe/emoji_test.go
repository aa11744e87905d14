package main

import (
	"database/sql"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"tictactoe/bot/rest"
	"tictactoe/discordsim"
	"tictactoe/internal/longtest"
	"tictactoe/internal/show/emoji"
	"tictactoe/store/postgres/pgtest"
)

// emojiAt gives a test access to the emoji of the bot's application, without the bot.
type emojiAt struct {
	t    *testing.T
	rest *rest.Client
}

func newEmojiAt(t *testing.T, d *driver) emojiAt {
	t.Helper()
	d.ask("PUT", "rate-limits", map[string]bool{"on": false}, new(any))
	rest, err := rest.New(rest.Config{Token: secretToken, BaseURL: d.url})
	if err != nil {
		t.Fatal(err)
	}
	return emojiAt{t, rest}
}

// ids returns the ids of all emoji, by name. Discord ensures that names are unique.
func (e emojiAt) ids() map[string]string {
	e.t.Helper()
	own, err := e.rest.OwnEmoji(e.t.Context())
	if err != nil {
		e.t.Fatal(err)
	}
	ids := map[string]string{}
	for _, o := range own {
		ids[o.Name] = o.ID
	}
	return ids
}

// wantWhole waits until all emoji of the bot, and the given number of others, exist.
func (e emojiAt) wantWhole(others int) {
	e.t.Helper()
	waitUntil(e.t, "all emoji are at Discord", func() bool { return len(e.ids()) >= len(emoji.Set())+others })
	ids := e.ids()
	for _, want := range emoji.Set() {
		if ids[want.Name] == "" {
			e.t.Errorf("emoji %s is missing", want.Name)
		}
	}
	if len(ids) != len(emoji.Set())+others {
		e.t.Errorf("there are %d emoji, want %d and %d others", len(ids), len(emoji.Set()), others)
	}
}

// ownEmojiOn reports whether the board is drawn with the bot's own emoji.
func ownEmojiOn(m *discordsim.Message) bool {
	for _, b := range buttonsOf(m) {
		if b.Emoji != nil {
			return b.Emoji.ID != ""
		}
	}
	return false
}

func (d *driver) wantOwn(board string, want bool) {
	d.t.Helper()
	if got := ownEmojiOn(d.message(board)); got != want {
		d.t.Errorf("drawn with own emoji: %v, want %v", got, want)
	}
}

// program runs a command of the program on the database of h, and waits for its end.
func (h *halves) program(args ...string) *process {
	h.t.Helper()
	p := start(h.t, []string{"DISCORD_TOKEN=" + secretToken}, append(args, "--db", h.db, "--discord-url", h.url)...)
	<-p.ended
	return p
}

func TestOwnEmojiComeWhilePeoplePlay(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	var at emojiAt
	h := newHalvesWith(t, t.TempDir(), func(d *driver) {
		at = newEmojiAt(t, d)
		d.ask("PUT", "faults", map[string]any{"faults": map[string]any{"emoji_uploads": 20, "emoji_retry_after_ms": 2000}}, new(any))
	})
	// Matches begin before the upload of the emoji ends.
	h.command("alice", "tictactoe challenge", map[string]any{"opponent": "bob", "first": "me"})
	board := h.latest()
	h.press("bob", board, "Accept")
	h.press("alice", board, "b2")
	h.wantBoard(board, ".../.X./...")
	h.wantOwn(board, false)
	waitUntil(t, "Discord has closed the route", func() bool { return len(at.ids()) >= 20 })
	h.restart() // in the middle of the upload
	if n := len(at.ids()); n >= len(emoji.Set()) {
		t.Fatalf("there are %d emoji already", n)
	}
	h.press("bob", board, "a1")
	h.wantOwn(board, false)
	h.ask("PUT", "faults", map[string]any{"faults": map[string]any{}}, new(any))
	at.wantWhole(0)
	h.bot.said.find(t, `"msg":"(emoji uploaded to Discord)"`)
	h.press("alice", board, "c3")
	h.wantBoard(board, "O../.X./..X")
	h.wantOwn(board, true)

	// A person deletes an emoji that a board uses. The next click must still show the board, and the bot must upload the emoji
	// again.
	if err := at.rest.DeleteEmoji(t.Context(), at.ids()["b1_empty"]); err != nil {
		t.Fatal(err)
	}
	// The simulator reports a click as failed as soon as one answer to it was refused, so the test does not wait for the result.
	h.send("bob", board, "c1")
	waitUntil(t, "the move is on the board", func() bool { return h.board(board) == "O.O/.X./..X" })
	h.wantOwn(board, false)
	at.wantWhole(0)

	// The operator lists the emoji, and deletes those with an outdated picture.
	h.bot.stop()
	h.program("emoji", "prune").wantSaid("0 deleted")
	db, err := sql.Open("sqlite3", "file:"+h.db)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("UPDATE emoji SET hash = '0123456789abcdef' WHERE name = 'a1_x'"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	h.begin()
	at.wantWhole(1)
	h.bot.said.find(t, `"msg":"(emoji uploaded to Discord)"`)
	h.bot.stop()
	h.program("emoji", "prune").wantSaid("1 deleted")
	at.wantWhole(0)
}

func TestThePlaygroundHasItsEmojiAtOnce(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "playground.db")
	for range 2 { // the first start and a restart
		p := start(t, nil, "playground", "--listen", "127.0.0.1:0", "--db", db)
		d := p.discord()
		d.awaitBot()
		d.command("alice", "tictactoe ai", map[string]any{"first": "me", "board": "5x5"})
		d.wantOwn(d.latest(), true)
		p.stop()
	}
}

func TestOwnEmojiWithoutRoom(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	const others = 1900
	var at emojiAt
	h := newHalvesWith(t, t.TempDir(), func(d *driver) {
		at = newEmojiAt(t, d)
		for i := range others {
			if _, err := at.rest.CreateEmoji(t.Context(), fmt.Sprint("other_", i), emoji.Set()[0].Picture()); err != nil {
				t.Fatal(err)
			}
		}
	})
	h.bot.said.find(t, `"msg":"(emoji do not fit at Discord; boards that lack some use Unicode)"`)
	h.command("alice", "tictactoe ai", map[string]any{"first": "me"})
	h.wantOwn(h.latest(), false)
	if n := len(at.ids()); n != others {
		t.Errorf("there are %d emoji, want %d", n, others)
	}
	h.bot.stop()
	h.program("doctor").wantSaid(fmt.Sprint("the application has ", others, " others"))
}

func TestOwnEmojiSwitchedOff(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	h := newHalves(t)
	h.bot.stop()
	at := newEmojiAt(t, h.driver)
	for name, id := range at.ids() { // the emoji of the first start still exist
		if err := at.rest.DeleteEmoji(t.Context(), id); err != nil {
			t.Fatal(name, err)
		}
	}
	h.eventually("no bot is connected", func() bool { return !h.connected() })
	start(t, []string{"DISCORD_TOKEN=" + secretToken}, "serve", "--no-emoji", "--db", h.db, "--discord-url", h.wire.server.URL)
	h.awaitBot()
	h.command("alice", "tictactoe ai", map[string]any{"first": "me"})
	board := h.latest()
	h.press("alice", board, "b2")
	h.wantOwn(board, false)
	if ids := at.ids(); len(ids) > 0 || strings.Contains(textOf(h.message(board)), "<:") {
		t.Errorf("there are %d emoji", len(ids))
	}
}

// TestTwoProcessesBringEachEmojiOnce tests that two processes upload each emoji once. It also copies the database: a bot on the
// copy need not upload any emoji.
func TestTwoProcessesBringEachEmojiOnce(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	h := &halves{state: filepath.Join(t.TempDir(), "state"), db: withPassword(t, pgtest.Migrated(t))}
	h.sim = start(t, nil, "sim", "--listen", "127.0.0.1:0", "--state", h.state)
	h.driver = h.sim.discord()
	at := newEmojiAt(t, h.driver)
	h.wire = newWire(t, h.url)
	var both []*process
	for shard := range 2 {
		both = append(both, start(t, []string{"DISCORD_TOKEN=" + secretToken}, "serve", "--db", h.db, "--discord-url", h.wire.server.URL,
			"--shards", "2", "--shard-ids", fmt.Sprint(shard)))
	}
	h.awaitBot()
	at.wantWhole(0)
	brought := at.ids()
	for _, p := range both {
		p.stop()
		// Discord refuses a second emoji with the same name, and the process would log the refusal.
		if strings.Contains(p.said.String(), "emoji not uploaded to Discord") {
			t.Errorf("a process tried to upload an existing emoji: %s", p.said.String())
		}
	}

	file := filepath.Join(t.TempDir(), "bot.db")
	start(t, nil, "db", "copy", h.db, file).wantExit(exitOK)
	h.db = file
	h.begin()
	h.command("alice", "tictactoe ai", map[string]any{"first": "me"})
	h.wantOwn(h.latest(), true)
	if after := at.ids(); !maps.Equal(after, brought) {
		t.Errorf("after the copy there are other emoji: %v", after)
	}
	h.bot.stop()
	if strings.Contains(h.bot.said.String(), `"msg":"emoji uploaded to Discord"`) {
		t.Error("the bot has uploaded existing emoji again")
	}
}
