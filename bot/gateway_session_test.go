package bot_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
	"tictactoe/bot/gateway"
	"tictactoe/internal/replica/session"
)

// shelf stores the sessions of a bot's processes in memory, in place of a database.
type shelf struct {
	mu   sync.Mutex
	kept map[gateway.Shard]session.Session
	err  error // the error of the next call
}

func (s *shelf) Take(_ context.Context, shard gateway.Shard) (session.Session, []string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := s.kept[shard]
	delete(s.kept, shard)
	return left, []string{"g2"}, s.err
}

func (s *shelf) Keep(_ context.Context, shard gateway.Shard, left session.Session) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil {
		s.kept = make(map[gateway.Shard]session.Session)
	}
	s.kept[shard] = left
	if left.ID == "" {
		delete(s.kept, shard)
	}
	return s.err
}

// left returns the stored session, which another process could take.
func (s *shelf) left() session.Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept[gateway.Shard{ID: 0, Of: 1}]
}

// change modifies the stored session, as another process might do.
func (s *shelf) change(change func(*session.Session)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := s.kept[gateway.Shard{ID: 0, Of: 1}]
	change(&left)
	s.kept[gateway.Shard{ID: 0, Of: 1}] = left
}

// process starts a bot that stores its session on the shelf. It answers clicks on "play" with a redraw.
func (f *fake) process(s *shelf, change func(*config)) *runtime {
	f.t.Helper()
	return f.run(func(c *config) {
		c.Gateway.Sessions = s
		c.Router.Component("play", func(context.Context, *bot.Interaction) (bot.Reply, error) { return redraw("board"), nil })
		if change != nil {
			change(c)
		}
	})
}

// end stops the bot.
func (r *runtime) end(t *testing.T) {
	t.Helper()
	r.cancel()
	if err := <-r.done; err != nil {
		t.Error(err)
	}
	synctest.Wait()
}

