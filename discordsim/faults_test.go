package discordsim_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/websocket"

	"tictactoe/discordsim"
)

func (b *bubble) fault(f discordsim.Faults) {
	b.t.Helper()
	if err := b.SetFaults(f); err != nil {
		b.t.Fatal(err)
	}
}

// quiet fails if the gateway sends anything within a second.
func (g *gateway) quiet() {
	g.t.Helper()
	g.ws.SetReadDeadline(time.Now().Add(time.Second))
	if _, text, err := g.ws.ReadMessage(); err == nil {
		g.t.Errorf("got %s", text)
	}
}

func TestGatewayFaults(t *testing.T) {
	t.Parallel()
	t.Run("op 7 comes in place of HELLO", func(t *testing.T) {
		simInBubble(t, discordsim.Config{}, func(b *bubble) {
			b.fault(discordsim.Faults{Hello: discordsim.HelloReconnect})
			g := b.gateway("/ws")
			g.expect(7, "")
			g.quiet()
		})
	})
	t.Run("an unasked ACK comes before READY", func(t *testing.T) {
		simInBubble(t, discordsim.Config{}, func(b *bubble) {
			b.fault(discordsim.Faults{Hello: discordsim.HelloACK})
			g := b.gateway("/ws")
			if e := identifyAs(g, token, ""); e.Op != 11 {
				t.Errorf("got op %d", e.Op)
			}
			g.expect(0, "READY")
		})
	})
	for word, want := range map[string]string{"reconnect": "7 null", "invalid": "9 false", "invalid_resumable": "9 true"} {
		t.Run(word+" comes instead of READY", func(t *testing.T) {
			simInBubble(t, discordsim.Config{}, func(b *bubble) {
				b.fault(discordsim.Faults{AfterIdentify: word})
				g := b.gateway("/ws")
				if e := identifyAs(g, token, ""); fmt.Sprintf("%d %s", e.Op, e.Raw) != want {
					t.Errorf("got op %d %s, want %s", e.Op, e.Raw, want)
				}
				g.quiet()
			})
		})
	}
	t.Run("after HELLO comes nothing, and a resumption brings what was missed", func(t *testing.T) {
		simInBubble(t, discordsim.Config{}, func(b *bubble) {
			b.rest("PUT", "/applications/"+botID+"/commands", pingCommand)
			ready := b.gateway("/ws").identify("")
			b.fault(discordsim.Faults{Silent: true})
			g := b.gateway("/ws")
			g.resume(ready, 2) // reads HELLO
			synctest.Wait()
			if _, err := b.User("alice").Command(context.Background(), "general", "ping", nil); err != nil {
				t.Fatal(err)
			}
			g.quiet()
			b.fault(discordsim.Faults{})
			g = b.gateway("/ws")
			g.resume(ready, 2)
			for i, name := range []string{"INTERACTION_CREATE", "RESUMED"} { // number 3 was the RESUMED of the silenced connection
				if e := g.expect(0, name); e.S != int64(i+4) {
					t.Errorf("%s has number %d, want %d", name, e.S, i+4)
				}
			}
		})
	})
	t.Run("heartbeats are not acknowledged", func(t *testing.T) {
		simInBubble(t, discordsim.Config{}, func(b *bubble) {
			g := b.gateway("/ws")
			g.identify("")
			g.expect(0, "GUILD_CREATE")
			b.fault(discordsim.Faults{NoACKs: true})
			g.send(`{"op":1,"d":2}`)
			g.quiet()
		})
	})
	t.Run("a replay leaves out the last events", func(t *testing.T) {
		simInBubble(t, discordsim.Config{}, func(b *bubble) {
			ready := b.gateway("/ws").identify("")
			if _, err := b.AddServer(discordsim.Server{Name: "Second"}); err != nil {
				t.Fatal(err)
			}
			b.fault(discordsim.Faults{TruncateReplay: 1})
			g := b.gateway("/ws")
			g.resume(ready, 1)
			if e := g.expect(0, "GUILD_CREATE"); e.S != 2 {
				t.Errorf("the first event replayed has number %d", e.S)
			}
			if e := g.expect(0, "RESUMED"); e.S != 4 {
				t.Errorf("RESUMED has number %d", e.S)
			}
		})
	})
	t.Run("a close code ends the session if Discord says so", func(t *testing.T) {
		for code, resumable := range map[int]bool{4000: true, 4008: true, 4004: false, 4009: false, 1000: false} {
			simInBubble(t, discordsim.Config{}, func(b *bubble) {
				g := b.gateway("/ws")
				ready := g.identify("")
				if n := b.CloseGateway(code, "test"); n != 1 {
					t.Errorf("%d connections", n)
				}
				if got := g.closed(); got != code {
					t.Errorf("closed with %d, want %d", got, code)
				}
				g = b.gateway("/ws")
				g.resume(ready, 2)
				if e, err := g.read(); err != nil || (e.T == "RESUMED") != resumable {
					t.Errorf("after %d RESUME got op %d %s, %v", code, e.Op, e.T, err)
				}
			})
		}
	})
	t.Run("what a client answers to a close code ends nothing", func(t *testing.T) {
		w := newWorld(t, discordsim.Config{})
		g := w.dial("")
		ready := g.identify("")
		g.ws.SetCloseHandler(func(int, string) error { // as discordgo does
			return g.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(1000, ""), time.Now().Add(time.Second))
		})
		w.CloseGateway(4000, "test")
		g.expect(0, "GUILD_CREATE")
		if e, err := g.read(); err == nil {
			t.Errorf("got op %d", e.Op)
		}
		io.Copy(io.Discard, g.ws.NetConn()) // until the simulator has read the answer, and hangs up
		g = w.dial("")
		g.expect(10, "")
		g.send(fmt.Sprintf(`{"op":6,"d":{"token":%q,"session_id":%q,"seq":2}}`, token, ready.D["session_id"]))
		g.expect(0, "RESUMED")
	})
	t.Run("one bot suffers and another does not", func(t *testing.T) {
		simInBubble(t, discordsim.Config{}, func(b *bubble) {
			if err := b.Bot(botID).SetFaults(discordsim.Faults{NoACKs: true}); err != nil {
				t.Fatal(err)
			}
			mine, other := b.gateway("/ws"), b.gateway("/ws")
			identifyAs(mine, token, "")
			identifyAs(other, tokenOf("42"), "")
			mine.send(`{"op":1,"d":1}`)
			other.send(`{"op":1,"d":1}`)
			other.expect(11, "")
			mine.quiet()
			mine.ws.Close()
			b.Bot(botID).ClearFaults()
			if n := b.Bot("42").Reconnect(); n != 1 {
				t.Errorf("%d connections of the other", n)
			}
			other.expect(7, "")
		})
	})
}

