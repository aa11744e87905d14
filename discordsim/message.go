package discordsim

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"tictactoe/discordsim/check"
)

// The simulated message types.
const (
	messagePlain       = 0
	messagePin         = 6
	messageThread      = 18
	messageStarter     = 21
	messageReply       = 19
	messageChatCommand = 20
	messageContextMenu = 23
)

// The message flags used by the simulator.
const (
	flagSuppressEmbeds        = 1 << 2
	flagHasThread             = 1 << 5
	flagEphemeral             = 1 << 6
	flagLoading               = 1 << 7
	flagSuppressNotifications = 1 << 12
	flagVoiceMessage          = 1 << 13
	flagHasSnapshot           = 1 << 14
	flagComponentsV2          = 1 << 15
)

// Message is Discord's message object. A message is never changed in place: an
// edit replaces it, so it can be kept and read without a lock.
type Message struct {
	ID                  string               `json:"id"`
	ChannelID           string               `json:"channel_id"`
	Type                int                  `json:"type"`
	Author              Profile              `json:"author"`
	Content             string               `json:"content"`
	Timestamp           timestamp            `json:"timestamp"`
	EditedTimestamp     *timestamp           `json:"edited_timestamp"`
	TTS                 bool                 `json:"tts"`
	MentionEveryone     bool                 `json:"mention_everyone"`
	Mentions            []Profile            `json:"mentions"`
	MentionRoles        []string             `json:"mention_roles"`
	Attachments         []json.RawMessage    `json:"attachments"`
	Embeds              []json.RawMessage    `json:"embeds"`
	Pinned              bool                 `json:"pinned"`
	Flags               int                  `json:"flags"`
	Components          []Component          `json:"components"`
	ApplicationID       string               `json:"application_id,omitempty"`
	WebhookID           string               `json:"webhook_id,omitempty"`
	Nonce               json.RawMessage      `json:"nonce,omitempty"`
	Interaction         *MessageInteraction  `json:"interaction,omitempty"`
	InteractionMetadata *InteractionMetadata `json:"interaction_metadata,omitempty"`
	MessageReference    *MessageReference    `json:"message_reference,omitempty"`
	Referenced          *Referenced          `json:"referenced_message,omitempty"` // set only in copies made for a viewer
	Snapshots           []Snapshot           `json:"message_snapshots,omitempty"`
	Poll                *Poll                `json:"poll,omitempty"`
	// Reactions is set only in copies made for a viewer.
	Reactions []MessageReaction `json:"reactions,omitempty"`
	// Thread is the thread that begins at the message; like Reactions, it is set
	// only in copies made for a viewer.
	Thread *channelObject `json:"thread,omitempty"`
}

// MessageInteraction is the older, shorter form of InteractionMetadata, which Discord
// still sends with the reply to a command. Only this form has the command's name.
type MessageInteraction struct {
	ID   string  `json:"id"`
	Type int     `json:"type"`
	Name string  `json:"name"`
	User Profile `json:"user"`
}

// InteractionMetadata describes the interaction that created a message.
type InteractionMetadata struct {
	ID                string               `json:"id"`
	Type              int                  `json:"type"`
	User              Profile              `json:"user"`
	Owners            map[string]string    `json:"authorizing_integration_owners"`
	OriginalResponse  string               `json:"original_response_message_id,omitempty"`
	InteractedMessage string               `json:"interacted_message_id,omitempty"`
	TargetUser        *Profile             `json:"target_user,omitempty"`
	Trigger           *InteractionMetadata `json:"triggering_interaction_metadata,omitempty"`
}

// Ephemeral reports whether the message is visible to only one person.
func (m *Message) Ephemeral() bool { return m.Flags&flagEphemeral != 0 }

// application returns the id of the application that wrote the message, directly
// or by its own webhook.
func (m *Message) application() string { return cmp.Or(m.ApplicationID, m.Author.ID) }

// post is a message together with data that Discord does not publish.
type post struct {
	Message *Message `json:"message"`
	// Viewer is the only account that sees an ephemeral message.
	Viewer string `json:"viewer,omitempty"`
	// Dismissed reports whether the viewer has dismissed the message. The bot is
	// not told: for the bot the message is unchanged.
	Dismissed bool `json:"dismissed,omitempty"`
	// Interaction is the id of the interaction whose token created the message.
	Interaction string     `json:"interaction,omitempty"`
	Reactions   []reaction `json:"reactions,omitempty"`
	// Pinned is the date at which the message was pinned; zero if it is not pinned.
	Pinned timestamp `json:"pinned,omitzero"`
}

// with returns a copy of the post with the edited message.
func (p *post) with(m *Message) *post {
	changed := *p
	changed.Message = m
	return &changed
}

