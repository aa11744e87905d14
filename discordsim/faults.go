package discordsim

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/gorilla/websocket"
)

// The values of Faults.Hello.
const (
	HelloReconnect = "reconnect" // op 7 instead of HELLO
	HelloACK       = "ack"       // an unsolicited op 11 between HELLO and READY
	// HelloWithUpgrade writes HELLO together with the response to the upgrade, so
	// that both arrive in one packet.
	HelloWithUpgrade = "with_upgrade"
)

// The values of Faults.AfterIdentify.
const (
	AfterIdentifyReconnect        = "reconnect"         // op 7
	AfterIdentifyInvalid          = "invalid"           // op 9 false
	AfterIdentifyInvalidResumable = "invalid_resumable" // op 9 true
)

// The values of Faults.RESTLimit.
const (
	LimitGlobal     = "global"      // the global limit, with every header
	LimitGlobalBare = "global_bare" // the global limit, with only Retry-After and X-RateLimit-Global
	LimitShared     = "shared"      // the limit of a resource shared with other applications
	LimitHTML       = "html"        // a ban by the proxy in front of Discord: an HTML page
)

// Faults describes deliberate failures. The zero value is a healthy Discord. Its
// JSON is the body of /sim/faults.
type Faults struct {
	// Silent makes the gateway send nothing after HELLO. A session that resumes
	// later gets the missed events.
	Silent bool `json:"silent"`
	// NoACKs leaves heartbeats unacknowledged.
	NoACKs bool `json:"no_acks"`
	// Hello disturbs the beginning of a connection. All values but HelloACK take
	// effect before the client has identified, and can only be set for all bots.
	Hello string `json:"hello"`
	// HelloDelayMS delays HELLO by this many milliseconds. It can only be set for
	// all bots, too.
	HelloDelayMS int `json:"hello_delay_ms"`
	// AfterIdentify is sent instead of READY. The IDENTIFY counts towards its limits.
	AfterIdentify string `json:"after_identify"`
	// TruncateReplay omits this many of the last events when RESUME replays a session.
	TruncateReplay int `json:"truncate_replay"`

	// Duplicate delivers every interaction twice. No callback is accepted before
	// both deliveries are on the gateway's wire.
	Duplicate bool `json:"duplicate"`
	// Reorder holds an interaction back until the bot's next interaction has been
	// delivered, for a second at most.
	Reorder bool `json:"reorder"`
	// DelayMS delays the delivery of interactions by this many milliseconds.
	DelayMS int `json:"delay_ms"`
	// Lose drops every interaction, even for a session that resumes.
	Lose bool `json:"lose"`

	// RESTDelayMS makes each REST call take this many milliseconds longer.
	RESTDelayMS int `json:"rest_delay_ms"`
	// CallbackDelayMS delays the response to a callback. The callback itself
	// takes effect at once.
	CallbackDelayMS int `json:"callback_delay_ms"`
	// RESTStatus, from 500 to 599, is the response to each REST call. The calls have no effect.
	RESTStatus int `json:"rest_status"`
	// RESTLimit answers each REST call with 429. The calls have no effect.
	RESTLimit string `json:"rest_limit"`
	// RESTRetryAfterMS is the retry delay that RESTLimit announces; 1000 when zero.
	RESTRetryAfterMS int `json:"rest_retry_after_ms"`
	// RESTCount is how many calls RESTStatus and RESTLimit affect before they end
	// by themselves; unlimited when zero.
	RESTCount int `json:"rest_count"`

	// EmojiUploads is how many emoji an application may upload before the routes that change
	// its emoji are closed to it, a behaviour observed on Discord; unlimited when zero.
	EmojiUploads int `json:"emoji_uploads"`
	// EmojiRetryAfterMS is how long after the first of these uploads the routes
	// reopen, in real time; an hour when zero.
	EmojiRetryAfterMS int `json:"emoji_retry_after_ms"`

	// BeforeCallback is called with an interaction's id when a callback to the
	// interaction has arrived, before it is checked. The callback waits until the
	// function returns; ctx ends with the request.
	BeforeCallback func(ctx context.Context, interaction string) `json:"-"`
	// REST is called with every REST request before it is served, and may block. If it returns
	// a status other than 0, that status is the response, and the request is not served.
	REST func(*http.Request) (status int) `json:"-"`
	// Garble is called with every interaction just before it is sent, and returns
	// the event to send instead. It must not call the simulator.
	Garble func(interaction string, event json.RawMessage) json.RawMessage `json:"-"`
}

