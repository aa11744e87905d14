package world

import (
	"slices"
	"time"

	"tictactoe/discordsim/check"
)

const (
	// MaxPins is the maximum number of pinned messages in a channel.
	MaxPins = 250
	// TooOldForBulk is the age from which messages cannot be deleted in bulk.
	TooOldForBulk = 14 * 24 * time.Hour
)

// Pins returns the pinned messages of a channel, most recently pinned first.
func (st *State) Pins(channelID string) []*Post {
	var pinned []*Post
	for _, p := range st.Posts[channelID] {
		if p.Message.Pinned {
			pinned = append(pinned, p)
		}
	}
	slices.SortStableFunc(pinned, func(a, b *Post) int { return b.Pinned.Compare(a.Pinned.Time) })
	return pinned
}

// Pin pins a message and posts a system message about it in the channel.
func (ms *Messages) Pin(p *Post, by *Account) error {
	ch := ms.w.State.Channels[p.Message.ChannelID]
	switch {
	case p.Message.IsSystem():
		return check.ErrSystemMessage
	case ch.Archived:
		return check.ErrArchived
	case p.Message.Pinned:
		return nil
	case len(ms.w.State.Pins(ch.ID)) >= MaxPins:
		return check.ErrTooManyPins
	}
	now := Stamp(ms.w.Clock.Now())
	ms.setPinned(p, now)
	changed := *ch
	changed.LastPin = &now
	ms.w.Put(Change{Channel: &changed})
	ms.w.Events.Pins(&changed)
	m := ms.Draft(by.Profile, &changed, MessagePin)
	m.MessageReference = &MessageReference{MessageID: p.Message.ID, ChannelID: ch.ID, GuildID: ch.GuildID}
	ms.Post(&Post{Message: m})
	return nil
}

// Unpin unpins a message.
func (ms *Messages) Unpin(p *Post) error {
	ch := ms.w.State.Channels[p.Message.ChannelID]
	switch {
	case ch.Archived:
		return check.ErrArchived
	case !p.Message.Pinned:
		return nil
	}
	ms.setPinned(p, Timestamp{})
	ms.w.Events.Pins(ch)
	return nil
}

// setPinned marks a message as pinned since a date, or as not pinned if the date is zero.
func (ms *Messages) setPinned(p *Post, since Timestamp) {
	m := *p.Message
	m.Pinned = !since.IsZero()
	changed := p.With(&m)
	changed.Pinned = since
	ms.w.Put(Change{Post: changed})
	ms.w.Events.Message("MESSAGE_UPDATE", changed)
	ms.w.Events.PublishMessage(changed, false)
}

// RemoveAll deletes messages of a channel in bulk.
func (ms *Messages) RemoveAll(ch *Channel, gone []*Post) {
	ids := []string{}
	for _, p := range gone {
		ms.Forget(p)
		ids = append(ids, p.Message.ID)
	}
	if len(ids) == 0 {
		return
	}
	ms.w.Events.BulkDelete(ch, ids)
}
