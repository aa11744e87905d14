package bot_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
	"tictactoe/bot/gateway"
	"tictactoe/discordsim"
	"tictactoe/discordsim/simtest"
	"tictactoe/internal/replica/lease"
)

// fleet is a simulator with one server for each of four shards, and several processes of one bot.
type fleet struct {
	t      *testing.T
	sim    *discordsim.Sim
	dial   func(ctx context.Context, network, addr string) (net.Conn, error)
	leases lease.Memory
	ships  []*ship

	mu  sync.Mutex
	log []string // the events "up" and "down" of ships and shards, in order
}

// ship is one process of the bot. It can be cut off from Discord and from the store of leases.
type ship struct {
	*runtime
	f    *fleet
	name string

	mu      sync.Mutex
	sunk    bool // cut off from the store of leases
	deaf    bool // cut off from Discord
	lossy   bool // loses the response when it next acquires the lease of a shard
	conns   []net.Conn
	up      map[int]bool
	handled int
}

const rooms = 4

// fleetIn runs a test in a synctest bubble. The gateway must not refuse any process.
func fleetIn(t *testing.T, name string, config discordsim.Config, test func(t *testing.T, f *fleet)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			config.Start = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
			config.BotName = "tictactoe"
			sim, err := discordsim.New(config)
			if err != nil {
				t.Fatal(err)
			}
			listener, dial := simtest.Pipe()
			server := &http.Server{Handler: sim.Handler()}
			go server.Serve(listener)
			f := &fleet{t: t, sim: sim, dial: dial}
			t.Cleanup(func() { sim.Close(); server.Close() })
			for found := 0; found < rooms; time.Sleep(time.Millisecond) {
				// The ids are made in consecutive milliseconds, so the servers belong to consecutive shards.
				id, err := sim.AddServer(discordsim.Server{Name: "server", Channels: []string{fmt.Sprint("room", found)}})
				if err != nil {
					t.Fatal(err)
				}
				if shardOf(t, id) == found {
					found++
				} else if _, err := sim.AddServer(discordsim.Server{Name: "unused"}); err != nil {
					t.Fatal(err)
				}
			}
			test(t, f)
			for _, s := range f.ships {
				if n := strings.Count(s.logs.String(), "does not accept the session"); n > 0 {
					t.Errorf("%s was refused %d times\n%s", s.name, n, s.logs)
				}
			}
		})
	})
}

func shardOf(t *testing.T, guild string) int {
	var id uint64
	if _, err := fmt.Sscan(guild, &id); err != nil {
		t.Fatal(err)
	}
	return int(id >> 22 % rooms)
}

// join starts a process.
func (f *fleet) join(name string, shards gateway.Shards) *ship {
	f.t.Helper()
	s := &ship{f: f, name: name, up: map[int]bool{}}
	f.ships = append(f.ships, s)
	s.runtime = (&fake{t: f.t, listener: &pipes{}}).run(func(c *config) {
		c.Token, c.Gateway.Shards, c.Leases, c.Dial = simToken, shards, s, s.dial
		c.Commands = func() []*discordgo.ApplicationCommand {
			return []*discordgo.ApplicationCommand{{Name: "ping", Description: "ping"}, {Name: "slow", Description: "slow"}}
		}
		c.Router.Command("slow", after(5*time.Second, private("at last"), nil))
		c.Connected = func(_ context.Context, shard gateway.Shard) error { s.turn(shard, true); return nil }
		c.Disconnected = func(shard gateway.Shard) { s.turn(shard, false) }
		c.Router.Command("ping", func(context.Context, *bot.Interaction) (bot.Reply, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.handled++
			return private("pong"), nil
		})
	})
	return s
}

// turn records that a shard has connected or disconnected. With leases, no two processes may ever hear the same shard.
func (s *ship) turn(shard gateway.Shard, up bool) {
	s.mu.Lock()
	s.up[shard.ID] = up
	s.mu.Unlock()
	s.f.mu.Lock()
	defer s.f.mu.Unlock()
	s.f.log = append(s.f.log, fmt.Sprintf("%s %d %t", s.name, shard.ID, up))
}

// has returns the shards that the process hears.
func (s *ship) has() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := []int{}
	for id, up := range s.up {
		if up {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

func (s *ship) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	s.mu.Lock()
	deaf := s.deaf
	s.mu.Unlock()
	if deaf {
		return nil, errors.New("no network")
	}
	conn, err := s.f.dial(ctx, network, addr)
	if err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.conns = append(s.conns, conn)
	}
	return conn, err
}