// check returns an error for invalid values.
func (f Faults) check() error {
	word := func(name, value string, known ...string) error {
		if value != "" && !slices.Contains(known, value) {
			return fmt.Errorf("%s is one of %q, not %q", name, known, value)
		}
		return nil
	}
	within := func(name string, n, most int) error {
		if n < 0 || n > most {
			return fmt.Errorf("%s is from 0 to %d, not %d", name, most, n)
		}
		return nil
	}
	const minute = 60_000
	err := errors.Join(
		word("hello", f.Hello, HelloReconnect, HelloACK, HelloWithUpgrade),
		word("after_identify", f.AfterIdentify, AfterIdentifyReconnect, AfterIdentifyInvalid, AfterIdentifyInvalidResumable),
		word("rest_limit", f.RESTLimit, LimitGlobal, LimitGlobalBare, LimitShared, LimitHTML),
		within("truncate_replay", f.TruncateReplay, maxReplay), within("hello_delay_ms", f.HelloDelayMS, minute),
		within("delay_ms", f.DelayMS, minute), within("rest_delay_ms", f.RESTDelayMS, minute),
		within("callback_delay_ms", f.CallbackDelayMS, minute), within("rest_retry_after_ms", f.RESTRetryAfterMS, 60*minute),
		within("rest_count", f.RESTCount, 1_000_000), within("emoji_uploads", f.EmojiUploads, maxEmojis),
		within("emoji_retry_after_ms", f.EmojiRetryAfterMS, 24*60*minute),
	)
	if f.RESTStatus != 0 && (f.RESTStatus < 500 || f.RESTStatus > 599) {
		err = errors.Join(err, fmt.Errorf("rest_status is from 500 to 599, not %d", f.RESTStatus))
	}
	return err
}

// faultTable holds the faults for all bots and for single bots. A bot with its
// own faults ignores the faults for all.
type faultTable struct {
	all  *Faults            // never nil
	bots map[string]*Faults // by application
}

func newFaultTable() faultTable { return faultTable{all: &Faults{}, bots: map[string]*Faults{}} }

// faultsOf returns the faults of a bot or, for "", of a client that has not
// identified yet. Faults are replaced, never changed.
func (s *Sim) faultsOf(app string) *Faults {
	if f := s.faults.bots[app]; f != nil {
		return f
	}
	return s.faults.all
}

// SetFaults replaces the faults for all bots without faults of their own. It
// returns an error if a value is invalid.
func (s *Sim) SetFaults(f Faults) error { return s.setFaults("", f) }

func (s *Sim) setFaults(app string, f Faults) error {
	if err := f.check(); err != nil {
		return err
	}
	if app != "" && f.beforeIdentify() {
		return fmt.Errorf("hello: %q and hello_delay_ms: %d come before a client says which bot it is: set them for all", f.Hello, f.HelloDelayMS)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if app == "" {
		s.faults.all = &f
	} else {
		s.faults.bots[app] = &f
	}
	s.faultsChanged()
	return nil
}

// faultsChanged applies the current faults to every connection.
func (s *Sim) faultsChanged() {
	for c := range s.connections {
		c.faults.Store(s.faultsOf(c.application()))
	}
	s.publish("faults", func(string) any { return struct{}{} })
}

// countREST reports whether the REST faults of a bot affect a call, and counts
// the call if the faults end after a number of calls.
func (s *Sim) countREST(app string) (hit bool, f Faults) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.faultsOf(app)
	f = *now
	if f.RESTStatus == 0 && f.RESTLimit == "" {
		return false, f
	}
	if f.RESTCount > 0 {
		left := f
		if left.RESTCount--; left.RESTCount == 0 {
			left.RESTStatus, left.RESTLimit = 0, ""
		}
		if now == s.faults.all {
			s.faults.all = &left
		} else {
			s.faults.bots[app] = &left
		}
		s.faultsChanged()
	}
	return true, f
}

// Bot is one application on the simulator. The handle may be created before the
// application exists.
type Bot struct {
	sim *Sim
	app string
}

// Bot returns the bot of the application with the given id.
func (s *Sim) Bot(application string) *Bot { return &Bot{s, application} }

// SetFaults replaces the faults for this bot. The faults for all bots then no
// longer apply to it.
func (b *Bot) SetFaults(f Faults) error { return b.sim.setFaults(b.app, f) }

// ClearFaults removes the bot's own faults, so that the faults for all bots apply again.
func (b *Bot) ClearFaults() {
	b.sim.mu.Lock()
	defer b.sim.mu.Unlock()
	delete(b.sim.faults.bots, b.app)
	b.sim.faultsChanged()
}

// Arrivals returns how often the bot has connected to the gateway, counting the
// READY and RESUMED events sent to it.
func (b *Bot) Arrivals() (n int) {
	b.sim.mu.Lock()
	defer b.sim.mu.Unlock()
	for _, of := range b.sim.arrivals[b.app] {
		n += of.n
	}
	return n
}

