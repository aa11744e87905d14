package world

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"tictactoe/discordsim/check"
)

// The types of interaction.
const (
	InteractionCommand      = 2
	InteractionComponent    = 3
	InteractionAutocomplete = 4
	InteractionModal        = 5
)

const (
	// AnswerWithin is the time limit for a bot's callback, in real time.
	AnswerWithin = 3 * time.Second
	// TokenValid is how long a token can be used after the interaction, by the
	// simulator's clock.
	TokenValid = 15 * time.Minute
	// KeptResults is how many settled interactions are kept for later queries.
	KeptResults = 4096
)

// Status is the outcome of an interaction.
type Status string

// The statuses of an interaction.
const (
	Held     Status = "held"     // delivered; the caller does not wait for the answer
	Answered Status = "answered" // answered by a message, an update or a modal
	Deferred Status = "deferred" // deferred, with no message within the time limit
	Failed   Status = "failed"   // the callback was refused
	TimedOut Status = "timeout"  // no callback within the time limit
)

// Result is the result of an interaction as the acting person sees it.
type Result struct {
	Interaction string `json:"interaction"`
	Status      Status `json:"status"`
	// Milliseconds is the real time from delivery to the answer.
	Milliseconds int64 `json:"ms"`
	Ephemeral    bool  `json:"ephemeral"`
	// Message is the reply, or the clicked message after an update.
	Message *Message `json:"message"`
	// Modal is the form that the answer opened.
	Modal *Modal `json:"modal"`
	// Activity is the instance of the Activity that the answer launched.
	Activity string `json:"activity,omitempty"`
	// Choices are the suggestions that answer an autocompletion.
	Choices []Choice `json:"choices,omitempty"`
	// Error is the body of the refusal of a callback.
	Error *check.Error `json:"error"`
}

// Modal is a form that a bot asks a person to fill in.
type Modal struct {
	CustomID   string      `json:"custom_id"`
	Title      string      `json:"title"`
	Components []Component `json:"components"`
}

// Interaction is one use of a command, a component or a modal. The world's lock guards it, except for the channel
// settled.
type Interaction struct {
	ID, Token     string
	Type          int
	ApplicationID string
	User          *Account
	Channel       *Channel
	Message       *Post // the clicked message, or the message from which the modal came
	Owners        map[string]string
	CommandName   string // the command's name, followed by the names of its subcommands
	CommandType   int    // the type of the command
	Target        *Profile
	Trigger       *InteractionMetadata // the interaction that opened the modal; set for a modal
	Focused       *Option              // the option being typed; set for an autocompletion
	Created       time.Time            // when it was delivered, by the simulator's clock
	Sent          time.Time            // when it was delivered, in real time

	Acknowledged bool
	shownBy      string          // the message that shows the deferred answer
	Modal        *Modal          // opened by the answer
	Activity     *Activity       // launched by the answer
	Choices      []Choice        // suggested by the answer
	OnWire       <-chan struct{} // closed when the last delivery is written; may be nil
	Responded    chan struct{}   // closed when an endpoint's response has been handled; nil without an endpoint
	timer        *time.Timer     // ends the wait for the callback, then the wait for the message after a deferral
	result       Result
	settled      chan struct{} // closed when result is final
}

// IsSettled reports whether the interaction is settled. The caller must hold the lock.
func (in *Interaction) IsSettled() bool { return in.result.Status != "" }

// Metadata returns the metadata that a message carries about the interaction that created it.
func (in *Interaction) Metadata() *InteractionMetadata {
	m := &InteractionMetadata{
		ID: in.ID, Type: in.Type, User: in.User.Profile, Owners: in.Owners, TargetUser: in.Target, Trigger: in.Trigger,
	}
	if in.Type == InteractionComponent {
		m.InteractedMessage = in.Message.Message.ID
	}
	return m
}

