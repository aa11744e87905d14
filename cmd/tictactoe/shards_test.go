package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot/endpoint"
	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
	"tictactoe/discordsim"
	"tictactoe/discordsim/simtest"
	"tictactoe/internal/boards/messages"
	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
	"tictactoe/internal/replica/lease"
	"tictactoe/internal/show/emoji"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgtest"
	"tictactoe/store/sqlite"
)

// harbour is a local Discord with one server for each of four shards, and a database, on which several processes of one bot run.
type harbour struct {
	t      *testing.T
	sim    *discordsim.Sim
	dial   dialer
	db     string
	store  database    // the connection of the test itself
	leases lease.Store // nil means the leases in the database
	venues [4]match.Venue
	boards map[match.Venue]string // the message ids of the boards
	logged strings.Builder
	clock  string         // the turn time of matches
	asked  map[string]int // the number of the bot's requests, by method and route
	behind []*replica     // the processes that serve over HTTP, in the order of their starts
	turn   int            // the index of the replica for the next request
	mu     sync.Mutex
}

type dialer = func(ctx context.Context, network, addr string) (net.Conn, error)

// replica is one process of the bot.
type replica struct {
	*app
	h        *harbour
	cancel   context.CancelFunc
	ended    chan error
	endpoint dialer // opens connections to the replica's endpoint; nil if the replica uses the gateway
	date     setClock

	mu    sync.Mutex
	cut   bool
	conns []net.Conn
}

// setClock is a clock that tests can set.
type setClock struct {
	clock.Source
	ahead atomic.Int64
}

// Read implements [clock.Source].
func (c *setClock) Read() (date, ran time.Time) {
	date, ran = c.Source.Read()
	return date.Add(time.Duration(c.ahead.Load())), ran
}

func harbourIn(t *testing.T, name string, test func(t *testing.T, h *harbour)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { harbourOn(t, filepath.Join(t.TempDir(), "bot.db"), nil, test) })
}

// harbourOnPostgres is like harbourIn, with a Postgres. The leases are in memory, because the server is outside of the bubble and
// does not know the bubble's time.
func harbourOnPostgres(t *testing.T, name string, test func(t *testing.T, h *harbour)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { harbourOn(t, pgtest.Migrated(t), &lease.Memory{}, test) })
}

func harbourOn(t *testing.T, db string, leases lease.Store, test func(t *testing.T, h *harbour)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := &harbour{t: t, db: db, leases: leases, boards: map[match.Venue]string{}, asked: map[string]int{}, clock: "1m"}
		sim, err := discordsim.New(discordsim.Config{
			Start: time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC), Record: h.record,
			Client: &http.Client{Transport: &http.Transport{DialContext: h.deliver, DisableKeepAlives: true}},
		})
		if err != nil {
			t.Fatal(err)
		}
		h.sim = sim
		listener, dial := simtest.Pipe()
		server := &http.Server{Handler: sim.Handler()}
		go server.Serve(listener)
		h.dial = dial
		t.Cleanup(func() { sim.Close(); server.Close() })
		for i := range 4 {
			for _, name := range []string{"x", "o"} {
				if _, err := sim.AddUser(discordsim.Person{Username: fmt.Sprint(name, i)}); err != nil {
					t.Fatal(err)
				}
			}
		}
		for found := 0; found < len(h.venues); time.Sleep(time.Millisecond) { // each millisecond gives other ids, and so other shards
			id, err := sim.AddServer(discordsim.Server{Name: "server", Channels: []string{"room-" + fmt.Sprint(found), "hall"}})
			if err != nil {
				t.Fatal(err)
			}
			if v := match.Venue(id); match.PartitionOf(v, 4).Index == found {
				h.venues[found] = v
				found++
			} else if err := sim.RemoveMember(id, "alice"); err != nil { // alice is not needed in this server
				t.Fatal(err)
			}
		}
		if h.store, err = openShared(t.Context(), h.db, func(error) {}, slog.New(slog.DiscardHandler)); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { h.store.Close() })
		test(t, h)
		if n := strings.Count(h.said(), "does not accept the session"); n > 0 {
			t.Errorf("Discord refused %d sessions\n%s", n, h.said())
		}
	})
}

