// Package faults holds the deliberate failures of the simulated Discord, and delivers interactions accordingly.
package faults

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"tictactoe/discordsim/world"
)

// The values of Faults.Hello.
const (
	HelloReconnect = "reconnect" // the simulator sends op 7 instead of HELLO
	HelloACK       = "ack"       // the simulator sends an unsolicited op 11 between HELLO and READY
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

// Faults describes deliberate failures. The zero value causes no failures. The JSON of a Faults is the body of
// /sim/faults.
type Faults struct {
	// Silent makes the gateway send nothing after HELLO. A session that resumes
	// later gets the missed events.
	Silent bool `json:"silent"`
	// NoACKs leaves heartbeats unacknowledged.
	NoACKs bool `json:"no_acks"`
	// Hello disturbs the beginning of a connection. All values but HelloACK take
	// effect before the client has identified, and can only be set for all bots.
	Hello string `json:"hello"`
	// HelloDelayMS delays HELLO by this many milliseconds. Like most values of Hello, it can only be set for all
	// bots.
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

	// EmojiUploads is how many emoji an application may upload before Discord refuses all changes of its emoji for a
	// while, as was observed on Discord; unlimited when zero.
	EmojiUploads int `json:"emoji_uploads"`
	// EmojiRetryAfterMS is the time from the first of these uploads until Discord allows changes again, in
	// milliseconds of real time; an hour when zero.
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
		within("truncate_replay", f.TruncateReplay, MaxReplay), within("hello_delay_ms", f.HelloDelayMS, minute),
		within("delay_ms", f.DelayMS, minute), within("rest_delay_ms", f.RESTDelayMS, minute),
		within("callback_delay_ms", f.CallbackDelayMS, minute), within("rest_retry_after_ms", f.RESTRetryAfterMS, 60*minute),
		within("rest_count", f.RESTCount, 1_000_000), within("emoji_uploads", f.EmojiUploads, world.MaxEmojis),
		within("emoji_retry_after_ms", f.EmojiRetryAfterMS, 24*60*minute),
	)
	if f.RESTStatus != 0 && (f.RESTStatus < 500 || f.RESTStatus > 599) {
		err = errors.Join(err, fmt.Errorf("rest_status is from 500 to 599, not %d", f.RESTStatus))
	}
	return err
}

// Table holds the faults for all bots and for single bots. A bot with its own faults
// ignores the faults for all. The world's lock guards it.
type Table struct {
	w         *world.World
	all       *Faults               // never nil
	bots      map[string]*Faults    // by application
	overtaken map[string]*overtaken // by application

	// Changed is called after a change of the faults.
	Changed func()
	// Gateway sends an interaction to the sessions of its bot. times is how often.
	Gateway func(in *world.Interaction, event json.RawMessage, times int)
	// Endpoint sends an interaction to the URL that its application has set.
	Endpoint func(in *world.Interaction, url string, event json.RawMessage)
}

// NewTable returns a table without faults, which delivers the world's interactions from then on.
func NewTable(w *world.World) *Table {
	t := &Table{w: w, all: &Faults{}, bots: map[string]*Faults{}, overtaken: map[string]*overtaken{}, Changed: func() {}}
	w.Interactions.Send = t.Deliver
	return t
}

// Of returns the faults of a bot or, for "", of a client that has not identified yet. The Faults are immutable.
func (t *Table) Of(app string) *Faults {
	if f := t.bots[app]; f != nil {
		return f
	}
	return t.all
}

// All returns the faults for all bots, and the faults of each bot that has its own faults. Defaults replace zero
// values. It takes the lock.
func (t *Table) All() (all Faults, bots map[string]Faults) {
	t.w.Lock()
	defer t.w.Unlock()
	bots = map[string]Faults{}
	for app, f := range t.bots {
		bots[app] = f.Normal()
	}
	return t.all.Normal(), bots
}

// Set replaces the faults of a bot or, if app is empty, of all bots without faults of
// their own. It takes the lock.
func (t *Table) Set(app string, f Faults) error {
	if err := f.check(); err != nil {
		return err
	}
	if app != "" && f.beforeIdentify() {
		return fmt.Errorf("hello: %q and hello_delay_ms: %d come before a client says which bot it is: set them for all", f.Hello, f.HelloDelayMS)
	}
	t.w.Lock()
	defer t.w.Unlock()
	if app == "" {
		t.all = &f
	} else {
		t.bots[app] = &f
	}
	t.changed()
	return nil
}

