package discordsim

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
	interactionCommand      = 2
	interactionComponent    = 3
	interactionAutocomplete = 4
	interactionModal        = 5
)

const (
	// answerWithin is the time limit for a bot's callback, in real time.
	answerWithin = 3 * time.Second
	// tokenValid is how long a token can be used after the interaction, by the
	// simulator's clock.
	tokenValid = 15 * time.Minute
	// keptResults is how many settled interactions are kept for later queries.
	keptResults = 4096
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

// interaction is one use of a command, a component or a modal, until it is
// settled. It is guarded by Sim.mu, apart from settled.
type interaction struct {
	id, token string
	kind      int
	app       string
	who       *account
	channel   *Channel
	message   *post // the clicked message, or the message from which the modal came
	owners    map[string]string
	name      string // of the command, its subcommands included
	command   int    // the type of the command
	target    *Profile
	trigger   *InteractionMetadata // of a modal: the interaction that opened it
	focused   *Option              // of an autocompletion: the option being typed
	created   time.Time            // by the clock
	sent      time.Time            // in real time

	acknowledged bool
	shownBy      string          // the message that shows the deferred answer
	modal        *Modal          // opened by the answer
	choices      []Choice        // suggested by the answer
	onWire       <-chan struct{} // closed when the last delivery is written; may be nil
	timer        *time.Timer     // ends the wait for the callback, then the wait for the message after a deferral
	result       Result
	settled      chan struct{} // closed when result is final
}

// isSettled reports whether the interaction is settled. The caller must hold Sim.mu.
func (in *interaction) isSettled() bool { return in.result.Status != "" }

// metadata returns the metadata that a message carries about the interaction that created it.
func (in *interaction) metadata() *InteractionMetadata {
	m := &InteractionMetadata{
		ID: in.id, Type: in.kind, User: in.who.Profile, Owners: in.owners, TargetUser: in.target, Trigger: in.trigger,
	}
	if in.kind == interactionComponent {
		m.InteractedMessage = in.message.Message.ID
	}
	return m
}

// Interactions delivers interactions to bots and keeps them until they are settled.
type Interactions struct {
	w *World
	// Send delivers an interaction to its bot.
	Send func(*interaction, interactionEvent)

	inFlight   map[string]*interaction
	deferred   map[string][]*interaction // acknowledged by a deferral, by the message that shows the answer
	settledLog settledLog
}

func newInteractions(w *World) *Interactions {
	return &Interactions{w: w, inFlight: map[string]*interaction{}, deferred: map[string][]*interaction{}}
}

// stop ends the time limits of all interactions.
func (ins *Interactions) stop() {
	for _, in := range ins.inFlight {
		in.timer.Stop()
	}
}

// Deliver sends an interaction to its bot and begins to wait for the callback.
// The caller has set the interaction's subject.
func (ins *Interactions) Deliver(in *interaction, data any) {
	w := ins.w
	in.id = w.NextID()
	in.token = newToken(in.id)
	in.created, in.sent = w.clock.Now(), time.Now()
	in.settled = make(chan struct{})
	in.timer = time.AfterFunc(answerWithin, func() { ins.Overdue(in, TimedOut) })
	ins.inFlight[in.id] = in
	ins.Send(in, ins.event(in, data))
	w.events.PublishInteraction(in, "pending")
}

// InFlight returns an interaction that waits for its callback or the message after a
// deferral, or nil.
func (ins *Interactions) InFlight(id string) *interaction { return ins.inFlight[id] }

// Defer lets an interaction wait for a message after a deferral: for an edit of the given
// message, if it is not empty, or a follow-up.
func (ins *Interactions) Defer(in *interaction, shownBy string) {
	in.timer.Stop()
	in.timer = time.AfterFunc(ins.w.config.Settle, func() { ins.Overdue(in, Deferred) })
	in.shownBy = shownBy
	ins.deferred[shownBy] = append(ins.deferred[shownBy], in)
}

// Answer settles an interaction whose callback was accepted, and takes it out of flight.
func (ins *Interactions) Answer(in *interaction, shown *post) {
	ins.Settle(in, Answered, shown)
	in.timer.Stop()
	delete(ins.inFlight, in.id)
}

// Fail settles an interaction as failed because the bot's answer was refused. It takes
// the lock.
func (ins *Interactions) Fail(id string, refused *check.Error) {
	ins.w.Lock()
	defer ins.w.Unlock()
	in := ins.inFlight[id]
	if in == nil || in.acknowledged || in.isSettled() {
		return
	}
	in.result.Error = refused
	ins.Settle(in, Failed, nil)
}

// newToken makes a token that looks like Discord's and contains the interaction's id.
func newToken(id string) string {
	return base64.RawURLEncoding.EncodeToString([]byte("interaction:" + id + ":" + rand.Text() + rand.Text() + rand.Text()))
}

// tokenInteraction returns the interaction's id in a token, or "" if there is none.
func tokenInteraction(token string) string {
	text, _ := base64.RawURLEncoding.DecodeString(token)
	fields := strings.Split(string(text), ":")
	if len(fields) != 3 {
		return ""
	}
	return fields[1]
}

// Overdue settles an interaction whose time limit has passed: there was no callback,
// or no message after a deferral. It takes the lock. The timer of the callback may fire just as the
// deferral arrives, so Overdue checks which of the two the interaction is waiting for.
func (ins *Interactions) Overdue(in *interaction, status Status) {
	ins.w.Lock()
	defer ins.w.Unlock()
	if ins.w.closed || in.acknowledged != (status == Deferred) {
		return
	}
	ins.Settle(in, status, nil)
	delete(ins.inFlight, in.id)
}

// Settle makes the result final, once. The interaction stays in flight until it is
// acknowledged or its time limit passes, since a bot may correct a refused callback.
func (ins *Interactions) Settle(in *interaction, status Status, shown *post) {
	if in.isSettled() {
		return
	}
	in.result.Interaction, in.result.Status = in.id, status
	in.result.Milliseconds = time.Since(in.sent).Milliseconds()
	in.result.Modal, in.result.Choices = in.modal, in.choices
	if shown != nil {
		in.result.Message, in.result.Ephemeral = ins.w.state.messageFor(shown, in.who.ID), shown.Message.Ephemeral()
	}
	ins.undefer(in)
	if status != Failed {
		in.timer.Stop()
		delete(ins.inFlight, in.id)
	}
	ins.settledLog.add(in)
	close(in.settled)
	ins.w.events.PublishInteraction(in, string(status))
}

// settledLog remembers the most recently settled interactions.
type settledLog struct {
	byID  map[string]*interaction
	order []string
}

func (l *settledLog) add(in *interaction) {
	if l.byID == nil {
		l.byID = map[string]*interaction{}
	}
	l.byID[in.id] = in
	l.order = append(l.order, in.id)
	if len(l.order) > keptResults {
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
	case <-ins.w.life.Done():
		return Result{}, ErrClosed
	}
}

// Find finds an interaction that is in flight or was settled recently.
func (ins *Interactions) Find(id string) *interaction {
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

// interactionEvent is the object sent to a bot. It has every field that a known
// library reads without checking for its presence.
type interactionEvent struct {
	ID             string            `json:"id"`
	ApplicationID  string            `json:"application_id"`
	Type           int               `json:"type"`
	Token          string            `json:"token"`
	Version        int               `json:"version"`
	GuildID        string            `json:"guild_id,omitempty"`
	Guild          *partialGuild     `json:"guild,omitempty"`
	GuildLocale    string            `json:"guild_locale,omitempty"`
	ChannelID      string            `json:"channel_id"`
	Channel        channelObject     `json:"channel"`
	Member         *guildMember      `json:"member,omitempty"`
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

func (ins *Interactions) event(in *interaction, data any) interactionEvent {
	may := ins.w.state.permissions(in.who.ID, in.channel)
	event := interactionEvent{
		ID: in.id, ApplicationID: in.app, Type: in.kind, Token: in.token, Version: 1,
		ChannelID: in.channel.ID, Channel: ins.w.state.channelObject(in.channel, in.app),
		Locale: in.who.Locale, Context: ins.w.state.contextOf(in.channel, in.app), Owners: maps.Clone(in.owners),
		AppPermissions: ins.w.state.appPermissions(in.app, in.who.ID, in.channel), Entitlements: []json.RawMessage{}, AttachmentSize: maxFile, Data: data,
	}
	event.Channel.Permissions = &may
	if in.message != nil {
		event.Message = ins.w.state.messageFor(in.message, in.app)
	}
	guild := ins.w.state.guilds[in.channel.GuildID]
	if guild == nil {
		event.User = &in.who.Profile
		return event
	}
	event.GuildID, event.GuildLocale = guild.ID, guild.Locale
	event.Guild = &partialGuild{guild.ID, guild.Locale, slices.Clone(guild.Features)}
	member := ins.w.state.guildMember(guild.member(in.who.ID))
	member.Permissions = &may
	event.Member = &member
	return event
}

// appPermissions returns the permissions of an application in the channel where a
// person uses it. An application that is not a member is limited to the
// permissions of the person and @everyone.
func (st *state) appPermissions(app, user string, ch *Channel) Permission {
	if ch.GuildID == "" {
		return directPermissions
	}
	if st.installed(app, ch.GuildID) {
		return st.permissions(app, ch)
	}
	return st.permissions(user, ch) & everyonePermissions
}

// AwaitingCallback finds the interaction, if it is still waiting for its callback.
func (ins *Interactions) AwaitingCallback(id, token string) (*interaction, error) {
	if g := ins.w.state.grants[id]; g != nil && g.Token == token && !g.expired(ins.w.clock.Now()) {
		return nil, errAcknowledged
	}
	if in := ins.settledLog.byID[id]; in != nil && in.token == token && in.kind == interactionAutocomplete && in.acknowledged {
		return nil, errAcknowledged
	}
	in := ins.inFlight[id]
	if in == nil || in.token != token {
		return nil, errUnknownInteraction
	}
	return in, nil
}

// Start starts an interaction under the lock and does not wait until it is settled.
func (ins *Interactions) Start(start func() (*interaction, error)) (r Result, err error) {
	err = ins.w.Locked(func() error {
		in, err := start()
		if err == nil {
			r = Result{Interaction: in.id, Status: Held}
		}
		return err
	})
	return r, err
}

// SettleFollowed settles a deferred interaction with the follow-up message, for
// which the person has been waiting.
func (ins *Interactions) SettleFollowed(g *grant, shown *post) {
	if in := ins.inFlight[g.Interaction]; in != nil && in.acknowledged {
		ins.Settle(in, Answered, shown)
	}
}

// SettleChanged settles the interactions that were answered by a deferral and
// whose message is now edited or, if shown is nil, deleted. The route by which
// the message changed does not matter to the person. Deleting a deferred reply
// settles nothing, since a follow-up may still take its place.
func (ins *Interactions) SettleChanged(message string, shown *post) {
	for _, in := range slices.Clone(ins.deferred[message]) {
		if clicked := in.message != nil && in.message.Message.ID == message; clicked || shown != nil {
			ins.Settle(in, Answered, shown)
		}
	}
}

// undefer removes an interaction from the deferred interactions that await a message.
func (ins *Interactions) undefer(in *interaction) {
	waiting := slices.DeleteFunc(ins.deferred[in.shownBy], func(w *interaction) bool { return w == in })
	if ins.deferred[in.shownBy] = waiting; len(waiting) == 0 {
		delete(ins.deferred, in.shownBy)
	}
}
