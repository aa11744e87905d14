package bot_test

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"tictactoe/bot"
	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
	"tictactoe/internal/replica/lease"
)

const (
	secret      = "MTIz.very.secret"
	application = "123"
	interval    = 41250 * time.Millisecond
)

// fake is a minimal Discord for these tests. Its script decides how it behaves, including violations of Discord's protocol.
type fake struct {
	t        *testing.T
	listener *pipes

	// These fields are set before the bot runs.
	script      func(n int, g *socket)                      // serves the n-th gateway connection, from 0; nil means socket.serve
	respond     func(call call) (status int, answer string) // answers a request; nil or status 0 means the normal answer
	commands    string                                      // the registered commands, as JSON
	sessions    string                                      // the session_start_limit, as JSON
	recommended int                                         // the recommended number of shards; 0 means 1
	wall        int                                         // the number of gateway connections that get a web page instead
	wallStatus  int                                         // the page's status; 0 means 403
	header      map[string]string                           // added to the headers of every response, except a response that accepts a gateway connection
	forget      bool                                        // do not record calls

	mu    sync.Mutex
	calls []call
	conns []*socket
}

// call is one request of the REST API. Callbacks and webhook calls carry their token in Path.
type call struct {
	Method, Path, Query, Authorization string
	Body                               map[string]any
	Raw                                string
	At                                 time.Time
}

func (c call) callback() bool { return strings.HasSuffix(c.Path, "/callback") }

// kind returns the type of a callback.
func (c call) kind() int {
	kind, _ := c.Body["type"].(float64)
	return int(kind)
}

// answers reports whether the call belongs to an interaction.
func (c call) answers() bool { return c.callback() || strings.HasPrefix(c.Path, "/webhooks/") }

// String abbreviates a call that belongs to an interaction, as fake.answers does.
func (c call) String() string {
	words := strings.Split(c.Path, "/")
	switch {
	case c.callback():
		return fmt.Sprintf("%s callback %d", words[2], c.kind())
	case len(words) > 4:
		return c.Method + " " + words[len(words)-1] + " " + text(c.Body)
	default:
		return c.Method + " follow-up " + text(c.Body)
	}
}

// pipes is a listener whose connections are in memory.
type pipes struct {
	accept chan net.Conn
	once   sync.Once
	closed chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.accept:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}