func TestDiscordgoBeatsOnWithoutAcknowledgements(t *testing.T) {
	t.Parallel()
	inBubble(t, discordsim.Config{}, func(b *bubble) {
		b.fault(discordsim.Faults{NoACKs: true})
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		b.bot.RLock()
		sent, acked := b.bot.LastHeartbeatSent, b.bot.LastHeartbeatAck
		b.bot.RUnlock()
		if since := sent.Sub(acked); since < time.Minute {
			t.Errorf("the last beat came %v after the last acknowledgement", since)
		}
	})
}

func TestInteractionFaults(t *testing.T) {
	t.Parallel()
	t.Run("one that is delayed arrives late and is still answered", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			b.fault(discordsim.Faults{DelayMS: 2000})
			began := time.Now()
			i, done := b.ping()
			if took := time.Since(began); took != 2*time.Second {
				t.Errorf("it took %v", took)
			}
			b.callback(i, sayPong)
			if r := <-done; r.Status != discordsim.Answered || r.Milliseconds != 2000 {
				t.Errorf("got %+v", r)
			}
		})
	})
	t.Run("one that is delayed for longer than three seconds comes for nothing", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			b.fault(discordsim.Faults{DelayMS: 3500})
			i, done := b.ping()
			if r := <-done; r.Status != discordsim.TimedOut {
				t.Errorf("got %+v", r)
			}
			if _, code := b.callback(i, sayPong); code != 10062 {
				t.Errorf("the callback got %d", code)
			}
		})
	})
	t.Run("one that is lost never comes", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			b.fault(discordsim.Faults{Lose: true})
			r, err := b.User("alice").Command(context.Background(), "general", "ping", nil)
			if err != nil || r.Status != discordsim.TimedOut || len(b.got) != 0 {
				t.Errorf("got %+v, %v", r, err)
			}
		})
	})
	t.Run("one is sent as the program around the simulator has it", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			var about string
			b.fault(discordsim.Faults{Garble: func(interaction string, event json.RawMessage) json.RawMessage {
				about = interaction
				return bytes.Replace(event, []byte(`"ping"`), []byte(`"pong"`), 1)
			}})
			i, done := b.ping()
			if i.ID != about || i.ApplicationCommandData().Name != "pong" {
				t.Errorf("got %s, %q; garbled was %s", i.ID, i.ApplicationCommandData().Name, about)
			}
			b.callback(i, sayPong)
			if r := <-done; r.Status != discordsim.Answered {
				t.Errorf("got %+v", r)
			}
		})
	})
	t.Run("the second overtakes the first", func(t *testing.T) {
		simInBubble(t, discordsim.Config{}, func(b *bubble) {
			g := b.present()
			b.fault(discordsim.Faults{Reorder: true})
			names := func(n int) (order []string) {
				for range n {
					order = append(order, g.expect(0, "INTERACTION_CREATE").D["member"].(map[string]any)["user"].(map[string]any)["username"].(string))
				}
				return order
			}
			for _, who := range []string{"alice", "bob", "carol"} {
				go b.User(who).Command(context.Background(), "general", "ping", nil)
				synctest.Wait()
			}
			began := time.Now()
			if diff := cmp.Diff([]string{"bob", "alice", "carol"}, names(3)); diff != "" {
				t.Error(diff)
			}
			if took := time.Since(began); took != time.Second {
				t.Errorf("nobody overtook carol, who came after %v", took)
			}
			time.Sleep(3 * time.Second) // in fake time: the three commands time out
		})
	})
}

