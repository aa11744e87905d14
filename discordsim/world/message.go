package world

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// The simulated message types.
const (
	MessagePlain       = 0
	MessagePin         = 6
	MessageThread      = 18
	MessageStarter     = 21
	MessageReply       = 19
	MessageChatCommand = 20
	MessageContextMenu = 23
	MessagePollResult  = 46
)

// The message flags used by the simulator.
const (
	FlagSuppressEmbeds        = 1 << 2
	FlagHasThread             = 1 << 5
	FlagEphemeral             = 1 << 6
	FlagLoading               = 1 << 7
	FlagSuppressNotifications = 1 << 12
	FlagVoiceMessage          = 1 << 13
	FlagHasSnapshot           = 1 << 14
	FlagComponentsV2          = 1 << 15
)

// Message is Discord's message object. A message is never changed in place: an
// edit replaces it, so it can be kept and read without a lock.
type Message struct {
	ID                  string               `json:"id"`
	ChannelID           string               `json:"channel_id"`
	Type                int                  `json:"type"`
	Author              Profile              `json:"author"`
	Content             string               `json:"content"`
	Timestamp           Timestamp            `json:"timestamp"`
	EditedTimestamp     *Timestamp           `json:"edited_timestamp"`
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
	Theme               *ClientTheme         `json:"shared_client_theme,omitempty"`
	// Reactions is set only in copies made for a viewer.
	Reactions []MessageReaction `json:"reactions,omitempty"`
	// Thread is the thread that was started from the message. Like Reactions, it is set only in copies made for a
	// viewer.
	Thread *ChannelObject `json:"thread,omitempty"`
}

// ClientTheme is a theme for Discord's client that a message offers to its readers.
type ClientTheme struct {
	Colors    []string `json:"colors"`
	Angle     int      `json:"gradient_angle"`
	BaseMix   int      `json:"base_mix"`
	BaseTheme int      `json:"base_theme"`
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
func (m *Message) Ephemeral() bool { return m.Flags&FlagEphemeral != 0 }

// Application returns the id of the application that wrote the message, directly or by its webhook.
func (m *Message) Application() string { return cmp.Or(m.ApplicationID, m.Author.ID) }

// Post is a message together with data that Discord does not publish.
type Post struct {
	Message *Message `json:"message"`
	// Viewer is the only account that sees an ephemeral message.
	Viewer string `json:"viewer,omitempty"`
	// Dismissed reports whether the viewer has dismissed the message. The bot is not told, and sees no change.
	Dismissed bool `json:"dismissed,omitempty"`
	// Interaction is the id of the interaction whose token created the message.
	Interaction string     `json:"interaction,omitempty"`
	Reactions   []reaction `json:"reactions,omitempty"`
	Votes       []pollVote `json:"votes,omitempty"` // on the message's poll
	// Pinned is the date at which the message was pinned; zero if it is not pinned.
	Pinned Timestamp `json:"pinned,omitzero"`
}

// With returns a copy of the post with the edited message.
func (p *Post) With(m *Message) *Post {
	changed := *p
	changed.Message = m
	return &changed
}

// VisibleTo reports whether an account that sees the channel can see this message.
func (p *Post) VisibleTo(userID string) bool {
	return p.Viewer == "" || p.Viewer == userID && !p.Dismissed
}

// Timestamp is a date as Discord writes it: RFC 3339 in UTC with an offset.
type Timestamp struct{ time.Time }

// Stamp returns a date as a Timestamp.
func Stamp(t time.Time) Timestamp { return Timestamp{t.UTC()} }

// MarshalJSON writes the date to the microsecond.
func (t Timestamp) MarshalJSON() ([]byte, error) {
	return t.AppendFormat(nil, `"2006-01-02T15:04:05.000000-07:00"`), nil
}

// IsSystem reports whether the message is a system message of Discord.
func (m *Message) IsSystem() bool {
	return !slices.Contains([]int{MessagePlain, MessageReply, MessageChatCommand, MessageContextMenu}, m.Type)
}

// Empty reports whether the message has no content of any kind.
func (m *Message) Empty() bool {
	return strings.TrimSpace(m.Content) == "" && len(m.Embeds) == 0 && len(m.Components) == 0 && len(m.Attachments) == 0 &&
		len(m.Snapshots) == 0 && m.Poll == nil && m.Theme == nil
}

// shownEmbeds returns the embeds, or none if they are suppressed.
func (m *Message) shownEmbeds() []json.RawMessage {
	if m.Flags&FlagSuppressEmbeds != 0 {
		return []json.RawMessage{}
	}
	return m.Embeds
}

// Draft returns a new, empty message of an account in a channel. The first message of a forum post gets the id of the
// post.
func (ms *Messages) Draft(author Profile, ch *Channel, kind int) *Message {
	id := ch.ID
	if ms.w.State.Channels[id] != nil {
		id = ms.w.NextID()
	}
	return &Message{
		ID: id, ChannelID: ch.ID, Type: kind, Author: author, Timestamp: Stamp(ms.w.Clock.Now()),
		Mentions: []Profile{}, MentionRoles: []string{}, Embeds: []json.RawMessage{}, Components: []Component{},
		Attachments: []json.RawMessage{},
	}
}

// Post stores a new message and tells everyone who can see it.
func (ms *Messages) Post(p *Post) {
	ms.w.Put(Change{Post: p})
	if ch := ms.w.State.Channels[p.Message.ChannelID]; ch.IsThread() && ch.Owner != "" && p.Viewer == "" {
		ms.w.Threads.Follow(ch, p.Message.Author.ID)
		for _, mentioned := range p.Message.Mentions {
			if ms.w.Threads.MayAdd(ms.w.State.Channels[ch.ID], p.Message.Author.ID, mentioned.ID) {
				ms.w.Threads.Follow(ch, mentioned.ID)
			}
		}
	}
	if ch := ms.w.State.Channels[p.Message.ChannelID]; ch.Archived && p.Viewer == "" {
		opened := *ch
		opened.Archived, opened.Turned = false, p.Message.Timestamp
		ms.w.Guilds.ReplaceChannel(ch, &opened)
	}
	ms.w.Events.Message("MESSAGE_CREATE", p)
	ms.w.Events.PublishMessage(p, true)
	if p.Message.Poll != nil {
		ms.AwaitPoll(p.Message.Poll)
	}
}

// Remove deletes a message for everybody.
func (ms *Messages) Remove(p *Post) {
	ms.Forget(p)
	ms.w.Events.MessageDelete(p)
}

// Forget is like Remove, but does not tell the bots.
func (ms *Messages) Forget(p *Post) {
	ms.w.Put(Change{Deleted: p.Message.ID})
	ms.w.Events.PublishDelete(p)
	ms.w.Interactions.SettleChanged(p.Message.ID, nil)
}

// Delete deletes a message by its id, as a moderator would.
func (ms *Messages) Delete(id string) error {
	return ms.w.Locked(func() error {
		p := ms.w.State.PostByID[id]
		if p == nil {
			return NotFoundMessage(id)
		}
		ms.Remove(p)
		return nil
	})
}
