package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/bot/endpoint"
	"tictactoe/discordsim"
	"tictactoe/discordsim/check"
	"tictactoe/discordsim/simtest"
	"tictactoe/internal/match/clock"
	"tictactoe/internal/replica/lease"
	"tictactoe/store/postgres"
	"tictactoe/store/sqlite"
)

// world is a Discord, a bot, and the history of a scenario.
type world struct {
	t        *testing.T
	dir      string
	db       string
	sim      *discordsim.Sim
	server   *http.Server
	network  network
	overHTTP bool                    // interactions arrive over HTTP
	endpoint atomic.Pointer[network] // the bot's endpoint; nil while there is none
	stopBot  func() error
	running  *app // the running app; stopBot waits for its end
	channel  string
	rate     float64           // the rate limit of the bot's next start
	last     discordsim.Result // the result of the latest interaction
	pressed  []string          // interactions whose answers are not awaited yet
	here     string            // id of the current message
	people   []string          // the users who have acted; the board is the message that any of them sees
	named    map[string]string // messages, matches, custom_ids and roles that a script has named
	done     []string          // the lines so far
	checker  *check.Checker
	mu       sync.Mutex
	bodies   []discordsim.Exchange
	logged   strings.Builder
	expected map[string]bool // failures that a script expects: statuses of REST requests such as "403", and ends of interactions such as "deferred"
}

func newWorld(t *testing.T, s stage, db string, overHTTP bool) *world {
	w := &world{
		t: t, overHTTP: overHTTP, dir: t.TempDir(), db: db, checker: s.checker,
		channel: "general", named: map[string]string{}, expected: map[string]bool{},
	}
	var err error
	w.sim, err = discordsim.New(discordsim.Config{
		BotName: botName, State: filepath.Join(w.dir, "discord"), Spec: s.spec, Record: w.record, Start: time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC),
		Client: &http.Client{Transport: w.delivery()},
	})
	if err != nil {
		t.Fatal(err)
	}
	listener, dial := simtest.Pipe()
	w.network.dial, w.server = dial, &http.Server{Handler: w.sim.Handler()}
	go w.server.Serve(listener)
	w.start()
	if overHTTP {
		if err := w.sim.Bot(ownID(playgroundToken)).SetEndpoint(t.Context(), "http://bot.test"+endpoint.Path); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// delivery returns a transport that sends interactions over HTTP as Discord does, and records the answers.
func (w *world) delivery() http.RoundTripper {
	through := &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		if to := w.endpoint.Load(); to != nil {
			return to.Dial(ctx, network, addr)
		}
		return nil, errors.New("connection refused")
	}}
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		resp, err := through.RoundTrip(r)
		if err != nil || resp.Header.Get("Content-Type") != "application/json" {
			return resp, err
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		resp.Body = io.NopCloser(bytes.NewReader(body))
		if !bytes.Equal(body, []byte(`{"type":1}`)) {
			w.record(discordsim.Exchange{Method: r.Method, Route: "/callback", Status: resp.StatusCode, Request: body})
		}
		return resp, err
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func (w *world) record(e discordsim.Exchange) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bodies = append(w.bodies, e)
}

// pipe returns a listener whose connections are in memory, and a function that connects to it.
func pipe() (listen func() (net.Listener, error), dial dialer) {
	listener, dial := simtest.Pipe()
	return func() (net.Listener, error) { return listener, nil }, dial
}

// start waits six seconds of the bubble's time, until the previous bot's lease for identifying has ended, and starts the bot.
func (w *world) start() {
	time.Sleep(6 * time.Second)
	w.startAtOnce()
}