// visibleTo reports whether an account that sees the channel can see this message.
func (p *post) visibleTo(userID string) bool {
	return p.Viewer == "" || p.Viewer == userID && !p.Dismissed
}

// timestamp is a date as Discord writes it: RFC 3339 in UTC with an offset.
type timestamp struct{ time.Time }

func stamp(t time.Time) timestamp { return timestamp{t.UTC()} }

// MarshalJSON writes the date to the microsecond.
func (t timestamp) MarshalJSON() ([]byte, error) {
	return t.AppendFormat(nil, `"2006-01-02T15:04:05.000000-07:00"`), nil
}

// messageBody is a bot's request to create or edit a message. An absent field
// leaves the message unchanged; a null field is removed from it.
type messageBody struct {
	Content         named[string]            `json:"content"`
	TTS             bool                     `json:"tts"`
	Embeds          named[[]json.RawMessage] `json:"embeds"`
	Components      named[[]Component]       `json:"components"`
	Attachments     named[[]attachmentBody]  `json:"attachments"`
	Flags           *int                     `json:"flags"`
	AllowedMentions *allowedMentions         `json:"allowed_mentions"`
	Nonce           json.RawMessage          `json:"nonce"`
	EnforceNonce    bool                     `json:"enforce_nonce"`
	Reference       *referenceBody           `json:"message_reference"`
	Theme           json.RawMessage          `json:"shared_client_theme"`
	Poll            *pollBody                `json:"poll"`
	Stickers        []snowflake              `json:"sticker_ids"`

	uploads []upload
	update  bool   // the body updates the clicked message, which removes the files that it does not list
	inside  string // the request field that holds the body; may be empty
}

// named is a text or a list, empty if it is null, together with whether the body sets it.
type named[T any] struct {
	there bool
	value T
}

// UnmarshalJSON is called for null as well.
func (n *named[T]) UnmarshalJSON(text []byte) error {
	n.there = true
	return json.Unmarshal(text, &n.value)
}

// attachmentBody names a file: one to keep, by its id, or an upload of the same
// request, by its number.
type attachmentBody struct {
	ID          snowflake `json:"id"`
	Filename    string    `json:"filename"`
	Description *string   `json:"description"`
}

// readMessage reads the message body in a request, or in the request's field named inside.
func readMessage(text []byte, uploads []upload, inside string) (messageBody, error) {
	body := messageBody{uploads: uploads, inside: inside}
	if len(text) == 0 || string(text) == "null" {
		return body, nil
	}
	if json.Unmarshal(text, &body) != nil {
		return body, errInvalidJSON
	}
	if find(body.Components.value, func(c Component) bool { return c.Type == componentButton && c.Style == buttonPremium }) != nil {
		return body, &absentError{"a premium button (style 6), which sells a SKU"}
	}
	return body, nil
}

// path returns the path of a field of the body in the request.
func (b messageBody) path(field string) string {
	if b.inside != "" {
		return b.inside + "." + field
	}
	return field
}

func (b messageBody) refused(field, code, format string, args ...any) *check.Error {
	return invalidForm(b.path(field), code, fmt.Sprintf(format, args...))
}

// lists returns the entry for a file in the body's list of attachments.
func (b messageBody) lists(id string) (says attachmentBody, listed bool) {
	i := slices.IndexFunc(b.Attachments.value, func(a attachmentBody) bool { return string(a.ID) == id })
	if i < 0 {
		return says, false
	}
	return b.Attachments.value[i], true
}

// flags returns the body's flags, limited to the flags that the request may set.
func (b messageBody) flags(may int) int {
	if b.Flags == nil {
		return 0
	}
	return *b.Flags & may
}

// write applies the body to a message that is not shared yet.
func (b messageBody) write(m *Message) {
	if b.Content.there {
		m.Content = b.Content.value
	}
	if b.Embeds.there {
		m.Embeds = typed(b.Embeds.value)
	}
	if b.Components.there {
		m.Components = b.Components.value
		number(m.Components)
		walk(m.Components, (*Component).complete)
	}
	// Discord never sends null for these lists.
	m.Embeds = append([]json.RawMessage{}, m.Embeds...)
	m.Components = append([]Component{}, m.Components...)
	m.Attachments = append([]json.RawMessage{}, m.Attachments...)
}

// typed returns embeds with the type that Discord gives to the embeds of bots.
func typed(embeds []json.RawMessage) []json.RawMessage {
	rich := make([]json.RawMessage, len(embeds))
	for i, text := range embeds {
		var embed map[string]any
		if rich[i] = text; json.Unmarshal(text, &embed) != nil || embed == nil {
			continue
		}
		embed["type"] = "rich"
		if text, err := json.Marshal(embed); err == nil {
			rich[i] = text
		}
	}
	return rich
}