func (h *harbour) said() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.logged.String()
}

func (h *harbour) record(e discordsim.Exchange) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.asked[e.Method+" "+e.Route]++
}

// times returns the number of requests of the given kind by the bot.
func (h *harbour) times(request string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.asked[request]
}

// start runs a process on the gateway until the end of the test.
func (h *harbour) start(shards gateway.Shards) *replica {
	return h.run(&replica{}, settings{shards: shards})
}

// serve runs a process behind a proxy that distributes requests in turn, and makes Discord send interactions to the proxy.
func (h *harbour) serve() *replica {
	h.t.Helper()
	to := h.sim.Bot(ownID(playgroundToken))
	key, err := endpoint.ParseKey(to.VerifyKey())
	if err != nil {
		h.t.Fatal(err)
	}
	p := &replica{}
	var s settings
	s.key = key
	s.listen, p.endpoint = pipe()
	h.run(p, s)
	h.mu.Lock()
	h.behind = append(h.behind, p)
	h.mu.Unlock()
	synctest.Wait()
	if err := to.SetEndpoint(h.t.Context(), "http://bot.test"+endpoint.Path); err != nil {
		h.t.Fatal(err)
	}
	return p
}

// deliver acts as the proxy: it connects to one of the replicas behind it, in turn.
func (h *harbour) deliver(ctx context.Context, network, addr string) (net.Conn, error) {
	h.mu.Lock()
	h.turn++
	turn, behind := h.turn, h.behind
	h.mu.Unlock()
	for i := range behind {
		p := behind[(turn+i)%len(behind)]
		if conn, err := p.through(ctx, network, addr, p.endpoint); err == nil {
			return conn, nil
		}
	}
	return nil, errors.New("no replica")
}

func (h *harbour) run(p *replica, s settings) *replica {
	h.t.Helper()
	p.h, p.ended = h, make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	p.date.Source = h.sim.Clock()
	s.db, s.leases, s.token, s.discordURL, s.dial, s.clock = h.db, h.leases, playgroundToken, "http://discord.test", p.reach, &p.date
	s.resume = s.shards.Any // otherwise only the lock on the file would tell whether a session is in use
	s.log = slog.New(slog.NewTextHandler(&locked{w: &h.logged, mu: &h.mu}, &slog.HandlerOptions{Level: slog.LevelInfo}))
	var err error
	if p.app, err = newSharingApp(ctx, s); err != nil {
		h.t.Fatal(err)
	}
	go func() { p.ended <- p.app.run(ctx); close(p.ended) }()
	h.t.Cleanup(func() { cancel(); <-p.ended })
	return p
}

// newSharingApp is newApp without the lock on a file, so that several apps of this process can share one.
func newSharingApp(ctx context.Context, s settings) (*app, error) {
	rest, err := rest.New(rest.Config{Token: s.token, BaseURL: s.discordURL, Dial: s.dial})
	if err != nil {
		return nil, err
	}
	health := &health{db: s.db, log: s.log}
	store, err := openShared(ctx, s.db, health.saving, s.log)
	if err != nil {
		return nil, err
	}
	return assemble(ctx, s, rest, store, true, health, &emoji.Uploader{})
}

// openShared opens a database without locking a file.
func openShared(ctx context.Context, db string, health func(error), log *slog.Logger) (database, error) {
	if postgres.IsAddress(db) {
		store, _, err := openDatabase(ctx, db, health, log)
		return store, err
	}
	store, err := sqlite.Open(ctx, db)
	if err != nil {
		return nil, err
	}
	store.Health.Tell = health
	return store, nil
}

func (p *replica) reach(ctx context.Context, network, addr string) (net.Conn, error) {
	return p.through(ctx, network, addr, p.h.dial)
}

func (p *replica) through(ctx context.Context, network, addr string, dial dialer) (net.Conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cut {
		return nil, errors.New("no network")
	}
	conn, err := dial(ctx, network, addr)
	p.conns = append(p.conns, conn)
	return conn, err
}

