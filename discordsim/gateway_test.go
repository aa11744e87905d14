package discordsim_test

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"tictactoe/discordsim"
)

func TestGatewayClosesWithDiscordsCodes(t *testing.T) {
	identify := `{"op":2,"d":{"properties":{},"token":"` + token + `","intents":1}}`
	for _, c := range []struct {
		name  string
		query string
		send  []string
		code  int
	}{
		{"a token that names no application", "", []string{`{"op":2,"d":{"properties":{},"token":"nonsense","intents":1}}`}, 4004},
		{"an intent that does not exist", "", []string{`{"op":2,"d":{"properties":{},"token":"` + token + `","intents":131072}}`}, 4013},
		{"a privileged intent", "", []string{`{"op":2,"d":{"properties":{},"token":"` + token + `","intents":32768}}`}, 4014},
		{"a shard beyond their number", "", []string{`{"op":2,"d":{"properties":{},"token":"` + token + `","intents":1,"shard":[2,2]}}`}, 4010},
		{"a shard of three numbers", "", []string{`{"op":2,"d":{"properties":{},"token":"` + token + `","intents":1,"shard":[0,1,2]}}`}, 4010},
		{"identifying twice", "", []string{identify, identify}, 4005},
		{"a presence before identifying", "", []string{`{"op":3,"d":{}}`}, 4003},
		{"something that is not JSON", "", []string{`{"op":`}, 4002},
		{"a frame of more than 4096 bytes", "", []string{`{"op":1,"d":"` + strings.Repeat("x", 4096) + `"}`}, 4002},
		{"an opcode that does not exist", "", []string{`{"op":99}`}, 4001},
		{"more than 120 frames in a minute", "", many(121, `{"op":1,"d":null}`), 4008},
		{"an old version", "?v=3", nil, 4012},
		{"another encoding", "?v=10&encoding=etf", nil, 4002},
		{"a compression that does not exist", "?v=10&encoding=json&compress=brotli-stream", nil, 4002},
		{"a version that is no number", "?v=ten", nil, 4012},
		{"a shard of none", "", []string{`{"op":2,"d":{"properties":{},"token":"` + token + `","intents":1,"shard":[0,0]}}`}, 4010},
		{"a resumption with a token that names no application", "", []string{`{"op":6,"d":{"token":"nonsense","session_id":"x","seq":1}}`}, 4004},
		{"identifying without intents", "", []string{`{"op":2,"d":{"properties":{},"token":"` + token + `"}}`}, 4002},
		// Source: developers/events/gateway-events.mdx, "Identify Structure" and "Gateway Presence Update Structure".
		{"identifying without properties", "", []string{`{"op":2,"d":{"token":"` + token + `","intents":1}}`}, 4002},
		{"identifying with properties that are a word", "", []string{`{"op":2,"d":{"token":"` + token + `","intents":1,"properties":"linux"}}`}, 4002},
		{"a presence of nothing", "", []string{identify, `{"op":3,"d":{}}`}, 4002},
		{"a presence that is a word", "", []string{identify, `{"op":3,"d":"online"}`}, 4002},
		{"a status that does not exist", "", []string{identify, `{"op":3,"d":{"since":null,"activities":[],"status":"busy","afk":false}}`}, 4002},
		{"an activity without a name", "", []string{identify, `{"op":3,"d":{"since":null,"activities":[{"type":0}],"status":"online","afk":false}}`}, 4002},
		{"a presence since when is not said", "", []string{identify, `{"op":3,"d":{"activities":[],"status":"online","afk":false}}`}, 4002},
		{"a resumption from the future", "", []string{identify, `resume`}, 4007},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, discordsim.Config{})
			g := w.dial(c.query)
			for _, text := range c.send {
				if text == "resume" {
					ready := readyOf(g)
					g.ws.Close()
					g = w.dial("")
					text = fmt.Sprintf(`{"op":6,"d":{"token":%q,"session_id":%q,"seq":99}}`, token, ready.D["session_id"])
				}
				g.send(text)
			}
			for {
				_, err := g.read()
				var closed *websocket.CloseError
				if errors.As(err, &closed) {
					if closed.Code != c.code {
						t.Errorf("closed with %d %s, want %d", closed.Code, closed.Text, c.code)
					}
					return
				}
				if err != nil {
					t.Fatalf("not closed with a code: %v", err)
				}
			}
		})
	}
}