// kill cuts the process off from Discord and from the leases. To other processes it looks like a killed process.
func (s *ship) kill() {
	s.part()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deaf = true
	for _, conn := range s.conns {
		conn.Close()
	}
}

// part cuts the process off from the store of leases only.
func (s *ship) part() { s.mu.Lock(); defer s.mu.Unlock(); s.sunk = true }

// mend reconnects the process with the store of leases after part.
func (s *ship) mend() { s.mu.Lock(); defer s.mu.Unlock(); s.sunk = false }

var errSunk = errors.New("no database")

func (s *ship) lost() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sunk {
		return errSunk
	}
	return nil
}

func (s *ship) Acquire(ctx context.Context, name, holder string, ttl time.Duration) (bool, error) {
	if err := s.lost(); err != nil {
		return false, err
	}
	ok, err := s.f.leases.Acquire(ctx, name, holder, ttl)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lossy && strings.HasPrefix(name, "shard ") {
		s.lossy = false
		return false, errSunk
	}
	return ok, err
}

func (s *ship) Renew(ctx context.Context, holder string, ttl time.Duration) ([]string, error) {
	if err := s.lost(); err != nil {
		return nil, err
	}
	return s.f.leases.Renew(ctx, holder, ttl)
}

func (s *ship) Release(ctx context.Context, holder string, names ...string) error {
	if err := s.lost(); err != nil {
		return err
	}
	return s.f.leases.Release(ctx, holder, names...)
}

func (s *ship) Leases(ctx context.Context) ([]lease.Lease, error) {
	if err := s.lost(); err != nil {
		return nil, err
	}
	return s.f.leases.Leases(ctx)
}

// stop ends the process as SIGTERM does.
func (s *ship) stop() {
	s.f.t.Helper()
	s.cancel()
	if err := <-s.done; err != nil {
		s.f.t.Errorf("%s: %v", s.name, err)
	}
}

// wantAnswers checks that a command is answered in a server of each shard and in direct messages.
func (f *fleet) wantAnswers(when string) {
	f.t.Helper()
	for _, channel := range []string{"room0", "room1", "room2", "room3", "@tictactoe"} {
		if r, err := f.sim.User("alice").Command(f.t.Context(), channel, "ping", nil); err != nil || r.Status != "answered" {
			f.t.Errorf("%s, in %s: %v, %q\n%s", when, channel, err, r.Status, f.story())
		}
	}
}

func (f *fleet) want(s *ship, shards ...int) {
	f.t.Helper()
	if diff := cmp.Diff(append([]int{}, shards...), s.has()); diff != "" {
		f.t.Errorf("shards of %s: %s\n%s", s.name, diff, f.story())
	}
}

// wantEach checks that no two processes have heard the same shard at the same time.
func (f *fleet) wantEach() {
	f.t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	owner := map[string]string{}
	for _, line := range f.log {
		words := strings.Fields(line)
		switch {
		case words[2] == "true" && owner[words[1]] != "":
			f.t.Errorf("two processes hear shard %s:\n%s", words[1], strings.Join(f.log, "\n"))
		case words[2] == "true":
			owner[words[1]] = words[0]
		default:
			delete(owner, words[1])
		}
	}
}

func (f *fleet) story() string {
	f.mu.Lock()
	story := strings.Join(f.log, "\n")
	f.mu.Unlock()
	for _, s := range f.ships {
		story += "\n\n" + s.name + ":\n" + s.logs.String()
	}
	return story
}

