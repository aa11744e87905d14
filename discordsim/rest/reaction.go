package rest

import (
	"net/url"
	"slices"
	"strconv"

	"tictactoe/discordsim/check"
	"tictactoe/discordsim/world"
)

const reactionPath = "/channels/{channel}/messages/{message}/reactions"

var reactionRoutes = []route{
	{pattern: "PUT " + reactionPath + "/{reaction}/@me", serve: reactionAdd, limit: reactionBudget},
	{pattern: "DELETE " + reactionPath + "/{reaction}/@me", serve: reactionRemoveOwn, limit: reactionBudget},
	{pattern: "DELETE " + reactionPath + "/{reaction}/{user}", serve: reactionRemove, limit: reactionBudget},
	{pattern: "GET " + reactionPath + "/{reaction}", serve: reactionUsers, limit: readBudget},
	{pattern: "DELETE " + reactionPath + "/{reaction}", serve: reactionClear, limit: reactionBudget},
	{pattern: "DELETE " + reactionPath, general: "DELETE /channels/{channel}/messages/{message}/{word}",
		serve: reactionClearAll, limit: reactionBudget},
}

// withReaction calls f with the message of a request and the emoji of its path,
// if the application has the needed permission in the channel.
func withReaction(c *call, need world.Permission, f func(*world.Post, world.ReactionEmoji) error) error {
	return c.w.Locked(func() error {
		p, err := manageable(c, need)
		if err != nil {
			return err
		}
		e, err := c.w.Messages.ParseReaction(p, c.App, c.PathValue("reaction"))
		if err != nil && c.PathValue("reaction") != "" {
			return err
		}
		return f(p, e)
	})
}

// manageable returns the message of a request, if the application has the needed permission in its channel. In direct
// messages nobody has it.
func manageable(c *call, need world.Permission) (*world.Post, error) {
	if ch := c.w.State.Channels[c.PathValue("channel")]; ch != nil && ch.GuildID == "" && need.Has(world.ManageMessages) {
		return nil, check.ErrDirectChannel
	}
	if _, err := access(c, need); err != nil {
		return nil, err
	}
	return postOf(c)
}

func reactionAdd(c *call) (answer, error) {
	return noContent, withReaction(c, world.ReadMessageHistory, func(p *world.Post, e world.ReactionEmoji) error {
		return c.w.Messages.React(p, e, c.App)
	})
}

func reactionRemoveOwn(c *call) (answer, error) {
	return noContent, withReaction(c, 0, func(p *world.Post, e world.ReactionEmoji) error { return c.w.Messages.Unreact(p, e, c.App) })
}

func reactionRemove(c *call) (answer, error) {
	need := world.ManageMessages
	if c.PathValue("user") == c.App {
		need = 0
	}
	return noContent, withReaction(c, need, func(p *world.Post, e world.ReactionEmoji) error {
		if c.w.State.Accounts[c.PathValue("user")] == nil {
			return check.ErrUnknownUser
		}
		return c.w.Messages.Unreact(p, e, c.PathValue("user"))
	})
}

func reactionClear(c *call) (answer, error) {
	return noContent, withReaction(c, world.ManageMessages, func(p *world.Post, e world.ReactionEmoji) error {
		if p.ReactionAt(e) < 0 {
			return check.ErrUnknownEmoji
		}
		c.w.Messages.Replace(p.Unreacted(func(other world.ReactionEmoji, _ string) bool { return other.Same(e) }))
		event := c.w.Messages.ReactionEvent(p, e, "")
		delete(event, "user_id")
		c.w.Events.Reaction("REMOVE_EMOJI", c.w.State.Channels[p.Message.ChannelID], event)
		return nil
	})
}

func reactionClearAll(c *call) (answer, error) {
	if c.PathValue("word") != "reactions" {
		return answer{}, check.ErrNoRoute
	}
	return noContent, withReaction(c, world.ManageMessages, func(p *world.Post, _ world.ReactionEmoji) error {
		c.w.Messages.Replace(p.Unreacted(func(world.ReactionEmoji, string) bool { return true }))
		event := c.w.Messages.ReactionEvent(p, world.ReactionEmoji{}, "")
		for _, field := range []string{"user_id", "emoji", "burst", "type"} {
			delete(event, field)
		}
		c.w.Events.Reaction("REMOVE_ALL", c.w.State.Channels[p.Message.ChannelID], event)
		return nil
	})
}

func reactionUsers(c *call) (a answer, err error) {
	query := c.URL.Query()
	limit, after, err := pageOf(query, 25, 100)
	if err != nil {
		return a, err
	}
	err = withReaction(c, world.ReadMessageHistory, func(p *world.Post, e world.ReactionEmoji) error {
		users := []world.Profile{}
		i := p.ReactionAt(e)
		if kind, _ := strconv.Atoi(query.Get("type")); i < 0 || kind != 0 { // type 1: super reactions, which are not simulated
			a = ok(users)
			return nil
		}
		for _, id := range slices.SortedFunc(slices.Values(p.Reactions[i].Users), world.CompareIDs) {
			if len(users) < limit && (after == "" || world.CompareIDs(id, after) > 0) {
				users = append(users, c.w.State.Accounts[id].Profile)
			}
		}
		a = ok(users)
		return nil
	})
	return a, err
}

// pageOf parses the page of a list that a request asks for: the limit, and the id after which the page begins, which
// may be empty. usual and most are as in limitOf.
func pageOf(query url.Values, usual, most int) (limit int, after string, err error) {
	if limit, err = limitOf(query, usual, most); err == nil {
		after, err = idOf(query, "after")
	}
	return limit, after, err
}

// idOf returns the id in the named query parameter, or "" if it is absent.
func idOf(query url.Values, name string) (string, error) {
	id := query.Get(name)
	if query.Has(name) && !world.IsSnowflake(id) {
		return "", check.NotSnowflake(name, id)
	}
	return id, nil
}