// Interactions delivers interactions to bots and keeps them until they are settled.
type Interactions struct {
	w *World
	// Send delivers an interaction to its bot.
	Send func(*Interaction, InteractionEvent)

	inFlight   map[string]*Interaction
	activities []*Activity
	deferred   map[string][]*Interaction // acknowledged by a deferral, by the message that shows the answer
	settledLog settledLog
}

func newInteractions(w *World) *Interactions {
	return &Interactions{w: w, inFlight: map[string]*Interaction{}, deferred: map[string][]*Interaction{}}
}

// stop stops the timers of all interactions.
func (ins *Interactions) stop() {
	for _, in := range ins.inFlight {
		in.timer.Stop()
	}
}

// Deliver sends an interaction to its bot and begins to wait for the callback. It sets the id, the token and the dates;
// the caller has set the fields from Type to Focused.
func (ins *Interactions) Deliver(in *Interaction, data any) {
	w := ins.w
	in.ID = w.NextID()
	in.Token = NewToken(in.ID)
	in.Created, in.Sent = w.Clock.Now(), time.Now()
	in.settled = make(chan struct{})
	in.timer = time.AfterFunc(AnswerWithin, func() { ins.Overdue(in, TimedOut) })
	ins.inFlight[in.ID] = in
	ins.Send(in, ins.event(in, data))
	w.Events.PublishInteraction(in, "pending")
}

// InFlight returns an interaction that waits for its callback or the message after a
// deferral, or nil.
func (ins *Interactions) InFlight(id string) *Interaction { return ins.inFlight[id] }

// Defer keeps an interaction waiting for a message after a deferral: an edit of the given message or, if shownBy is
// empty, a follow-up.
func (ins *Interactions) Defer(in *Interaction, shownBy string) {
	in.timer.Stop()
	in.timer = time.AfterFunc(ins.w.Config.Settle, func() { ins.Overdue(in, Deferred) })
	in.shownBy = shownBy
	ins.deferred[shownBy] = append(ins.deferred[shownBy], in)
}

// Answer settles an interaction whose callback was accepted, and removes it from the interactions in flight.
func (ins *Interactions) Answer(in *Interaction, shown *Post) {
	ins.Settle(in, Answered, shown)
	in.timer.Stop()
	delete(ins.inFlight, in.ID)
}

// Fail settles an interaction as failed because the bot's answer was refused. It takes
// the lock.
func (ins *Interactions) Fail(id string, refused *check.Error) {
	ins.w.Lock()
	defer ins.w.Unlock()
	in := ins.inFlight[id]
	if in == nil || in.Acknowledged || in.IsSettled() {
		return
	}
	in.result.Error = refused
	ins.Settle(in, Failed, nil)
}

// NewToken makes a token that looks like Discord's and contains the interaction's id.
func NewToken(id string) string {
	return base64.RawURLEncoding.EncodeToString([]byte("interaction:" + id + ":" + rand.Text() + rand.Text() + rand.Text()))
}

// TokenInteraction returns the id of the interaction that a token belongs to, or "".
func TokenInteraction(token string) string {
	text, _ := base64.RawURLEncoding.DecodeString(token)
	fields := strings.Split(string(text), ":")
	if len(fields) != 3 {
		return ""
	}
	return fields[1]
}

// Overdue settles an interaction whose time limit has passed without a callback, or without a message after a
// deferral. It takes the lock. The callback's timer may fire just as a deferral arrives, so Overdue checks which of
// the two the interaction is waiting for.
func (ins *Interactions) Overdue(in *Interaction, status Status) {
	ins.w.Lock()
	defer ins.w.Unlock()
	if ins.w.closed || in.Acknowledged != (status == Deferred) {
		return
	}
	ins.Settle(in, status, nil)
	delete(ins.inFlight, in.ID)
}