// kill cuts the process off from its database and its connections, so that it looks like a killed process.
func (p *replica) kill() {
	p.app.store.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = true
	for _, conn := range p.conns {
		if conn != nil {
			conn.Close()
		}
	}
}

func (p *replica) shards() []int {
	ids := []int{}
	for id, connected := range p.bot.State().Shards {
		if connected {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// began begins a match between two users in each server, with X to move.
func (h *harbour) began() {
	h.t.Helper()
	for i, v := range h.venues {
		x, o := h.sim.User(fmt.Sprint("x", i)), h.sim.User(fmt.Sprint("o", i))
		r, err := x.Command(h.t.Context(), fmt.Sprint("room-", i), "tictactoe challenge", map[string]any{"opponent": fmt.Sprint("o", i), "first": "me", "clock": h.clock})
		if err != nil || r.Status != "answered" || r.Message == nil {
			h.t.Fatalf("challenge in %d: %v %+v\n%s", i, err, r, h.said())
		}
		h.boards[v] = r.Message.ID
		if r, err = o.Click(h.t.Context(), r.Message.ID, discordsim.Button{Label: "Accept"}); err != nil || r.Status != "answered" {
			h.t.Fatalf("accept in %d: %v %+v\n%s", i, err, r, h.said())
		}
	}
}

// open returns the open match of a server, or ends the test if there is none.
func (h *harbour) open(i int) match.Match {
	h.t.Helper()
	for _, m := range h.openMatches(i) {
		if !m.Result.Over() {
			return m
		}
	}
	h.t.Fatalf("no match goes on in server %d\n%s", i, h.said())
	return match.Match{}
}

func (h *harbour) openMatches(i int) []match.Match {
	h.t.Helper()
	open, err := h.store.Running(h.t.Context(), h.venues[i], 0, 9)
	if err != nil {
		h.t.Fatal(err)
	}
	return open
}

// plays clicks a square of a server's board.
func (h *harbour) plays(i int, who, square string) discordsim.Result {
	h.t.Helper()
	messages, err := h.sim.User(fmt.Sprint(who, i)).Messages(fmt.Sprint("room-", i))
	if err != nil {
		h.t.Fatal(err)
	}
	for _, m := range messages {
		if m.ID != h.boards[h.venues[i]] {
			continue
		}
		for _, b := range buttonsOf(m) {
			if strings.HasSuffix(b.CustomID, ":"+square) {
				r, err := h.sim.User(fmt.Sprint(who, i)).Click(h.t.Context(), m.ID, discordsim.Button{CustomID: b.CustomID})
				if err != nil {
					h.t.Fatal(err)
				}
				return r
			}
		}
	}
	h.t.Fatalf("no square %s in server %d", square, i)
	return discordsim.Result{}
}

// resumed checks how many shards have resumed the session of another process.
func (h *harbour) resumed(want int) {
	h.t.Helper()
	if n := strings.Count(h.said(), "resumed=true"); n != want {
		h.t.Errorf("%d sessions were resumed, want %d\n%s", n, want, h.said())
	}
}

func passed(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func TestShardsOfAKilledProcess(t *testing.T) {
	any4 := gateway.Shards{Of: 4, Any: true}
	harbourIn(t, "move within a minute, their games go on, and their players get the time back", func(t *testing.T, h *harbour) {
		a, b := h.start(any4), h.start(any4)
		passed(40 * time.Second)
		of := map[int]*replica{}
		for _, p := range []*replica{a, b} {
			for _, id := range p.shards() {
				of[id] = p
			}
		}
		if len(of) != 4 || len(a.shards()) != 2 {
			t.Fatalf("%v and %v\n%s", a.shards(), b.shards(), h.said())
		}
		h.began()
		passed(6 * time.Second)
		var before [4]match.Match
		for i := range before {
			before[i] = h.open(i)
		}
		killed := time.Now()
		b.kill()
		var back [4]time.Duration // how long each shard was not heard
		for id := range back {
			for of[id] == b && !slices.Contains(a.shards(), id) {
				passed(100 * time.Millisecond)
				if back[id] = time.Since(killed); back[id] > time.Minute {
					t.Fatalf("shard %d has not moved\n%s", id, h.said())
				}
			}
		}
		for i := range before {
			moved := h.open(i).Deadline.Sub(before[i].Deadline)
			if of[i] == a && moved != 0 {
				t.Errorf("server %d, whose shard was always heard, was credited %v", i, moved)
			}
			// The last record may be five seconds old, so the credit may be that much longer, but never shorter than the time away.
			if of[i] == b && (moved < back[i]-time.Second || moved > back[i]+6*time.Second) {
				t.Errorf("server %d was credited %v for %v", i, moved, back[i])
			}
		}
		h.resumed(2)
		// For the shards that were always heard, a minute has now passed since the move; for the others it has not.
		passed(time.Until(killed.Add(59 * time.Second)))
		for i := range before {
			if over := len(h.openMatches(i)) == 0; over != (of[i] == a) {
				t.Errorf("the match in server %d is over: %t\n%s", i, over, h.said())
			}
			if of[i] != b {
				continue
			}
			if r := h.plays(i, "x", "b2"); r.Status != "answered" || h.open(i).Record.Len() != 1 {
				t.Errorf("server %d: %+v", i, r)
			}
		}
		passed(61 * time.Second) // now a minute passes for the other shards, too
		for i := range before {
			if len(h.openMatches(i)) != 0 {
				t.Errorf("a match goes on in server %d", i)
			}
		}
	})
	harbourIn(t, "move within seconds when it is stopped, and nobody is given more than that", func(t *testing.T, h *harbour) {
		a, b := h.start(any4), h.start(any4)
		passed(40 * time.Second)
		h.began()
		before, theirs := [4]match.Match{}, b.shards()
		for i := range before {
			before[i] = h.open(i)
		}
		b.cancel()
		if err := <-b.ended; err != nil {
			t.Fatal(err)
		}
		passed(12 * time.Second)
		if diff := cmp.Diff([]int{0, 1, 2, 3}, a.shards()); diff != "" {
			t.Fatal(diff, h.said())
		}
		h.resumed(len(theirs))
		for i := range before {
			moved := h.open(i).Deadline.Sub(before[i].Deadline)
			if slices.Contains(theirs, i) != (moved > 0) || moved > 12*time.Second {
				t.Errorf("server %d was credited %v", i, moved)
			}
			if r := h.plays(i, "x", "b2"); r.Status != "answered" {
				t.Errorf("server %d: %+v", i, r)
			}
		}
	})
}

// A shard is taken over while a reply of the previous process is still on its way. The late reply overwrites a board that the next
// process has drawn.
func TestALateReplyAfterATakeover(t *testing.T) {
	harbourIn(t, "is drawn over by the process that sent it", func(t *testing.T, h *harbour) {
		any4 := gateway.Shards{Of: 4, Any: true}
		a, b := h.start(any4), h.start(any4)
		passed(40 * time.Second)
		h.began()
		passed(5 * time.Second)
		i := a.shards()[0]
		if r := h.plays(i, "x", "b2"); r.Status != "answered" {
			t.Fatalf("%+v", r)
		}
		passed(5 * time.Second)
		m := h.open(i)
		const edit = "PATCH /channels/{channel}/messages/{message}"
		before := h.times(edit)
		message := h.boards[h.venues[i]]
		b.app.redrawer.Delivered(m.ID, m.Version-1, false, false)(messages.Receipt{Message: message})
		passed(10 * time.Second)
		if n := h.times(edit) - before; n != 1 {
			t.Errorf("drawn %d times\n%v", n, h.asked)
		}
	})
}

// Both processes get every click, and neither knows of the other.
func TestTheSameShardInTwoProcesses(t *testing.T) {
	harbourIn(t, "makes each move once and answers it once, and one may go", func(t *testing.T, h *harbour) {
		four := gateway.Shards{Of: 4}
		a := h.start(four)
		passed(20 * time.Second)
		h.start(four)
		passed(25 * time.Second)
		h.began()
		for i := range h.venues {
			for ply, square := range []string{"b2", "a1", "c3"} {
				who := []string{"x", "o"}[ply%2]
				if r := h.plays(i, who, square); r.Status != "answered" || r.Ephemeral {
					t.Errorf("server %d, %s: %+v", i, square, r)
				}
				passed(time.Second)
				if n := h.open(i).Record.Len(); n != ply+1 {
					t.Errorf("server %d has %d moves after %s", i, n, square)
				}
			}
		}
		for i := range h.venues {
			if messages, err := h.sim.User(fmt.Sprint("x", i)).Messages(fmt.Sprint("room-", i)); err != nil || len(messages) != 1 {
				t.Errorf("room %d: %v, %d messages for one match", i, err, len(messages))
			}
		}
		if told := h.said(); !strings.Contains(told, "another instance answered") || strings.Contains(told, "level=ERROR") {
			t.Errorf("no process came second, or a request failed\n%s", told)
		}
		a.cancel()
		if err := <-a.ended; err != nil {
			t.Error(err)
		}
		for i := range h.venues {
			if r := h.plays(i, "o", "c1"); r.Status != "answered" || h.open(i).Record.Len() != 4 {
				t.Errorf("server %d, after one has gone: %+v", i, r)
			}
		}
	})
}

// The stored time when players were last heard survives a change of the clock and of the number of shards.
func TestAnotherNumberOfShards(t *testing.T) {
	harbourIn(t, "gives everybody the time that the bot was away", func(t *testing.T, h *harbour) {
		a := h.start(gateway.Shards{Of: 4})
		passed(20 * time.Second)
		h.began()
		before := [4]match.Match{}
		for i := range before {
			before[i] = h.open(i)
		}
		a.cancel()
		<-a.ended
		passed(10 * time.Minute)
		h.start(gateway.Shards{Of: 3})
		passed(20 * time.Second)
		for i := range before {
			if moved := h.open(i).Deadline.Sub(before[i].Deadline); moved < 10*time.Minute || moved > 11*time.Minute {
				t.Errorf("server %d was credited %v", i, moved)
			}
			if r := h.plays(i, "x", "b2"); r.Status != "answered" {
				t.Errorf("server %d: %+v", i, r)
			}
		}
	})
}

func TestShardFlags(t *testing.T) {
	for _, tt := range []struct {
		count, ids string
		want       gateway.Shards
	}{
		{"auto", "", gateway.Shards{Recommended: true}},
		{"1", "", gateway.Shards{Of: 1}},
		{"16", "any", gateway.Shards{Of: 16, Any: true}},
		{"8", "0-3", gateway.Shards{Of: 8, IDs: []int{0, 1, 2, 3}}},
		{"8", "0,2,5-6", gateway.Shards{Of: 8, IDs: []int{0, 2, 5, 6}}},
	} {
		got, err := parseShards(tt.count, tt.ids)
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%s %s: %v %s", tt.count, tt.ids, err, diff)
		}
	}
	for _, wrong := range [][2]string{
		{"0", ""}, {"-1", ""}, {"many", ""}, {"99999", ""}, {"auto", "0-3"}, {"auto", "any"}, {"4", "4"}, {"4", "3-1"}, {"4", "0,0"}, {"4", "0-1,1"},
		{"4", "x"}, {"4", "-1"}, {"4", ","},
	} {
		_, errs, code := runInProcess(t, "", "serve", "--shards", wrong[0], "--shard-ids="+wrong[1])
		if code != exitUsage || !strings.Contains(errs, "--shard") {
			t.Errorf("%q: exit %d: %s", wrong, code, errs)
		}
	}
	_, errs, code := runInProcess(t, "", "serve", "--http", "127.0.0.1:0", "--public-key", strings.Repeat("5a", 32), "--shards", "2")
	if code != exitUsage || !strings.Contains(errs, "every process handles any request") {
		t.Errorf("shards over HTTP: exit %d: %s", code, errs)
	}
}
