package discordsim

import (
	"fmt"
	"slices"
	"time"
)

const (
	// maxPins is the maximum number of pinned messages in a channel.
	maxPins = 250
	// tooOldForBulk is the age from which messages cannot be deleted in bulk.
	tooOldForBulk = 14 * 24 * time.Hour
)

var pinRoutes = []route{
	{pattern: "GET /channels/{channel}/messages/pins", serve: pinList, limit: someReads},
	{pattern: "PUT /channels/{channel}/messages/pins/{message}", serve: pinAdd, limit: someMessages},
	{pattern: "DELETE /channels/{channel}/messages/pins/{message}", serve: pinRemove, limit: someMessages},
	{pattern: "GET /channels/{channel}/pins", serve: pinListOld, limit: someReads},
	{pattern: "PUT /channels/{channel}/pins/{message}", serve: pinAdd, limit: someMessages},
	{pattern: "DELETE /channels/{channel}/pins/{message}", serve: pinRemove, limit: someMessages},
	{pattern: "POST /channels/{channel}/messages/bulk-delete", serve: bulkDelete, limit: someMessages},
}

// pins returns the pinned messages of a channel, most recently pinned first.
func (st *state) pins(channelID string) []*post {
	var pinned []*post
	for _, p := range st.posts[channelID] {
		if p.Message.Pinned {
			pinned = append(pinned, p)
		}
	}
	slices.SortStableFunc(pinned, func(a, b *post) int { return b.Pinned.Compare(a.Pinned.Time) })
	return pinned
}

// readPins returns the pins of a request's channel, or none without the
// permission to read the message history.
func readPins(c *call) ([]*post, error) {
	ch, err := access(c, 0)
	if err != nil || !c.w.state.permissions(c.App, ch).Has(ReadMessageHistory) {
		return nil, err
	}
	return c.w.state.pins(ch.ID), nil
}

func pinList(c *call) (a answer, err error) {
	query := c.URL.Query()
	limit, err := limitOf(query, 50, 50)
	if err != nil {
		return a, err
	}
	var before time.Time
	if text := query.Get("before"); text != "" {
		if before, err = time.Parse(time.RFC3339, text); err != nil {
			return a, invalidForm("before", "DATE_TIME_TYPE_PARSE", fmt.Sprintf("Could not parse %s. Should be ISO8601.", text))
		}
	}
	type pin struct {
		At      timestamp `json:"pinned_at"`
		Message *Message  `json:"message"`
	}
	err = c.w.Locked(func() error {
		pinned, err := readPins(c)
		if err != nil {
			return err
		}
		items, more := []pin{}, false
		for _, p := range pinned {
			switch {
			case !before.IsZero() && !p.Pinned.Before(before):
			case len(items) == limit:
				more = true
			default:
				items = append(items, pin{p.Pinned, c.w.state.messageFor(p, c.App)})
			}
		}
		a = ok(map[string]any{"items": items, "has_more": more})
		return nil
	})
	return a, err
}

// pinListOld returns the pins in the response format that predates pagination.
func pinListOld(c *call) (a answer, err error) {
	err = c.w.Locked(func() error {
		pinned, err := readPins(c)
		messages := []*Message{}
		for _, p := range pinned[:min(50, len(pinned))] {
			messages = append(messages, c.w.state.messageFor(p, c.App))
		}
		a = ok(messages)
		return err
	})
	return a, err
}

func pinAdd(c *call) (answer, error) {
	return noContent, c.w.Locked(func() error {
		p, err := pinnable(c)
		if err != nil {
			return err
		}
		return c.w.messages.Pin(p, c.w.state.accounts[c.App])
	})
}

func pinRemove(c *call) (answer, error) {
	return noContent, c.w.Locked(func() error {
		p, err := pinnable(c)
		if err != nil {
			return err
		}
		return c.w.messages.Unpin(p)
	})
}