// Settle makes the result final, once. The interaction stays in flight until it is
// acknowledged or its time limit passes, since a bot may correct a refused callback.
func (ins *Interactions) Settle(in *Interaction, status Status, shown *Post) {
	if in.IsSettled() {
		return
	}
	in.result.Interaction, in.result.Status = in.ID, status
	in.result.Milliseconds = time.Since(in.Sent).Milliseconds()
	in.result.Modal, in.result.Choices = in.Modal, in.Choices
	if in.Activity != nil {
		in.result.Activity = in.Activity.InstanceID
	}
	if shown != nil {
		in.result.Message, in.result.Ephemeral = ins.w.State.MessageFor(shown, in.User.ID), shown.Message.Ephemeral()
	}
	ins.undefer(in)
	if status != Failed {
		in.timer.Stop()
		delete(ins.inFlight, in.ID)
	}
	ins.settledLog.add(in)
	close(in.settled)
	ins.w.Events.PublishInteraction(in, string(status))
}

// Pending reports whether an interaction waits for its answer.
func (ins *Interactions) Pending() bool {
	for _, in := range ins.inFlight {
		if !in.IsSettled() {
			return true
		}
	}
	return false
}

// Unanswered returns the results of the recently settled interactions whose status is not Answered, oldest first.
func (ins *Interactions) Unanswered() []Result {
	results := []Result{}
	for _, id := range ins.settledLog.order {
		if r := ins.settledLog.byID[id].result; r.Status != Answered {
			results = append(results, r)
		}
	}
	return results
}

// settledLog remembers the most recently settled interactions.
type settledLog struct {
	byID  map[string]*Interaction
	order []string
}

func (l *settledLog) add(in *Interaction) {
	if l.byID == nil {
		l.byID = map[string]*Interaction{}
	}
	l.byID[in.ID] = in
	l.order = append(l.order, in.ID)
	if len(l.order) > KeptResults {
		delete(l.byID, l.order[0])
		l.order = l.order[1:]
	}
}

// Await waits until an interaction is settled. It takes the lock.
func (ins *Interactions) Await(ctx context.Context, id string) (Result, error) {
	ins.w.Lock()
	in := ins.Find(id)
	ins.w.Unlock()
	if in == nil {
		return Result{}, fmt.Errorf("%w: no interaction %q", ErrNotFound, id)
	}
	select {
	case <-in.settled:
		return in.result, nil
	case <-ctx.Done():
		return Result{}, fmt.Errorf("waiting for interaction %s: %w", id, ctx.Err())
	case <-ins.w.Life.Done():
		return Result{}, ErrClosed
	}
}

// Find returns an interaction that is in flight or was settled recently, or nil.
func (ins *Interactions) Find(id string) *Interaction {
	if in := ins.inFlight[id]; in != nil {
		return in
	}
	return ins.settledLog.byID[id]
}

// partialGuild and partialChannel are the parts of a server and a channel
// included in an interaction.
type partialGuild struct {
	ID       string   `json:"id"`
	Locale   string   `json:"locale"`
	Features []string `json:"features"`
}

// InteractionEvent is the interaction object sent to a bot. It has every field that a known library reads without
// checking for its presence.
type InteractionEvent struct {
	ID             string            `json:"id"`
	ApplicationID  string            `json:"application_id"`
	Type           int               `json:"type"`
	Token          string            `json:"token"`
	Version        int               `json:"version"`
	GuildID        string            `json:"guild_id,omitempty"`
	Guild          *partialGuild     `json:"guild,omitempty"`
	GuildLocale    string            `json:"guild_locale,omitempty"`
	ChannelID      string            `json:"channel_id"`
	Channel        ChannelObject     `json:"channel"`
	Member         *GuildMember      `json:"member,omitempty"`
	User           *Profile          `json:"user,omitempty"`
	Locale         string            `json:"locale"`
	Context        int               `json:"context"`
	Owners         map[string]string `json:"authorizing_integration_owners"`
	AppPermissions Permission        `json:"app_permissions"`
	Entitlements   []json.RawMessage `json:"entitlements"`
	AttachmentSize int               `json:"attachment_size_limit"`
	Data           any               `json:"data"`
	Message        *Message          `json:"message,omitempty"`
}

