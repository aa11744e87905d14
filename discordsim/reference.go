package discordsim

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"
)

// The types of reference from one message to another.
const (
	referenceReply   = 0
	referenceForward = 1
)

// MessageReference points to the message that a message replies to or forwards.
type MessageReference struct {
	Type      int    `json:"type"`
	MessageID string `json:"message_id,omitempty"`
	ChannelID string `json:"channel_id"`
	GuildID   string `json:"guild_id,omitempty"`
}

// referenceBody is a reference in a bot's request: the message to reply to or to forward.
type referenceBody struct {
	Type            int       `json:"type"`
	MessageID       snowflake `json:"message_id"`
	ChannelID       snowflake `json:"channel_id"`
	GuildID         snowflake `json:"guild_id"`
	FailIfNotExists *bool     `json:"fail_if_not_exists"`
}

// Referenced is the current version of the message that a reply refers to, or nil
// if it was deleted.
type Referenced struct{ Message *Message }

// MarshalJSON writes the message, or null.
func (r Referenced) MarshalJSON() ([]byte, error) { return json.Marshal(r.Message) }

// UnmarshalJSON reads the message.
func (r *Referenced) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, &r.Message) }

// Snapshot is a copy of a message made when it was forwarded.
type Snapshot struct {
	Message SnapshotMessage `json:"message"`
}

// SnapshotMessage is the part of a message that a forward shows. It does not name the author.
type SnapshotMessage struct {
	Type            int               `json:"type"`
	Content         string            `json:"content"`
	Embeds          []json.RawMessage `json:"embeds"`
	Attachments     []json.RawMessage `json:"attachments"`
	Components      []Component       `json:"components"`
	Timestamp       timestamp         `json:"timestamp"`
	EditedTimestamp *timestamp        `json:"edited_timestamp"`
	Flags           int               `json:"flags"`
	Mentions        []Profile         `json:"mentions"`
	MentionRoles    []string          `json:"mention_roles"`
}

// snapshot returns the snapshot of the message for a forward.
func (m *Message) snapshot() Snapshot {
	return Snapshot{SnapshotMessage{
		Type: m.Type, Content: m.Content, Embeds: m.Embeds, Attachments: m.Attachments, Components: m.Components,
		Timestamp: m.Timestamp, EditedTimestamp: m.EditedTimestamp, Flags: m.Flags &^ flagEphemeral,
		Mentions: m.Mentions, MentionRoles: m.MentionRoles,
	}}
}

func (m SnapshotMessage) withoutContent() SnapshotMessage {
	m.Content, m.Embeds, m.Components, m.Attachments = "", []json.RawMessage{}, []Component{}, []json.RawMessage{}
	return m
}

// messageFor returns the message of a post as sent to an account: with its reactions and, if it is a reply, with the message that
// it refers to, or null if that message was deleted. It omits a referenced message that the account cannot see.
func (st *state) messageFor(p *post, to string) *Message {
	m := p.seenBy(to)
	if thread := st.channels[m.ID]; thread != nil {
		whole, object := *m, st.channelObject(thread, to)
		whole.Thread = &object
		m = &whole
	}
	if m.Type != messageReply || m.MessageReference == nil {
		return m
	}
	original := st.postByID[m.MessageReference.MessageID]
	if original != nil && !original.visibleTo(p.Viewer) {
		return m
	}
	whole := *m
	whole.Referenced = &Referenced{}
	if original != nil {
		whole.Referenced.Message = original.seenBy(to)
	}
	return &whole
}

// refer makes a new message a reply or a forward, if the body asks for one, and
// returns the id of the author to whom it replies.
func refer(c *call, m *Message, body messageBody) (repliedTo string, err error) {
	ref := body.Reference
	if ref == nil {
		return "", nil
	}
	if ref.Type == referenceForward {
		return "", forward(c, m, body)
	}
	ch := c.w.state.channels[m.ChannelID]
	if ch.GuildID != "" && !c.w.state.permissions(c.App, ch).Has(ReadMessageHistory) {
		return "", errReplyHistory
	}
	original := c.w.state.postByID[string(ref.MessageID)]
	found := original != nil && original.Viewer == "" && original.Message.ChannelID == m.ChannelID &&
		(ref.ChannelID == "" || string(ref.ChannelID) == ch.ID) && (ref.GuildID == "" || string(ref.GuildID) == ch.GuildID)
	switch {
	case found:
		m.Type = messageReply
		m.MessageReference = referenceTo(c.w, original.Message, referenceReply)
		return original.Message.Author.ID, nil
	case ref.FailIfNotExists == nil || *ref.FailIfNotExists:
		return "", errUnknownReference
	}
	return "", nil
}