func TestShards(t *testing.T) {
	four := gateway.Shards{Of: rooms}
	fleetIn(t, "one process runs all of them, and each hears its servers", discordsim.Config{}, func(t *testing.T, f *fleet) {
		s := f.join("a", four)
		passed(10 * time.Second)
		if s.State().Connected {
			t.Error("State reports Connected before all shards are connected")
		}
		passed(10 * time.Second) // one shard identifies every 5.5 s
		f.want(s, 0, 1, 2, 3)
		if diff := cmp.Diff(map[int]bool{0: true, 1: true, 2: true, 3: true}, s.State().Shards); diff != "" || !s.State().Connected || s.State().Of != 4 {
			t.Errorf("%+v", s.State())
		}
		f.wantAnswers("with four shards")
		if s.handled != 5 {
			t.Errorf("handled %d times", s.handled)
		}
	})
	fleetIn(t, "sixty-four shards start as fast as Discord allows, without the limit for lost sessions", discordsim.Config{MaxConcurrency: 16}, func(t *testing.T, f *fleet) {
		s := f.join("a", gateway.Shards{Of: 64})
		passed(20 * time.Second) // sixteen shards identify every 5.5 s
		if !s.State().Connected {
			t.Errorf("%d are connected", len(s.has()))
		}
	})
	fleetIn(t, "as many shards identify at once as Discord allows", discordsim.Config{MaxConcurrency: 2}, func(t *testing.T, f *fleet) {
		s := f.join("a", four)
		passed(7 * time.Second)
		f.want(s, 0, 1, 2, 3)
	})
	fleetIn(t, "two processes take turns to identify", discordsim.Config{}, func(t *testing.T, f *fleet) {
		a, b := f.join("a", gateway.Shards{Of: rooms, IDs: []int{0, 2}}), f.join("b", gateway.Shards{Of: rooms, IDs: []int{1, 3}})
		passed(25 * time.Second)
		f.want(a, 0, 2)
		f.want(b, 1, 3)
		f.wantAnswers("with two processes")
		for s, want := range map[*ship]int{a: 1, b: 0} { // the process with shard 0 does the bot's global work
			if n := strings.Count(s.logs.String(), "commands registered"); n != want {
				t.Errorf("%s has registered the commands %d times", s.name, n)
			}
		}
	})
	fleetIn(t, "a process that comes right after another one does not identify too soon", discordsim.Config{}, func(t *testing.T, f *fleet) {
		a := f.join("a", gateway.Shards{})
		passed(time.Second)
		a.stop()
		b := f.join("b", gateway.Shards{})
		passed(7 * time.Second)
		f.want(b, 0)
	})
	fleetIn(t, "a shard that is lost is the only one whose interactions wait", discordsim.Config{}, func(t *testing.T, f *fleet) {
		a, b := f.join("a", gateway.Shards{Of: rooms, IDs: []int{0, 1, 2}}), f.join("b", gateway.Shards{Of: rooms, IDs: []int{3}})
		passed(25 * time.Second)
		b.kill()
		passed(time.Second)
		f.want(a, 0, 1, 2)
		for _, channel := range []string{"room0", "room1", "room2"} {
			if r, err := f.sim.User("alice").Command(t.Context(), channel, "ping", nil); err != nil || r.Status != "answered" {
				t.Errorf("%s: %v %q", channel, err, r.Status)
			}
		}
		if heard := a.Probe(t.Context(), 3, time.Now()); !heard.IsZero() {
			t.Errorf("a process hears a shard of another one at %v", heard)
		}
		if now := time.Now(); a.Probe(t.Context(), 1, now).Before(now) {
			t.Error("a process does not hear its own shard")
		}
	})
	fleetIn(t, "an open interaction of one shard does not delay another shard", discordsim.Config{MaxConcurrency: rooms}, func(t *testing.T, f *fleet) {
		s := f.join("a", four)
		passed(2 * time.Second)
		answered := make(chan error, 1)
		go func() {
			_, err := f.sim.User("alice").Command(t.Context(), "room1", "slow", nil)
			answered <- err
		}()
		passed(time.Second)
		if now := time.Now(); s.Probe(t.Context(), 0, now).Before(now) {
			t.Error("shard 0 waited for an interaction of shard 1")
		}
		if now := time.Now(); !s.Probe(t.Context(), 1, now).Before(now) {
			t.Error("shard 1 did not wait for its own interaction")
		}
		if err := <-answered; err != nil {
			t.Error(err)
		}
	})
	fleetIn(t, "the same shard in two processes: both hear a command, one answers", discordsim.Config{}, func(t *testing.T, f *fleet) {
		a, b := f.join("a", gateway.Shards{}), f.join("b", gateway.Shards{})
		passed(10 * time.Second)
		f.want(a, 0)
		f.want(b, 0)
		f.wantAnswers("heard twice")
		passed(5 * time.Second)
		if a.handled != 5 || b.handled != 5 {
			t.Errorf("handled %d and %d times", a.handled, b.handled)
		}
		told := strings.Count(a.logs.String()+b.logs.String(), "another instance answered")
		if told != 5 || strings.Contains(a.logs.String()+b.logs.String(), "level=ERROR") {
			t.Errorf("%d were answered by the other one\n%s", told, f.story())
		}
	})
	inBubble(t, "a bot asks for the recommended number of shards and identifies with it", func(t *testing.T, f *fake) {
		f.recommended = 3
		r := f.run(func(c *config) { c.Gateway.Shards.Recommended = true })
		passed(15 * time.Second)
		var shards []any
		for _, g := range f.conns {
			identify, _ := g.ops[0]["d"].(map[string]any)
			shards = append(shards, fmt.Sprint(identify["shard"]))
		}
		slices.SortFunc(shards, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
		if diff := cmp.Diff([]any{"[0 3]", "[1 3]", "[2 3]"}, shards); diff != "" || r.State().Of != 3 {
			t.Error(diff)
		}
	})
	inBubble(t, "a bot that has outgrown its shards can be started again for more", func(t *testing.T, f *fake) {
		f.script = func(_ int, g *socket) { g.hello(); g.read(); g.close(4011) }
		err := <-f.run(func(c *config) { c.Gateway.Shards.Recommended = true }).done
		if fatal := (*gateway.FatalError)(nil); err == nil || errors.As(err, &fatal) || !strings.Contains(err.Error(), "restart it") {
			t.Errorf("ended with %v", err)
		}
	})
	inBubble(t, "a bot with a fixed number of shards is told that these are too few", func(t *testing.T, f *fake) {
		f.script = func(_ int, g *socket) { g.hello(); g.read(); g.close(4011) }
		r := f.run(func(c *config) { c.Gateway.Shards.Of = 2 })
		wantFatal(t, <-r.done, 4011)
	})
}

func TestReplicas(t *testing.T) {
	any4 := gateway.Shards{Of: rooms, Any: true}
	// settled is enough time for four shards that share one rate limit key.
	const settled = 40 * time.Second

	fleetIn(t, "two replicas share the shards", discordsim.Config{}, func(t *testing.T, f *fleet) {
		a, b := f.join("a", any4), f.join("b", any4)
		passed(settled)
		if len(a.has()) != 2 || len(b.has()) != 2 {
			t.Errorf("%v and %v", a.has(), b.has())
		}
		f.wantAnswers("shared")
		f.wantEach()
	})
	fleetIn(t, "a single replica has all shards, and gives some to a new replica", discordsim.Config{}, func(t *testing.T, f *fleet) {
		a := f.join("a", any4)
		passed(settled)
		f.want(a, 0, 1, 2, 3)
		b := f.join("b", any4)
		passed(settled)
		if len(a.has()) != 2 || len(b.has()) != 2 {
			t.Errorf("%v and %v\n%s", a.has(), b.has(), f.story())
		}
		before := len(f.log)
		passed(time.Hour)
		if len(f.log) != before {
			t.Errorf("shards still move:\n%s", strings.Join(f.log[before:], "\n"))
		}
		f.wantAnswers("shared")
		f.wantEach()
	})
	fleetIn(t, "the shards of a replica that is killed move within a minute", discordsim.Config{}, func(t *testing.T, f *fleet) {
		a, b := f.join("a", any4), f.join("b", any4)
		passed(settled)
		b.kill()
		passed(time.Minute)
		f.want(a, 0, 1, 2, 3)
		f.want(b)
		f.wantAnswers("after a kill")
		f.wantEach()
	})
	fleetIn(t, "the shards of a replica that is stopped move within seconds", discordsim.Config{}, func(t *testing.T, f *fleet) {
		a, b := f.join("a", any4), f.join("b", any4)
		passed(settled)
		b.stop()
		passed(12 * time.Second) // one shard identifies at once, the other 5 s later
		f.want(a, 0, 1, 2, 3)
		f.wantAnswers("after a stop")
		f.wantEach()
	})
	fleetIn(t, "a replica cut off from the leases closes its sessions before others take them, and comes back", discordsim.Config{}, func(t *testing.T, f *fleet) {
		a, b := f.join("a", any4), f.join("b", any4)
		passed(settled)
		b.part()
		passed(25 * time.Second)
		f.want(b)
		if len(a.has()) != 2 {
			t.Errorf("%v taken too soon", a.has())
		}
		passed(35 * time.Second)
		f.want(a, 0, 1, 2, 3)
		f.wantEach()
		b.mend()
		passed(settled)
		if len(a.has()) != 2 || len(b.has()) != 2 {
			t.Errorf("%v and %v\n%s", a.has(), b.has(), f.story())
		}
		f.wantAnswers("after all")
		f.wantEach()
	})
	fleetIn(t, "a shard whose lease was acquired with a lost response is run all the same", discordsim.Config{}, func(t *testing.T, f *fleet) {
		a := f.join("a", any4)
		a.mu.Lock()
		a.lossy = true
		a.mu.Unlock()
		passed(settled)
		f.want(a, 0, 1, 2, 3)
	})
	fleetIn(t, "a short failure of the leases closes no session", discordsim.Config{}, func(t *testing.T, f *fleet) {
		a := f.join("a", any4)
		passed(settled)
		before := len(f.log)
		a.part()
		passed(15 * time.Second)
		a.mend()
		passed(time.Minute)
		if len(f.log) != before {
			t.Error(f.story())
		}
	})
	fleetIn(t, "more replicas than shards: those without one are ready, and take over", discordsim.Config{}, func(t *testing.T, f *fleet) {
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			f.join(name, any4)
		}
		passed(settled)
		all := 0
		for _, s := range f.ships {
			if n := len(s.has()); n > 1 || !s.State().Connected {
				t.Errorf("%s has %d and is connected: %t", s.name, n, s.State().Connected)
			}
			all += len(s.has())
		}
		if all != rooms {
			t.Errorf("%d shards are heard\n%s", all, f.story())
		}
		f.ships[0].stop()
		passed(12 * time.Second)
		f.wantAnswers("after a stop")
		f.wantEach()
	})
}

