package bot_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/bot"
)

// settable is a clock that can be set: by how much it was ahead is the name of a reading's zone.
type settable struct{ ahead atomic.Int64 }

func (c *settable) Now() time.Time {
	ahead := time.Duration(c.ahead.Load())
	return time.Now().Add(ahead).In(time.FixedZone(ahead.String(), 0))
}

func (c *settable) Passed(from, to time.Time) time.Duration {
	ahead := func(reading time.Time) time.Duration {
		d, _ := time.ParseDuration(reading.Location().String())
		return d
	}
	return to.Sub(from) - (ahead(to) - ahead(from))
}

func TestHearing(t *testing.T) {
	inBubble(t, "a gateway that is quiet between heartbeats is asked, and answers at once", func(t *testing.T, f *fake) {
		r := f.run(nil)
		passed(20 * time.Second)
		start := time.Now()
		if heard := r.Hear(t.Context(), 0, start); heard.Before(start) || time.Since(start) > 100*time.Millisecond {
			t.Errorf("heard %v ago, after %v", start.Sub(heard), time.Since(start))
		}
	})

	inBubble(t, "a gateway that was heard since is not asked", func(t *testing.T, f *fake) {
		beats := 0
		f.script = func(_ int, g *gateway) { g.login(); g.count(&beats) }
		r := f.run(nil)
		passed(20 * time.Second)
		f.gateway().event("TYPING_START", "{}")
		passed(time.Second)
		before, since := beats, time.Now().Add(-time.Second)
		for range 10 {
			if heard := r.Hear(t.Context(), 0, since); !heard.Equal(since) {
				t.Errorf("heard %v later", heard.Sub(since))
			}
		}
		passed(0)
		if beats != before {
			t.Errorf("asked %d times", beats-before)
		}
	})

	inBubble(t, "a gateway that does not answer was heard when it was, and is asked once a second", func(t *testing.T, f *fake) {
		beats := 0
		f.script = func(_ int, g *gateway) { g.login(); g.count(&beats) }
		r := f.run(nil)
		passed(time.Second)
		f.gateway().event("TYPING_START", "{}")
		last := time.Now()
		passed(9 * time.Second)
		before, start := beats, time.Now()
		for range 3 {
			if heard := r.Hear(t.Context(), 0, start); !heard.Equal(last) {
				t.Errorf("heard %v later", heard.Sub(last))
			}
		}
		passed(0)
		if took, asked := time.Since(start), beats-before; took != 9*time.Second || asked < 9 || asked > 10 {
			t.Errorf("asked %d times in %v", asked, took)
		}
	})

	inBubble(t, "a connection that has ended is not waited for, and was heard when it was", func(t *testing.T, f *fake) {
		f.script = func(n int, g *gateway) {
			if n == 0 {
				g.serve()
			}
		}
		r := f.run(nil)
		passed(5 * time.Second)
		start := r.Hear(t.Context(), 0, time.Now())
		heard := make(chan time.Time, 1)
		f.gateway().conn.Close()
		passed(100 * time.Millisecond)
		asked := time.Now()
		heard <- r.Hear(t.Context(), 0, asked)
		if got := <-heard; !got.Equal(start) || time.Since(asked) > 0 {
			t.Errorf("heard %v later, after %v", got.Sub(start), time.Since(asked))
		}
	})

	inBubble(t, "what was received before is handled first, what comes after is not waited for", func(t *testing.T, f *fake) {
		var handled atomic.Int32
		r := f.run(func(c *bot.Config) {
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
		if heard := r.Hear(t.Context(), 0, until); heard.Before(until) || handled.Load() != 2 {
			t.Errorf("heard %v before, %d handled", until.Sub(heard), handled.Load())
		}
	})

	for name, ahead := range map[string]time.Duration{"back": -time.Hour, "forward": time.Hour} {
		inBubble(t, "so it is if the clock was set "+name+" meanwhile", func(t *testing.T, f *fake) {
			var handled atomic.Int32
			clock := &settable{}
			r := f.run(func(c *bot.Config) {
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
			until := clock.Now()
			if heard := r.Hear(t.Context(), 0, until); clock.Passed(until, heard) < 0 || handled.Load() != 1 {
				t.Errorf("heard %v before, %d handled", clock.Passed(heard, until), handled.Load())
			}
		})
	}

	inBubble(t, "a handler that takes too long limits what was heard, and is forgotten in the end", func(t *testing.T, f *fake) {
		r := f.run(func(c *bot.Config) { c.Router.Component("play", after(time.Minute, redraw("board"), nil)) })
		f.gateway().click("1", "m1", "play:x")
		passed(0)
		received := time.Now()
		passed(time.Second)
		start := time.Now()
		if heard := r.Hear(t.Context(), 0, start); !heard.Equal(received) || time.Since(start) != 3*time.Second {
			t.Errorf("heard %v later, after %v", heard.Sub(received), time.Since(start))
		}
		passed(12 * time.Second)
		start = time.Now()
		if heard := r.Hear(t.Context(), 0, start); heard.Before(start) || time.Since(start) > 100*time.Millisecond {
			t.Errorf("heard %v before, after %v", start.Sub(heard), time.Since(start))
		}
		passed(time.Minute)
	})

	inBubble(t, "a bot that was never connected has heard nobody", func(t *testing.T, f *fake) {
		f.wall = 1000
		if heard := f.run(nil).Hear(t.Context(), 0, time.Now()); !heard.IsZero() {
			t.Error(heard)
		}
	})
}

// count counts heartbeats and does not answer them.
func (g *gateway) count(beats *int) {
	for op := g.read(); op != nil; op = g.read() {
		if op["op"] == float64(1) {
			*beats++
		}
	}
}
