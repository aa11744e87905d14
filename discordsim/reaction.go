package discordsim

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"tictactoe/discordsim/check"
)

// maxReactions is the maximum number of different emoji on a message.
const maxReactions = 20

// reaction is one emoji on a message and the users who reacted with it, in order.
// A list of reactions is replaced, never changed.
type reaction struct {
	Emoji reactionEmoji `json:"emoji"`
	Users []string      `json:"users"`
}

// reactionEmoji is the emoji of a reaction. A Unicode emoji has no id.
type reactionEmoji struct {
	ID       *string `json:"id"`
	Name     string  `json:"name"`
	Animated bool    `json:"animated,omitempty"`
}

// same reports whether two emoji are the same, even if a custom emoji was renamed.
func (e reactionEmoji) same(other reactionEmoji) bool {
	if e.ID == nil || other.ID == nil {
		return e.ID == other.ID && e.Name == other.Name
	}
	return *e.ID == *other.ID
}

// MessageReaction is a reaction as seen by one account.
type MessageReaction struct {
	Emoji   reactionEmoji `json:"emoji"`
	Count   int           `json:"count"`
	Details struct {
		Burst  int `json:"burst"`
		Normal int `json:"normal"`
	} `json:"count_details"`
	BurstColors []string `json:"burst_colors"`
	Me          bool     `json:"me"`
	MeBurst     bool     `json:"me_burst"`
}

// seenBy returns the message as seen by an account: with the reactions, and with
// the account's own reactions marked.
func (p *post) seenBy(userID string) *Message {
	if len(p.Reactions) == 0 {
		return p.Message
	}
	m := *p.Message
	for _, r := range p.Reactions {
		shown := MessageReaction{Emoji: r.Emoji, Count: len(r.Users), BurstColors: []string{}, Me: slices.Contains(r.Users, userID)}
		shown.Details.Normal = shown.Count
		m.Reactions = append(m.Reactions, shown)
	}
	return &m
}

// reactionAt returns the index of an emoji's reaction on the message, or -1 if there is none.
func (p *post) reactionAt(e reactionEmoji) int {
	return slices.IndexFunc(p.Reactions, func(r reaction) bool { return r.Emoji.same(e) })
}

// reacted returns the post with one more user's reaction.
func (p *post) reacted(e reactionEmoji, userID string) *post {
	changed := *p
	changed.Reactions = slices.Clone(p.Reactions)
	i := p.reactionAt(e)
	if i < 0 {
		i, changed.Reactions = len(p.Reactions), append(changed.Reactions, reaction{Emoji: e})
	}
	r := &changed.Reactions[i]
	r.Users = append(slices.Clone(r.Users), userID)
	return &changed
}

// unreacted returns the post without the reactions for which gone holds. An emoji
// without any remaining users is dropped.
func (p *post) unreacted(gone func(e reactionEmoji, userID string) bool) *post {
	changed := *p
	changed.Reactions = nil
	for _, r := range p.Reactions {
		left := slices.DeleteFunc(slices.Clone(r.Users), func(id string) bool { return gone(r.Emoji, id) })
		if len(left) > 0 {
			changed.Reactions = append(changed.Reactions, reaction{r.Emoji, left})
		}
	}
	return &changed
}

const reactionPath = "/channels/{channel}/messages/{message}/reactions"

var reactionRoutes = []route{
	{pattern: "PUT " + reactionPath + "/{reaction}/@me", serve: reactionAdd, limit: someReacts},
	{pattern: "DELETE " + reactionPath + "/{reaction}/@me", serve: reactionRemoveOwn, limit: someReacts},
	{pattern: "DELETE " + reactionPath + "/{reaction}/{user}", serve: reactionRemove, limit: someReacts},
	{pattern: "GET " + reactionPath + "/{reaction}", serve: reactionUsers, limit: someReads},
	{pattern: "DELETE " + reactionPath + "/{reaction}", serve: reactionClear, limit: someReacts},
	{pattern: "DELETE " + reactionPath, general: "DELETE /channels/{channel}/messages/{message}/{word}",
		serve: reactionClearAll, limit: someReacts},
}

// withReaction calls f with the message of a request and the emoji of its path,
// if the application has the needed permission in the channel.
func withReaction(c *call, need Permission, f func(*post, reactionEmoji) error) error {
	return c.w.Locked(func() error {
		p, err := manageable(c, need)
		if err != nil {
			return err
		}
		e, err := c.w.messages.ParseReaction(p, c.App, c.PathValue("reaction"))
		if err != nil && c.PathValue("reaction") != "" {
			return err
		}
		return f(p, e)
	})
}