func (p *pipes) Close() error   { p.once.Do(func() { close(p.closed) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes"} }
func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case p.accept <- server:
		return client, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func newFake(t *testing.T) *fake {
	f := &fake{
		t: t, listener: &pipes{accept: make(chan net.Conn), closed: make(chan struct{})},
		commands: "[]", sessions: `{"total":1000,"remaining":900,"reset_after":0,"max_concurrency":1}`,
	}
	server := &http.Server{Handler: f, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)}
	served := make(chan struct{})
	go func() { server.Serve(f.listener); close(served) }()
	t.Cleanup(func() {
		f.mu.Lock()
		for _, g := range f.conns {
			g.conn.Close()
		}
		f.mu.Unlock()
		server.Close()
		<-served
	})
	return f
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/ws/" || r.URL.Path == "/resume/" {
		f.serveGateway(w, r)
		return
	}
	raw, _ := io.ReadAll(r.Body)
	c := call{
		Method: r.Method, Path: strings.TrimPrefix(r.URL.Path, "/api/v9"), Query: r.URL.RawQuery,
		Authorization: r.Header.Get("Authorization"), Raw: string(raw), At: time.Now(),
	}
	json.Unmarshal(raw, &c.Body)
	if r.Host != "discord.test" {
		f.t.Errorf("request for host %q", r.Host)
	}
	f.mu.Lock()
	if !f.forget {
		f.calls = append(f.calls, c)
	}
	f.mu.Unlock()

	status, answer := 0, ""
	if f.respond != nil {
		status, answer = f.respond(c)
	}
	if status == 0 {
		status, answer = f.usual(c)
	}
	w.Header().Set("Content-Type", "application/json")
	for name, value := range f.header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(status)
	io.WriteString(w, answer)
}

func (f *fake) usual(c call) (int, string) {
	switch {
	case c.Path == "/gateway":
		return 200, `{"url":"ws://discord.test/ws"}`
	case c.Path == "/gateway/bot":
		f.mu.Lock()
		defer f.mu.Unlock()
		return 200, `{"url":"ws://discord.test/ws","shards":` + fmt.Sprint(max(f.recommended, 1)) + `,"session_start_limit":` + f.sessions + `}`
	case c.callback() && c.Query == "with_response=true":
		return 200, `{"interaction":{"id":"1"},"resource":{"type":4,"message":{"id":"900","channel_id":"c1","flags":32768}}}`
	case c.callback(), c.Method == http.MethodDelete:
		return 204, ""
	case c.Path == "/applications/@me":
		return 200, `{"id":"` + application + `","flags":0,"verify_key":"` + hex.EncodeToString(signer.Public().(ed25519.PublicKey)) + `","interactions_endpoint_url":null}`
	case c.Path == "/users/@me/guilds":
		return 200, `[]`
	case strings.HasSuffix(c.Path, "/commands"):
		if c.Method == http.MethodPut {
			f.commands = c.Raw
		}
		return 200, f.commands
	}
	return 200, `{"id":"901","channel_id":"c1","flags":32768,"components":[{"type":17,"components":[{"type":1,"components":[{"type":2,"custom_id":"play:1"}]},
		{"type":1,"components":[{"type":2,"custom_id":"resign:1"}]}]}]}`
}

// made returns the recorded calls for which keep returns true.
func (f *fake) made(keep func(call) bool) []call {
	f.mu.Lock()
	defer f.mu.Unlock()
	var calls []call
	for _, c := range f.calls {
		if keep(c) {
			calls = append(calls, c)
		}
	}
	return calls
}

// answers returns the calls that belong to interactions in short form: the callback's type, or the method and the last word of the path.
func (f *fake) answers() []string {
	var lines []string
	for _, c := range f.made(call.answers) {
		lines = append(lines, c.String())
	}
	return lines
}

// text returns the first text display of a body, with a mark if the message is ephemeral.
func text(body map[string]any) string {
	components, _ := body["components"].([]any)
	if len(components) == 0 {
		return ""
	}
	content, _ := components[0].(map[string]any)["content"].(string)
	if flags, _ := body["flags"].(float64); int(flags)&64 != 0 {
		content = "(" + content + ")"
	}
	return content
}

// socket is one gateway connection of the bot.
type socket struct {
	conn *websocket.Conn
	path string // the path of the request that opened the connection
	f    *fake
	mu   sync.Mutex
	seq  int
	ops  []map[string]any // the ops that the bot sent, except heartbeats
	code int              // the code of the bot's close frame
}

func (f *fake) serveGateway(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.wall--
	refuse := f.wall >= 0
	f.mu.Unlock()
	if refuse {
		for name, value := range f.header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(cmp.Or(f.wallStatus, http.StatusForbidden))
		io.WriteString(w, strings.Repeat("<p>You shall not pass.</p>", 100))
		return
	}
	conn, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
	if err != nil {
		f.t.Error(err)
		return
	}
	defer conn.Close()
	g := &socket{conn: conn, path: r.URL.Path, f: f}
	f.mu.Lock()
	n := len(f.conns)
	f.conns = append(f.conns, g)
	f.mu.Unlock()
	if f.script == nil {
		g.serve()
		return
	}
	f.script(n, g)
}

// gateway returns the newest connection.
func (f *fake) gateway() *socket {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.conns[len(f.conns)-1]
}

// opens returns the first op of each connection: 2 for IDENTIFY, 6 for RESUME, 0 for none.
func (f *fake) opens() []int {
	f.mu.Lock()
	defer f.mu.Unlock()
	var ops []int
	for _, g := range f.conns {
		g.mu.Lock()
		op := 0
		if len(g.ops) > 0 {
			op = int(g.ops[0]["op"].(float64))
		}
		ops = append(ops, op)
		g.mu.Unlock()
	}
	return ops
}

func (g *socket) frame(format string, args ...any) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.conn.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, format, args...))
}