// A process that dies soon after each start must not take shards from others.
func TestReplicasThatDieRightAfterTheStart(t *testing.T) {
	any4 := gateway.Shards{Of: rooms, Any: true}
	const settled = 40 * time.Second
	for _, life := range []time.Duration{100 * time.Millisecond, 3 * time.Second, 15 * time.Second} {
		fleetIn(t, fmt.Sprintf("after %v: nobody drops a shard for them, and no session is begun", life), discordsim.Config{}, func(t *testing.T, f *fleet) {
			a := f.join("a", any4)
			passed(settled)
			f.want(a, 0, 1, 2, 3)
			before := len(f.log)
			for n := range 12 {
				s := f.join(fmt.Sprint("dying", n), any4)
				passed(life)
				s.kill()
				passed(max(0, 5*time.Second-life))
				f.wantAnswers("while others die")
			}
			passed(settled)
			if len(f.log) != before {
				t.Errorf("shards moved: %v", f.log[before:])
			}
			if n := strings.Count(f.story(), "gateway connected"); n != rooms {
				t.Errorf("%d sessions were begun\n%s", n, f.story())
			}
		})
	}
	fleetIn(t, "the shards of a killed replica still move within a minute", discordsim.Config{}, func(t *testing.T, f *fleet) {
		a, b := f.join("a", any4), f.join("b", any4)
		passed(settled)
		b.kill()
		for n := range 60 {
			s := f.join(fmt.Sprint("dying", n), any4)
			passed(100 * time.Millisecond)
			s.kill()
			passed(900 * time.Millisecond)
		}
		f.want(a, 0, 1, 2, 3)
		f.wantAnswers("after a kill")
		f.wantEach()
	})
	fleetIn(t, "a replica that stays alive gets its share in the end", discordsim.Config{}, func(t *testing.T, f *fleet) {
		a := f.join("a", any4)
		passed(settled)
		for n := range 5 {
			s := f.join(fmt.Sprint("dying", n), any4)
			passed(100 * time.Millisecond)
			s.kill()
		}
		b := f.join("b", any4)
		passed(settled)
		if len(a.has()) != 2 || len(b.has()) != 2 {
			t.Errorf("%v and %v\n%s", a.has(), b.has(), f.story())
		}
		f.wantAnswers("shared")
		f.wantEach()
	})
}

