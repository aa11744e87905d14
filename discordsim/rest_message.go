package discordsim

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

var messageRoutes = []route{
	{pattern: "GET /channels/{channel}/messages", serve: (*Sim).messageList, limit: someReads},
	{pattern: "POST /channels/{channel}/messages", serve: (*Sim).messageCreate, limit: someMessages},
	{pattern: "POST /channels/{channel}/typing", serve: (*Sim).typing, limit: someMessages},
	{pattern: "GET /channels/{channel}/messages/{message}", serve: (*Sim).messageGet, limit: someReads},
	{pattern: "PATCH /channels/{channel}/messages/{message}", serve: (*Sim).messageEdit, limit: someMessages},
	{pattern: "DELETE /channels/{channel}/messages/{message}", serve: (*Sim).messageDelete, limit: someMessages},
}

// messageList lists messages, newest first. The query can ask for the messages
// around, before or after a given message.
func (s *Sim) messageList(c *call) (a answer, err error) {
	query := c.URL.Query()
	limit, err := limitOf(query, 50, 100)
	if err != nil {
		return a, err
	}
	for _, place := range [...]string{"around", "before", "after"} {
		if id := query.Get(place); query.Has(place) && !isSnowflake(id) {
			return a, notSnowflake(place, id)
		}
	}
	err = s.locked(func() error {
		ch, err := s.access(c, 0)
		if err != nil {
			return err
		}
		posts := slices.DeleteFunc(slices.Clone(s.state.posts[ch.ID]), func(p *post) bool { return p.Viewer != "" })
		if !s.state.permissions(c.App, ch).Has(ReadMessageHistory) {
			posts = nil
		}
		place := func(id string) int {
			i, _ := slices.BinarySearchFunc(posts, id, func(p *post, id string) int { return compareIDs(p.Message.ID, id) })
			return i
		}
		from, to := max(0, len(posts)-limit), len(posts)
		switch {
		case query.Has("around"):
			from = max(0, place(query.Get("around"))-limit/2)
			to = min(len(posts), from+limit)
		case query.Has("before"):
			to = place(query.Get("before"))
			from = max(0, to-limit)
		case query.Has("after"):
			from = place(query.Get("after"))
			if from < len(posts) && posts[from].Message.ID == query.Get("after") {
				from++
			}
			to = min(len(posts), from+limit)
		}
		messages := make([]*Message, 0, limit)
		for _, p := range slices.Backward(posts[from:to]) {
			messages = append(messages, s.state.messageFor(p, c.App))
		}
		a = ok(messages)
		return nil
	})
	return a, err
}

// limitOf returns the number of list items that a request asks for: usual if it does not say, and at most most.
func limitOf(query url.Values, usual, most int) (int, error) {
	text := query.Get("limit")
	if text == "" {
		return usual, nil
	}
	limit, err := strconv.Atoi(text)
	switch {
	case err != nil:
		return 0, invalidForm("limit", "NUMBER_TYPE_COERCE", fmt.Sprintf("Value %q is not int.", text))
	case limit < 1:
		return 0, invalidForm("limit", "NUMBER_TYPE_MIN", "int value should be greater than or equal to 1.")
	case limit > most:
		return 0, invalidForm("limit", "NUMBER_TYPE_MAX", fmt.Sprintf("int value should be less than or equal to %d.", most))
	}
	return limit, nil
}

func (s *Sim) messageCreate(c *call) (a answer, err error) {
	err = s.locked(func() error {
		_, err := s.writable(c)
		return err
	})
	if err != nil {
		return a, err
	}
	if err := c.passes(s.checker.MessageCreate(c.Body)); err != nil {
		return a, err
	}
	body, err := c.message()
	if err != nil {
		return a, err
	}
	if len(body.Theme) > 0 && string(body.Theme) != "null" {
		return a, &absentError{"shared_client_theme of a message"}
	}
	err = s.locked(func() error {
		ch, err := s.writable(c)
		if err != nil {
			return err
		}
		if first := s.sameNonce(c.App, body); first != nil {
			a = ok(s.state.messageFor(first, c.App))
			return nil
		}
		if body, err = s.carried(c, ch, body); err != nil {
			return err
		}
		m := s.draft(s.state.accounts[c.App].Profile, ch, messagePlain)
		m.TTS, m.Nonce, m.Flags = body.TTS, body.Nonce, body.flags(flagSuppressEmbeds|flagSuppressNotifications|flagComponentsV2)
		repliedTo, err := s.refer(c, m, body)
		if err != nil {
			return err
		}
		if err := s.write(m, body); err != nil {
			return err
		}
		files, err := s.attach(m, body)
		if err != nil {
			return err
		}
		s.file(files)
		s.fillMentions(m, body.AllowedMentions, repliedTo)
		p := &post{Message: m}
		s.post(p)
		a = ok(s.state.messageFor(p, c.App))
		return nil
	})
	return a, err
}

// writable returns the channel of a request, if the application may write to it.
func (s *Sim) writable(c *call) (*Channel, error) {
	ch := s.state.channels[c.PathValue("channel")]
	if ch == nil {
		return nil, errUnknownChannel
	}
	need := ch.writing()
	if len(c.Files) > 0 {
		need |= AttachFiles
	}
	if _, err := s.access(c, need); err != nil {
		return nil, err
	}
	if ch.Locked && !s.state.permissions(c.App, ch).Has(ManageThreads) {
		return nil, errLocked
	}
	if ch.GuildID == "" && !s.acquainted(c.App, ch) {
		return nil, errCannotMessage
	}
	return ch, nil
}

