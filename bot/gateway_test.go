package bot_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
)

// TestUnusualGateways tests that unusual data from the gateway does not end the process.
func TestUnusualGateways(t *testing.T) {
	for name, frame := range map[string]string{
		"a HELLO with an interval of 0":           `{"op":10,"d":{"heartbeat_interval":0}}`,
		"a HELLO with an interval of a century":   `{"op":10,"d":{"heartbeat_interval":1e300}}`,
		"a HELLO without data":                    `{"op":10}`,
		"a READY with a server that is null":      `{"op":0,"s":1,"t":"READY","d":{"session_id":"s1","guilds":[null]}}`,
		"a server that is null in place of HELLO": `{"op":0,"s":1,"t":"GUILD_CREATE","d":null}`,
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
			f.gateway().frame(`{"op":0,"s":2,"t":"GUILD_CREATE","d":null}`)
			f.gateway().frame(`{"op":0,"s":3,"t":"VOICE_STATE_UPDATE","d":null}`)
			passed(time.Second)
			if !r.State().Connected {
				t.Errorf("not connected\n%s", r.logs)
			}
		})
	}

	inBubble(t, "an interval with a fraction is one", func(t *testing.T, f *fake) {
		f.script = func(_ int, g *socket) {
			g.frame(`{"op":10,"d":{"heartbeat_interval":41250.5}}`)
			g.read()
			g.event("READY", `{"session_id":"s1","guilds":[]}`)
			g.beat()
		}
		f.run(nil)
		passed(10 * time.Minute)
		if diff := cmp.Diff([]int{2}, f.opens()); diff != "" {
			t.Error(diff)
		}
	})

	inBubble(t, "a heartbeat that the gateway asks for is sent before HELLO too, with the number of the latest event", func(t *testing.T, f *fake) {
		var numbers []any
		f.script = func(_ int, g *socket) {
			g.frame(`{"op":1,"d":null}`)
			numbers = append(numbers, g.read()["d"])
			g.login()
			g.click("1", "m1", "play:x")
			for op := g.read(); op != nil; op = g.read() {
				numbers = append(numbers, op["d"])
				g.frame(`{"op":11}`)
			}
		}
		f.run(nil)
		passed(2 * interval)
		if n := len(numbers); n < 3 || numbers[0] != 0.0 || numbers[n-1] != 2.0 || len(f.opens()) != 1 {
			t.Errorf("numbers %v, %d connections", numbers, len(f.opens()))
		}
	})

	inBubble(t, "a panic during one message affects no other message", func(t *testing.T, f *fake) {
		var panics atomic.Bool
		r := f.run(func(c *config) {
			c.Clock = machine{woke: func() time.Time {
				if panics.CompareAndSwap(true, false) {
					panic("a bug")
				}
				return time.Time{}
			}}
			c.Router.Component("play", func(context.Context, *bot.Interaction) (bot.Reply, error) { return redraw("board"), nil })
		})
		panics.Store(true)
		f.gateway().event("TYPING_START", "{}")
		passed(time.Second)
		f.gateway().click("1", "m1", "play:x")
		passed(time.Second)
		if diff := cmp.Diff([]string{"1 callback 7"}, f.answers()); diff != "" || len(f.opens()) != 1 {
			t.Errorf("%s, connections: %v", diff, f.opens())
		}
		if log := r.logs.String(); !strings.Contains(log, "a bug") || !strings.Contains(log, "gateway_test.go") {
			t.Errorf("no panic with its stack in the log:\n%s", log)
		}
	})
}