func TestGatewayTakesThePresenceOfEveryLibrary(t *testing.T) {
	t.Parallel()
	w := newWorld(t, discordsim.Config{})
	g := w.dial("")
	g.identify("")
	g.expect(0, "GUILD_CREATE")
	for _, presence := range []string{
		`{"since":null,"activities":[],"status":"online","afk":false}`,
		`{"since":91879201,"activities":[{"name":"a game","type":0,"url":null}],"status":"dnd","afk":true}`,
		`{"since":0,"activities":null,"status":"invisible"}`,
		`{"since":null,"activities":[{"name":"Custom Status","type":4,"state":"thinking"}],"status":"idle","afk":false}`,
	} {
		g.send(`{"op":3,"d":` + presence + `}`)
	}
	g.send(`{"op":1,"d":2}`)
	g.expect(11, "")
}

func many(n int, text string) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = text
	}
	return list
}

func readyOf(g *gateway) event {
	g.t.Helper()
	g.expect(10, "")
	return g.expect(0, "READY")
}

func TestGatewayGreetsABot(t *testing.T) {
	w := newWorld(t, discordsim.Config{})
	g := w.dial("?v=9&encoding=json")
	ready := g.identify(`,"shard":[0,1],"large_threshold":250`)
	if ready.S != 1 || ready.D["v"] != 9.0 || ready.D["session_id"] == "" || ready.D["resume_gateway_url"] == "" {
		t.Errorf("READY is %v", ready.D)
	}
	if shard := fmt.Sprint(ready.D["shard"]); shard != "[0 1]" {
		t.Errorf("READY has the shard %s", shard)
	}
	guild := g.expect(0, "GUILD_CREATE")
	for _, field := range []string{"id", "name", "owner_id", "roles", "channels", "emojis", "features", "members", "member_count", "threads", "presences", "voice_states"} {
		if guild.D[field] == nil {
			t.Errorf("GUILD_CREATE has no %s", field)
		}
	}
	g.send(`{"op":1,"d":2}`)
	g.expect(11, "")
}

func TestGatewayTakesTheIdentifyOfEveryLibrary(t *testing.T) {
	t.Parallel()
	w := newWorld(t, discordsim.Config{})
	for i, c := range []struct{ like, identify string }{
		{"discordgo", `{"op":2,"d":{"token":"Bot TOKEN","properties":{"os":"linux","browser":"x","device":"","referer":"","referring_domain":""},"compress":true,"large_threshold":250,"shard":[0,1],"presence":{"game":{"name":"","type":0},"since":0,"afk":false,"status":""},"guild_subscriptions":false,"intents":1}}`},
		{"discord.js", `{"op":2,"d":{"token":"TOKEN","properties":{"os":"linux","browser":"x","device":"x"},"intents":0,"compress":false,"shard":[0,1]}}`},
		{"discord.py", `{"op":2,"d":{"token":"TOKEN","properties":{"os":"linux","browser":"x","device":"x"},"compress":true,"large_threshold":250,"intents":513}}`},
		{"an old one", `{"op":2,"s":null,"t":null,"d":{"token":"TOKEN","properties":{"$os":"linux","$browser":"x","$device":"x"},"shard":null,"presence":null,"large_threshold":0,"intents":0}}`},
	} {
		g := w.dial("?encoding=json&v=10")
		g.expect(10, "")
		g.send(strings.ReplaceAll(c.identify, "TOKEN", tokenOf(fmt.Sprint(4200+i))))
		kind, text, err := g.ws.ReadMessage()
		if err == nil && kind == websocket.BinaryMessage {
			var unpacked io.Reader
			if unpacked, err = zlib.NewReader(bytes.NewReader(text)); err == nil {
				text, err = io.ReadAll(unpacked)
			}
		}
		if err != nil || !strings.Contains(string(text), `"t":"READY"`) {
			t.Errorf("like %s: got %s, %v", c.like, text, err)
		}
	}
}