// carried checks which content the application may send in the channel, given that it may write
// there, and returns the permitted body. Embeds are dropped silently if other content remains.
func (s *Sim) carried(c *call, ch *Channel, body messageBody) (messageBody, error) {
	if len(body.Stickers) > 0 {
		return body, errSticker // stickers are not simulated
	}
	if ch.GuildID == "" {
		return body, nil
	}
	need := Permission(0)
	if body.TTS {
		need |= SendTTSMessages
	}
	if body.Poll != nil {
		need |= SendPolls
	}
	if body.flags(flagVoiceMessage) != 0 {
		need |= SendVoiceMessages
	}
	may := s.state.permissions(c.App, ch)
	body, alone := body.withoutEmbeds(may)
	if alone {
		need |= EmbedLinks
	}
	if !may.Has(need) {
		return body, errMissingPermissions
	}
	return body, nil
}

// withoutEmbeds removes the embeds from a body if its author may not send embeds,
// and reports whether nothing else is left.
func (b messageBody) withoutEmbeds(may Permission) (rest messageBody, alone bool) {
	if len(b.Embeds.value) == 0 || may.Has(EmbedLinks) {
		return b, false
	}
	b.Embeds.value = []json.RawMessage{}
	return b, strings.TrimSpace(b.Content.value) == "" && len(b.Components.value)+len(b.uploads) == 0 && b.Poll == nil
}

// acquainted reports whether the recipient of a direct message allows the bot to
// write: they share a server, or the person has installed the application.
func (s *Sim) acquainted(app string, ch *Channel) bool {
	for _, id := range ch.Recipients {
		if id == app {
			continue
		}
		if s.state.accounts[id].Installs {
			return true
		}
		for _, guild := range s.state.guilds {
			if guild.member(id) != nil && guild.member(app) != nil {
				return true
			}
		}
	}
	return false
}

// typing accepts a typing indicator, which is not displayed.
func (s *Sim) typing(c *call) (answer, error) {
	return noContent, s.locked(func() error {
		_, err := s.writable(c)
		return err
	})
}

// message returns the message of a request. Ephemeral messages do not exist for a
// request with a bot token.
func (s *Sim) message(c *call) (*post, error) {
	ch, err := s.access(c, 0)
	if err != nil {
		return nil, err
	}
	p := s.state.postByID[c.PathValue("message")]
	if p == nil || p.Viewer != "" || p.Message.ChannelID != ch.ID {
		return nil, errUnknownMessage
	}
	return p, nil
}

func (s *Sim) messageGet(c *call) (a answer, err error) {
	err = s.locked(func() error {
		p, err := s.message(c)
		if err != nil {
			return err
		}
		if !s.state.permissions(c.App, s.state.channels[p.Message.ChannelID]).Has(ReadMessageHistory) {
			return errMissingAccess
		}
		a = ok(s.state.messageFor(p, c.App))
		return nil
	})
	return a, err
}

func (s *Sim) messageEdit(c *call) (a answer, err error) {
	var wasV2 bool
	mine := func() (*post, error) {
		p, err := s.message(c)
		if err == nil && p.Message.Author.ID != c.App {
			err = errForeignMessage
		}
		return p, err
	}
	err = s.locked(func() error {
		p, err := mine()
		if err == nil {
			wasV2 = p.Message.Flags&flagComponentsV2 != 0
		}
		return err
	})
	if err != nil {
		return a, err
	}
	if err := c.passes(s.checker.MessageEdit(c.Body, wasV2)); err != nil {
		return a, err
	}
	body, err := c.message()
	if err != nil {
		return a, err
	}
	err = s.locked(func() error {
		p, err := mine()
		if err != nil {
			return err
		}
		late := s.clock.Now().Sub(p.Message.Timestamp.Time) > oldMessage && !s.unlimited.Load()
		if late {
			if err := s.oldEdits.refused(p.Message.ChannelID, s.clock.Now()); err != nil {
				return err
			}
		}
		may := s.state.permissions(c.App, s.state.channels[p.Message.ChannelID])
		if len(c.Files) > 0 && !may.Has(AttachFiles) {
			return errMissingPermissions
		}
		body, _ = body.withoutEmbeds(may)
		edited, err := s.edit(p, body)
		if err != nil {
			return err
		}
		if late {
			s.oldEdits.count(p.Message.ChannelID, s.clock.Now())
		}
		a = ok(s.state.messageFor(edited, c.App))
		return nil
	})
	return a, err
}

func (s *Sim) messageDelete(c *call) (answer, error) {
	return noContent, s.locked(func() error {
		p, err := s.message(c)
		if err != nil {
			return err
		}
		if p.Message.Author.ID != c.App {
			ch := s.state.channels[p.Message.ChannelID]
			if ch.GuildID == "" {
				return errDirectChannel
			}
			if !s.state.permissions(c.App, ch).Has(ManageMessages) {
				return errMissingPermissions
			}
		}
		s.remove(p)
		return nil
	})
}
