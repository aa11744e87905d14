package main

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"tictactoe/bot/endpoint"
)

// behindProxy is a local Discord and a bot in two processes, with a plain HTTP proxy in front of the bot.
type behindProxy struct {
	*halves
	to atomic.Pointer[string] // the address of the bot's endpoint

	mu   sync.Mutex
	last *http.Request // the last request with an interaction
	body []byte
}

var listensPattern = regexp.MustCompile(`"taking interactions","address":"([^"]+)"`)

func newBehindProxy(t *testing.T) *behindProxy {
	t.Helper()
	dir := t.TempDir()
	b := &behindProxy{halves: &halves{state: filepath.Join(dir, "discord"), db: filepath.Join(dir, "bot.db")}}
	proxy := httptest.NewServer(b)
	t.Cleanup(proxy.Close)
	b.sim = start(t, nil, "sim", "--listen", "127.0.0.1:0", "--state", b.state, "--endpoint", proxy.URL+endpoint.Path)
	b.driver = b.sim.discord()
	b.begin()
	b.eventually("Discord delivers over HTTP", func() bool { return b.driver.state().Bots[0].Endpoint != "" })
	return b
}

// ServeHTTP implements the proxy. It answers with 502 if it cannot reach the bot.
func (b *behindProxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || b.to.Load() == nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	if bytes.Contains(body, []byte(`"data":`)) { // the request is not a PING
		b.mu.Lock()
		b.last, b.body = r, body
		b.mu.Unlock()
	}
	resp, err := b.post(r.Header, body)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	w.Header().Set("Content-Type", resp.Header.Get("Content-Type"))
	w.WriteHeader(resp.StatusCode)
	io.Copy(w, resp.Body)
}

func (b *behindProxy) post(header http.Header, body []byte) (*http.Response, error) {
	request, err := http.NewRequest(http.MethodPost, "http://"+*b.to.Load()+endpoint.Path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header = header.Clone()
	return http.DefaultClient.Do(request)
}

// begin starts the bot.
func (b *behindProxy) begin() {
	b.t.Helper()
	key := regexp.MustCompile(`DISCORD_PUBLIC_KEY=(\w+)`).FindStringSubmatch(b.sim.said.String()) // sim prints the key
	if key == nil {
		b.t.Fatal("the local Discord does not say its public key")
	}
	b.bot = start(b.t, []string{"DISCORD_TOKEN=" + secretToken, "TICTACTOE_PUBLIC_KEY=" + key[1], "TICTACTOE_ADMIN=127.0.0.1:0"},
		"serve", "--db", b.db, "--discord-url", b.url, "--http", "127.0.0.1:0")
	b.eventually("the bot takes interactions and has commands", func() bool {
		found := listensPattern.FindStringSubmatch(b.bot.said.String())
		if found != nil {
			b.to.Store(&found[1])
		}
		return found != nil && len(b.driver.state().Commands) > 0
	})
}

func TestInteractionsOverHTTP(t *testing.T) {
	t.Parallel()
	b := newBehindProxy(t)
	t.Cleanup(b.checkTokens)
	b.command("alice", "tictactoe challenge", map[string]any{"opponent": "bob", "first": "me"})
	board := b.latest()
	b.press("bob", board, "Accept")
	b.press("alice", board, "b2")
	b.wantBoard(board, ".../.X./...")

	// After a kill, the next process continues, and no saved data is lost.
	b.bot.kill()
	b.begin()
	b.press("bob", board, "a1")
	b.wantBoard(board, "O../.X./...")

	// A stop finishes the open work. Here the work is a click that waits for the lock on the database.
	admin := b.bot.admin()
	release := b.lockDatabase()
	click := b.send("alice", board, "c1")
	b.eventually("the click has come", func() bool {
		_, said := get(t, admin+"/metrics")
		return strings.Contains(said, "\ntictactoe_interactions_under_way 1\n")
	})
	b.bot.signal(syscall.SIGTERM)
	release()
	b.wantAnswered(click)
	b.bot.wantExit(exitOK)
	b.wantBoard(board, "O.X/.X./...")
	b.begin()

	// A repeated request gets no content, even in a process that has not seen the request before.
	said := textOf(b.command("alice", "tictactoe games", nil).Message)
	if !strings.Contains(said, "Bob") {
		t.Fatalf("the list of games is not private: %s", said)
	}
	b.mu.Lock()
	caught, body := b.last.Header, b.body
	b.mu.Unlock()
	b.bot.kill()
	b.begin()
	for range 2 {
		resp, err := b.post(caught, body)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusAccepted || len(answer) > 0 {
			t.Errorf("the repeated request: %d %q %v", resp.StatusCode, answer, err)
		}
	}
	forged := caught.Clone()
	forged.Set("X-Signature-Timestamp", "1"+forged.Get("X-Signature-Timestamp"))
	resp, err := b.post(forged, body)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("the request with another time: %d", resp.StatusCode)
	}
	b.press("bob", board, "a3")
	b.wantTrueScores()
}

func TestTheEndpointIsClosedWhileTheDatabaseIsInUse(t *testing.T) {
	t.Parallel()
	b := newBehindProxy(t)
	address := ownAddress(t)
	key := regexp.MustCompile(`DISCORD_PUBLIC_KEY=(\w+)`).FindStringSubmatch(b.sim.said.String())
	next := start(t, []string{"DISCORD_TOKEN=" + secretToken, "TICTACTOE_PUBLIC_KEY=" + key[1]},
		"serve", "--db", b.db, "--discord-url", b.url, "--http", address, "--admin", "127.0.0.1:0")
	b.eventually("it waits", func() bool { return strings.Contains(next.said.String(), "waiting for it to stop") })

	if conn, err := net.Dial("tcp", address); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("it listens: %v %v", conn, err)
	}
	admin := "http://" + regexp.MustCompile(`"admin port open","address":"([^"]+)"`).FindStringSubmatch(next.said.String())[1]
	for path, want := range map[string]int{"/livez": http.StatusOK, "/readyz": http.StatusServiceUnavailable} {
		if status, said := get(t, admin+path); status != want {
			t.Errorf("%s: %d %q", path, status, said)
		}
	}
	b.bot.stop()
	b.eventually("it is ready", func() bool { status, _ := get(t, admin+"/readyz"); return status == http.StatusOK })
	b.eventually("it listens", func() bool {
		resp, err := http.Post("http://"+address+endpoint.Path, "application/json", nil)
		if err != nil {
			return false
		}
		resp.Body.Close()
		return resp.StatusCode == http.StatusUnauthorized
	})
}

func TestAKeyOfAnotherApplication(t *testing.T) {
	t.Parallel()
	sim := start(t, nil, "sim", "--listen", "127.0.0.1:0", "--state", filepath.Join(t.TempDir(), "x"))
	p := start(t, []string{"DISCORD_TOKEN=" + secretToken}, "serve", "--db", filepath.Join(t.TempDir(), "x.db"),
		"--discord-url", sim.discord().url, "--http", "127.0.0.1:0", "--public-key", strings.Repeat("5a", 32))
	p.wantExit(exitConfig)
	p.wantSaid("public key", "developer portal")
}

func TestServeWarnsThatTheGatewayWillStaySilent(t *testing.T) {
	t.Parallel()
	b := newBehindProxy(t)
	b.bot.stop()
	p := start(t, []string{"DISCORD_TOKEN=" + secretToken}, "serve", "--db", b.db, "--discord-url", b.url)
	b.eventually("it says so", func() bool { return strings.Contains(p.said.String(), "no interaction will come") })
}