// arrivals records how often a bot has connected to a shard, and when it last did.
type arrivals struct {
	n  int
	at time.Time
}

// Attendance describes whether a bot is connected to a shard, how often it has
// connected, and when it last did.
type Attendance struct {
	Arrivals int       // as with Bot.Arrivals
	Last     time.Time // the time of the last connection, in real time
	There    bool      // whether a session of the shard is connected now
}

// Attendance returns the attendance of the bot on a shard. A bot without shards has shard 0.
func (b *Bot) Attendance(shard int) Attendance {
	b.sim.mu.Lock()
	defer b.sim.mu.Unlock()
	of := b.sim.arrivals[b.app][shard]
	a := Attendance{Arrivals: of.n, Last: of.at}
	for _, se := range b.sim.sessions {
		a.There = a.There || se.app == b.app && se.shardID() == shard && se.connection != nil
	}
	return a
}

// DropGateway cuts the bot's gateway connections without a close code and returns
// the number of connections. Their sessions can be resumed.
func (b *Bot) DropGateway() int {
	return b.sim.eachConnection(b.app, func(c *connection) { c.drop() })
}

// CloseGateway closes the bot's gateway connections with a close code. The session
// cannot be resumed if Discord documents the code as one that requires a new session.
func (b *Bot) CloseGateway(code int, reason string) int {
	return b.sim.eachConnection(b.app, func(c *connection) {
		if se := c.session; se != nil && endsSession(code) {
			b.sim.detach(se)
			b.sim.end(se)
		}
		c.close(code, reason)
	})
}

// Reconnect asks the bot to reconnect and resume (op 7).
func (b *Bot) Reconnect() int {
	return b.sim.eachConnection(b.app, func(c *connection) { c.send(opReconnect, nil) })
}

// AskForHeartbeat asks the bot for a heartbeat (op 1). A connection without a
// heartbeat within 10 s is cut.
func (b *Bot) AskForHeartbeat() int {
	return b.sim.eachConnection(b.app, (*connection).askForHeartbeat)
}

// InvalidateSessions tells the bot that its sessions are invalid (op 9). If
// resumable is set, it may still resume them; otherwise it must identify again.
func (b *Bot) InvalidateSessions(resumable bool) int {
	return b.sim.eachConnection(b.app, func(c *connection) {
		if se := c.session; se != nil {
			b.sim.detach(se)
			if !resumable {
				b.sim.end(se)
			}
		}
		c.send(opInvalidSession, resumable)
	})
}

// DropGateway is like [Bot.DropGateway], for all bots.
func (s *Sim) DropGateway() int { return s.Bot("").DropGateway() }

// CloseGateway is like [Bot.CloseGateway], for all bots.
func (s *Sim) CloseGateway(code int, reason string) int { return s.Bot("").CloseGateway(code, reason) }

// Reconnect is like [Bot.Reconnect], for all bots.
func (s *Sim) Reconnect() int { return s.Bot("").Reconnect() }

// InvalidateSessions is like [Bot.InvalidateSessions], for all bots.
func (s *Sim) InvalidateSessions(resumable bool) int { return s.Bot("").InvalidateSessions(resumable) }

// endsSession reports whether a client must begin a new session after a close code.
func endsSession(code int) bool {
	switch code {
	case websocket.CloseNormalClosure, websocket.CloseGoingAway, closeAuthentication, closeInvalidSeq, closeTimedOut,
		closeInvalidShard, closeShardingRequired, closeInvalidVersion, closeInvalidIntents, closeDisallowedIntents:
		return true
	}
	return false
}

// eachConnection calls do for the connections of an application or, with "", for
// all connections, and returns their number.
func (s *Sim) eachConnection(app string, do func(*connection)) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.connections {
		if app == "" || c.application() == app {
			do(c)
			n++
		}
	}
	return n
}

// driveFaults handles GET /sim/faults.
func (s *Sim) driveFaults(*http.Request) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	type shown struct {
		All  Faults            `json:"all"`
		Bots map[string]Faults `json:"bots"`
	}
	now := shown{All: s.faults.all.normal(), Bots: map[string]Faults{}}
	for app, f := range s.faults.bots {
		now.Bots[app] = f.normal()
	}
	return now, nil
}

// normal returns f with the defaults in place of its zero values.
func (f Faults) normal() Faults {
	if f.RESTRetryAfterMS == 0 {
		f.RESTRetryAfterMS = 1000
	}
	if f.EmojiRetryAfterMS == 0 {
		f.EmojiRetryAfterMS = 60 * 60 * 1000
	}
	return f
}

