package rest

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"tictactoe/discordsim/check"
	"tictactoe/discordsim/world"
)

// The types of reference from one message to another.
const (
	referenceReply   = 0
	referenceForward = 1
)

// referenceBody is a reference in a bot's request: the message to reply to or to forward.
type referenceBody struct {
	Type            int             `json:"type"`
	MessageID       world.Snowflake `json:"message_id"`
	ChannelID       world.Snowflake `json:"channel_id"`
	GuildID         world.Snowflake `json:"guild_id"`
	FailIfNotExists *bool           `json:"fail_if_not_exists"`
}

// refer makes a new message a reply or a forward, if the body asks for one, and
// returns the id of the author to whom it replies.
func refer(c *call, m *world.Message, body messageBody) (repliedTo string, err error) {
	ref := body.Reference
	if ref == nil {
		return "", nil
	}
	if ref.Type == referenceForward {
		return "", forward(c, m, body)
	}
	ch := c.w.State.Channels[m.ChannelID]
	if ch.GuildID != "" && !c.w.State.Permissions(c.App, ch).Has(world.ReadMessageHistory) {
		return "", check.ErrReplyHistory
	}
	original := c.w.State.PostByID[string(ref.MessageID)]
	found := original != nil && original.Viewer == "" && original.Message.ChannelID == m.ChannelID &&
		(ref.ChannelID == "" || string(ref.ChannelID) == ch.ID) && (ref.GuildID == "" || string(ref.GuildID) == ch.GuildID)
	switch {
	case found:
		m.Type = world.MessageReply
		m.MessageReference = referenceTo(c.w, original.Message, referenceReply)
		return original.Message.Author.ID, nil
	case ref.FailIfNotExists == nil || *ref.FailIfNotExists:
		return "", check.ErrUnknownReference
	}
	return "", nil
}

// forward puts a snapshot of another message into a new message. The application must
// be able to see and read that message, and can add nothing else to the forward.
func forward(c *call, m *world.Message, body messageBody) error {
	ref := body.Reference
	if body.Content.value != "" || len(body.Embeds.value)+len(body.Components.value)+len(body.uploads) > 0 {
		return check.ErrForwardContent
	}
	from := c.w.State.Channels[string(ref.ChannelID)]
	if from == nil || ref.GuildID != "" && string(ref.GuildID) != from.GuildID {
		return check.ErrUnknownChannel
	}
	switch may := c.w.State.Permissions(c.App, from); {
	case !may.Has(world.ViewChannel):
		return check.ErrMissingAccess
	case !may.Has(world.ReadMessageHistory):
		return check.ErrReferenceHistory
	}
	original := c.w.State.PostByID[string(ref.MessageID)]
	switch {
	case original != nil && original.Message.IsSystem():
		return check.ErrSystemMessage
	case original != nil && original.Message.Poll != nil:
		return body.refused("message_reference", "BASE_TYPE_CHOICES", "A message with a poll cannot be forwarded")
	case original == nil || original.Viewer != "" || original.Message.ChannelID != from.ID:
		return check.ErrUnknownReference
	case from.GuildID != "" && !c.w.Config.PrivilegedIntents && !original.Message.Addresses(c.App):
		return check.ErrForwardUnread
	}
	m.MessageReference = referenceTo(c.w, original.Message, referenceForward)
	m.Flags |= world.FlagHasSnapshot
	taken := original.Message.Snapshot()
	if len(original.Message.Snapshots) > 0 { // forwarding a forward copies its snapshots
		taken = original.Message.Snapshots[0]
	}
	taken.Message.Attachments = copied(c.w, taken.Message.Attachments, m)
	m.Snapshots = []world.Snapshot{taken}
	return nil
}

// copied copies a message's attachments to another message, so that they remain when the first message is deleted.
func copied(w *world.World, attachments []json.RawMessage, m *world.Message) []json.RawMessage {
	copies := make([]json.RawMessage, len(attachments))
	for i, text := range attachments {
		var a world.Attachment
		if copies[i] = text; json.Unmarshal(text, &a) != nil {
			continue
		}
		if f := w.State.Files[a.ID]; f != nil {
			f := w.Messages.NewFile(world.Upload{Name: f.Name, Type: f.Type, Data: f.Data}, m.ChannelID, m.ID)
			w.Put(world.Change{File: f})
			copies[i] = world.MustJSON(w.Attachment(f))
		}
	}
	return copies
}

// referenceTo returns a reference to a message.
func referenceTo(w *world.World, to *world.Message, kind int) *world.MessageReference {
	return &world.MessageReference{Type: kind, MessageID: to.ID, ChannelID: to.ChannelID, GuildID: w.State.Channels[to.ChannelID].GuildID}
}

// nonceKept is how long a nonce identifies its message when a bot enforces
// nonces. Discord documents "the past few minutes".
const nonceKept = 5 * time.Minute

// sameNonce finds the application's message that a body with enforce_nonce
// repeats, or returns nil.
func sameNonce(w *world.World, app string, body messageBody) *world.Post {
	if !body.EnforceNonce || len(body.Nonce) == 0 || string(body.Nonce) == "null" {
		return nil
	}
	since := w.Clock.Now().Add(-nonceKept)
	for _, posts := range w.State.Posts {
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