func TestTheNextProcessResumes(t *testing.T) {
	inBubble(t, "a session outlives its process, and the next process answers the clicks in between", func(t *testing.T, f *fake) {
		s := &shelf{}
		f.script = func(n int, g *socket) {
			if n == 1 {
				g.hello()
				g.read()
				g.seq = 3
				g.click("2", "m1", "play:x")
				g.interaction("3", `"guild_id":"g2","authorizing_integration_owners":{},`+clickOf("m2", "within:x"))
				g.event("RESUMED", "{}")
				g.beat()
				return
			}
			g.serve()
		}
		first := f.process(s, nil)
		f.gateway().click("1", "m1", "play:x")
		f.gateway().event("GUILD_CREATE", `{"id":"77"}`)
		synctest.Wait()
		first.end(t)
		if code := f.gateway().closedWith(); code == 1000 || code == 1001 || code == 0 {
			t.Errorf("closed with %d, which ends the session", code)
		}

		start := time.Now()
		var up []string
		second := f.process(s, func(c *config) {
			c.Router.Component("within", func(_ context.Context, in *bot.Interaction) (bot.Reply, error) {
				if !in.Within {
					t.Error("the bot no longer knows that it is in the server")
				}
				return redraw("board"), nil
			})
			c.Connected = func(context.Context, gateway.Shard) error { up = append(up, "up"); return nil }
			c.Guilds = func(_ context.Context, news bot.Guilds) error {
				if news.All || !news.Resumed {
					t.Errorf("%+v", news)
				}
				return nil
			}
		})
		if took := time.Since(start); took > 100*time.Millisecond || len(up) != 1 {
			t.Errorf("connected %d times, after %v\n%s", len(up), took, second.logs)
		}
		if diff := cmp.Diff([]int{2, 6}, f.opens()); diff != "" {
			t.Fatal(diff)
		}
		want := map[string]any{"token": "Bot " + secret, "session_id": "s1", "seq": float64(3)}
		if diff := cmp.Diff(want, f.gateway().ops[0]["d"]); diff != "" {
			t.Error(diff)
		}
		answers := f.answers()
		slices.Sort(answers)
		if diff := cmp.Diff([]string{"1 callback 7", "2 callback 7", "3 callback 7"}, answers); diff != "" {
			t.Error(diff)
		}
		if calls := f.made(func(c call) bool { return c.Path == "/gateway" }); len(calls) != 2 {
			t.Errorf("the gateway was looked up %d times by two processes", len(calls))
		}
		if got := second.Session(0); got.ID != "s1" || got.Sequence != 6 {
			t.Errorf("Session returned %+v", got)
		}
		second.end(t)
		if left := s.left(); left.ID != "s1" || left.Sequence != 6 {
			t.Errorf("a third process could take %+v", left)
		}
	})

	inBubble(t, "a replayed interaction from before an erasure is not handled", func(t *testing.T, f *fake) {
		s := &shelf{}
		f.script = func(n int, g *socket) {
			if n == 1 {
				g.hello()
				g.read()
				g.click("1", "m1", "play:x")
				g.click("2", "m2", "play:x")
				g.event("RESUMED", "{}")
				g.click("0", "m3", "play:x")
				g.beat()
				return
			}
			g.serve()
		}
		f.process(s, nil).end(t)
		f.process(s, func(c *config) {
			c.Gateway.Erased = func(_ context.Context, user, interaction string) (bool, error) { return interaction < "2", nil }
		})
		synctest.Wait()
		answers := f.answers()
		slices.Sort(answers)
		if diff := cmp.Diff([]string{"0 callback 7", "2 callback 7"}, answers); diff != "" {
			t.Error(diff)
		}
	})
	inBubble(t, "replayed interactions do not count for the rate limit", func(t *testing.T, f *fake) {
		s := &shelf{}
		f.script = func(n int, g *socket) {
			if n == 1 {
				g.hello()
				g.read()
				for i := range 20 {
					g.click(fmt.Sprint(100+i), fmt.Sprint(i), "play:x")
				}
				g.event("RESUMED", "{}")
				for i := range 5 {
					g.click(fmt.Sprint(200+i), fmt.Sprint(i), "play:x")
				}
				g.beat()
				return
			}
			g.serve()
		}
		f.process(s, nil).end(t)
		f.process(s, func(c *config) {
			c.Limits.UserRate, c.Apology = 1, func(*bot.Interaction, string, error) bot.Reply { return say("too fast") }
		})
		passed(time.Second)
		turnedAway := strings.Count(strings.Join(f.answers(), "\n"), "callback 4")
		if len(f.answers()) != 25 || turnedAway != 1 {
			t.Errorf("%d of %d were turned away", turnedAway, len(f.answers()))
		}
	})

	inBubble(t, "events not handled when a process ends are replayed to the next", func(t *testing.T, f *fake) {
		s := &shelf{}
		r := f.process(s, func(c *config) {
			c.Router.Component("slow", after(3*time.Second, redraw("board"), nil))
		})
		f.gateway().click("1", "m1", "play:x")
		f.gateway().click("2", "m2", "slow:x")
		f.gateway().click("3", "m3", "play:x")
		passed(time.Second)
		if got := r.Session(0).Sequence; got != 2 {
			t.Errorf("while the second click is handled, the session would be resumed after event %d", got)
		}
		r.cancel()
		passed(1500 * time.Millisecond)
		if got := s.left().Sequence; got != 2 {
			t.Errorf("the stored session would be resumed after event %d\n%s", got, r.logs)
		}
		passed(10 * time.Second)
	})

	inBubble(t, "servers whose news was not saved are reported again", func(t *testing.T, f *fake) {
		s := &shelf{}
		var busy atomic.Bool
		busy.Store(true)
		r := f.process(s, func(c *config) {
			c.Guilds = func(context.Context, bot.Guilds) error {
				if busy.Load() {
					return errors.New("database busy")
				}
				return nil
			}
		})
		if left := s.left(); left.ID != "" || r.Session(0).ID != "" {
			t.Errorf("a session without a saved list of servers was stored: %+v", left)
		}
		busy.Store(false)
		passed(3 * time.Second)
		if left := s.left(); left.ID != "s1" || left.Sequence != 1 {
			t.Errorf("the session was not stored after the servers were saved: %+v", left)
		}
		busy.Store(true)
		f.gateway().event("GUILD_CREATE", `{"id":"77"}`)
		synctest.Wait()
		if got := r.Session(0); got.ID != "" {
			t.Errorf("the session would be resumed after event %d", got.Sequence)
		}
		r.end(t)
		if got := s.left().Sequence; got != 1 {
			t.Errorf("the stored session would be resumed after event %d", got)
		}
	})

	inBubble(t, "a session is saved at once, although news about servers follows its beginning", func(t *testing.T, f *fake) {
		s := &shelf{}
		f.script = func(_ int, g *socket) {
			g.login()
			g.event("GUILD_CREATE", `{"id":"77"}`)
			g.beat()
		}
		f.process(s, func(c *config) {
			c.Guilds = func(context.Context, bot.Guilds) error { time.Sleep(20 * time.Millisecond); return nil }
		})
		passed(100 * time.Millisecond)
		if left := s.left(); left.Sequence != 2 {
			t.Errorf("kept: %+v", left)
		}
	})

	inBubble(t, "nobody takes a session that its process is about to resume", func(t *testing.T, f *fake) {
		s := &shelf{}
		f.script = func(n int, g *socket) {
			if n == 1 {
				g.read() // the gateway does not answer the RESUME
				return
			}
			g.serve()
		}
		r := f.process(s, nil)
		if s.left().ID != "s1" {
			t.Fatalf("the session is not stored while the bot runs: %+v", s.left())
		}
		f.gateway().conn.Close()
		passed(5 * time.Second)
		if left := s.left(); left.ID != "" || r.Session(0).ID != "" {
			t.Errorf("another process could take %+v", left)
		}
		passed(time.Minute)
		if diff := cmp.Diff([]int{2, 0, 6}, f.opens()); diff != "" {
			t.Error(diff)
		}
		if s.left().ID != "s1" {
			t.Errorf("the session was not stored again: %+v", s.left())
		}
	})

	// deaf is a gateway that does not answer RESUME.
	deaf := func(n int, g *socket) {
		g.hello()
		if op := g.read(); op != nil && op["op"] == float64(6) {
			for g.read() != nil {
			}
			return
		}
		g.event("READY", `{"v":9,"session_id":"s1","user":{"id":"123"},"application":{"id":"`+application+`","flags":0},"guilds":[]}`)
		g.beat()
	}
	inBubble(t, "an unanswered RESUME of a new process soon leads to a new session", func(t *testing.T, f *fake) {
		s := &shelf{}
		f.script = deaf
		f.process(s, nil).end(t)
		start := time.Now()
		r := f.process(s, nil)
		for !r.State().Connected && time.Since(start) < time.Minute {
			passed(100 * time.Millisecond)
		}
		if took := time.Since(start); took > 12*time.Second {
			t.Errorf("connected after %v", took)
		}
		if diff := cmp.Diff([]int{2, 6, 2}, f.opens()); diff != "" {
			t.Error(diff)
		}
	})
	inBubble(t, "an unanswered RESUME after a lost connection leads to a new session", func(t *testing.T, f *fake) {
		f.script = deaf
		r := f.process(&shelf{}, nil)
		f.gateway().conn.Close()
		passed(2 * time.Minute)
		if !r.State().Connected {
			t.Error("not connected after two minutes")
		}
		if diff := cmp.Diff([]int{2, 6, 2}, f.opens()); diff != "" {
			t.Error(diff)
		}
	})

	inBubble(t, "a process that never connected puts the session back", func(t *testing.T, f *fake) {
		s := &shelf{}
		f.process(s, nil).end(t)
		f.respond = func(call) (int, string) { return 502, "bad gateway" }
		r := f.process(s, nil)
		passed(10 * time.Second)
		if left := s.left(); left.ID != "" {
			t.Errorf("another process could take %+v meanwhile", left)
		}
		r.end(t)
		f.respond = nil
		f.process(s, nil)
		if diff := cmp.Diff([]int{2, 6}, f.opens()); diff != "" {
			t.Error(diff)
		}
	})

	for name, refuse := range map[string]func(*socket){
		"by op 9":                func(g *socket) { g.frame(`{"op":9,"d":false}`); g.beat() },
		"as one that timed out":  func(g *socket) { g.close(4009) },
		"for its event's number": func(g *socket) { g.close(4007) },
	} {
		inBubble(t, "a session that Discord refuses "+name+" is replaced by another", func(t *testing.T, f *fake) {
			s := &shelf{}
			f.script = func(n int, g *socket) {
				if n == 1 {
					g.hello()
					g.read()
					refuse(g)
					return
				}
				g.serve()
			}
			f.process(s, nil).end(t)
			f.process(s, nil)
			passed(8 * time.Second)
			if diff := cmp.Diff([]int{2, 6, 2}, f.opens()); diff != "" {
				t.Error(diff)
			}
			if left := s.left(); left.ID != "s1" || left.Sequence != 1 {
				t.Errorf("the new session was not stored: %+v", left)
			}
		})
	}

	for name, change := range map[string]func(*session.Session, *shelf){
		"older than Discord keeps sessions": func(left *session.Session, _ *shelf) { left.Saved = left.Saved.Add(-4 * time.Minute) },
		"of another token":                  func(left *session.Session, _ *shelf) { left.Token = "another" },
		"unreadable":                        func(_ *session.Session, s *shelf) { s.err = errors.New("database busy") },
	} {
		inBubble(t, "a session "+name+" is not resumed", func(t *testing.T, f *fake) {
			s := &shelf{}
			f.process(s, nil).end(t)
			s.change(func(left *session.Session) { change(left, s) })
			f.process(s, nil)
			if diff := cmp.Diff([]int{2, 2}, f.opens()); diff != "" {
				t.Error(diff)
			}
		})
	}

	inBubble(t, "a token is kept as a digest", func(t *testing.T, f *fake) {
		s := &shelf{}
		f.process(s, nil).end(t)
		if left := s.left(); left.Token == "" || strings.Contains(left.Token, secret) || strings.Contains(secret, left.Token) {
			t.Errorf("kept: %+v", left)
		}
	})

	inBubble(t, "resuming does not use up the budget for new sessions", func(t *testing.T, f *fake) {
		f.sessions = `{"total":1000,"remaining":1,"reset_after":3600000,"max_concurrency":1}`
		s := &shelf{}
		f.process(s, nil).end(t)
		f.mu.Lock()
		f.sessions = `{"total":1000,"remaining":0,"reset_after":3600000,"max_concurrency":1}`
		f.mu.Unlock()
		for range 40 {
			f.process(s, nil).end(t)
		}
		if got := f.opens(); len(got) != 41 {
			t.Errorf("%d connections", len(got))
		}
	})
}
