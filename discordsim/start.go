package discordsim

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"tictactoe/discordsim/world"
)

// TB is the part of [testing.TB] that a Discord uses. It is an interface, so that programs with a Sim do not import package
// testing.
type TB interface {
	Helper()
	Context() context.Context
	Cleanup(func())
	Failed() bool
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Discord is a simulated Discord for one test. Its methods end the test if a bot does not do what the test expects.
// Only the goroutine of the test may call them.
type Discord struct {
	// Sim has everything else: adding servers, channels and people, the clock, faults, endpoints, the transcript.
	Sim *Sim
	// URL is the address, such as http://127.0.0.1:40123. The REST API is below /api.
	URL string
	// Token is a token for the first application's bot.
	Token string

	t TB
}

// Start starts a Discord on a free port of this machine, without rate limits, and stops it at the end of the test.
// The configure functions change its configuration. If the test fails, its log shows the last lines of the
// transcript.
func Start(t TB, configure ...func(*Config)) *Discord {
	t.Helper()
	config := Config{NoRateLimits: true}
	for _, change := range configure {
		change(&config)
	}
	sim, err := New(config)
	if err != nil {
		t.Fatalf("starting a Discord: %v", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("starting a Discord: %v", err)
	}
	server := &http.Server{Handler: sim.Handler()}
	go server.Serve(listener) // returns after Close
	d := &Discord{Sim: sim, URL: "http://" + listener.Addr().String(), Token: TokenOf(sim.Application()), t: t}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the last of what bot and Discord said:\n%s", d.last(20))
		}
		if err := sim.Close(); err != nil {
			t.Errorf("closing the Discord: %v", err)
		}
		server.Close()
	})
	return d
}

// last returns the last lines of the transcript. Only refused requests are shown with their bodies.
func (d *Discord) last(lines int) string {
	var all bytes.Buffer
	if err := d.Sim.WriteTranscript(&all, TranscriptFilter{Last: lines}); err != nil {
		return err.Error()
	}
	var said strings.Builder
	for decoder := json.NewDecoder(&all); decoder.More(); {
		var l Line
		if err := decoder.Decode(&l); err != nil {
			return err.Error()
		}
		switch {
		case l.T != "":
			fmt.Fprintln(&said, l.Direction, l.Kind, l.T)
		case l.Op != nil:
			fmt.Fprintln(&said, l.Direction, l.Kind, "op", *l.Op)
		case l.Method == "":
			fmt.Fprintln(&said, l.Direction, l.Kind, "closes with", l.Status)
		case l.Status >= http.StatusBadRequest:
			fmt.Fprintln(&said, l.Direction, l.Method, l.Path, l.Status, string(l.Body))
		case l.Status == 0:
			fmt.Fprintln(&said, l.Direction, l.Method, l.Path)
		default:
			fmt.Fprintln(&said, l.Direction, l.Method, l.Path, l.Status)
		}
	}
	return said.String()
}

// Env returns the environment variables for a bot in another process: DISCORD_URL, DISCORD_TOKEN and
// DISCORD_PUBLIC_KEY.
func (d *Discord) Env() []string {
	return []string{
		"DISCORD_URL=" + d.URL, "DISCORD_TOKEN=" + d.Token, "DISCORD_PUBLIC_KEY=" + d.Sim.Bot(d.Sim.Application()).VerifyKey(),
	}
}

// Client returns a client that sends all requests to this Discord, whatever their host. It is for libraries that have no setting
// for the address.
func (d *Discord) Client() *http.Client {
	transport := &http.Transport{}
	d.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: redirected{strings.TrimPrefix(d.URL, "http://"), transport}}
}

// redirected is a transport that sends all requests to one host.
type redirected struct {
	host string
	next http.RoundTripper
}

func (t redirected) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host, r.Host = "http", t.host, t.host
	return t.next.RoundTrip(r)
}