func (g *socket) event(name, data string) {
	g.mu.Lock()
	g.seq++
	seq := g.seq
	g.mu.Unlock()
	g.frame(`{"op":0,"s":%d,"t":%q,"d":%s}`, seq, name, data)
}

func (g *socket) hello() {
	g.frame(`{"op":10,"d":{"heartbeat_interval":%d}}`, interval.Milliseconds())
}

// closedWith returns the code of the bot's close frame, 0 if there was none.
func (g *socket) closedWith() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.code
}

func (g *socket) close(code int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.conn.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""))
	g.conn.Close()
}

// read returns the next op of the bot, or nil at the end of the connection.
func (g *socket) read() map[string]any {
	_, raw, err := g.conn.ReadMessage()
	if err != nil {
		if closed, ok := err.(*websocket.CloseError); ok {
			g.mu.Lock()
			g.code = closed.Code
			g.mu.Unlock()
		}
		return nil
	}
	var op map[string]any
	json.Unmarshal(raw, &op)
	if op["op"] != float64(1) {
		g.mu.Lock()
		g.ops = append(g.ops, op)
		g.mu.Unlock()
	}
	return op
}

// login sends HELLO and answers the bot's IDENTIFY or RESUME.
func (g *socket) login() {
	g.hello()
	op := g.read()
	if op != nil && op["op"] == float64(6) {
		g.event("RESUMED", "{}")
		return
	}
	g.event("READY", `{"v":9,"session_id":"s1","user":{"id":"123"},"application":{"id":"`+application+`","flags":0},"guilds":[]}`)
}

// beat acknowledges heartbeats until the connection ends.
func (g *socket) beat() {
	for op := g.read(); op != nil; op = g.read() {
		if op["op"] == float64(1) {
			g.frame(`{"op":11}`)
		}
	}
}

func (g *socket) serve() { g.login(); g.beat() }

// interaction sends the INTERACTION_CREATE that created returns.
func (g *socket) interaction(id, fields string) {
	g.event("INTERACTION_CREATE", g.f.created(id, fields))
}

// created returns an interaction as JSON. The fields replace or extend the default fields.
func (f *fake) created(id, fields string) string {
	event := make(map[string]json.RawMessage)
	for _, layer := range []string{
		`"id":"` + id + `","application_id":"` + application + `","token":"token-` + id + `","version":1,
		"guild_id":"g1","channel_id":"c1","locale":"de","guild_locale":"en-US","app_permissions":"0","entitlements":[],
		"authorizing_integration_owners":{"0":"g1"},"context":0,
		"member":{"user":{"id":"u1","username":"alice","global_name":"Alice"},"nick":"Ally","roles":[],"joined_at":"2026-01-01T00:00:00Z","permissions":"0"}`,
		fields,
	} {
		if err := json.Unmarshal([]byte("{"+layer+"}"), &event); err != nil {
			f.t.Error(err)
		}
	}
	data, _ := json.Marshal(event)
	return string(data)
}

func (g *socket) command(id, sub string) { g.interaction(id, commandOf(sub)) }

func commandOf(sub string) string {
	return `"type":2,"data":{"id":"1","name":"tictactoe","type":1,"options":[{"name":"` + sub + `","type":1,"options":[{"name":"clock","type":3,"value":"1m"}]}]}`
}

func (g *socket) click(id, message, customID string) { g.interaction(id, clickOf(message, customID)) }

func clickOf(message, customID string) string {
	return `"type":3,"data":{"component_type":2,"custom_id":"` + customID + `"},` + messageOf(message, `[]`)
}

func messageOf(id, components string) string {
	return `"message":{"id":"` + id + `","channel_id":"c1","type":20,"flags":32768,"timestamp":"2026-01-01T00:00:00Z","edited_timestamp":null,"components":` + components + `}`
}

// logs records the log lines.
type logs struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logs) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// api is the configuration of the REST client: the URL of the fake and the token.
type api = rest.Config

// config holds everything that a bot under test is made of.
type config struct {
	api
	bot.Config
	bot.Hooks
}

// apology returns answers that differ in their first words.
func apology(_ *bot.Interaction, reference string, err error) bot.Reply {
	switch err {
	case bot.ErrBusy:
		return say("busy")
	case bot.ErrRateLimited:
		return say("slowly")
	}
	return say("sorry " + reference)
}

