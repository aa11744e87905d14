package main

import (
	"bytes"
	"database/sql"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/discordsim"
	"tictactoe/internal/match"
	"tictactoe/store/sqlite"
)

// halves is a local Discord and a bot in two processes, and the connection between them.
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

// newHalvesIn is like newHalves, with the database in the given folder.
func newHalvesIn(t *testing.T, folder string) *halves {
	t.Helper()
	return newHalvesWith(t, folder, func(*driver) {})
}

// newHalvesWith is like newHalvesIn, but calls prepare with the local Discord before the bot starts.
func newHalvesWith(t *testing.T, folder string, prepare func(*driver)) *halves {
	t.Helper()
	h := &halves{state: filepath.Join(t.TempDir(), "discord", "state"), db: filepath.Join(folder, "bot", "bot.db")}
	h.sim = start(t, nil, "sim", "--listen", "127.0.0.1:0", "--state", h.state)
	h.driver = h.sim.discord()
	prepare(h.driver)
	h.wire = newWire(t, h.url)
	t.Cleanup(h.checkTokens)
	h.begin()
	return h
}

// begin starts the bot after Discord has noticed the end of the previous one. Otherwise awaitBot would take the old connection for
// the new one.
func (h *halves) begin() {
	h.t.Helper()
	h.eventually("no bot is connected", func() bool { return !h.connected() })
	h.bot = start(h.t, []string{"DISCORD_TOKEN=" + secretToken, "TICTACTOE_ADMIN=127.0.0.1:0"}, "serve", "--db", h.db, "--discord-url", h.wire.server.URL)
	h.awaitBot()
}

// restart kills the bot and starts it again.
func (h *halves) restart() {
	h.t.Helper()
	h.bot.kill()
	h.begin()
}

// killAnswering kills the bot after it has saved a request and before its answer arrives.
func (h *halves) killAnswering(send func() (interaction string)) {
	h.t.Helper()
	h.wire.holding.Store(true)
	answer := h.wire.await(h.t, send())
	h.bot.kill()
	h.wire.holding.Store(false)
	answer <- false
	h.begin()
}

func (h *halves) eventually(what string, holds func() bool) {
	h.t.Helper()
	waitUntil(h.t, what, holds)
}

// awaitTruth waits until a board shows the match as stored.
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

// wantTrueScores checks that a replay of all matches gives the same scores.
func (h *halves) wantTrueScores() {
	h.t.Helper()
	h.bot.stop()
	store, err := sqlite.Open(h.t.Context(), h.db)
	if err != nil {
		h.t.Fatal(err)
	}
	defer store.Close()
	if changed, err := store.RebuildScores(h.t.Context(), nil); err != nil || changed != 0 {
		h.t.Errorf("%d scores did not agree with the matches (%v)", changed, err)
	}
}

// lockDatabase blocks all other writers until the returned function is called.
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

// checkTokens checks that no token of an interaction was printed: for fifteen minutes such a token allows anybody to answer as the
// bot.
func (h *halves) checkTokens() {
	text, err := os.ReadFile(h.state)
	tokens := tokenPattern.FindAllSubmatch(text, -1)
	if err != nil || len(tokens) == 0 {
		h.t.Errorf("no tokens found to look for: %v", err)
	}
	for _, p := range []*process{h.sim, h.bot} {
		for _, token := range tokens {
			if strings.Contains(p.said.String(), string(token[1])) {
				h.t.Errorf("the token of an interaction was printed:\n%s", p.said)
			}
		}
	}
}

// load returns the stored match of a board.
func (h *halves) load(board string) match.Match {
	h.t.Helper()
	store, err := openShared(h.t.Context(), h.db, func(error) {}, slog.New(slog.DiscardHandler))
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

// begun returns the board of a new match with a minute for each move. Alice has taken b2, and Bob is to move.
func (h *halves) begun() string {
	h.t.Helper()
	return h.begunWith("bob")
}

func (h *halves) begunWith(opponent string) string {
	h.t.Helper()
	h.command("alice", "tictactoe challenge", map[string]any{"opponent": opponent, "first": "me", "clock": "1m"})
	board := h.latest()
	h.press(opponent, board, "Accept")
	h.press("alice", board, "b2")
	return board
}

// wantUnsaved checks that the user is told, privately and in time, that nothing can be saved.
func (h *halves) wantUnsaved(r discordsim.Result) {
	h.t.Helper()
	if !r.Ephemeral || !strings.Contains(textOf(r.Message), unsaved) || r.Milliseconds > 3000 {
		h.t.Fatalf("after %d ms it says, privately: %t\n%s", r.Milliseconds, r.Ephemeral, textOf(r.Message))
	}
}

var tokenPattern = regexp.MustCompile(`"token":"([^"]+)"`)

// unsaved is the text while nothing can be saved.
const unsaved = "I can't save anything right now"

// wire passes the bot's requests on to Discord, and can hold answers to interactions back.
type wire struct {
	server  *httptest.Server
	holding atomic.Bool
	// watch, if set, sees the requests, and may answer one itself: it then returns true.
	watch atomic.Pointer[func(http.ResponseWriter, *http.Request, http.Handler) bool]
	held  chan heldAnswer
}

// heldAnswer is an answer that was held back: sending true lets it pass, sending false drops it.
type heldAnswer struct {
	path string
	pass chan<- bool
}

func newWire(t *testing.T, discord string) *wire {
	t.Helper()
	target, err := url.Parse(discord)
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{held: make(chan heldAnswer, 16)}
	through := &httputil.ReverseProxy{
		Rewrite:      func(r *httputil.ProxyRequest) { r.SetURL(target) },
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
		Transport:    &http.Transport{},
	}
	w.server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if watch := w.watch.Load(); watch != nil && (*watch)(rw, r, through) {
			return
		}
		if strings.HasSuffix(r.URL.Path, "/callback") && w.holding.Load() {
			// The body is read first, so that a process that is killed now has sent it completely.
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			pass := make(chan bool, 1)
			w.held <- heldAnswer{r.URL.Path, pass}
			if !<-pass {
				panic(http.ErrAbortHandler)
			}
		}
		through.ServeHTTP(rw, r)
	}))
	t.Cleanup(func() { w.server.CloseClientConnections(); w.server.Close() })
	return w
}

// await waits for the held answer to the given interaction and returns a channel: sending true lets the answer pass, sending false
// drops it. Other answers pass.
func (w *wire) await(t *testing.T, interaction string) chan<- bool {
	t.Helper()
	late := time.After(patience)
	for {
		select {
		case answer := <-w.held:
			if strings.Contains(answer.path, "/"+interaction+"/") {
				return answer.pass
			}
			answer.pass <- true
		case <-late:
			t.Fatal("no answer came to be held")
		}
	}
}
