package discordsim_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"tictactoe/discordsim"
)

// limitsMet has a function for each rate limit. The function exceeds the limit, and reports whether the simulator
// enforces the limit.
var limitsMet = map[string]func(*bubble) bool{
	"the calls of an application": func(b *bubble) (met bool) {
		for n := range 51 {
			status, _, _ := b.rest("GET", []string{"/users/@me", "/gateway/bot"}[n%2], "")
			met = met || status == http.StatusTooManyRequests
		}
		return met
	},
	"the messages of a channel": func(b *bubble) (met bool) {
		for range 6 {
			status, _, _ := b.rest("POST", "/channels/"+b.general()+"/messages", `{"content":"x"}`)
			met = met || status == http.StatusTooManyRequests
		}
		return met
	},
	"the headers of a bucket": func(b *bubble) bool {
		return ask(b.Sim, "10.0.0.1", "GET", "/users/@me", "Bot "+token).Header().Get("X-RateLimit-Bucket") != ""
	},
	"late edits": func(b *bubble) bool {
		_, _, text := b.rest("POST", "/channels/"+b.general()+"/messages", `{"content":"x"}`)
		var old discordsim.Message
		if err := json.Unmarshal([]byte(text), &old); err != nil {
			b.t.Fatal(err)
		}
		if err := b.Advance(b.t.Context(), 2*time.Hour); err != nil {
			b.t.Fatal(err)
		}
		code := 0
		for range 31 {
			time.Sleep(2 * time.Second) // so that the edits stay within the budget of the channel's bucket, which is another limit
			_, code, _ = b.rest("PATCH", "/channels/"+old.ChannelID+"/messages/"+old.ID, `{"content":"y"}`)
		}
		return code == 30046
	},
	"IDENTIFY": func(b *bubble) bool {
		identifyAs(b.gateway("/ws"), token, "")
		return identifyAs(b.gateway("/ws"), token, "").Op == 9
	},
	"frames": func(b *bubble) bool {
		g := b.gateway("/ws")
		g.expect(10, "")
		for range 121 {
			g.send(`{"op":1,"d":null}`)
			if _, err := g.read(); err != nil {
				return websocket.IsCloseError(err, 4008)
			}
		}
		return false
	},
	"the ban of an address": func(b *bubble) bool {
		for range 10_000 {
			ask(b.Sim, "10.0.0.1", "GET", "/users/@me", "")
		}
		return ask(b.Sim, "10.0.0.1", "GET", "/gateway", "").Code == http.StatusTooManyRequests
	},
}

// general returns the id of the first channel.
func (b *bubble) general() string {
	b.t.Helper()
	m, err := b.User("alice").Write("general", "here")
	if err != nil {
		b.t.Fatal(err)
	}
	return m.ChannelID
}

func TestRateLimitsCanBeOff(t *testing.T) {
	t.Parallel()
	for name, met := range limitsMet {
		t.Run(name, func(t *testing.T) {
			for _, off := range []bool{false, true} {
				simInBubble(t, discordsim.Config{NoRateLimits: off}, func(b *bubble) {
					if got := met(b); got == off {
						t.Errorf("limits are off: %v, and this one is met: %v", off, got)
					}
				})
			}
		})
	}
	t.Run("a call switches them", func(t *testing.T) {
		w := newWorld(t, discordsim.Config{})
		for _, c := range []struct {
			method, body, want string
			status             int
			on                 bool
		}{
			{"GET", "", `{"on":true}`, 200, true},
			{"PUT", `{"on":false}`, `{"on":false}`, 200, false},
			{"GET", "", `{"on":false}`, 200, false},
			{"PUT", `{}`, `true or false`, 400, false},
			{"PUT", `{"on":true}`, `{"on":true}`, 200, true},
		} {
			status, text, _ := w.raw(c.method, "/sim/rate-limits", c.body, "")
			if status != c.status || !strings.Contains(text, c.want) {
				t.Errorf("%s %s: %d %s", c.method, c.body, status, text)
			}
			_, _, h := w.raw("GET", "/users/@me", "", "Bot "+token)
			if limited := h.Get("X-RateLimit-Limit") != ""; limited != c.on {
				t.Errorf("after %s %s a call is limited: %v", c.method, c.body, limited)
			}
		}
	})
	t.Run("the fault that limits does so all the same", func(t *testing.T) {
		simInBubble(t, discordsim.Config{NoRateLimits: true}, func(b *bubble) {
			b.fault(discordsim.Faults{RESTLimit: discordsim.LimitGlobal, RESTCount: 1})
			if status, _, _ := b.rest("GET", "/users/@me", ""); status != 429 {
				t.Errorf("got %d", status)
			}
		})
	})
}
