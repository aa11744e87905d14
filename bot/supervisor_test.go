package bot_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
	"tictactoe/bot/gateway"
)

func TestConnecting(t *testing.T) {
	inBubble(t, "the bot identifies with the guilds intent only and no compression", func(t *testing.T, f *fake) {
		start := time.Now()
		f.run(nil)
		identify, _ := f.gateway().ops[0]["d"].(map[string]any)
		if identify["intents"] != float64(1) || identify["compress"] != nil || identify["token"] != "Bot "+secret {
			t.Errorf("identify: %v", identify)
		}
		if waited := time.Since(start); waited > 10*time.Millisecond {
			t.Errorf("ready after %v", waited)
		}
	})

	inBubble(t, "the session is resumed after a drop", func(t *testing.T, f *fake) {
		f.run(nil)
		passed(time.Minute)
		f.gateway().conn.Close()
		passed(10 * time.Second)
		if diff := cmp.Diff([]int{2, 6}, f.opens()); diff != "" {
			t.Error(diff)
		}
	})

	inBubble(t, "an asked-for reconnect resumes and no close code is sent", func(t *testing.T, f *fake) {
		f.run(nil)
		first := f.gateway()
		first.frame(`{"op":7,"d":null}`)
		passed(10 * time.Second)
		if diff := cmp.Diff([]int{2, 6}, f.opens()); diff != "" {
			t.Error(diff)
		}
		if code := first.closedWith(); code == 1000 || code == 1001 {
			t.Errorf("closed with %d, which ends the session", code)
		}
	})

	inBubble(t, "the session is resumed at the address in READY, and elsewhere only if that address fails", func(t *testing.T, f *fake) {
		url := "ws://discord.test/resume"
		f.script = func(n int, g *socket) {
			g.hello()
			if op := g.read(); op["op"] == 6.0 {
				g.event("RESUMED", "{}")
			} else {
				g.event("READY", `{"session_id":"s1","guilds":[],"resume_gateway_url":"`+url+`"}`)
			}
			g.beat()
		}
		f.run(nil)
		for _, lose := range []func(*socket){
			func(g *socket) { g.conn.Close() },
			func(g *socket) { f.mu.Lock(); f.wall = 1; f.mu.Unlock(); g.conn.Close() },
			func(g *socket) { g.close(4009) },
		} {
			passed(time.Minute)
			lose(f.gateway())
		}
		passed(time.Minute)
		var paths []string
		for _, g := range f.conns {
			paths = append(paths, g.path)
		}
		if diff := cmp.Diff([]string{"/ws/", "/resume/", "/ws/", "/ws/"}, paths); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]int{2, 6, 6, 2}, f.opens()); diff != "" {
			t.Error(diff)
		}
	})

	inBubble(t, "the first heartbeat comes at any time within the interval, the next an interval later", func(t *testing.T, f *fake) {
		var first []time.Duration
		f.script = func(_ int, g *socket) {
			g.login()
			start := time.Now()
			g.read()
			first = append(first, time.Since(start))
			g.frame(`{"op":11}`)
			if g.read() == nil {
				return // the test has ended
			}
			if apart := time.Since(start) - first[len(first)-1]; apart != interval {
				t.Errorf("%v between two heartbeats", apart)
			}
			g.frame(`{"op":7}`)
			g.read()
		}
		f.run(nil)
		passed(20 * time.Minute)
		if least, most := slices.Min(first), slices.Max(first); len(first) < 10 || most > interval || most-least < interval/4 {
			t.Errorf("first heartbeats after %v", first)
		}
	})

	inBubble(t, "a second HELLO changes nothing", func(t *testing.T, f *fake) {
		f.script = func(_ int, g *socket) { g.login(); g.hello(); g.beat() }
		f.run(nil)
		passed(10 * time.Minute)
		if n := len(f.gateway().ops); n != 1 || len(f.opens()) != 1 {
			t.Errorf("%d messages besides heartbeats, %d connections", n, len(f.opens()))
		}
	})

	for name, frame := range map[string]string{
		"a reconnect in place of HELLO":                     `{"op":7,"d":null}`,
		"an acknowledgement in place of HELLO":              `{"op":11}`,
		"an event in place of HELLO":                        `{"op":0,"s":1,"t":"GUILD_CREATE","d":{"id":"1"}}`,
		"something that is not JSON in place of HELLO":      `?`,
		"an invalid session in place of HELLO":              `{"op":9,"d":false}`,
		"a resumable invalid session in place of HELLO":     `{"op":9,"d":true}`,
		"a heartbeat request and silence in place of HELLO": `{"op":1,"d":null}`,
	} {
		inBubble(t, name+" is survived", func(t *testing.T, f *fake) {
			f.script = func(n int, g *socket) {
				if n == 0 {
					g.frame("%s", frame)
					g.beat()
					return
				}
				g.serve()
			}
			r := f.run(nil)
			passed(2 * time.Minute)
			if diff := cmp.Diff([]int{2}, f.opens()[1:]); diff != "" {
				t.Errorf("%s\n%s", diff, r.logs)
			}
		})
	}

	for name, frame := range map[string]string{
		"a reconnect in place of READY":          `{"op":7,"d":null}`,
		"an acknowledgement before READY":        `{"op":11}`,
		"an invalid session in place of READY":   `{"op":9,"d":false}`,
		"a heartbeat request in place of READY":  `{"op":1,"d":null}`,
		"an unknown event in place of READY":     `{"op":0,"s":1,"t":"SOMETHING_NEW","d":{}}`,
		"an unknown op in place of READY":        `{"op":99}`,
		"silence after an event, before a READY": `{"op":0,"s":1,"t":"GUILD_CREATE","d":{"id":"1"}}`,
	} {
		inBubble(t, name+" is survived", func(t *testing.T, f *fake) {
			f.script = func(n int, g *socket) {
				if n == 0 {
					g.hello()
					g.read()
					g.frame("%s", frame)
					g.beat()
					return
				}
				g.serve()
			}
			r := f.run(nil)
			passed(2 * time.Minute)
			if got := f.opens(); len(got) != 2 {
				t.Errorf("connections: %v\n%s", got, r.logs)
			}
		})
	}

	inBubble(t, "a connection on which the server stays silent is given up", func(t *testing.T, f *fake) {
		f.script = func(n int, g *socket) {
			if n == 0 {
				g.read()
				return
			}
			g.serve()
		}
		f.run(nil)
		passed(28 * time.Second) // 5 s for HELLO, and the pause before the next IDENTIFY
		if diff := cmp.Diff([]int{0, 2}, f.opens()); diff != "" {
			t.Error(diff)
		}
	})

	inBubble(t, "a connection without acknowledgements ends after two heartbeats, although events still come", func(t *testing.T, f *fake) {
		f.script = func(n int, g *socket) {
			if n > 0 {
				g.serve()
				return
			}
			g.login()
			go func() {
				for g.read() != nil {
				}
			}()
			for range 30 {
				time.Sleep(5 * time.Second)
				g.event("TYPING_START", `{}`)
			}
		}
		r := f.run(nil)
		passed(2*interval + 10*time.Second)
		if diff := cmp.Diff([]int{2, 6}, f.opens()); diff != "" {
			t.Errorf("%s\n%s", diff, r.logs)
		}
		passed(2 * time.Minute)
	})

	inBubble(t, "a healthy connection lasts", func(t *testing.T, f *fake) {
		f.run(nil)
		passed(24 * time.Hour)
		if diff := cmp.Diff([]int{2}, f.opens()); diff != "" {
			t.Error(diff)
		}
	})

	inBubble(t, "a connection that Discord ends repeatedly is resumed each time within two seconds", func(t *testing.T, f *fake) {
		f.script = func(_ int, g *socket) {
			g.login()
			time.AfterFunc(5*time.Second, func() { g.frame(`{"op":7,"d":null}`) })
			g.beat()
		}
		f.run(nil)
		passed(70 * time.Second)
		if got := len(f.opens()); got < 10 {
			t.Errorf("%d connections in 70 s", got)
		}
	})

	for after, want := range map[string]time.Duration{"600": 10 * time.Minute, "": time.Minute, "Sat, 28 Nov": time.Minute, "NaN": time.Minute, "1e30": 24 * time.Hour} {
		inBubble(t, "a gateway with too many connections is left alone for as long as it says: "+after, func(t *testing.T, f *fake) {
			f.wall, f.wallStatus, f.header = 2, http.StatusTooManyRequests, map[string]string{"Retry-After": after}
			f.begin(nil)
			passed(2*want - time.Second)
			if n := len(f.opens()); n != 0 {
				t.Errorf("%d connections before", n)
			}
			passed(10 * time.Second)
			if diff := cmp.Diff([]int{2}, f.opens()); diff != "" {
				t.Error(diff)
			}
		})
	}

	inBubble(t, "a rejected resume waits a second and identifies anew", func(t *testing.T, f *fake) {
		f.script = func(n int, g *socket) {
			if n == 1 {
				g.hello()
				g.read()
				g.frame(`{"op":9,"d":false}`)
				g.beat()
				return
			}
			g.serve()
		}
		f.run(nil)
		passed(time.Minute)
		f.gateway().conn.Close()
		passed(20 * time.Second)
		if diff := cmp.Diff([]int{2, 6, 2}, f.opens()); diff != "" {
			t.Error(diff)
		}
	})

	for name, frame := range map[string]string{"for good": `{"op":9,"d":false}`, "for now": `{"op":9,"d":true}`} {
		inBubble(t, "a session that is rejected "+name+" waits one to five seconds, however many attempts failed before", func(t *testing.T, f *fake) {
			var rejected, again time.Time
			f.script = func(n int, g *socket) {
				switch n {
				case 1:
					g.hello()
					g.read()
					rejected = time.Now()
					g.frame("%s", frame)
					g.beat()
				case 2:
					again = time.Now()
					g.serve()
				default:
					g.serve()
				}
			}
			r := f.run(nil)
			passed(time.Minute)
			f.mu.Lock()
			f.wall = 10 // enough failed connections to make the pauses reach a minute
			f.mu.Unlock()
			f.gateway().conn.Close()
			passed(15 * time.Minute)
			if waited := again.Sub(rejected); waited < time.Second || waited > 5100*time.Millisecond {
				t.Errorf("%v between the rejection and the next connection\n%s", waited, r.logs)
			}
		})
	}

	inBubble(t, "attempts at a gateway that accepts no session become less frequent", func(t *testing.T, f *fake) {
		f.script = func(n int, g *socket) {
			g.hello()
			g.read()
			g.frame(`{"op":9,"d":false}`)
			g.beat()
		}
		f.run(nil)
		passed(10 * time.Minute)
		if n := len(f.opens()); n < 10 || n > 22 {
			t.Errorf("%d connections in ten minutes", n)
		}
	})

	inBubble(t, "a session that timed out is not resumed", func(t *testing.T, f *fake) {
		f.run(nil)
		f.gateway().close(4009)
		passed(20 * time.Second)
		if diff := cmp.Diff([]int{2, 2}, f.opens()); diff != "" {
			t.Error(diff)
		}
	})

	for name, drop := range map[string]func(*socket){
		"a close code right after READY": func(g *socket) { g.close(4000) },
		"a drop right after READY":       func(g *socket) { g.conn.Close() },
	} {
		inBubble(t, name+" does not lock anything", func(t *testing.T, f *fake) {
			f.script = func(n int, g *socket) {
				g.login()
				if n < 3 {
					drop(g)
					return
				}
				g.beat()
			}
			f.run(nil)
			passed(time.Minute)
			if diff := cmp.Diff([]int{2, 6, 6, 6}, f.opens()); diff != "" {
				t.Error(diff)
			}
		})
	}

	inBubble(t, "a web page in place of a websocket is an error like others", func(t *testing.T, f *fake) {
		f.wall = 3
		f.run(nil)
		passed(time.Minute)
		if diff := cmp.Diff([]int{2}, f.opens()); diff != "" {
			t.Error(diff)
		}
	})

	inBubble(t, "messages of all sizes get through", func(t *testing.T, f *fake) {
		f.run(nil)
		for i, size := range []int{10, 500, 1200, 10_000, 70_000, 300_000} {
			f.gateway().interaction(fmt.Sprint(i), `"type":3,"data":{"custom_id":"x"},"padding":"`+strings.Repeat("x", size)+`"`)
			f.gateway().frame(`{"op":11}`)
		}
		synctest.Wait()
		if got := f.answers(); len(got) != 6 || len(f.opens()) != 1 {
			t.Errorf("%v", got)
		}
	})

	inBubble(t, "a server that starts later is found", func(t *testing.T, f *fake) {
		var there atomic.Bool
		f.respond = func(c call) (int, string) {
			if !there.Load() {
				return 502, "bad gateway"
			}
			return 0, ""
		}
		f.run(nil)
		passed(10 * time.Second)
		there.Store(true)
		passed(20 * time.Second)
		if diff := cmp.Diff([]int{2}, f.opens()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestFatalCodes(t *testing.T) {
	for _, code := range []int{4004, 4010, 4011, 4012, 4013, 4014} {
		inBubble(t, "a fatal close code in place of READY ends Run", func(t *testing.T, f *fake) {
			f.script = func(_ int, g *socket) { g.hello(); g.read(); g.close(code) }
			r := f.run(nil)
			wantFatal(t, <-r.done, code)
			if diff := cmp.Diff([]int{2}, f.opens()); diff != "" {
				t.Error(diff)
			}
		})
		inBubble(t, "a fatal close code in the middle ends Run", func(t *testing.T, f *fake) {
			r := f.run(nil)
			passed(time.Minute)
			f.gateway().close(code)
			wantFatal(t, <-r.done, code)
			if diff := cmp.Diff([]int{2}, f.opens()); diff != "" {
				t.Error(diff)
			}
		})
	}

	inBubble(t, "a token that the API refuses ends Run before any connection", func(t *testing.T, f *fake) {
		f.respond = func(call) (int, string) { return 401, `{"message":"401: Unauthorized","code":0}` }
		r := f.run(nil)
		wantFatal(t, <-r.done, 401)
		if got := f.opens(); len(got) != 0 {
			t.Errorf("connections: %v", got)
		}
	})
}

func wantFatal(t *testing.T, err error, code int) {
	t.Helper()
	var fatal *gateway.FatalError
	if !errors.As(err, &fatal) || fatal.Code != code {
		t.Fatalf("Run returned %v, want a fatal error with code %d", err, code)
	}
	if !strings.Contains(fatal.Error(), ": ") || strings.HasSuffix(fatal.Error(), ": ") {
		t.Errorf("no advice in %q", fatal)
	}
}

func TestIdentifyBudget(t *testing.T) {
	inBubble(t, "a server that refuses every session sees at most 20 and then 30 an hour", func(t *testing.T, f *fake) {
		f.script = func(_ int, g *socket) { g.hello(); g.read(); g.close(4000) }
		f.run(nil)
		passed(24 * time.Hour)
		if got := len(f.opens()); got > 20+24*30 || got < 24*29 {
			t.Errorf("%d sessions in a day", got)
		}
	})

	inBubble(t, "failed connections do not use up sessions", func(t *testing.T, f *fake) {
		f.wall = 50
		f.run(nil)
		passed(55 * time.Minute) // the 50 failures take at most 50 pauses of a minute; the next 30 sessions are allowed only after an hour
		if diff := cmp.Diff([]int{2}, f.opens()); diff != "" {
			t.Error(diff)
		}
	})

	inBubble(t, "no session is started while Discord has none left", func(t *testing.T, f *fake) {
		f.sessions = `{"total":1000,"remaining":0,"reset_after":3600000,"max_concurrency":1}`
		f.run(nil)
		passed(3 * time.Hour) // the bot asks again, and does not rely on the announced duration
		if got := f.opens(); len(got) != 0 {
			t.Errorf("connections: %v", got)
		}
		f.mu.Lock()
		f.sessions = `{"total":1000,"remaining":1,"reset_after":3600000,"max_concurrency":1}`
		f.mu.Unlock()
		passed(time.Hour)
		if diff := cmp.Diff([]int{2}, f.opens()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestConnected(t *testing.T) {
	inBubble(t, "it is called for READY and RESUMED, and Disconnected between", func(t *testing.T, f *fake) {
		var calls []string
		r := f.run(func(c *config) {
			c.Connected = func(context.Context, gateway.Shard) error { calls = append(calls, "up"); return nil }
			c.Disconnected = func(gateway.Shard) { calls = append(calls, "down") }
		})
		passed(time.Minute)
		f.gateway().conn.Close()
		passed(10 * time.Second)
		r.cancel()
		if err := <-r.done; err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]string{"up", "down", "up", "down"}, calls); diff != "" {
			t.Error(diff)
		}
	})

	inBubble(t, "interactions wait for it, also when it fails at first", func(t *testing.T, f *fake) {
		f.script = func(_ int, g *socket) {
			g.login()
			g.command("1", "games")
			g.beat()
		}
		failures := 2
		r := f.run(func(c *config) {
			c.Connected = func(context.Context, gateway.Shard) error {
				if failures > 0 {
					failures--
					return errors.New("database busy")
				}
				return nil
			}
			c.Router.Command("tictactoe games", func(context.Context, *bot.Interaction) (bot.Reply, error) {
				if failures > 0 {
					t.Error("handled before connected")
				}
				return private("here"), nil
			})
		})
		passed(10 * time.Second)
		if diff := cmp.Diff([]string{"1 callback 5", "PATCH @original here"}, f.answers()); diff != "" {
			t.Errorf("%s\n%s", diff, r.logs)
		}
	})

	inBubble(t, "interactions replayed before RESUMED wait for it too", func(t *testing.T, f *fake) {
		var calls []string
		f.script = func(n int, g *socket) {
			if n == 1 {
				g.hello()
				g.read()
				g.seq = 1
				g.command("1", "games")
				time.Sleep(time.Second)
				g.event("RESUMED", "{}")
				g.beat()
				return
			}
			g.serve()
		}
		f.run(func(c *config) {
			c.Connected = func(context.Context, gateway.Shard) error { calls = append(calls, "up"); return nil }
			c.Router.Command("tictactoe games", func(context.Context, *bot.Interaction) (bot.Reply, error) {
				calls = append(calls, "handled")
				return private("here"), nil
			})
		})
		passed(time.Minute)
		f.gateway().conn.Close()
		passed(10 * time.Second)
		if diff := cmp.Diff([]string{"up", "up", "handled"}, calls); diff != "" {
			t.Error(diff)
		}
	})
}

func TestStopping(t *testing.T) {
	inBubble(t, "the session is closed with 1000 and clicks in flight are answered", func(t *testing.T, f *fake) {
		r := f.run(func(c *config) {
			c.Router.Component("play", func(ctx context.Context, _ *bot.Interaction) (bot.Reply, error) {
				time.Sleep(1200 * time.Millisecond)
				return redraw("board"), ctx.Err()
			})
		})
		f.gateway().click("1", "m1", "play:x")
		synctest.Wait()
		r.cancel()
		if err := <-r.done; err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]string{"1 callback 7"}, f.answers()); diff != "" {
			t.Error(diff)
		}
		synctest.Wait()
		if code := f.gateway().closedWith(); code != 1000 {
			t.Errorf("closed with %d", code)
		}
	})

	inBubble(t, "a click that arrives while the connection is being closed is answered at once", func(t *testing.T, f *fake) {
		closing := make(chan struct{})
		f.script = func(_ int, g *socket) {
			g.login()
			<-closing // before that the fake does not read the close frame
			g.click("1", "m1", "play:x")
			g.beat()
		}
		r := f.run(func(c *config) { c.Router.Component("play", after(0, redraw("board"), nil)) })
		start := time.Now()
		r.cancel()
		synctest.Wait()
		close(closing)
		if err := <-r.done; err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]string{"1 callback 7"}, f.answers()); diff != "" || time.Since(start) > 2*time.Second {
			t.Errorf("after %v: %s", time.Since(start), diff)
		}
	})

	inBubble(t, "a handler that waits for its context is ended and answered within eight seconds", func(t *testing.T, f *fake) {
		r := f.run(func(c *config) {
			c.Router.Component("play", func(ctx context.Context, _ *bot.Interaction) (bot.Reply, error) {
				<-ctx.Done()
				return bot.Reply{}, ctx.Err()
			})
		})
		f.gateway().click("1", "m1", "play:x")
		synctest.Wait()
		start := time.Now()
		r.cancel()
		if err := <-r.done; err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took > 6*time.Second {
			t.Errorf("stopped after %v", took)
		}
		if diff := cmp.Diff([]string{"1 callback 6", "POST follow-up (sorry 1)"}, f.answers()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestStuckHandler(t *testing.T) {
	inBubble(t, "a handler that ignores its context is reported, and does not keep Run from returning", func(t *testing.T, f *fake) {
		r := f.run(func(c *config) { c.Router.Component("play", after(time.Hour, redraw("board"), nil)) })
		f.gateway().click("1", "m1", "play:x")
		synctest.Wait()
		start := time.Now()
		r.cancel()
		if err := <-r.done; err == nil || time.Since(start) > 12*time.Second {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		passed(2 * time.Hour)
	})
}

func private(text string) bot.Reply {
	reply := say(text)
	reply.Private = true
	return reply
}
