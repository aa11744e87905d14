package bot_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/bot"
)

// settable is a clock that a test can set.
type settable struct {
	machine
	ahead atomic.Int64
}

func (c *settable) Now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }

func TestHearing(t *testing.T) {
	inBubble(t, "a quiet gateway is probed and answers at once", func(t *testing.T, f *fake) {
		r := f.run(nil)
		passed(20 * time.Second)
		start := time.Now()
		if heard := r.Probe(t.Context(), 0, start); heard.Before(start) || time.Since(start) > 100*time.Millisecond {
			t.Errorf("heard %v ago, after %v", start.Sub(heard), time.Since(start))
		}
	})

	inBubble(t, "a gateway that was heard since is not probed", func(t *testing.T, f *fake) {
		var beats atomic.Int32
		f.script = func(_ int, g *socket) { g.login(); g.count(&beats) }
		r := f.run(nil)
		passed(20 * time.Second)
		f.gateway().event("TYPING_START", "{}")
		passed(time.Second)
		before, since := beats.Load(), time.Now().Add(-time.Second)
		for range 10 {
			if heard := r.Probe(t.Context(), 0, since); !heard.Equal(since) {
				t.Errorf("heard %v later", heard.Sub(since))
			}
		}
		passed(0)
		if asked := beats.Load() - before; asked != 0 {
			t.Errorf("asked %d times", asked)
		}
	})

	inBubble(t, "a gateway that does not answer is probed once a second, and the time it was heard stays", func(t *testing.T, f *fake) {
		var beats atomic.Int32
		f.script = func(_ int, g *socket) { g.login(); g.count(&beats) }
		r := f.run(nil)
		passed(time.Second)
		f.gateway().event("TYPING_START", "{}")
		last := time.Now()
		passed(9 * time.Second)
		before, start := beats.Load(), time.Now()
		for range 3 {
			if heard := r.Probe(t.Context(), 0, start); !heard.Equal(last) {
				t.Errorf("heard %v later", heard.Sub(last))
			}
		}
		passed(0)
		if took, asked := time.Since(start), beats.Load()-before; took != 9*time.Second || asked < 9 || asked > 10 {
			t.Errorf("asked %d times in %v", asked, took)
		}
	})

	inBubble(t, "Probe does not wait for an ended connection", func(t *testing.T, f *fake) {
		f.script = func(n int, g *socket) {
			if n == 0 {
				g.serve()
			}
		}
		r := f.run(nil)
		passed(5 * time.Second)
		start := r.Probe(t.Context(), 0, time.Now())
		heard := make(chan time.Time, 1)
		f.gateway().conn.Close()
		passed(100 * time.Millisecond)
		asked := time.Now()
		heard <- r.Probe(t.Context(), 0, asked)
		if got := <-heard; !got.Equal(start) || time.Since(asked) > 0 {
			t.Errorf("heard %v later, after %v", got.Sub(start), time.Since(asked))
		}
	})

	inBubble(t, "Probe waits for interactions received before, and not for later ones", func(t *testing.T, f *fake) {
		var handled atomic.Int32
		r := f.run(func(c *config) {
			c.Router.Component("play", func(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
				time.Sleep(time.Second)
				handled.Add(1)
				return redraw("board"), nil
			})
		})
		f.gateway().click("1", "m1", "play:x")
		f.gateway().click("2", "m1", "play:x")
		passed(500 * time.Millisecond)
		until := time.Now()
		f.gateway().click("3", "m1", "play:x")
		if heard := r.Probe(t.Context(), 0, until); heard.Before(until) || handled.Load() != 2 {
			t.Errorf("heard %v before, %d handled", until.Sub(heard), handled.Load())
		}
	})

	for name, ahead := range map[string]time.Duration{"back": -time.Hour, "forward": time.Hour} {
		inBubble(t, "the same holds if the clock was set "+name+" meanwhile", func(t *testing.T, f *fake) {
			var handled atomic.Int32
			clock := &settable{}
			r := f.run(func(c *config) {
				c.Clock = clock
				c.Router.Component("play", func(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
					time.Sleep(time.Second)
					handled.Add(1)
					return redraw("board"), nil
				})
			})
			f.gateway().click("1", "m1", "play:x")
			passed(500 * time.Millisecond)
			clock.ahead.Store(int64(ahead))
			until := time.Now()
			if heard := r.Probe(t.Context(), 0, until); heard.Before(until) || handled.Load() != 1 {
				t.Errorf("heard %v before, %d handled", until.Sub(heard), handled.Load())
			}
		})
	}

	inBubble(t, "a slow handler limits the returned time, until it is ignored", func(t *testing.T, f *fake) {
		r := f.run(func(c *config) { c.Router.Component("play", after(time.Minute, redraw("board"), nil)) })
		f.gateway().click("1", "m1", "play:x")
		passed(0)
		received := time.Now()
		passed(time.Second)
		start := time.Now()
		if heard := r.Probe(t.Context(), 0, start); !heard.Equal(received) || time.Since(start) != 3*time.Second {
			t.Errorf("heard %v later, after %v", heard.Sub(received), time.Since(start))
		}
		passed(12 * time.Second)
		start = time.Now()
		if heard := r.Probe(t.Context(), 0, start); heard.Before(start) || time.Since(start) > 100*time.Millisecond {
			t.Errorf("heard %v before, after %v", start.Sub(heard), time.Since(start))
		}
		passed(time.Minute)
	})

	inBubble(t, "a bot that was never connected has heard nobody", func(t *testing.T, f *fake) {
		f.wall = 1000
		if heard := f.run(nil).Probe(t.Context(), 0, time.Now()); !heard.IsZero() {
			t.Error(heard)
		}
	})
}

