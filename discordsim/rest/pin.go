package rest

import (
	"tictactoe/discordsim/check"
	"tictactoe/discordsim/world"
)

var pinRoutes = []route{
	{pattern: "GET /channels/{channel}/messages/pins", serve: pinList, limit: readBudget},
	{pattern: "PUT /channels/{channel}/messages/pins/{message}", serve: pinAdd, limit: messageBudget},
	{pattern: "DELETE /channels/{channel}/messages/pins/{message}", serve: pinRemove, limit: messageBudget},
	{pattern: "GET /channels/{channel}/pins", serve: pinListOld, limit: readBudget},
	{pattern: "PUT /channels/{channel}/pins/{message}", serve: pinAdd, limit: messageBudget},
	{pattern: "DELETE /channels/{channel}/pins/{message}", serve: pinRemove, limit: messageBudget},
	{pattern: "POST /channels/{channel}/messages/bulk-delete", serve: bulkDelete, limit: messageBudget},
}

// readPins returns the pins of a request's channel, or none without the
// permission to read the message history.
func readPins(c *call) ([]*world.Post, error) {
	ch, err := access(c, 0)
	if err != nil || !c.w.State.Permissions(c.App, ch).Has(world.ReadMessageHistory) {
		return nil, err
	}
	return c.w.State.Pins(ch.ID), nil
}

func pinList(c *call) (a answer, err error) {
	query := c.URL.Query()
	limit, err := limitOf(query, 50, 50)
	if err != nil {
		return a, err
	}
	before, err := timeOf(query, "before")
	if err != nil {
		return a, err
	}
	type pin struct {
		At      world.Timestamp `json:"pinned_at"`
		Message *world.Message  `json:"message"`
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
				items = append(items, pin{p.Pinned, c.w.State.MessageFor(p, c.App)})
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
		messages := []*world.Message{}
		for _, p := range pinned[:min(50, len(pinned))] {
			messages = append(messages, c.w.State.MessageFor(p, c.App))
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
		return c.w.Messages.Pin(p, c.w.State.Accounts[c.App])
	})
}

func pinRemove(c *call) (answer, error) {
	return noContent, c.w.Locked(func() error {
		p, err := pinnable(c)
		if err != nil {
			return err
		}
		return c.w.Messages.Unpin(p)
	})
}

// pinnable returns the message of a request, if the application may pin it.
func pinnable(c *call) (*world.Post, error) {
	if _, err := access(c, world.PinMessages); err != nil {
		return nil, err
	}
	return postOf(c)
}

func bulkDelete(c *call) (a answer, err error) {
	if refused := c.api.checker.BulkDelete(c.Body); refused != nil {
		return a, refused
	}
	var body struct {
		Messages []world.Snowflake `json:"messages"`
	}
	if err := c.decode(&body); err != nil {
		return a, err
	}
	return noContent, c.w.Locked(func() error {
		ch := c.w.State.Channels[c.PathValue("channel")]
		if ch != nil && ch.GuildID == "" {
			return check.ErrDirectChannel
		}
		if _, err := access(c, world.ManageMessages); err != nil {
			return err
		}
		var found []*world.Post
		for _, id := range body.Messages {
			if c.w.Clock.Now().Sub(world.MintedAt(string(id))) > world.TooOldForBulk {
				return check.ErrTooOldForBulk
			}
			if p := c.w.State.PostByID[string(id)]; p != nil && p.Viewer == "" && p.Message.ChannelID == ch.ID {
				found = append(found, p)
			}
		}
		c.w.Messages.RemoveAll(ch, found)
		return nil
	})
}