func TestGatewayHeartbeatsBeforeIdentifying(t *testing.T) {
	w := newWorld(t, discordsim.Config{})
	g := w.dial("")
	g.expect(10, "")
	g.send(`{"op":1,"d":null}`)
	g.expect(11, "")
}

func TestGatewayCompressesReadyForWhoAsks(t *testing.T) {
	w := newWorld(t, discordsim.Config{})
	g := w.dial("")
	g.expect(10, "")
	g.send(`{"op":2,"d":{"properties":{},"token":"Bot ` + token + `","intents":0,"compress":true}}`)
	kind, packed, err := g.ws.ReadMessage()
	if err != nil || kind != websocket.BinaryMessage {
		t.Fatalf("got a frame of kind %d, %v", kind, err)
	}
	reader, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(reader)
	if err != nil || !json.Valid(text) || !strings.Contains(string(text), `"t":"READY"`) {
		t.Errorf("got %s, %v", text, err)
	}
}

func TestGatewayResumes(t *testing.T) {
	resume := func(w *world, ready event, seq int64) *gateway {
		g := w.dial("")
		g.expect(10, "")
		g.send(fmt.Sprintf(`{"op":6,"d":{"token":%q,"session_id":%q,"seq":%d}}`, token, ready.D["session_id"], seq))
		return g
	}
	t.Run("with everything that was missed, in order", func(t *testing.T) {
		w := newWorld(t, discordsim.Config{})
		w.register(pingCommand)
		g := w.dial("")
		ready := g.identify("")
		g.expect(0, "GUILD_CREATE")
		if a := w.Bot(botID).Attendance(0); !a.There || a.Arrivals != 1 || a.Last.IsZero() {
			t.Errorf("after READY: %+v", a)
		}
		w.DropGateway()
		for w.Bot(botID).Attendance(0).There && t.Context().Err() == nil {
			runtime.Gosched() // so that the simulator notices the lost connection
		}
		for range 2 {
			w.drive("command", `{"as":"alice","channel":"general","name":"ping","hold":true}`)
		}
		g = resume(w, ready, 1)
		for i, name := range []string{"GUILD_CREATE", "INTERACTION_CREATE", "INTERACTION_CREATE", "RESUMED"} {
			if e := g.expect(0, name); e.S != int64(i+2) {
				t.Errorf("%s has number %d, want %d", name, e.S, i+2)
			}
		}
		if n := w.Bot(botID).Arrivals(); n != 2 {
			t.Errorf("the bot has arrived %d times, want 2", n)
		}
		if a, other := w.Bot(botID).Attendance(0), w.Bot(botID).Attendance(1); !a.There || a.Arrivals != 2 || other != (discordsim.Attendance{}) {
			t.Errorf("after RESUMED: %+v, and in a shard that there is not: %+v", a, other)
		}
	})
	t.Run("on a second connection, closing the first", func(t *testing.T) {
		w := newWorld(t, discordsim.Config{})
		first := w.dial("")
		ready := first.identify("")
		first.expect(0, "GUILD_CREATE")
		second := resume(w, ready, 2)
		second.expect(0, "RESUMED")
		if _, err := first.read(); err == nil {
			t.Error("the first connection lives on")
		}
	})
	t.Run("again from where it was before, and is told once that all has come", func(t *testing.T) {
		w := newWorld(t, discordsim.Config{})
		w.register(pingCommand)
		g := w.dial("")
		ready := g.identify("")
		g.expect(0, "GUILD_CREATE")
		g = resume(w, ready, 2)
		g.expect(0, "RESUMED")
		w.drive("command", `{"as":"alice","channel":"general","name":"ping","hold":true}`)
		g.expect(0, "INTERACTION_CREATE")
		g = resume(w, ready, 2)
		for i, name := range []string{"INTERACTION_CREATE", "RESUMED"} {
			if e := g.expect(0, name); e.S != int64(i+4) {
				t.Errorf("%s has number %d, want %d", name, e.S, i+4)
			}
		}
	})
	t.Run("not after the bot has said goodbye", func(t *testing.T) {
		w := newWorld(t, discordsim.Config{})
		g := w.dial("")
		ready := g.identify("")
		g.ws.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(1000, ""))
		for _, err := g.read(); err == nil; _, err = g.read() {
		}
		if e := resume(w, ready, 1).expect(9, ""); string(e.Raw) != "false" {
			t.Errorf("op 9 says %s", e.Raw)
		}
	})
	t.Run("or op 9 says after a pause that they do not", func(t *testing.T) {
		simInBubble(t, discordsim.Config{}, func(b *bubble) {
			g := b.gateway("/ws")
			g.expect(10, "")
			g.send(fmt.Sprintf(`{"op":6,"d":{"token":%q,"session_id":"none","seq":1}}`, token))
			sent := time.Now()
			g.expect(9, "")
			if took := time.Since(sent); took != 100*time.Millisecond {
				t.Errorf("op 9 came after %v", took)
			}
			g.ws.Close()
		})
	})
	t.Run("not with another application's token", func(t *testing.T) {
		w := newWorld(t, discordsim.Config{})
		g := w.dial("")
		ready := g.identify("")
		other := w.dial("")
		other.expect(10, "")
		other.send(fmt.Sprintf(`{"op":6,"d":{"token":%q,"session_id":%q,"seq":1}}`, tokenOf("42"), ready.D["session_id"]))
		other.expect(9, "")
	})
	t.Run("after op 9 true, and not after op 9 false", func(t *testing.T) {
		w := newWorld(t, discordsim.Config{})
		g := w.dial("")
		ready := g.identify("")
		g.expect(0, "GUILD_CREATE")
		w.InvalidateSessions(true)
		g.expect(9, "")
		g = resume(w, ready, 2)
		g.expect(0, "RESUMED")
		w.InvalidateSessions(false)
		g.expect(9, "")
		resume(w, ready, 2).expect(9, "")
	})
	t.Run("when asked to by op 7", func(t *testing.T) {
		w := newWorld(t, discordsim.Config{})
		g := w.dial("")
		g.identify("")
		g.expect(0, "GUILD_CREATE")
		w.Reconnect()
		g.expect(7, "")
	})
}