// woken stores the time at which a process last continued after a stop.
type woken struct{ at atomic.Pointer[time.Time] }

func (w *woken) woke() time.Time {
	if at := w.at.Load(); at != nil {
		return *at
	}
	return time.Time{}
}

func (w *woken) now() { now := time.Now(); w.at.Store(&now) }

// received makes a bot record when its clicks were received, and returns a function that returns these times.
func received(c *config, w *woken) func() []time.Time {
	var mu sync.Mutex
	var all []time.Time
	c.Clock = machine{woke: w.woke}
	c.Router.Component("play", func(_ context.Context, in *bot.Interaction) (bot.Reply, error) {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, in.Received)
		return redraw("board"), nil
	})
	return func() []time.Time { mu.Lock(); defer mu.Unlock(); return slices.Clone(all) }
}

func TestHearingAfterAPause(t *testing.T) {
	inBubble(t, "messages read within a second after a stop are dated with the end of the stop", func(t *testing.T, f *fake) {
		var process woken
		var clicks func() []time.Time
		r := f.run(func(c *config) { clicks = received(c, &process) })
		passed(20 * time.Second)
		process.now()
		woke := time.Now()
		passed(900 * time.Millisecond) // reading all clicks takes a moment
		f.gateway().click("1", "m1", "play:x")
		passed(0)
		if heard := r.Probe(t.Context(), 0, woke); !heard.Equal(woke) {
			t.Errorf("heard %v after the process continued", heard.Sub(woke))
		}
		if now := time.Now(); r.Probe(t.Context(), 0, now).Before(now) {
			t.Error("the gateway has answered since, but Probe does not count it")
		}
		f.gateway().click("2", "m2", "play:x")
		passed(0)
		if got := clicks(); len(got) != 2 || !got[0].Equal(woke) || !got[1].Equal(time.Now()) {
			t.Errorf("received %v", got)
		}
	})
	inBubble(t, "a connection made after the stop reports new events", func(t *testing.T, f *fake) {
		var process woken
		var clicks func() []time.Time
		f.run(func(c *config) { clicks = received(c, &process) })
		passed(20 * time.Second)
		process.now()
		f.gateway().conn.Close()
		passed(20 * time.Second)
		f.gateway().click("1", "m1", "play:x")
		passed(0)
		if got := clicks(); len(got) != 1 || !got[0].Equal(time.Now()) {
			t.Errorf("received %v", got)
		}
	})
	inBubble(t, "over HTTP, requests read within a second after a stop are dated with its end", func(t *testing.T, f *fake) {
		var process woken
		var clicks func() []time.Time
		o := f.endpoint(func(c *config) { clicks = received(c, &process) })
		passed(time.Second)
		process.now()
		woke := time.Now()
		for n, after := range []time.Duration{0, 900 * time.Millisecond, 200 * time.Millisecond} {
			passed(after)
			heard, want := o.Probe(t.Context(), 0, time.Now()), time.Now()
			if n < 2 {
				want = woke
			}
			if a := o.send(o.request(f.created(fmt.Sprint(n), clickOf(fmt.Sprint("m", n), "play:x")))); a.Status != 202 {
				t.Error(a)
			}
			if got := clicks(); len(got) != n+1 || !got[n].Equal(want) || !heard.Equal(want) {
				t.Errorf("%v after the process continued: received at %v, heard %v", time.Since(woke), got, heard)
			}
		}
	})
}

// count counts heartbeats and does not answer them.
func (g *socket) count(beats *atomic.Int32) {
	for op := g.read(); op != nil; op = g.read() {
		if op["op"] == float64(1) {
			beats.Add(1)
		}
	}
}