// manageable returns the message of a request, if the application has the
// permission need in its channel. Nobody has it in direct messages.
func manageable(c *call, need Permission) (*post, error) {
	if ch := c.w.state.channels[c.PathValue("channel")]; ch != nil && ch.GuildID == "" && need.Has(ManageMessages) {
		return nil, errDirectChannel
	}
	if _, err := access(c, need); err != nil {
		return nil, err
	}
	return postOf(c)
}

// ParseReaction parses an emoji in a path: a Unicode emoji, or name:id. A custom
// emoji must belong to the application or be on the message already.
func (ms *Messages) ParseReaction(p *post, app, text string) (reactionEmoji, error) {
	name, id, custom := strings.Cut(strings.Trim(text, "<>"), ":")
	if name == "a" && strings.Contains(id, ":") { // the form used in texts: a:name:id
		name, id, custom = strings.Cut(id, ":")
	} else if name == "" {
		name, id, custom = strings.Cut(id, ":")
	}
	if !custom {
		if !check.UnicodeEmoji(name) {
			return reactionEmoji{}, errNoSuchReaction
		}
		return reactionEmoji{Name: name}, nil
	}
	e := reactionEmoji{ID: &id, Name: name}
	if i := p.reactionAt(e); i >= 0 {
		return p.Reactions[i].Emoji, nil
	}
	if own := ms.w.state.emojiOf(app, id); own != nil {
		return reactionEmoji{ID: &own.ID, Name: own.Name, Animated: own.Animated}, nil
	}
	return reactionEmoji{}, errNoSuchReaction
}

func reactionAdd(c *call) (answer, error) {
	return noContent, withReaction(c, ReadMessageHistory, func(p *post, e reactionEmoji) error {
		return c.w.messages.React(p, e, c.App)
	})
}

// React adds an account's reaction to a message, if the account may. An emoji
// that is already on the message needs no permission.
func (ms *Messages) React(p *post, e reactionEmoji, userID string) error {
	ch := ms.w.state.channels[p.Message.ChannelID]
	i := p.reactionAt(e)
	switch {
	case ch.Archived:
		return errArchived
	case i >= 0 && slices.Contains(p.Reactions[i].Users, userID):
		return nil
	case i < 0 && !ms.w.state.permissions(userID, ch).Has(AddReactions):
		return errMissingPermissions
	case i < 0 && len(p.Reactions) >= maxReactions:
		return errTooManyReactions
	}
	changed := p.reacted(e, userID)
	ms.Replace(changed)
	event := ms.ReactionEvent(changed, e, userID)
	event["message_author_id"] = p.Message.Author.ID
	if guild := ms.w.state.guilds[ch.GuildID]; guild != nil {
		if m := guild.member(userID); m != nil {
			event["member"] = ms.w.state.guildMember(m)
		}
	}
	ms.w.events.Reaction("ADD", ch, event)
	return nil
}

// Replace stores a changed post. The caller tells the bots with a specific event.
func (ms *Messages) Replace(changed *post) {
	ms.w.Put(change{Post: changed})
	ms.w.events.PublishMessage(changed, false)
}

// ReactionEvent returns the fields of the event for one user's reaction. The other reaction events delete some of these fields.
func (ms *Messages) ReactionEvent(p *post, e reactionEmoji, userID string) map[string]any {
	event := map[string]any{
		"channel_id": p.Message.ChannelID, "message_id": p.Message.ID, "emoji": e,
		"user_id": userID, "burst": false, "type": 0,
	}
	if ch := ms.w.state.channels[p.Message.ChannelID]; ch.GuildID != "" {
		event["guild_id"] = ch.GuildID
	}
	return event
}

// Unreact removes one user's reaction.
func (ms *Messages) Unreact(p *post, e reactionEmoji, userID string) error {
	i := p.reactionAt(e)
	if i < 0 || !slices.Contains(p.Reactions[i].Users, userID) {
		return errUnknownEmoji
	}
	changed := p.unreacted(func(other reactionEmoji, id string) bool { return other.same(e) && id == userID })
	ms.Replace(changed)
	ms.w.events.Reaction("REMOVE", ms.w.state.channels[p.Message.ChannelID], ms.ReactionEvent(p, e, userID))
	return nil
}