// Clear removes a bot's own faults. It takes the lock.
func (t *Table) Clear(app string) {
	t.w.Lock()
	defer t.w.Unlock()
	delete(t.bots, app)
	t.changed()
}

// Reset removes all faults. It takes the lock.
func (t *Table) Reset() {
	t.w.Lock()
	defer t.w.Unlock()
	t.all, t.bots = &Faults{}, map[string]*Faults{}
	t.changed()
}

// changed applies the current faults to the open connections, and tells the event streams about them.
func (t *Table) changed() {
	t.Changed()
	t.w.Events.PublishFaults()
}

// CountREST reports whether the REST faults of a bot affect a call, and counts
// the call if the faults end after a number of calls. It takes the lock.
func (t *Table) CountREST(app string) (hit bool, f Faults) {
	t.w.Lock()
	defer t.w.Unlock()
	now := t.Of(app)
	f = *now
	if f.RESTStatus == 0 && f.RESTLimit == "" {
		return false, f
	}
	if f.RESTCount > 0 {
		left := f
		if left.RESTCount--; left.RESTCount == 0 {
			left.RESTStatus, left.RESTLimit = 0, ""
		}
		if now == t.all {
			t.all = &left
		} else {
			t.bots[app] = &left
		}
		t.changed()
	}
	return true, f
}

// Normal returns f with defaults in place of zero values.
func (f Faults) Normal() Faults {
	if f.RESTRetryAfterMS == 0 {
		f.RESTRetryAfterMS = 1000
	}
	if f.EmojiRetryAfterMS == 0 {
		f.EmojiRetryAfterMS = 60 * 60 * 1000
	}
	return f
}

// MaxReplay is the maximum number of events that a session keeps for a resume. Beyond it, the session drops the older
// half.
const MaxReplay = 2000

// reorderWithin is how long a held-back interaction waits for the next
// interaction to overtake it.
const reorderWithin = time.Second

// overtaken is an interaction that waits for its bot's next interaction.
type overtaken struct {
	send  func()
	timer *time.Timer
}

// Deliver sends an interaction to its bot. With faults, it sends the interaction late, out of order or never.
func (t *Table) Deliver(in *world.Interaction, event world.InteractionEvent) {
	f := t.Of(in.ApplicationID)
	send := func() { t.send(in, event) }
	if f.Reorder {
		now := send
		send = func() { t.overtake(in.ApplicationID, now) }
	}
	switch {
	case f.Lose:
	case f.DelayMS > 0:
		t.w.Later(time.Duration(f.DelayMS)*time.Millisecond, send)
	default:
		send()
	}
}

// overtake holds an interaction back until the bot's next interaction or, if one
// is already held back, sends the new interaction first.
func (t *Table) overtake(app string, send func()) {
	first := t.overtaken[app]
	if first != nil {
		first.timer.Stop()
		delete(t.overtaken, app)
		send()
		first.send()
		return
	}
	first = &overtaken{send: send}
	first.timer = t.w.Later(reorderWithin, func() {
		if t.overtaken[app] == first {
			delete(t.overtaken, app)
			first.send()
		}
	})
	t.overtaken[app] = first
}

// send sends an interaction over the gateway, or to the application's
// endpoint if it has set one.
func (t *Table) send(in *world.Interaction, event world.InteractionEvent) {
	body, times, f := world.MustJSON(event), 1, t.Of(in.ApplicationID)
	if f.Garble != nil {
		body = f.Garble(in.ID, body)
	}
	if f.Duplicate {
		times = 2
	}
	url := t.w.State.EndpointOf(in.ApplicationID)
	if url == nil {
		t.Gateway(in, body, times)
		return
	}
	for range times {
		t.Endpoint(in, *url, body)
	}
}

// beforeIdentify reports whether a fault takes effect before the client has identified.
func (f Faults) beforeIdentify() bool {
	return f.Hello == HelloReconnect || f.Hello == HelloWithUpgrade || f.HelloDelayMS > 0
}