// forward puts a snapshot of another message into a new message. The application must
// be able to see and read that message, and can add nothing else to the forward.
func forward(c *call, m *Message, body messageBody) error {
	ref := body.Reference
	if body.Content.value != "" || len(body.Embeds.value)+len(body.Components.value)+len(body.uploads) > 0 {
		return errForwardContent
	}
	from := c.w.state.channels[string(ref.ChannelID)]
	if from == nil || ref.GuildID != "" && string(ref.GuildID) != from.GuildID {
		return errUnknownChannel
	}
	switch may := c.w.state.permissions(c.App, from); {
	case !may.Has(ViewChannel):
		return errMissingAccess
	case !may.Has(ReadMessageHistory):
		return errReferenceHistory
	}
	original := c.w.state.postByID[string(ref.MessageID)]
	switch {
	case original != nil && original.Message.isSystem():
		return errSystemMessage
	case original != nil && original.Message.Poll != nil:
		return body.refused("message_reference", "BASE_TYPE_CHOICES", "A message with a poll cannot be forwarded")
	case original == nil || original.Viewer != "" || original.Message.ChannelID != from.ID:
		return errUnknownReference
	case from.GuildID != "" && !c.w.config.PrivilegedIntents && !original.Message.addresses(c.App):
		return errForwardUnread
	}
	m.MessageReference = referenceTo(c.w, original.Message, referenceForward)
	m.Flags |= flagHasSnapshot
	taken := original.Message.snapshot()
	if len(original.Message.Snapshots) > 0 { // forwarding a forward copies its snapshots
		taken = original.Message.Snapshots[0]
	}
	taken.Message.Attachments = copied(c.w, taken.Message.Attachments, m)
	m.Snapshots = []Snapshot{taken}
	return nil
}

// copied copies a message's attachments to another message, so that they remain
// when the first message is deleted.
func copied(w *World, attachments []json.RawMessage, m *Message) []json.RawMessage {
	copies := make([]json.RawMessage, len(attachments))
	for i, text := range attachments {
		var a Attachment
		if copies[i] = text; json.Unmarshal(text, &a) != nil {
			continue
		}
		if f := w.state.files[a.ID]; f != nil {
			f := w.messages.NewFile(upload{Name: f.Name, Type: f.Type, Data: f.Data}, m.ChannelID, m.ID)
			w.Put(change{File: f})
			copies[i] = mustJSON(w.Attachment(f))
		}
	}
	return copies
}

// referenceTo returns a referenceTo to a message.
func referenceTo(w *World, to *Message, kind int) *MessageReference {
	return &MessageReference{Type: kind, MessageID: to.ID, ChannelID: to.ChannelID, GuildID: w.state.channels[to.ChannelID].GuildID}
}

// nonceKept is how long a nonce identifies its message when a bot enforces
// nonces. Discord documents "the past few minutes".
const nonceKept = 5 * time.Minute

// sameNonce finds the application's message that a body with enforce_nonce
// repeats, or returns nil.
func sameNonce(w *World, app string, body messageBody) *post {
	if !body.EnforceNonce || len(body.Nonce) == 0 || string(body.Nonce) == "null" {
		return nil
	}
	since := w.clock.Now().Add(-nonceKept)
	for _, posts := range w.state.posts {
		for _, p := range slices.Backward(posts) {
			if p.Message.Timestamp.Before(since) {
				break
			}
			if p.Message.Author.ID == app && bytes.Equal(bytes.Trim(p.Message.Nonce, `"`), bytes.Trim(body.Nonce, `"`)) {
				return p
			}
		}
	}
	return nil
}