func TestRESTFaults(t *testing.T) {
	t.Parallel()
	t.Run("each call takes longer", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			b.fault(discordsim.Faults{RESTDelayMS: 1500})
			began := time.Now()
			if status, _, _ := b.rest("GET", "/users/@me", ""); status != 200 || time.Since(began) != 1500*time.Millisecond {
				t.Errorf("got %d after %v", status, time.Since(began))
			}
		})
	})
	t.Run("a callback's answer comes late, and it was done at once", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			b.fault(discordsim.Faults{CallbackDelayMS: 5000})
			i, done := b.ping()
			began := time.Now()
			late := make(chan int)
			go func() {
				status, _ := b.callback(i, sayPong)
				late <- status
			}()
			if r := <-done; r.Status != discordsim.Answered || time.Since(began) != 0 {
				t.Errorf("after %v got %+v", time.Since(began), r)
			}
			if status := <-late; status != 204 || time.Since(began) != 5*time.Second {
				t.Errorf("the answer %d came after %v", status, time.Since(began))
			}
		})
	})
	t.Run("a burst of errors ends by itself, and nothing was done", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			i, done := b.ping()
			b.fault(discordsim.Faults{RESTStatus: 503, RESTCount: 2})
			for range 2 {
				if status, _ := b.callback(i, sayPong); status != 503 {
					t.Errorf("got %d", status)
				}
			}
			if len(done) != 0 {
				t.Error("a failed callback was done")
			}
			if status, code := b.callback(i, sayPong); status != 204 {
				t.Errorf("then got %d %d", status, code)
			}
			<-done
		})
	})
	t.Run("discordgo tries 502 again", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			b.fault(discordsim.Faults{RESTStatus: 502, RESTCount: 2})
			if u, err := b.bot.User("@me"); err != nil || u.ID != botID {
				t.Errorf("got %v, %v", u, err)
			}
		})
	})
	t.Run("limits look as Discord's do", func(t *testing.T) {
		for kind, want := range map[string]map[string]string{
			"global": {
				"Retry-After": "2", "X-Ratelimit-Global": "true", "X-Ratelimit-Scope": "global", "X-Ratelimit-Reset-After": "1.500",
				"X-Ratelimit-Remaining": "0", "Via": "1.1 google", "Content-Type": "application/json",
			},
			"global_bare": {"Retry-After": "2", "X-Ratelimit-Global": "true", "X-Ratelimit-Scope": "", "X-Ratelimit-Reset-After": "", "Via": "1.1 google"},
			"shared":      {"Retry-After": "2", "X-Ratelimit-Global": "", "X-Ratelimit-Scope": "shared", "X-Ratelimit-Reset-After": "1.500"},
			"html":        {"Retry-After": "2", "X-Ratelimit-Global": "", "Via": "", "Content-Type": "text/html; charset=UTF-8"},
		} {
			w := newWorld(t, discordsim.Config{})
			if err := w.SetFaults(discordsim.Faults{RESTLimit: kind, RESTRetryAfterMS: 1500}); err != nil {
				t.Fatal(err)
			}
			status, text, header := w.raw("GET", "/users/@me", "", "Bot "+token)
			if status != 429 {
				t.Errorf("%s: got %d", kind, status)
			}
			for name, value := range want {
				if got := header.Get(name); got != value {
					t.Errorf("%s: %s is %q, want %q", kind, name, got, value)
				}
			}
			var body struct {
				RetryAfter float64 `json:"retry_after"`
				Global     bool
			}
			isJSON := json.Unmarshal([]byte(text), &body) == nil
			if isJSON == (kind == "html") || isJSON && (body.RetryAfter != 1.5 || body.Global != strings.HasPrefix(kind, "global")) {
				t.Errorf("%s: the body is %s", kind, text)
			}
		}
	})
	t.Run("discordgo waits out the limits that it understands", func(t *testing.T) {
		for _, kind := range []string{"global", "global_bare", "shared"} {
			inBubble(t, discordsim.Config{}, func(b *bubble) {
				b.fault(discordsim.Faults{RESTLimit: kind, RESTRetryAfterMS: 2000, RESTCount: 1})
				began := time.Now()
				if _, err := b.bot.User("@me"); err != nil || time.Since(began) < 2*time.Second {
					t.Errorf("%s: %v after %v", kind, err, time.Since(began))
				}
			})
		}
	})
	t.Run("discordgo does not understand the proxy's page", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			b.fault(discordsim.Faults{RESTLimit: "html"})
			bot := newBot(b.t, "http://sim.test", b.dial)
			bot.LogLevel = -1 // discordgo would log the expected error
			var syntax *json.SyntaxError
			if _, err := bot.User("@me"); !errors.As(err, &syntax) {
				t.Errorf("got %v", err)
			}
		})
	})
	t.Run("a bot's callbacks are hit like its other calls", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			i, done := b.ping()
			if err := b.Bot(botID).SetFaults(discordsim.Faults{RESTStatus: 500}); err != nil {
				t.Fatal(err)
			}
			req, err := http.NewRequest("POST", "http://sim.test/api/v10/interactions/"+i.ID+"/"+i.Token+"/callback", strings.NewReader(sayPong))
			if err != nil {
				t.Fatal(err)
			}
			res, err := b.http.Do(req) // without a bot token, as many clients send it
			if err != nil || res.StatusCode != 500 {
				t.Errorf("got %v, %v", res, err)
			}
			res.Body.Close()
			if r := <-done; r.Status != discordsim.TimedOut {
				t.Errorf("the person got %+v", r)
			}
		})
	})
}

