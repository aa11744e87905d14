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

// deliver sends an interaction to its bot and begins to wait for the callback.
// The caller has set the interaction's subject.
func (s *Sim) deliver(in *interaction, data any) {
	in.id = s.nextID()
	in.token = newToken(in.id)
	in.created, in.sent = s.clock.Now(), time.Now()
	in.settled = make(chan struct{})
	in.timer = time.AfterFunc(answerWithin, func() { s.overdue(in, TimedOut) })
	s.inFlight[in.id] = in
	s.dispatchInteraction(in, s.interactionEvent(in, data))
	s.publishInteraction(in, "pending")
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

// overdue settles an interaction whose time limit has passed: there was no callback,
// or no message after a deferral. The timer of the callback may fire just as the
// deferral arrives, so overdue checks which of the two the interaction is waiting for.
func (s *Sim) overdue(in *interaction, status Status) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || in.acknowledged != (status == Deferred) {
		return
	}
	s.settle(in, status, nil)
	delete(s.inFlight, in.id)
}

// settle makes the result final, once. The interaction stays in flight until it is
// acknowledged or its time limit passes, since a bot may correct a refused callback.
func (s *Sim) settle(in *interaction, status Status, shown *post) {
	if in.isSettled() {
		return
	}
	in.result.Interaction, in.result.Status = in.id, status
	in.result.Milliseconds = time.Since(in.sent).Milliseconds()
	in.result.Modal, in.result.Choices = in.modal, in.choices
	if shown != nil {
		in.result.Message, in.result.Ephemeral = s.state.messageFor(shown, in.who.ID), shown.Message.Ephemeral()
	}
	s.undefer(in)
	if status != Failed {
		in.timer.Stop()
		delete(s.inFlight, in.id)
	}
	s.settledLog.add(in)
	close(in.settled)
	s.publishInteraction(in, string(status))
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

// Await waits until an interaction is settled.
func (s *Sim) Await(ctx context.Context, id string) (Result, error) {
	s.mu.Lock()
	in := s.interaction(id)
	s.mu.Unlock()
	if in == nil {
		return Result{}, fmt.Errorf("%w: no interaction %q", ErrNotFound, id)
	}
	select {
	case <-in.settled:
		return in.result, nil
	case <-ctx.Done():
		return Result{}, fmt.Errorf("waiting for interaction %s: %w", id, ctx.Err())
	case <-s.done:
		return Result{}, ErrClosed
	}
}

// interaction finds an interaction that is in flight or was settled recently.
func (s *Sim) interaction(id string) *interaction {
	if in := s.inFlight[id]; in != nil {
		return in
	}
	return s.settledLog.byID[id]
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

func (s *Sim) interactionEvent(in *interaction, data any) interactionEvent {
	may := s.state.permissions(in.who.ID, in.channel)
	event := interactionEvent{
		ID: in.id, ApplicationID: in.app, Type: in.kind, Token: in.token, Version: 1,
		ChannelID: in.channel.ID, Channel: s.state.channelObject(in.channel, in.app),
		Locale: in.who.Locale, Context: s.state.contextOf(in.channel, in.app), Owners: maps.Clone(in.owners),
		AppPermissions: s.appPermissions(in.app, in.who.ID, in.channel), Entitlements: []json.RawMessage{}, AttachmentSize: maxFile, Data: data,
	}
	event.Channel.Permissions = &may
	if in.message != nil {
		event.Message = s.state.messageFor(in.message, in.app)
	}
	guild := s.state.guilds[in.channel.GuildID]
	if guild == nil {
		event.User = &in.who.Profile
		return event
	}
	event.GuildID, event.GuildLocale = guild.ID, guild.Locale
	event.Guild = &partialGuild{guild.ID, guild.Locale, slices.Clone(guild.Features)}
	member := s.state.guildMember(guild.member(in.who.ID))
	member.Permissions = &may
	event.Member = &member
	return event
}

// appPermissions returns the permissions of an application in the channel where a
// person uses it. An application that is not a member is limited to the
// permissions of the person and @everyone.
func (s *Sim) appPermissions(app, user string, ch *Channel) Permission {
	if ch.GuildID == "" {
		return directPermissions
	}
	if s.state.installed(app, ch.GuildID) {
		return s.state.permissions(app, ch)
	}
	return s.state.permissions(user, ch) & everyonePermissions
}