func (w *world) startAtOnce() {
	ctx, cancel := context.WithCancel(context.Background())
	var listen func() (net.Listener, error)
	var key ed25519.PublicKey
	if w.overHTTP {
		var err error
		if key, err = endpoint.ParseKey(w.sim.Bot(ownID(playgroundToken)).VerifyKey()); err != nil {
			w.t.Fatal(err)
		}
		to := &network{}
		listen, to.dial = pipe()
		w.endpoint.Store(to)
	}
	// The leases are in memory and use the bubble's time, which a database server does not know.
	a, err := newApp(ctx, settings{
		listen: listen, key: key,
		db: w.db, leases: &lease.Memory{}, resume: true, token: playgroundToken, discordURL: "http://discord.test", dial: w.network.Dial,
		clock: w.sim.Clock(), rate: w.rate, log: slog.New(slog.NewTextHandler(&locked{w: &w.logged, mu: &w.mu}, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	if err != nil {
		w.t.Fatal(err)
	}
	w.sim.OnAdvance(func(ctx context.Context) error {
		if w.running != a { // this app has ended, and another may have started
			return nil
		}
		return a.settle(ctx)
	})
	w.running = a
	ended := make(chan error, 1)
	go func() { ended <- a.run(ctx) }()
	w.stopBot = func() error {
		cancel()
		w.stopBot, w.running = nil, nil
		return <-ended
	}
	synctest.Wait()
}

func (w *world) stop() error {
	if w.stopBot == nil {
		return nil
	}
	return w.stopBot()
}

func (w *world) close() {
	if err := w.stop(); err != nil {
		w.t.Errorf("stopping the bot: %v", err)
	}
	w.sim.Close()
	w.server.Close()
}

// story returns the history of a failed scenario.
func (w *world) story() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	failures := regexp.MustCompile(`(?m)^.* level=(DEBUG|INFO) .*\n`).ReplaceAllString(w.logged.String(), "")
	return "The story so far:\n" + strings.Join(w.done, "\n") + "\n\nLogged:\n" + failures
}

// checkLog fails the test if a line of the log contains the name of a user who has acted.
func (w *world) checkLog() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, name := range w.people {
		for _, told := range []string{name, w.sim.User(name).ID()} {
			if line := regexp.MustCompile(`.*` + regexp.QuoteMeta(told) + `.*`).FindString(w.logged.String()); line != "" {
				w.t.Errorf("the log contains %s, which names %s: %s", name, told, line)
			}
		}
	}
}

// holdDatabase keeps other writers out of the database for the given duration.
func (w *world) holdDatabase(d time.Duration) error {
	db, err := sql.Open("sqlite3", "file:"+w.db+"?_txlock=immediate&_busy_timeout=1000")
	if err != nil {
		return err
	}
	tx, err := db.Begin()
	if err != nil {
		return errors.Join(err, db.Close())
	}
	go func() {
		<-time.After(d)
		tx.Rollback()
		db.Close()
	}()
	return nil
}

// edits returns how often the bot has edited a message, except in answers to clicks.
func (w *world) edits() (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.bodies {
		if e.Method == http.MethodPatch {
			n++
		}
	}
	return n
}

// refused returns how often Discord has denied the bot access to a channel.
func (w *world) refused() (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.bodies {
		if e.Status == http.StatusForbidden {
			n++
		}
	}
	return n
}

func (w *world) rebuildScores() error {
	var opened store
	var err error
	if postgres.IsAddress(w.db) {
		opened, err = postgres.Open(w.t.Context(), w.db)
	} else {
		opened, err = sqlite.Open(w.t.Context(), w.db) // a second connection, without the bot's lock
	}
	if err != nil {
		return err
	}
	wrong, err := new(dbRebuildCommand).rebuild(w.t.Context(), opened, nil)
	err = errors.Join(err, opened.Close())
	if err != nil {
		return err
	}
	if wrong != (corrected{}) {
		return fmt.Errorf("%d scores and %d boards did not agree with the matches", wrong.Scores, wrong.Boards)
	}
	return nil
}

// checkBodies checks all requests of the bot strictly against Discord's description of its API, and that Discord has refused none
// of them.
func (w *world) checkBodies() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.bodies {
		if e.Status >= 400 && !w.expected[fmt.Sprint(e.Status)] {
			w.t.Errorf("Discord refused %s %s with %d: %s\n%s", e.Method, e.Route, e.Status, e.Response, e.Request)
		}
		if len(e.Request) == 0 {
			continue
		}
		kind, known := kindOf(e)
		if !known {
			w.t.Errorf("no schema is known for %s %s", e.Method, e.Route)
			continue
		}
		for _, finding := range w.checker.Findings(kind, e.Request) {
			w.t.Errorf("%s %s: %s\n%s", e.Method, e.Route, finding, e.Request)
		}
	}
}

func kindOf(e discordsim.Exchange) (check.Kind, bool) {
	switch {
	case strings.HasSuffix(e.Route, "/callback"):
		return check.Callback, true
	case e.Method == "PUT" && strings.HasSuffix(e.Route, "/commands"):
		return check.CommandsBulk, true
	case e.Method == "POST" && strings.HasPrefix(e.Route, "/channels/"):
		return check.MessageCreate, true
	case e.Method == "PATCH" && strings.HasPrefix(e.Route, "/channels/"):
		return check.MessageEdit, true
	case e.Method == "POST" && strings.HasPrefix(e.Route, "/webhooks/"):
		return check.WebhookCreate, true
	case e.Method == "PATCH" && strings.HasPrefix(e.Route, "/webhooks/"):
		return check.WebhookEdit, true
	default:
		return 0, false
	}
}

// locked is a writer that several goroutines may use.
type locked struct {
	w  io.Writer
	mu *sync.Mutex
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

var _ clock.Source = (*discordsim.Clock)(nil)