// isSystem reports whether the message is a system message of Discord.
func (m *Message) isSystem() bool {
	return !slices.Contains([]int{messagePlain, messageReply, messageChatCommand, messageContextMenu}, m.Type)
}

// empty reports whether the message shows nothing at all.
func (m *Message) empty() bool {
	return strings.TrimSpace(m.Content) == "" && len(m.Embeds) == 0 && len(m.Components) == 0 && len(m.Attachments) == 0 && len(m.Snapshots) == 0 && m.Poll == nil
}

// Draft returns a new, empty message of an account in a channel.
func (ms *Messages) Draft(author Profile, ch *Channel, kind int) *Message {
	return &Message{
		ID: ms.w.NextID(), ChannelID: ch.ID, Type: kind, Author: author, Timestamp: stamp(ms.w.clock.Now()),
		Mentions: []Profile{}, MentionRoles: []string{}, Embeds: []json.RawMessage{}, Components: []Component{}, Attachments: []json.RawMessage{},
	}
}

// Post stores a new message and tells everyone who can see it.
func (ms *Messages) Post(p *post) {
	ms.w.Put(change{Post: p})
	if ch := ms.w.state.channels[p.Message.ChannelID]; ch.Owner != "" && p.Viewer == "" {
		ms.w.guilds.Follow(ch, p.Message.Author.ID)
	}
	if ch := ms.w.state.channels[p.Message.ChannelID]; ch.Archived && p.Viewer == "" {
		opened := *ch
		opened.Archived, opened.Turned = false, p.Message.Timestamp
		ms.w.guilds.ReplaceChannel(ch, &opened)
	}
	ms.w.events.Message("MESSAGE_CREATE", p)
	ms.w.events.PublishMessage(p, true)
}

// editPost applies the body to a message and replaces the message by the result.
func editPost(w *World, old *post, body messageBody) (*post, error) {
	if w.state.channels[old.Message.ChannelID].Archived {
		return nil, errArchived
	}
	m := *old.Message
	if err := body.pollRefused(&m); err != nil {
		return nil, err
	}
	if err := body.upgrade(&m); err != nil {
		return nil, err
	}
	if err := writeBody(w, &m, body); err != nil {
		return nil, err
	}
	if body.Flags != nil {
		m.Flags = m.Flags&^flagSuppressEmbeds | body.flags(flagSuppressEmbeds|flagComponentsV2)
	}
	files, err := attach(w, &m, body)
	if err != nil {
		return nil, err
	}
	if m.empty() && (m.Flags&flagLoading != 0 || !old.Message.empty()) {
		return nil, errEmptyMessage
	}
	if m.Flags&flagLoading != 0 {
		m.Flags &^= flagLoading
	} else {
		now := stamp(w.clock.Now())
		m.EditedTimestamp = &now
	}
	w.messages.FillMentions(&m, body.AllowedMentions, "")
	edited := old.with(&m)
	storeFiles(w, files)
	w.Put(change{Post: edited})
	w.events.Message("MESSAGE_UPDATE", edited)
	w.events.PublishMessage(edited, false)
	w.interactions.SettleChanged(m.ID, edited)
	return edited, nil
}

// upgrade removes from a message the fields that Components V2 excludes, if the
// body switches to Components V2. The body must clear these fields explicitly.
func (b messageBody) upgrade(m *Message) error {
	if m.Flags&flagComponentsV2 != 0 || b.flags(flagComponentsV2) == 0 {
		return nil
	}
	const code, words = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", "The '%s' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
	switch {
	case m.Content != "" && !b.Content.there:
		return b.refused("content", code, words, "content")
	case len(m.Embeds) > 0 && b.Embeds.value == nil: // null is not enough
		return b.refused("embeds", code, words, "embeds")
	}
	m.Content = ""
	return nil
}

// Remove deletes a message for everybody.
func (ms *Messages) Remove(p *post) {
	ms.Forget(p)
	ms.w.events.MessageDelete(p)
}

// Forget is like remove, but does not tell the bots.
func (ms *Messages) Forget(p *post) {
	ms.w.Put(change{Deleted: p.Message.ID})
	ms.w.events.PublishDelete(p)
	ms.w.interactions.SettleChanged(p.Message.ID, nil)
}

// Delete deletes a message as a moderator would.
func (ms *Messages) Delete(id string) error {
	return ms.w.Locked(func() error {
		p := ms.w.state.postByID[id]
		if p == nil {
			return notFoundMessage(id)
		}
		ms.Remove(p)
		return nil
	})
}