// pinnable returns the message of a request, if the application may pin it.
func pinnable(c *call) (*post, error) {
	if _, err := access(c, PinMessages); err != nil {
		return nil, err
	}
	return postOf(c)
}

// Pin pins a message and posts a system message about it in the channel.
func (ms *Messages) Pin(p *post, by *account) error {
	ch := ms.w.state.channels[p.Message.ChannelID]
	switch {
	case p.Message.isSystem():
		return errSystemMessage
	case ch.Archived:
		return errArchived
	case p.Message.Pinned:
		return nil
	case len(ms.w.state.pins(ch.ID)) >= maxPins:
		return errTooManyPins
	}
	now := stamp(ms.w.clock.Now())
	ms.setPinned(p, now)
	changed := *ch
	changed.LastPin = &now
	ms.w.Put(change{Channel: &changed})
	ms.w.events.Pins(&changed)
	m := ms.Draft(by.Profile, &changed, messagePin)
	m.MessageReference = &MessageReference{MessageID: p.Message.ID, ChannelID: ch.ID, GuildID: ch.GuildID}
	ms.Post(&post{Message: m})
	return nil
}

func (ms *Messages) Unpin(p *post) error {
	ch := ms.w.state.channels[p.Message.ChannelID]
	switch {
	case ch.Archived:
		return errArchived
	case !p.Message.Pinned:
		return nil
	}
	ms.setPinned(p, timestamp{})
	ms.w.events.Pins(ch)
	return nil
}

// setPinned marks a message as pinned since a date, or as not pinned if the date is zero.
func (ms *Messages) setPinned(p *post, since timestamp) {
	m := *p.Message
	m.Pinned = !since.IsZero()
	changed := p.with(&m)
	changed.Pinned = since
	ms.w.Put(change{Post: changed})
	ms.w.events.Message("MESSAGE_UPDATE", changed)
	ms.w.events.PublishMessage(changed, false)
}

func bulkDelete(c *call) (a answer, err error) {
	if refused := c.api.checker.BulkDelete(c.Body); refused != nil {
		return a, refused
	}
	var body struct {
		Messages []snowflake `json:"messages"`
	}
	if err := c.decode(&body); err != nil {
		return a, err
	}
	return noContent, c.w.Locked(func() error {
		ch := c.w.state.channels[c.PathValue("channel")]
		if ch != nil && ch.GuildID == "" {
			return errDirectChannel
		}
		if _, err := access(c, ManageMessages); err != nil {
			return err
		}
		var found []*post
		for _, id := range body.Messages {
			if c.w.clock.Now().Sub(mintedAt(string(id))) > tooOldForBulk {
				return errTooOldForBulk
			}
			if p := c.w.state.postByID[string(id)]; p != nil && p.Viewer == "" && p.Message.ChannelID == ch.ID {
				found = append(found, p)
			}
		}
		c.w.messages.RemoveAll(ch, found)
		return nil
	})
}

// RemoveAll deletes messages of a channel in bulk.
func (ms *Messages) RemoveAll(ch *Channel, gone []*post) {
	ids := []string{}
	for _, p := range gone {
		ms.Forget(p)
		ids = append(ids, p.Message.ID)
	}
	if len(ids) == 0 {
		return
	}
	ms.w.events.BulkDelete(ch, ids)
}

// Pin pins a message that the person sees, or unpins it if remove is set.
func (u *User) Pin(message string, remove bool) error {
	return u.w.Locked(func() error {
		who, err := u.w.state.person(u.ref)
		if err != nil {
			return err
		}
		p := u.w.state.postByID[message]
		if p == nil || !u.w.state.sees(who.ID, p) {
			return notFoundMessage(message)
		}
		if !u.w.state.permissions(who.ID, u.w.state.channels[p.Message.ChannelID]).Has(PinMessages) || p.Viewer != "" {
			return fmt.Errorf("%s may not pin message %s", who.Username, message)
		}
		if remove {
			return u.w.messages.Unpin(p)
		}
		return u.w.messages.Pin(p, who)
	})
}