func TestGatewayTellsOfMessagesByIntent(t *testing.T) {
	const messages = 1<<9 | 1<<12
	open := func(w *world, intents int) *gateway {
		g := w.dial("")
		g.expect(10, "")
		g.send(fmt.Sprintf(`{"op":2,"d":{"properties":{},"token":%q,"intents":%d}}`, token, intents))
		g.expect(0, "READY")
		return g
	}
	t.Run("without their content", func(t *testing.T) {
		w := newWorld(t, discordsim.Config{})
		g := open(w, messages)
		if _, err := w.User("alice").Write("general", "secret"); err != nil {
			t.Fatal(err)
		}
		if e := g.expect(0, "MESSAGE_CREATE"); e.D["content"] != "" || e.D["guild_id"] == nil || e.D["member"] == nil {
			t.Errorf("got %v", e.D)
		}
	})
	t.Run("with it when the bot is mentioned, in direct messages and with the intent", func(t *testing.T) {
		w := newWorld(t, discordsim.Config{PrivilegedIntents: true})
		plain, full := open(w, messages), w.dial("")
		full.expect(10, "")
		full.send(fmt.Sprintf(`{"op":2,"d":{"properties":{},"token":%q,"intents":%d}}`, tokenOf("42"), messages|1<<15))
		full.expect(0, "READY")
		for _, m := range []struct{ channel, text string }{{"general", "hello <@" + botID + ">"}, {"@tictactoe", "hello"}} {
			if _, err := w.User("alice").Write(m.channel, m.text); err != nil {
				t.Fatal(err)
			}
			if e := plain.expect(0, "MESSAGE_CREATE"); e.D["content"] != m.text {
				t.Errorf("%s: got %v", m.channel, e.D)
			}
			if m.channel == "general" { // the other channel is between alice and the first bot
				full.expect(0, "MESSAGE_CREATE")
			}
		}
		w.User("alice").Write("general", "to nobody")
		if e := full.expect(0, "MESSAGE_CREATE"); e.D["content"] != "to nobody" {
			t.Errorf("with the intent: %v", e.D)
		}
	})
	t.Run("with edits and deletions", func(t *testing.T) {
		w := newWorld(t, discordsim.Config{})
		g := open(w, messages)
		_, made := w.rest("POST", "/channels/"+w.channel("general")+"/messages", `{"content":"mine"}`)
		if e := g.expect(0, "MESSAGE_CREATE"); e.D["content"] != "mine" {
			t.Errorf("its own message came as %v", e.D)
		}
		path := "/channels/" + w.channel("general") + "/messages/" + made["id"].(string)
		w.rest("PATCH", path, `{"content":"changed"}`)
		g.expect(0, "MESSAGE_UPDATE")
		if status, text, header := w.raw("DELETE", path, "", "Bot "+token); status != 204 || text != "" || header.Get("Content-Type") != "" {
			t.Errorf("deleting got %d %q of type %q", status, text, header.Get("Content-Type"))
		}
		g.expect(0, "MESSAGE_DELETE")
	})
}