func reactionRemoveOwn(c *call) (answer, error) {
	return noContent, withReaction(c, 0, func(p *post, e reactionEmoji) error { return c.w.messages.Unreact(p, e, c.App) })
}

func reactionRemove(c *call) (answer, error) {
	need := ManageMessages
	if c.PathValue("user") == c.App {
		need = 0
	}
	return noContent, withReaction(c, need, func(p *post, e reactionEmoji) error {
		if c.w.state.accounts[c.PathValue("user")] == nil {
			return errUnknownUser
		}
		return c.w.messages.Unreact(p, e, c.PathValue("user"))
	})
}

func reactionClear(c *call) (answer, error) {
	return noContent, withReaction(c, ManageMessages, func(p *post, e reactionEmoji) error {
		if p.reactionAt(e) < 0 {
			return errUnknownEmoji
		}
		c.w.messages.Replace(p.unreacted(func(other reactionEmoji, _ string) bool { return other.same(e) }))
		event := c.w.messages.ReactionEvent(p, e, "")
		delete(event, "user_id")
		c.w.events.Reaction("REMOVE_EMOJI", c.w.state.channels[p.Message.ChannelID], event)
		return nil
	})
}

func reactionClearAll(c *call) (answer, error) {
	if c.PathValue("word") != "reactions" {
		return answer{}, errNoRoute
	}
	return noContent, withReaction(c, ManageMessages, func(p *post, _ reactionEmoji) error {
		c.w.messages.Replace(p.unreacted(func(reactionEmoji, string) bool { return true }))
		event := c.w.messages.ReactionEvent(p, reactionEmoji{}, "")
		for _, one := range []string{"user_id", "emoji", "burst", "type"} {
			delete(event, one)
		}
		c.w.events.Reaction("REMOVE_ALL", c.w.state.channels[p.Message.ChannelID], event)
		return nil
	})
}

func reactionUsers(c *call) (a answer, err error) {
	query := c.URL.Query()
	limit, after, err := pageOf(query, 25, 100)
	if err != nil {
		return a, err
	}
	err = withReaction(c, ReadMessageHistory, func(p *post, e reactionEmoji) error {
		users := []Profile{}
		i := p.reactionAt(e)
		if kind, _ := strconv.Atoi(query.Get("type")); i < 0 || kind != 0 { // type 1: super reactions, which are not simulated
			a = ok(users)
			return nil
		}
		for _, id := range slices.SortedFunc(slices.Values(p.Reactions[i].Users), compareIDs) {
			if len(users) < limit && (after == "" || compareIDs(id, after) > 0) {
				users = append(users, c.w.state.accounts[id].Profile)
			}
		}
		a = ok(users)
		return nil
	})
	return a, err
}

// pageOf parses the page of a list that a request asks for: the limit, and the id after which the page begins, or "" without one.
// usual and most are as in limitOf.
func pageOf(query url.Values, usual, most int) (limit int, after string, err error) {
	if limit, err = limitOf(query, usual, most); err == nil {
		after, err = idOf(query, "after")
	}
	return limit, after, err
}

// idOf returns the id in the named query parameter, or "" if it is absent.
func idOf(query url.Values, name string) (string, error) {
	id := query.Get(name)
	if query.Has(name) && !isSnowflake(id) {
		return "", notSnowflake(name, id)
	}
	return id, nil
}

// React adds the person's reaction to a message that the person sees, or removes
// it. A custom emoji is given as name:id.
func (u *User) React(message, emoji string, remove bool) error {
	return u.w.Locked(func() error {
		who, err := u.w.state.person(u.ref)
		if err != nil {
			return err
		}
		p := u.w.state.postByID[message]
		if p == nil || !u.w.state.sees(who.ID, p) {
			return notFoundMessage(message)
		}
		if p.Viewer != "" {
			return fmt.Errorf("nobody reacts to message %s, which is ephemeral", message)
		}
		e, err := u.w.messages.ParseReaction(p, "", emoji)
		if err != nil {
			return fmt.Errorf("%s cannot react with %q", who.Username, emoji)
		}
		if remove {
			err = u.w.messages.Unreact(p, e, who.ID)
		} else {
			err = u.w.messages.React(p, e, who.ID)
		}
		if err != nil {
			return fmt.Errorf("%s cannot do that to message %s: %w", who.Username, message, err)
		}
		return nil
	})
}
