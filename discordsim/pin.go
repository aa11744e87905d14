package discordsim

import (
	"fmt"
	"net/http"
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
	{pattern: "GET /channels/{channel}/messages/pins", serve: (*Sim).pinList, limit: someReads},
	{pattern: "PUT /channels/{channel}/messages/pins/{message}", serve: (*Sim).pinAdd, limit: someMessages},
	{pattern: "DELETE /channels/{channel}/messages/pins/{message}", serve: (*Sim).pinRemove, limit: someMessages},
	{pattern: "GET /channels/{channel}/pins", serve: (*Sim).pinListOld, limit: someReads},
	{pattern: "PUT /channels/{channel}/pins/{message}", serve: (*Sim).pinAdd, limit: someMessages},
	{pattern: "DELETE /channels/{channel}/pins/{message}", serve: (*Sim).pinRemove, limit: someMessages},
	{pattern: "POST /channels/{channel}/messages/bulk-delete", serve: (*Sim).bulkDelete, limit: someMessages},
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
func (s *Sim) readPins(c *call) ([]*post, error) {
	ch, err := s.access(c, 0)
	if err != nil || !s.state.permissions(c.App, ch).Has(ReadMessageHistory) {
		return nil, err
	}
	return s.state.pins(ch.ID), nil
}

func (s *Sim) pinList(c *call) (a answer, err error) {
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
	err = s.locked(func() error {
		pinned, err := s.readPins(c)
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
				items = append(items, pin{p.Pinned, s.state.messageFor(p, c.App)})
			}
		}
		a = ok(map[string]any{"items": items, "has_more": more})
		return nil
	})
	return a, err
}

// pinListOld returns the pins in the response format that predates pagination.
func (s *Sim) pinListOld(c *call) (a answer, err error) {
	err = s.locked(func() error {
		pinned, err := s.readPins(c)
		messages := []*Message{}
		for _, p := range pinned[:min(50, len(pinned))] {
			messages = append(messages, s.state.messageFor(p, c.App))
		}
		a = ok(messages)
		return err
	})
	return a, err
}

func (s *Sim) pinAdd(c *call) (answer, error) {
	return noContent, s.locked(func() error {
		p, err := s.pinnable(c)
		if err != nil {
			return err
		}
		return s.pin(p, s.state.accounts[c.App])
	})
}

func (s *Sim) pinRemove(c *call) (answer, error) {
	return noContent, s.locked(func() error {
		p, err := s.pinnable(c)
		if err != nil {
			return err
		}
		return s.unpin(p)
	})
}

// pinnable returns the message of a request, if the application may pin it.
func (s *Sim) pinnable(c *call) (*post, error) {
	if _, err := s.access(c, PinMessages); err != nil {
		return nil, err
	}
	return s.message(c)
}

// pin pins a message and posts a system message about it in the channel.
func (s *Sim) pin(p *post, by *account) error {
	ch := s.state.channels[p.Message.ChannelID]
	switch {
	case p.Message.isSystem():
		return errSystemMessage
	case ch.Archived:
		return errArchived
	case p.Message.Pinned:
		return nil
	case len(s.state.pins(ch.ID)) >= maxPins:
		return errTooManyPins
	}
	now := stamp(s.clock.Now())
	s.setPinned(p, now)
	changed := *ch
	changed.LastPin = &now
	s.put(change{Channel: &changed})
	s.dispatchPins(&changed)
	m := s.draft(by.Profile, &changed, messagePin)
	m.MessageReference = &MessageReference{MessageID: p.Message.ID, ChannelID: ch.ID, GuildID: ch.GuildID}
	messageBody{}.write(m)
	s.post(&post{Message: m})
	return nil
}

func (s *Sim) unpin(p *post) error {
	ch := s.state.channels[p.Message.ChannelID]
	switch {
	case ch.Archived:
		return errArchived
	case !p.Message.Pinned:
		return nil
	}
	s.setPinned(p, timestamp{})
	s.dispatchPins(ch)
	return nil
}

// setPinned marks a message as pinned since a date, or as not pinned if the date is zero.
func (s *Sim) setPinned(p *post, since timestamp) {
	m := *p.Message
	m.Pinned = !since.IsZero()
	changed := p.with(&m)
	changed.Pinned = since
	s.put(change{Post: changed})
	s.dispatchMessage("MESSAGE_UPDATE", changed)
	s.publishMessage(changed, false)
}

// dispatchPins tells bots that a channel's pins have changed.
func (s *Sim) dispatchPins(ch *Channel) {
	event := map[string]any{"channel_id": ch.ID, "last_pin_timestamp": ch.LastPin}
	if ch.GuildID != "" {
		event["guild_id"] = ch.GuildID
	}
	s.hearing(ch, intentGuilds, intentDirectMessages, func(se *session) { se.dispatch("CHANNEL_PINS_UPDATE", event, nil) })
}

func (s *Sim) bulkDelete(c *call) (a answer, err error) {
	if refused := s.checker.BulkDelete(c.Body); refused != nil {
		return a, refused
	}
	var body struct {
		Messages []snowflake `json:"messages"`
	}
	if err := c.decode(&body); err != nil {
		return a, err
	}
	return noContent, s.locked(func() error {
		ch := s.state.channels[c.PathValue("channel")]
		if ch != nil && ch.GuildID == "" {
			return errDirectChannel
		}
		if _, err := s.access(c, ManageMessages); err != nil {
			return err
		}
		var found []*post
		for _, id := range body.Messages {
			if s.clock.Now().Sub(mintedAt(string(id))) > tooOldForBulk {
				return errTooOldForBulk
			}
			if p := s.state.postByID[string(id)]; p != nil && p.Viewer == "" && p.Message.ChannelID == ch.ID {
				found = append(found, p)
			}
		}
		s.removeAll(ch, found)
		return nil
	})
}

// removeAll deletes messages of a channel in bulk.
func (s *Sim) removeAll(ch *Channel, gone []*post) {
	ids := []string{}
	for _, p := range gone {
		s.forget(p)
		ids = append(ids, p.Message.ID)
	}
	if len(ids) == 0 {
		return
	}
	event := map[string]any{"ids": ids, "channel_id": ch.ID, "guild_id": ch.GuildID}
	s.listeners(ch, func(se *session) { se.dispatch("MESSAGE_DELETE_BULK", event, nil) })
}

// Pin pins a message that the person sees, or unpins it if remove is set.
func (u *User) Pin(message string, remove bool) error {
	return u.sim.locked(func() error {
		who, err := u.sim.person(u.ref)
		if err != nil {
			return err
		}
		p := u.sim.state.postByID[message]
		if p == nil || !u.sim.sees(who.ID, p) {
			return notFoundMessage(message)
		}
		if !u.sim.state.permissions(who.ID, u.sim.state.channels[p.Message.ChannelID]).Has(PinMessages) || p.Viewer != "" {
			return fmt.Errorf("%s may not pin message %s", who.Username, message)
		}
		if remove {
			return u.sim.unpin(p)
		}
		return u.sim.pin(p, who)
	})
}

// drivePin handles POST /sim/pin.
func (s *Sim) drivePin(r *http.Request) (any, error) {
	var in struct {
		As      string `json:"as"`
		Message string `json:"message"`
		Remove  bool   `json:"remove"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	return struct{}{}, s.User(in.As).Pin(in.Message, in.Remove)
}