func TestGatewaySendsAnInteractionOnlyToItsShardAndItsBot(t *testing.T) {
	w := newWorld(t, discordsim.Config{MaxConcurrency: 2})
	w.register(pingCommand)
	shard0, shard1, other := w.dial(""), w.dial(""), w.dial("")
	shard0.identify(`,"shard":[0,2]`)
	shard1.identify(`,"shard":[1,2]`)
	other.expect(10, "")
	other.send(`{"op":2,"d":{"properties":{},"token":"` + tokenOf("42") + `","intents":0}}`)
	other.expect(0, "READY")
	w.drive("command", `{"as":"alice","channel":"@tictactoe","name":"ping","hold":true}`)
	for {
		e, err := shard0.read()
		if err != nil {
			t.Fatal(err)
		}
		if e.T == "INTERACTION_CREATE" {
			if e.D["user"] == nil || e.D["member"] != nil || fmt.Sprint(e.D["authorizing_integration_owners"]) != "map[0:0]" || e.D["context"] != 1.0 {
				t.Errorf("in direct messages: %v", e.D)
			}
			break
		}
	}
	for _, g := range []*gateway{shard1, other} {
		g.send(`{"op":1,"d":null}`)
		for e := (event{}); e.Op != 11; {
			var err error
			if e, err = g.read(); err != nil {
				t.Fatal(err)
			}
			if e.T == "INTERACTION_CREATE" {
				t.Error("somebody else got the interaction")
			}
		}
	}
}

func TestInteractionHasEveryField(t *testing.T) {
	w := newWorld(t, discordsim.Config{})
	w.register(pingCommand)
	g := w.dial("")
	g.identify("")
	g.expect(0, "GUILD_CREATE")
	w.drive("command", `{"as":"alice","channel":"general","name":"ping","hold":true}`)
	d := g.expect(0, "INTERACTION_CREATE").D
	for _, field := range []string{
		"id", "application_id", "type", "token", "version", "guild_id", "guild", "channel_id", "channel", "member", "app_permissions",
		"locale", "guild_locale", "entitlements", "authorizing_integration_owners", "context", "attachment_size_limit", "data",
	} {
		if d[field] == nil {
			t.Errorf("no %s", field)
		}
	}
	if _, quoted := d["app_permissions"].(string); !quoted {
		t.Errorf("app_permissions is %v, not a quoted number", d["app_permissions"])
	}
	member := d["member"].(map[string]any)
	if member["permissions"] == "" || member["user"] == nil || member["joined_at"] == nil {
		t.Errorf("member is %v", member)
	}
}

// drive makes a call under /sim/, which must succeed.
func (w *world) drive(call, body string) map[string]any {
	w.t.Helper()
	status, text, _ := w.raw("POST", "/sim/"+call, body, "")
	if status != http.StatusOK {
		w.t.Fatalf("/sim/%s %s: %d %s", call, body, status, text)
	}
	var answer map[string]any
	json.Unmarshal([]byte(text), &answer)
	return answer
}

// channel returns the id of a channel that alice sees.
func (w *world) channel(name string) string {
	w.t.Helper()
	_, text, _ := w.raw("GET", "/sim/state?as=alice", "", "")
	var state struct{ Channels []struct{ ID, Name string } }
	if err := json.Unmarshal([]byte(text), &state); err != nil {
		w.t.Fatal(err)
	}
	for _, ch := range state.Channels {
		if ch.Name == name {
			return ch.ID
		}
	}
	w.t.Fatalf("no channel %s in %s", name, text)
	return ""
}