// driveSetFaults handles PUT /sim/faults.
func (s *Sim) driveSetFaults(r *http.Request) (any, error) {
	var in struct {
		Application string          `json:"application"`
		Faults      json.RawMessage `json:"faults"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	app, err := s.bot(in.Application)
	if err != nil {
		return nil, err
	}
	var f Faults
	if err := strictJSON(in.Faults, &f); err != nil {
		return nil, err
	}
	// A call over HTTP does not remove the hooks set by the embedding program.
	s.mu.Lock()
	now := s.faultsOf(app)
	f.BeforeCallback, f.REST, f.Garble = now.BeforeCallback, now.REST, now.Garble
	s.mu.Unlock()
	var some map[string]any
	if json.Unmarshal(in.Faults, &some); app != "" && len(some) == 0 {
		s.Bot(app).ClearFaults()
	} else if err := s.setFaults(app, f); err != nil {
		return nil, err
	}
	return s.driveFaults(r)
}

// bot finds an application by its id or its bot's name; an application that has
// not connected yet is named by its id. Empty stands for all.
func (s *Sim) bot(ref string) (app string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.state.account(ref); a != nil && a.Bot {
		return a.ID, nil
	}
	if ref != "" && !isSnowflake(ref) {
		return "", fmt.Errorf("%w: no bot %q", ErrNotFound, ref)
	}
	return ref, nil
}

// driveGateway handles POST /sim/gateway.
func (s *Sim) driveGateway(r *http.Request) (any, error) {
	var in struct {
		Application string `json:"application"`
		Action      string `json:"action"`
		Code        int    `json:"code"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	app, err := s.bot(in.Application)
	if err != nil {
		return nil, err
	}
	if in.Code != 0 && in.Action != "close" {
		return nil, fmt.Errorf("the action %q has no code", in.Action)
	}
	b, n := s.Bot(app), 0
	switch in.Action {
	case "reconnect":
		n = b.Reconnect()
	case "invalid":
		n = b.InvalidateSessions(false)
	case "invalid_resumable":
		n = b.InvalidateSessions(true)
	case "heartbeat":
		n = b.AskForHeartbeat()
	case "drop":
		n = b.DropGateway()
	case "close":
		if in.Code == 0 {
			in.Code = closeUnknownError
		}
		if in.Code < 1000 || in.Code > 4999 || in.Code >= 1004 && in.Code <= 1006 || in.Code == 1015 {
			return nil, fmt.Errorf("%d is no close code that can be sent", in.Code)
		}
		n = b.CloseGateway(in.Code, "Closed on demand.")
	default:
		return nil, fmt.Errorf("the gateway has no action %q", in.Action)
	}
	return map[string]int{"connections": n}, nil
}

// pause waits for some milliseconds, or until ctx ends.
func pause(ctx context.Context, ms int) {
	if ms <= 0 {
		return
	}
	late := time.NewTimer(time.Duration(ms) * time.Millisecond)
	defer late.Stop()
	select {
	case <-late.C:
	case <-ctx.Done():
	}
}

// misbehave applies the faults to a REST call. If it returns an error, the error
// is the response and the call is not served.
func (s *Sim) misbehave(c *call) error {
	hit, f := s.countREST(c.caller)
	pause(c.Context(), f.RESTDelayMS)
	if f.REST != nil {
		if status := f.REST(c.Request); status != 0 {
			return bareRefusal(status)
		}
	}
	switch {
	case !hit:
		return nil
	case f.RESTLimit != "":
		return &limitedError{after: time.Duration(f.normal().RESTRetryAfterMS) * time.Millisecond, kind: f.RESTLimit}
	}
	return bareRefusal(f.RESTStatus)
}

func bareRefusal(status int) error {
	return refusal(status, 0, fmt.Sprintf("%d: %s", status, http.StatusText(status)))
}

// callerOf returns the application that makes a request, as far as the token, the
// path or the answered interaction tells.
func (s *Sim) callerOf(c *call) string {
	if id, valid := applicationOf(c.Header.Get("Authorization")); valid {
		return id
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if app := c.PathValue("app"); app != "" {
		return s.state.speaker(app)
	}
	id := c.PathValue("interaction")
	if g := s.state.grants[id]; g != nil {
		return g.Application
	}
	if in := s.interaction(id); in != nil {
		return in.app
	}
	return ""
}

// delayAnswer delays the response to a callback, as the fault CallbackDelayMS says.
func (s *Sim) delayAnswer(c *call) {
	s.mu.Lock()
	f := s.faultsOf(c.caller)
	s.mu.Unlock()
	pause(c.Context(), f.CallbackDelayMS)
}