// telemetry returns a Telemetry that logs at all levels.
func telemetry(log io.Writer) bot.Telemetry {
	return bot.Telemetry{
		Logger:   slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Describe: func(*bot.Interaction) []slog.Attr { return nil },
		Report:   func(bot.Report) {},
	}
}

// hooks returns hooks that do nothing.
func hooks() bot.Hooks {
	return bot.Hooks{
		Connected:    func(context.Context, gateway.Shard) error { return nil },
		Disconnected: func(gateway.Shard) {},
		Housekeeping: func(context.Context, gateway.Shard) {},
		Guilds:       func(context.Context, bot.Guilds) error { return nil },
	}
}

// complete returns a configuration with all required fields.
func complete(client *rest.Client) bot.Config {
	return bot.Config{
		REST: client, Lanes: new(bot.Lanes), Router: bot.NewRouter(), Apology: apology, Leases: &lease.Memory{}, Clock: machine{},
		Telemetry: telemetry(io.Discard),
	}
}

// machine is the clock of the machine. woke returns when the process last continued after a stop; nil means that it was never stopped.
type machine struct{ woke func() time.Time }

func (machine) Now() time.Time { return time.Now() }
func (m machine) Woke() time.Time {
	if m.woke == nil {
		return time.Time{}
	}
	return m.woke()
}
func (machine) After(d time.Duration) <-chan time.Time { return time.After(d) }

// runtime is a bot under test.
type runtime struct {
	*bot.Bot
	rest   *rest.Client
	lanes  *bot.Lanes
	logs   *logs
	cancel context.CancelFunc
	done   chan error // receives the result of Run
}

// run starts a bot with the routes on the fake and stops it at the end of the test.
func (f *fake) run(change func(*config)) *runtime {
	f.t.Helper()
	r := f.begin(change)
	synctest.Wait()
	return r
}

// begin starts a bot as run does, but does not wait until all goroutines are idle.
func (f *fake) begin(change func(*config)) *runtime {
	f.t.Helper()
	r := &runtime{logs: &logs{}, lanes: new(bot.Lanes), done: make(chan error, 1)}
	c := config{
		api:    rest.Config{Token: secret, BaseURL: "http://discord.test", Dial: f.listener.dial},
		Config: complete(nil),
		Hooks:  hooks(),
	}
	c.Lanes, c.Telemetry = r.lanes, telemetry(r.logs)
	c.Router.Unknown = func(context.Context, *bot.Interaction) (bot.Reply, error) { return say("unknown"), nil }
	if change != nil {
		change(&c)
	}
	var err error
	if r.rest, err = rest.New(c.api); err != nil {
		f.t.Fatal(err)
	}
	c.REST = r.rest
	r.Bot = bot.New(c.Config)
	var ctx context.Context
	ctx, r.cancel = context.WithCancel(context.Background())
	go func() { r.done <- r.Run(ctx, c.Hooks); close(r.done) }()
	f.t.Cleanup(func() {
		r.cancel()
		<-r.done
		for _, hidden := range []string{secret, "token-"} {
			if strings.Contains(r.logs.String(), hidden) {
				f.t.Errorf("the log holds %q:\n%s", hidden, r.logs)
			}
		}
	})
	return r
}

// passed lets the duration d pass on the bubble's clock, and waits until all goroutines have done what was due.
func passed(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func say(text string) bot.Reply {
	return bot.Reply{Components: []discordgo.MessageComponent{discordgo.TextDisplay{Content: text}}}
}

func redraw(text string) bot.Reply {
	reply := say(text)
	reply.Kind = bot.Update
	return reply
}

// posting returns a reply with a new message, and the update of the clicked message that follows it.
func posting(text, clicked string) bot.Reply {
	reply, update := say(text), redraw(clicked)
	reply.Clicked = &update
	return reply
}

// inBubble runs the test with a fake in its own synctest bubble.
func inBubble(t *testing.T, name string, test func(t *testing.T, f *fake)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { test(t, newFake(t)) })
	})
}