func TestFaultsFromOutside(t *testing.T) {
	t.Parallel()
	w := newWorld(t, discordsim.Config{})
	w.register(pingCommand)
	events := w.events("alice")
	put := func(body string) (int, string) {
		t.Helper()
		status, text, _ := w.raw("PUT", "/sim/faults", body, "")
		return status, text
	}
	if status, text := put(`{"faults":{"no_acks":true,"delay_ms":5}}`); status != 200 || !strings.Contains(text, `"all":{"silent":false,"no_acks":true`) {
		t.Errorf("got %d %s", status, text)
	}
	if e := <-events; e.kind != "faults" || e.data != "{}" {
		t.Errorf("got the event %v", e)
	}
	if status, text := put(`{"application":"tictactoe","faults":{"rest_status":500,"rest_count":1}}`); status != 200 || !strings.Contains(text, `"bots":{"`+botID+`":{`) {
		t.Errorf("got %d %s", status, text)
	}
	if status, _ := w.rest("GET", "/users/@me", ""); status != 500 {
		t.Errorf("the bot got %d", status)
	}
	_, text, _ := w.raw("GET", "/sim/faults", "", "")
	for _, part := range []string{`"rest_status":0`, `"rest_retry_after_ms":1000`, `"delay_ms":5`} {
		if !strings.Contains(text, part) {
			t.Errorf("no %s in %s", part, text)
		}
	}
	if status, text := put(`{"application":"` + botID + `","faults":{}}`); status != 200 || !strings.Contains(text, `"bots":{}`) {
		t.Errorf("got %d %s", status, text)
	}
	if status, text := put(`{"faults":{}}`); status != 200 || strings.Contains(text, "true") {
		t.Errorf("got %d %s", status, text)
	}
	for body, why := range map[string]string{
		`{"faults":{"nonsense":true}}`:      "nonsense",
		`{"fault":{}}`:                      "fault",
		`{}`:                                "documented",
		`{"faults":{"hello":"goodbye"}}`:    "goodbye",
		`{"faults":{"after_identify":"x"}}`: "after_identify",
		`{"faults":{"rest_limit":"x"}}`:     "rest_limit",
		`{"faults":{"rest_status":404}}`:    "500 to 599",
		`{"faults":{"delay_ms":-1}}`:        "delay_ms",
		`{"application":"` + botID + `","faults":{"hello":"reconnect"}}`: "for all",
		`{"faults":{"rest_count":1.5}}`:                                  "rest_count",
	} {
		if status, text := put(body); status != 400 || !strings.Contains(text, why) {
			t.Errorf("%s got %d %s", body, status, text)
		}
	}
	if status, _ := put(`{"application":"nobody","faults":{}}`); status != 404 {
		t.Errorf("an unknown bot got %d", status)
	}

	g := w.dial("")
	g.identify("")
	g.expect(0, "GUILD_CREATE")
	for _, c := range []struct{ body, frame string }{
		{`{"action":"heartbeat"}`, "1"}, {`{"application":"` + botID + `","action":"reconnect"}`, "7"},
		{`{"action":"invalid_resumable"}`, "9true"}, {`{"application":"tictactoe","action":"invalid"}`, "9false"},
	} {
		if got := w.drive("gateway", c.body); got["connections"] != 1.0 {
			t.Errorf("%s: %v", c.body, got)
		}
		if e, err := g.read(); err != nil || strings.TrimSuffix(fmt.Sprintf("%d%s", e.Op, e.Raw), "null") != c.frame {
			t.Errorf("%s: got op %d %s, %v", c.body, e.Op, e.Raw, err)
		}
	}
	if got := w.drive("gateway", `{"application":"42","action":"drop"}`); got["connections"] != 0.0 {
		t.Errorf("somebody else has %v", got)
	}
	w.drive("gateway", `{"action":"close","code":4321}`)
	if code := g.closed(); code != 4321 {
		t.Errorf("closed with %d", code)
	}
	g = w.dial("")
	g.expect(10, "")
	w.drive("gateway", `{"action":"drop"}`)
	if _, err := g.read(); err == nil {
		t.Error("the connection lives on")
	}
	for _, body := range []string{`{"action":"x"}`, `{"action":"close","code":1006}`, `{"action":"close","code":99}`, `{"action":"drop","code":4000}`} {
		if status, text, _ := w.raw("POST", "/sim/gateway", body, ""); status != 400 {
			t.Errorf("%s got %d %s", body, status, text)
		}
	}
}