// Discord resets the token of a bot that identifies more often than allowed. All processes share the number of remaining sessions.
func TestTheBudgetOfSessionsIsShared(t *testing.T) {
	for _, keys := range []int{1, 2} {
		inBubble(t, fmt.Sprintf("by two processes, with %d keys", keys), func(t *testing.T, f *fake) {
			const granted = 7 // an odd number: two checks at the same time would spend one session too many
			left := func() int { return granted - len(f.opens()) }
			f.respond = func(c call) (int, string) {
				if c.Path != "/gateway/bot" {
					return 0, ""
				}
				return 200, fmt.Sprintf(`{"url":"ws://discord.test/ws","shards":1,
					"session_start_limit":{"total":1000,"remaining":%d,"reset_after":3600000,"max_concurrency":%d}}`, left(), keys)
			}
			var shared lease.Memory
			for _, ids := range [][]int{{0, 1, 2, 3}, {4, 5, 6, 7}} {
				f.run(func(c *config) { c.Gateway.Shards, c.Leases = gateway.Shards{Of: 8, IDs: ids}, &shared })
			}
			passed(30 * time.Minute)
			// With several keys, one session is reserved for each other key, whose shard may be about to identify.
			if got := left(); got < 0 || got > keys-1 {
				t.Errorf("%d sessions are left", got)
			}
		})
	}
}
