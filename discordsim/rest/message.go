package rest

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"tictactoe/discordsim/check"
	"tictactoe/discordsim/world"
)

var messageRoutes = []route{
	{pattern: "GET /channels/{channel}/messages", serve: messageList, limit: readBudget},
	{pattern: "POST /channels/{channel}/messages", serve: messageCreate, limit: messageBudget},
	{pattern: "POST /channels/{channel}/typing", serve: typing, limit: messageBudget},
	{pattern: "GET /channels/{channel}/messages/{message}", serve: messageGet, limit: readBudget},
	{pattern: "PATCH /channels/{channel}/messages/{message}", serve: messageEdit, limit: messageBudget},
	{pattern: "DELETE /channels/{channel}/messages/{message}", serve: messageDelete, limit: messageBudget},
}

// messageList lists messages, newest first. The query can ask for the messages
// around, before or after a given message.
func messageList(c *call) (a answer, err error) {
	query := c.URL.Query()
	limit, err := limitOf(query, 50, 100)
	if err != nil {
		return a, err
	}
	for _, place := range [...]string{"around", "before", "after"} {
		if id := query.Get(place); query.Has(place) && !world.IsSnowflake(id) {
			return a, check.NotSnowflake(place, id)
		}
	}
	err = c.w.Locked(func() error {
		ch, err := access(c, 0)
		if err != nil {
			return err
		}
		posts := slices.DeleteFunc(slices.Clone(c.w.State.Posts[ch.ID]), func(p *world.Post) bool { return p.Viewer != "" })
		if !c.w.State.Permissions(c.App, ch).Has(world.ReadMessageHistory) {
			posts = nil
		}
		place := func(id string) int {
			i, _ := slices.BinarySearchFunc(posts, id, func(p *world.Post, id string) int { return world.CompareIDs(p.Message.ID, id) })
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
		messages := make([]*world.Message, 0, limit)
		for _, p := range slices.Backward(posts[from:to]) {
			messages = append(messages, c.w.State.MessageFor(p, c.App))
		}
		a = ok(messages)
		return nil
	})
	return a, err
}

// limitOf returns the query's limit on the number of list items, or usual if there is none. The limit must be from 1
// to most.
func limitOf(query url.Values, usual, most int) (int, error) {
	text := query.Get("limit")
	if text == "" {
		return usual, nil
	}
	limit, err := strconv.Atoi(text)
	switch {
	case err != nil:
		return 0, check.InvalidField("limit", "NUMBER_TYPE_COERCE", fmt.Sprintf("Value %q is not int.", text))
	case limit < 1:
		return 0, check.InvalidField("limit", "NUMBER_TYPE_MIN", "int value should be greater than or equal to 1.")
	case limit > most:
		return 0, check.InvalidField("limit", "NUMBER_TYPE_MAX", fmt.Sprintf("int value should be less than or equal to %d.", most))
	}
	return limit, nil
}

// timeOf returns a parameter that holds a time as in RFC 3339, or zero if it is absent.
func timeOf(query url.Values, name string) (t time.Time, err error) {
	text := query.Get(name)
	if text == "" {
		return t, nil
	}
	if t, err = time.Parse(time.RFC3339, text); err != nil {
		return t, check.InvalidField(name, "DATE_TIME_TYPE_PARSE", fmt.Sprintf("Could not parse %s. Should be ISO8601.", text))
	}
	return t, nil
}

func messageCreate(c *call) (a answer, err error) {
	err = c.w.Locked(func() error {
		_, err := writable(c)
		return err
	})
	if err != nil {
		return a, err
	}
	if err := c.passes(c.api.checker.MessageCreate(c.Body)); err != nil {
		return a, err
	}
	body, err := c.message()
	if err != nil {
		return a, err
	}
	err = c.w.Locked(func() error {
		ch, err := writable(c)
		if err != nil {
			return err
		}
		if first := sameNonce(c.w, c.App, body); first != nil {
			a = ok(c.w.State.MessageFor(first, c.App))
			return nil
		}
		if body, err = permitted(c, ch, body); err != nil {
			return err
		}
		m := c.w.Messages.Draft(c.w.State.Accounts[c.App].Profile, ch, world.MessagePlain)
		m.TTS, m.Nonce, m.Theme = body.TTS, body.Nonce, body.Theme
		m.Flags = body.flags(world.FlagSuppressEmbeds | world.FlagSuppressNotifications | world.FlagComponentsV2)
		repliedTo, err := refer(c, m, body)
		if err != nil {
			return err
		}
		if err := writeBody(c.w, m, body); err != nil {
			return err
		}
		files, err := attach(c.w, m, body)
		if err != nil {
			return err
		}
		storeFiles(c.w, files)
		c.w.Messages.FillMentions(m, body.AllowedMentions, repliedTo)
		p := &world.Post{Message: m}
		c.w.Messages.Post(p)
		a = ok(c.w.State.MessageFor(p, c.App))
		return nil
	})
	return a, err
}

// writable returns the channel of a request, if the application may write to it.
func writable(c *call) (*world.Channel, error) {
	ch := c.w.State.Channels[c.PathValue("channel")]
	if ch == nil {
		return nil, check.ErrUnknownChannel
	}
	need := ch.Writing()
	if len(c.Files) > 0 {
		need |= world.AttachFiles
	}
	if _, err := access(c, need); err != nil {
		return nil, err
	}
	if !ch.HasMessages() {
		return nil, check.ErrNotForText
	}
	if ch.Locked && !c.w.State.Permissions(c.App, ch).Has(world.ManageThreads) {
		return nil, check.ErrLocked
	}
	if ch.GuildID == "" && !acquainted(c.w, c.App, ch) {
		return nil, check.ErrCannotMessage
	}
	return ch, nil
}

// permitted returns the part of a body that the application may send in a channel in which it may write. It drops
// embeds silently if other content remains, and returns an error for other forbidden content.
func permitted(c *call, ch *world.Channel, body messageBody) (messageBody, error) {
	if len(body.Stickers) > 0 {
		return body, check.ErrSticker // stickers are not simulated
	}
	if ch.GuildID == "" {
		return body, nil
	}
	need := world.Permission(0)
	if body.TTS {
		need |= world.SendTTSMessages
	}
	if body.Poll != nil {
		need |= world.SendPolls
	}
	if body.flags(world.FlagVoiceMessage) != 0 {
		need |= world.SendVoiceMessages
	}
	may := c.w.State.Permissions(c.App, ch)
	body, alone := body.withoutEmbeds(may)
	if alone {
		need |= world.EmbedLinks
	}
	if !may.Has(need) {
		return body, check.ErrMissingPermissions
	}
	return body, nil
}

// withoutEmbeds removes the embeds from a body if its author may not send embeds,
// and reports whether nothing else is left.
func (b messageBody) withoutEmbeds(may world.Permission) (rest messageBody, alone bool) {
	if len(b.Embeds.value) == 0 || may.Has(world.EmbedLinks) {
		return b, false
	}
	b.Embeds.value = []json.RawMessage{}
	return b, strings.TrimSpace(b.Content.value) == "" && len(b.Components.value)+len(b.uploads) == 0 &&
		b.Poll == nil && b.Theme == nil
}

// acquainted reports whether the recipient of a direct message allows the bot to
// write: they share a server, or the person has installed the application.
func acquainted(w *world.World, app string, ch *world.Channel) bool {
	for _, id := range ch.Recipients {
		if id == app {
			continue
		}
		if w.State.Accounts[id].Installs {
			return true
		}
		for _, guild := range w.State.Guilds {
			if guild.Member(id) != nil && guild.Member(app) != nil {
				return true
			}
		}
	}
	return false
}

// typing accepts a typing indicator, which is not displayed.
func typing(c *call) (answer, error) {
	return noContent, c.w.Locked(func() error {
		_, err := writable(c)
		return err
	})
}

// postOf returns the message of a request. Ephemeral messages do not exist for a
// request with a bot token.
func postOf(c *call) (*world.Post, error) {
	ch, err := access(c, 0)
	if err != nil {
		return nil, err
	}
	p := c.w.State.PostByID[c.PathValue("message")]
	if p == nil || p.Viewer != "" || p.Message.ChannelID != ch.ID {
		return nil, check.ErrUnknownMessage
	}
	return p, nil
}

func messageGet(c *call) (a answer, err error) {
	err = c.w.Locked(func() error {
		p, err := postOf(c)
		if err != nil {
			return err
		}
		if !c.w.State.Permissions(c.App, c.w.State.Channels[p.Message.ChannelID]).Has(world.ReadMessageHistory) {
			return check.ErrMissingAccess
		}
		a = ok(c.w.State.MessageFor(p, c.App))
		return nil
	})
	return a, err
}

func messageEdit(c *call) (a answer, err error) {
	var wasV2 bool
	mine := func() (*world.Post, error) {
		p, err := postOf(c)
		if err == nil && p.Message.Author.ID != c.App {
			err = check.ErrForeignMessage
		}
		return p, err
	}
	err = c.w.Locked(func() error {
		p, err := mine()
		if err == nil {
			wasV2 = p.Message.Flags&world.FlagComponentsV2 != 0
		}
		return err
	})
	if err != nil {
		return a, err
	}
	if err := c.passes(c.api.checker.MessageEdit(c.Body, wasV2)); err != nil {
		return a, err
	}
	body, err := c.message()
	if err != nil {
		return a, err
	}
	err = c.w.Locked(func() error {
		p, err := mine()
		if err != nil {
			return err
		}
		late := c.w.Clock.Now().Sub(p.Message.Timestamp.Time) > oldMessage && !c.w.Unlimited()
		if late {
			if err := c.api.oldEdits.refused(p.Message.ChannelID, c.w.Clock.Now()); err != nil {
				return err
			}
		}
		may := c.w.State.Permissions(c.App, c.w.State.Channels[p.Message.ChannelID])
		if len(c.Files) > 0 && !may.Has(world.AttachFiles) {
			return check.ErrMissingPermissions
		}
		body, _ = body.withoutEmbeds(may)
		edited, err := editPost(c.w, p, body)
		if err != nil {
			return err
		}
		if late {
			c.api.oldEdits.count(p.Message.ChannelID, c.w.Clock.Now())
		}
		a = ok(c.w.State.MessageFor(edited, c.App))
		return nil
	})
	return a, err
}

func messageDelete(c *call) (answer, error) {
	return noContent, c.w.Locked(func() error {
		p, err := postOf(c)
		if err != nil {
			return err
		}
		if p.Message.Author.ID != c.App {
			ch := c.w.State.Channels[p.Message.ChannelID]
			if ch.GuildID == "" {
				return check.ErrDirectChannel
			}
			if !c.w.State.Permissions(c.App, ch).Has(world.ManageMessages) {
				return check.ErrMissingPermissions
			}
		}
		c.w.Messages.Remove(p)
		return nil
	})
}

// The styles of buttons that send no interaction: a link button opens a URL, a
// premium button sells a SKU.
const (
	buttonLink    = 5
	buttonPremium = 6
)

// numberComponents gives an id to every component without one.
func numberComponents(components []world.Component) {
	taken := map[int]bool{}
	world.WalkComponents(components, func(c *world.Component) { taken[c.ID] = true })
	next := 1
	world.WalkComponents(components, func(c *world.Component) {
		if c.ID != 0 {
			return
		}
		for taken[next] {
			next++
		}
		c.ID = next
		next++
	})
}