func (ins *Interactions) event(in *Interaction, data any) InteractionEvent {
	may := ins.w.State.Permissions(in.User.ID, in.Channel)
	event := InteractionEvent{
		ID: in.ID, ApplicationID: in.ApplicationID, Type: in.Type, Token: in.Token, Version: 1,
		ChannelID: in.Channel.ID, Channel: ins.w.State.ChannelObject(in.Channel, in.ApplicationID),
		Locale: in.User.Locale, Context: ins.w.State.ContextOf(in.Channel, in.ApplicationID), Owners: maps.Clone(in.Owners),
		AppPermissions: ins.w.State.AppPermissions(in.ApplicationID, in.User.ID, in.Channel),
		Entitlements:   []json.RawMessage{}, AttachmentSize: check.MaxFileSize, Data: data,
	}
	event.Channel.Permissions = &may
	if in.Message != nil {
		event.Message = ins.w.State.MessageFor(in.Message, in.ApplicationID)
	}
	guild := ins.w.State.Guilds[in.Channel.GuildID]
	if guild == nil {
		event.User = &in.User.Profile
		return event
	}
	event.GuildID, event.GuildLocale = guild.ID, guild.Locale
	event.Guild = &partialGuild{guild.ID, guild.Locale, slices.Clone(guild.Features)}
	member := ins.w.State.GuildMember(guild.Member(in.User.ID))
	member.Permissions = &may
	event.Member = &member
	return event
}

// AppPermissions returns the permissions of an application in the channel where a
// person uses it. An application that is not a member is limited to the
// permissions of the person and @everyone.
func (st *State) AppPermissions(app, user string, ch *Channel) Permission {
	if ch.GuildID == "" {
		return DirectPermissions
	}
	if st.Installed(app, ch.GuildID) {
		return st.inherited(app, ch) // these apply even in a private thread that the app has not joined
	}
	return st.Permissions(user, ch) & everyonePermissions
}

// AwaitingCallback finds the interaction, if it is still waiting for its callback.
func (ins *Interactions) AwaitingCallback(id, token string) (*Interaction, error) {
	if g := ins.w.State.Grants[id]; g != nil && g.Token == token && !g.Expired(ins.w.Clock.Now()) {
		return nil, check.ErrAcknowledged
	}
	if in := ins.settledLog.byID[id]; in != nil && in.Token == token && in.Type == InteractionAutocomplete && in.Acknowledged {
		return nil, check.ErrAcknowledged
	}
	in := ins.inFlight[id]
	if in == nil || in.Token != token {
		return nil, check.ErrUnknownInteraction
	}
	return in, nil
}

// Start starts an interaction under the lock and does not wait until it is settled.
func (ins *Interactions) Start(start func() (*Interaction, error)) (r Result, err error) {
	err = ins.w.Locked(func() error {
		in, err := start()
		if err == nil {
			r = Result{Interaction: in.ID, Status: Held}
		}
		return err
	})
	return r, err
}

// SettleFollowed settles a deferred interaction with the follow-up message, for
// which the person has been waiting.
func (ins *Interactions) SettleFollowed(g *Grant, shown *Post) {
	if in := ins.inFlight[g.Interaction]; in != nil && in.Acknowledged {
		ins.Settle(in, Answered, shown)
	}
}

// SettleChanged settles the interactions that were answered by a deferral and whose message was now edited or, if
// shown is nil, deleted, by any route. Deleting a deferred reply settles nothing, since a follow-up may still replace
// the reply.
func (ins *Interactions) SettleChanged(message string, shown *Post) {
	for _, in := range slices.Clone(ins.deferred[message]) {
		if clicked := in.Message != nil && in.Message.Message.ID == message; clicked || shown != nil {
			ins.Settle(in, Answered, shown)
		}
	}
}

// undefer removes an interaction from the deferred interactions that await a message.
func (ins *Interactions) undefer(in *Interaction) {
	waiting := slices.DeleteFunc(ins.deferred[in.shownBy], func(w *Interaction) bool { return w == in })
	if ins.deferred[in.shownBy] = waiting; len(waiting) == 0 {
		delete(ins.deferred, in.shownBy)
	}
}