// get makes a GET call under /sim/ and decodes the response.
func (d *Discord) get(path string, into any) {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.t.Context(), http.MethodGet, d.URL+path, nil)
	if err != nil {
		d.t.Fatalf("%v", err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		d.t.Fatalf("%v", err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode == http.StatusOK {
		err = json.Unmarshal(body, into)
	}
	if err != nil || response.StatusCode != http.StatusOK {
		d.t.Fatalf("GET %s: %s %s %v", path, response.Status, body, err)
	}
}

// BotReady waits until a bot is connected, or has an endpoint, and has commands. The bot is given by id or name; an
// empty name stands for any bot.
func (d *Discord) BotReady(bot string) {
	d.t.Helper()
	var ready struct{}
	d.get("/sim/ready?bot="+url.QueryEscape(bot), &ready)
}

// Quiet waits until no interaction is pending and neither side has sent anything for a while.
func (d *Discord) Quiet(silence time.Duration) {
	d.t.Helper()
	d.unanswered(silence)
}

// AllAnswered asserts that every interaction so far was answered in time.
func (d *Discord) AllAnswered() {
	d.t.Helper()
	for _, r := range d.unanswered(0) {
		d.t.Errorf("interaction %s: %s", r.Interaction, outcome(r))
	}
}

// unanswered waits for silence and returns the interactions without an answer.
func (d *Discord) unanswered(silence time.Duration) []Result {
	d.t.Helper()
	var quiet struct{ Unanswered []Result }
	d.get(fmt.Sprintf("/sim/quiet?ms=%d", silence.Milliseconds()), &quiet)
	return quiet.Unanswered
}

// Advance moves the clock forward.
func (d *Discord) Advance(by time.Duration) {
	d.t.Helper()
	if err := d.Sim.Advance(d.t.Context(), by); err != nil {
		d.t.Fatalf("moving the clock by %v: %v", by, err)
	}
}

// Faults sets the faults for all bots, for example to lose interactions.
func (d *Discord) Faults(f Faults) {
	d.t.Helper()
	if err := d.Sim.SetFaults(f); err != nil {
		d.t.Fatalf("%v", err)
	}
}

// MessageOf asserts that an interaction was answered by a message, and returns it.
func (d *Discord) MessageOf(r Result) *Message {
	d.t.Helper()
	if r.Status != Answered || r.Message == nil {
		d.t.Fatalf("the bot should answer with a message, but: %s", outcome(r))
	}
	return r.Message
}

// ExpectMessage asserts that an interaction was answered by a message with a text, and returns the message.
func (d *Discord) ExpectMessage(r Result, text string) *Message {
	d.t.Helper()
	if r.Status != Answered || r.Message == nil || r.Message.Content != text {
		d.t.Fatalf("the bot should answer with the message %q, but: %s", text, outcome(r))
	}
	return r.Message
}

// ExpectEphemeral asserts that an interaction was answered by a message that only its user sees, and returns the message.
func (d *Discord) ExpectEphemeral(r Result, text string) *Message {
	d.t.Helper()
	m := d.ExpectMessage(r, text)
	if !r.Ephemeral {
		d.t.Fatalf("only the user should see the message %q, but everybody does", text)
	}
	return m
}

// ExpectEdit asserts that an interaction edited a message instead of sending a new one, and returns the edited
// message.
func (d *Discord) ExpectEdit(r Result, before *Message, text string) *Message {
	d.t.Helper()
	m := d.ExpectMessage(r, text)
	if m.ID != before.ID {
		d.t.Fatalf("the bot should edit the message %q, but sent a new one: %s", before.Content, outcome(r))
	}
	return m
}

// ExpectModal asserts that an interaction has opened a form, and returns the form.
func (d *Discord) ExpectModal(r Result, title string) *Modal {
	d.t.Helper()
	if r.Modal == nil || r.Modal.Title != title {
		d.t.Fatalf("the bot should open the form %q, but: %s", title, outcome(r))
	}
	return r.Modal
}

// outcome describes the result of an interaction as its user sees it.
func outcome(r Result) string {
	switch {
	case r.Error != nil:
		return fmt.Sprintf("its answer was refused: %v", r.Error)
	case r.Modal != nil:
		return fmt.Sprintf("it opened the form %q", r.Modal.Title)
	case r.Message == nil:
		return fmt.Sprintf("there is no message (%s)", r.Status)
	}
	var labels []string
	world.WalkComponents(r.Message.Components, func(c *world.Component) {
		if c.Type == world.ComponentButton {
			labels = append(labels, c.Label)
		}
	})
	return fmt.Sprintf("the message (%s) is %q, with %d embeds and the buttons %q", r.Status, r.Message.Content, len(r.Message.Embeds), labels)
}

// TestUser acts for a person in a channel, as [User] does, and ends the test if the person cannot do something.
type TestUser struct {
	d       *Discord
	user    *User
	name    string
	channel string
}

// User returns a person, by username or id, in the channel general.
func (d *Discord) User(name string) *TestUser {
	return &TestUser{d, d.Sim.User(name), name, "general"}
}

// In returns the same person in another channel.
func (u *TestUser) In(channel string) *TestUser {
	return &TestUser{u.d, u.user, u.name, channel}
}

// must ends the test if there is an error.
func (u *TestUser) must(err error) {
	u.d.t.Helper()
	if err != nil {
		u.d.t.Fatalf("%s in %s: %v", u.name, u.channel, err)
	}
}

// Command uses a slash command, such as "tag list" with its subcommand. [User.Command] describes the options.
func (u *TestUser) Command(name string, options map[string]any) Result {
	u.d.t.Helper()
	r, err := u.user.Command(u.d.t.Context(), u.channel, name, options)
	u.must(err)
	return r
}

// UserCommand uses a context-menu command on a person or a bot.
func (u *TestUser) UserCommand(name, target string) Result {
	u.d.t.Helper()
	r, err := u.user.UserCommand(u.d.t.Context(), u.channel, name, target)
	u.must(err)
	return r
}

// Autocomplete asks for suggestions for an option. Result.Choices has them.
func (u *TestUser) Autocomplete(name, focused string, options map[string]any) Result {
	u.d.t.Helper()
	r, err := u.user.Autocomplete(u.d.t.Context(), u.channel, name, options, focused)
	u.must(err)
	return r
}

// Click presses the button with a label.
func (u *TestUser) Click(on *Message, label string) Result {
	u.d.t.Helper()
	return u.ClickButton(on, Button{Label: label})
}

// ClickButton presses a button, such as one without a label.
func (u *TestUser) ClickButton(on *Message, b Button) Result {
	u.d.t.Helper()
	r, err := u.user.Click(u.d.t.Context(), on.ID, b)
	u.must(err)
	return r
}

// Select picks values of a select menu.
func (u *TestUser) Select(on *Message, customID string, values ...string) Result {
	u.d.t.Helper()
	r, err := u.user.Select(u.d.t.Context(), on.ID, customID, values...)
	u.must(err)
	return r
}

// Submit submits the form that an interaction has opened. [User.Submit] describes the fields.
func (u *TestUser) Submit(opened Result, fields map[string]any) Result {
	u.d.t.Helper()
	r, err := u.user.Submit(u.d.t.Context(), opened.Interaction, fields)
	u.must(err)
	return r
}

// Write writes a message.
func (u *TestUser) Write(content string) *Message {
	u.d.t.Helper()
	m, err := u.user.Write(u.channel, content)
	u.must(err)
	return m
}

// Messages returns the messages of the channel that the person sees, oldest first.
func (u *TestUser) Messages() []*Message {
	u.d.t.Helper()
	messages, err := u.user.Messages(u.channel)
	u.must(err)
	return messages
}
