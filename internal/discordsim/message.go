package discordsim

import (
	"encoding/json"
	"slices"
	"time"
)

// The types of message that there are here.
const (
	messagePlain       = 0
	messageReply       = 19
	messageChatCommand = 20
	messageContextMenu = 23
)

// The flags of a message that the simulator looks at.
const (
	flagSuppressEmbeds        = 1 << 2
	flagEphemeral             = 1 << 6
	flagLoading               = 1 << 7
	flagSuppressNotifications = 1 << 12
	flagComponentsV2          = 1 << 15
)

// Message is Discord's message object. A message is never changed in place: an
// edit replaces it, so that one may be kept and read without a lock.
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
}

// MessageReference points to the message that one replies to.
type MessageReference struct {
	Type      int    `json:"type"`
	MessageID string `json:"message_id"`
	ChannelID string `json:"channel_id"`
	GuildID   string `json:"guild_id,omitempty"`
}

// MessageInteraction is the older, shorter form of InteractionMetadata that
// Discord still sends with the reply to a command. It alone has the name.
type MessageInteraction struct {
	ID   string  `json:"id"`
	Type int     `json:"type"`
	Name string  `json:"name"`
	User Profile `json:"user"`
}

// InteractionMetadata tells which interaction a message came from.
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

// Ephemeral tells whether only one person sees the message.
func (m *Message) Ephemeral() bool { return m.Flags&flagEphemeral != 0 }

// post is a message and what only Discord knows about it.
type post struct {
	Message *Message `json:"message"`
	// Viewer is the only account that sees an ephemeral message.
	Viewer string `json:"viewer,omitempty"`
	// Interaction is the one whose token made the message.
	Interaction string `json:"interaction,omitempty"`
}

// visibleTo tells whether an account that sees the channel sees this message.
func (p *post) visibleTo(userID string) bool { return p.Viewer == "" || p.Viewer == userID }

// timestamp is a date as Discord writes it: RFC 3339 in UTC with an offset.
type timestamp struct{ time.Time }

func stamp(t time.Time) timestamp { return timestamp{t.UTC()} }

// MarshalJSON writes the date to the microsecond.
func (t timestamp) MarshalJSON() ([]byte, error) {
	return t.AppendFormat(nil, `"2006-01-02T15:04:05.000000-07:00"`), nil
}

// messageBody is what a bot says of a message that it creates or edits. A field
// that is absent or null leaves the message as it is.
type messageBody struct {
	Content         *string            `json:"content"`
	TTS             bool               `json:"tts"`
	Embeds          *[]json.RawMessage `json:"embeds"`
	Components      *[]Component       `json:"components"`
	Flags           *int               `json:"flags"`
	AllowedMentions *allowedMentions   `json:"allowed_mentions"`
	Nonce           json.RawMessage    `json:"nonce"`
	Reference       *struct {
		MessageID       string `json:"message_id"`
		FailIfNotExists *bool  `json:"fail_if_not_exists"`
	} `json:"message_reference"`
}

// flags that the body sets, out of those that the request may set.
func (b messageBody) flags(may int) int {
	if b.Flags == nil {
		return 0
	}
	return *b.Flags & may
}

// write puts what the body says into a message that nobody else holds yet.
func (b messageBody) write(m *Message) {
	if b.Content != nil {
		m.Content = *b.Content
	}
	if b.Embeds != nil {
		m.Embeds = *b.Embeds
	}
	if b.Components != nil {
		m.Components = *b.Components
		number(m.Components)
	}
	// Lists are never null in what Discord sends.
	m.Embeds = slices.Concat([]json.RawMessage{}, m.Embeds)
	m.Components = slices.Concat([]Component{}, m.Components)
	m.Attachments = []json.RawMessage{}
}

// draft is a new message of an account in a channel, with nothing in it yet.
func (s *Sim) draft(author Profile, ch *Channel, kind int) *Message {
	return &Message{
		ID: s.nextID(), ChannelID: ch.ID, Type: kind, Author: author, Timestamp: stamp(s.clock.Now()),
		Mentions: []Profile{}, MentionRoles: []string{},
	}
}

// post stores a new message and tells everybody who sees it.
func (s *Sim) post(p *post) {
	s.put(change{Post: p})
	if ch := s.state.channels[p.Message.ChannelID]; ch.Archived && p.Viewer == "" {
		opened := *ch
		opened.Archived, opened.Turned = false, p.Message.Timestamp
		s.replaceChannel(ch, &opened)
	}
	s.dispatchMessage("MESSAGE_CREATE", p)
	s.publishMessage(p, true)
}

// edit replaces a message by its edited self, which body describes.
func (s *Sim) edit(old *post, body messageBody) *post {
	m := *old.Message
	body.write(&m)
	if body.Flags != nil {
		m.Flags = m.Flags&^flagSuppressEmbeds | body.flags(flagSuppressEmbeds|flagComponentsV2)
	}
	if m.Flags&flagLoading != 0 {
		m.Flags &^= flagLoading
	} else {
		now := stamp(s.clock.Now())
		m.EditedTimestamp = &now
	}
	s.address(&m, body.AllowedMentions, "")
	edited := &post{Message: &m, Viewer: old.Viewer, Interaction: old.Interaction}
	s.put(change{Post: edited})
	s.dispatchMessage("MESSAGE_UPDATE", edited)
	s.publishMessage(edited, false)
	return edited
}

// remove deletes a message for everybody.
func (s *Sim) remove(p *post) {
	s.put(change{Deleted: p.Message.ID})
	s.dispatchDelete(p)
	s.publishDelete(p)
}

// DeleteMessage deletes a message as a moderator would.
func (s *Sim) DeleteMessage(id string) error {
	return s.locked(func() error {
		p := s.state.postByID[id]
		if p == nil {
			return notFoundMessage(id)
		}
		s.remove(p)
		return nil
	})
}
