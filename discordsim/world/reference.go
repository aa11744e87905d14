package world

import "encoding/json"

// MessageReference points to the message that a message replies to or forwards.
type MessageReference struct {
	Type      int    `json:"type"`
	MessageID string `json:"message_id,omitempty"`
	ChannelID string `json:"channel_id"`
	GuildID   string `json:"guild_id,omitempty"`
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
	Timestamp       Timestamp         `json:"timestamp"`
	EditedTimestamp *Timestamp        `json:"edited_timestamp"`
	Flags           int               `json:"flags"`
	Mentions        []Profile         `json:"mentions"`
	MentionRoles    []string          `json:"mention_roles"`
}

// Snapshot returns the snapshot of the message for a forward.
func (m *Message) Snapshot() Snapshot {
	return Snapshot{SnapshotMessage{
		Type: m.Type, Content: m.Content, Embeds: m.shownEmbeds(), Attachments: m.Attachments, Components: m.Components,
		Timestamp: m.Timestamp, EditedTimestamp: m.EditedTimestamp, Flags: m.Flags &^ FlagEphemeral,
		Mentions: m.Mentions, MentionRoles: m.MentionRoles,
	}}
}

func (m SnapshotMessage) withoutContent() SnapshotMessage {
	m.Content, m.Embeds, m.Components, m.Attachments = "", []json.RawMessage{}, []Component{}, []json.RawMessage{}
	return m
}

// MessageFor returns the message of a post as sent to an account: with its reactions and, if it is a reply, with the message that
// it refers to, or null if that message was deleted. It omits a referenced message that the account cannot see.
func (st *State) MessageFor(p *Post, to string) *Message {
	m := p.seenBy(to)
	if thread := st.Channels[m.ID]; thread != nil && thread.ID != m.ChannelID {
		whole, object := *m, st.ChannelObject(thread, to)
		whole.Thread = &object
		m = &whole
	}
	if m.Type != MessageReply || m.MessageReference == nil {
		return m
	}
	original := st.PostByID[m.MessageReference.MessageID]
	if original != nil && !original.VisibleTo(p.Viewer) {
		return m
	}
	whole := *m
	whole.Referenced = &Referenced{}
	if original != nil {
		whole.Referenced.Message = original.seenBy(to)
	}
	return &whole
}
