package discordsim_test

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"tictactoe/discordsim"
)

const botID = "1100000000000000001"

var token = tokenOf(botID)

func tokenOf(id string) string {
	return base64.RawStdEncoding.EncodeToString([]byte(id)) + ".fixed.secret"
}

// world is a simulator on a real port.
type world struct {
	*discordsim.Sim
	t   *testing.T
	url string
}

func newWorld(t *testing.T, config discordsim.Config) *world {
	t.Helper()
	config.BotName = cmp.Or(config.BotName, "tictactoe")
	sim, err := discordsim.New(config)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(sim.Handler())
	t.Cleanup(func() {
		if err := sim.Close(); err != nil {
			t.Error(err)
		}
		server.Close()
	})
	return &world{sim, t, server.URL}
}

// rest sends a request with the bot's token, unless the path needs none, and
// returns the status and the decoded body.
func (w *world) rest(method, path, body string) (int, map[string]any) {
	w.t.Helper()
	status, text, _ := w.raw(method, path, body, "Bot "+token)
	var decoded map[string]any
	json.Unmarshal([]byte(text), &decoded)
	return status, decoded
}

func (w *world) raw(method, path, body, authorization string) (int, string, http.Header) {
	w.t.Helper()
	if strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "/sim/") {
		path = "/api/v10" + path
	}
	req, err := http.NewRequest(method, w.url+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	if authorization != "" {
		req.Header.Set("Authorization", authorization)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return res.StatusCode, string(text), res.Header
}

// rewriter redirects requests for Discord to the simulator.
type rewriter struct {
	to   *url.URL
	next http.RoundTripper
}

func (r rewriter) RoundTrip(req *http.Request) (*http.Response, error) {
	clone := req.Clone(req.Context())
	clone.URL.Scheme, clone.URL.Host, clone.Host = r.to.Scheme, r.to.Host, r.to.Host
	return r.next.RoundTrip(clone)
}

// newBot returns an unmodified discordgo session that talks to the simulator.
func newBot(t *testing.T, base string, dial func(context.Context, string, string) (net.Conn, error)) *discordgo.Session {
	t.Helper()
	s, err := discordgo.New("Bot " + token)
	if err != nil {
		t.Fatal(err)
	}
	to, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{DialContext: dial}
	t.Cleanup(transport.CloseIdleConnections)
	s.Client = &http.Client{Transport: rewriter{to, transport}}
	s.Dialer = &websocket.Dialer{NetDialContext: dial}
	s.Identify.Intents = discordgo.IntentsGuilds
	s.StateEnabled = false
	return s
}

// openBot connects a bot that answers interactions with handle.
func (w *world) openBot(handle func(*discordgo.Session, *discordgo.Interaction)) *discordgo.Session {
	w.t.Helper()
	s := newBot(w.t, w.url, nil)
	s.AddHandler(func(s *discordgo.Session, e *discordgo.InteractionCreate) { handle(s, e.Interaction) })
	if err := s.Open(); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { s.Close() })
	return s
}

// register replaces the application's global commands by the commands in a JSON list.
func (w *world) register(commands string) {
	w.t.Helper()
	if status, text, _ := w.raw("PUT", "/applications/"+botID+"/commands", commands, "Bot "+token); status != http.StatusOK {
		w.t.Fatalf("registering: %d %s", status, text)
	}
}

const pingCommand = `[{"name":"ping","description":"Answers","integration_types":[0,1],"contexts":[0,1,2]}]`

// gateway is a bare client of the gateway.
type gateway struct {
	t  *testing.T
	ws *websocket.Conn
}

type event struct {
	Op int            `json:"op"`
	S  int64          `json:"s"`
	T  string         `json:"t"`
	D  map[string]any `json:"-"`

	Raw json.RawMessage `json:"d"`
}

func (w *world) dial(query string) *gateway {
	w.t.Helper()
	ws, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(w.url, "http")+"/ws/"+query, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { ws.Close() })
	return &gateway{w.t, ws}
}

func (g *gateway) send(text string) {
	g.t.Helper()
	if err := g.ws.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
		g.t.Fatal(err)
	}
}

func (g *gateway) read() (event, error) {
	g.ws.SetReadDeadline(time.Now().Add(time.Minute)) // long enough for a busy machine
	_, text, err := g.ws.ReadMessage()
	if err != nil {
		return event{}, err
	}
	var e event
	if err := json.Unmarshal(text, &e); err != nil {
		return event{}, err
	}
	json.Unmarshal(e.Raw, &e.D)
	return e, nil
}

// expect reads one frame and fails unless the frame has the opcode and, for an event, the name.
func (g *gateway) expect(op int, name string) event {
	g.t.Helper()
	e, err := g.read()
	if err != nil {
		g.t.Fatalf("waiting for op %d %s: %v", op, name, err)
	}
	if e.Op != op || e.T != name {
		g.t.Fatalf("got op %d %s, want op %d %s", e.Op, e.T, op, name)
	}
	return e
}

// closed reads until the gateway closes the connection, and returns the code.
func (g *gateway) closed() int {
	g.t.Helper()
	for {
		_, err := g.read()
		var closed *websocket.CloseError
		if errors.As(err, &closed) {
			return closed.Code
		}
		if err != nil {
			g.t.Fatalf("not closed with a code: %v", err)
		}
	}
}

// resume resumes the session of a READY event after the event with number seq.
func (g *gateway) resume(ready event, seq int64) {
	g.t.Helper()
	g.expect(10, "")
	g.send(fmt.Sprintf(`{"op":6,"d":{"token":%q,"session_id":%q,"seq":%d}}`, token, ready.D["session_id"], seq))
}

func (g *gateway) identify(extra string) event {
	g.t.Helper()
	g.expect(10, "")
	g.send(`{"op":2,"d":{"token":"` + token + `","intents":1,"properties":{}` + extra + `}}`)
	return g.expect(0, "READY")
}

// recorder keeps every exchange.
type recorder struct {
	mu        sync.Mutex
	exchanges []discordsim.Exchange
}

func (r *recorder) add(e discordsim.Exchange) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.exchanges = append(r.exchanges, e)
}

func (r *recorder) all() []discordsim.Exchange {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]discordsim.Exchange(nil), r.exchanges...)
}
