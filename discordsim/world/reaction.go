package world

import (
	"slices"
	"strings"

	"tictactoe/discordsim/check"
)

// maxReactions is the maximum number of different emoji on a message.
const maxReactions = 20

// reaction is one emoji on a message and the users who reacted with it, in order.
// A list of reactions is replaced, never changed.
type reaction struct {
	Emoji ReactionEmoji `json:"emoji"`
	Users []string      `json:"users"`
}

// ReactionEmoji is the emoji of a reaction. A Unicode emoji has a name and no id.
type ReactionEmoji struct {
	ID       *string `json:"id"`
	Name     string  `json:"name"`
	Animated bool    `json:"animated,omitempty"`
}

// Same reports whether two emoji are the same, even if a custom emoji was renamed.
func (e ReactionEmoji) Same(other ReactionEmoji) bool {
	if e.ID == nil || other.ID == nil {
		return e.ID == other.ID && e.Name == other.Name
	}
	return *e.ID == *other.ID
}

// MessageReaction is a reaction as seen by one account.
type MessageReaction struct {
	Emoji   ReactionEmoji `json:"emoji"`
	Count   int           `json:"count"`
	Details struct {
		Burst  int `json:"burst"`
		Normal int `json:"normal"`
	} `json:"count_details"`
	BurstColors []string `json:"burst_colors"`
	Me          bool     `json:"me"`
	MeBurst     bool     `json:"me_burst"`
}

// seenBy returns the message as seen by an account: with the reactions, among which the account's own are marked.
func (p *Post) seenBy(userID string) *Message {
	if len(p.Reactions) == 0 && p.Message.Flags&FlagSuppressEmbeds == 0 && p.Message.Poll == nil {
		return p.Message
	}
	m := *p.Message
	m.Embeds = m.shownEmbeds()
	if m.Poll != nil {
		m.Poll = p.counted(userID)
	}
	for _, r := range p.Reactions {
		shown := MessageReaction{Emoji: r.Emoji, Count: len(r.Users), BurstColors: []string{}, Me: slices.Contains(r.Users, userID)}
		shown.Details.Normal = shown.Count
		m.Reactions = append(m.Reactions, shown)
	}
	return &m
}

// ReactionAt returns the index of an emoji's reaction on the message, or -1 if there is none.
func (p *Post) ReactionAt(e ReactionEmoji) int {
	return slices.IndexFunc(p.Reactions, func(r reaction) bool { return r.Emoji.Same(e) })
}

// reacted returns the post with one more reaction of a user.
func (p *Post) reacted(e ReactionEmoji, userID string) *Post {
	changed := *p
	changed.Reactions = slices.Clone(p.Reactions)
	i := p.ReactionAt(e)
	if i < 0 {
		i, changed.Reactions = len(p.Reactions), append(changed.Reactions, reaction{Emoji: e})
	}
	r := &changed.Reactions[i]
	r.Users = append(slices.Clone(r.Users), userID)
	return &changed
}

// Unreacted returns the post without the reactions for which gone returns true. An emoji without any remaining users
// is removed.
func (p *Post) Unreacted(gone func(e ReactionEmoji, userID string) bool) *Post {
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

// ParseReaction parses an emoji in a path, which is a Unicode emoji or name:id. A custom emoji must belong to the
// application or already be on the message.
func (ms *Messages) ParseReaction(p *Post, app, text string) (ReactionEmoji, error) {
	name, id, custom := strings.Cut(strings.Trim(text, "<>"), ":")
	if name == "a" && strings.Contains(id, ":") { // the form used in texts: a:name:id
		name, id, custom = strings.Cut(id, ":")
	} else if name == "" {
		name, id, custom = strings.Cut(id, ":")
	}
	if !custom {
		if !check.UnicodeEmoji(name) {
			return ReactionEmoji{}, check.ErrNoSuchReaction
		}
		return ReactionEmoji{Name: name}, nil
	}
	e := ReactionEmoji{ID: &id, Name: name}
	if i := p.ReactionAt(e); i >= 0 {
		return p.Reactions[i].Emoji, nil
	}
	if own := ms.w.State.EmojiOf(app, id); own != nil {
		return ReactionEmoji{ID: &own.ID, Name: own.Name, Animated: own.Animated}, nil
	}
	return ReactionEmoji{}, check.ErrNoSuchReaction
}

// React adds an account's reaction to a message, if the account has the permission. A reaction with an emoji that is
// already on the message needs no permission.
func (ms *Messages) React(p *Post, e ReactionEmoji, userID string) error {
	ch := ms.w.State.Channels[p.Message.ChannelID]
	i := p.ReactionAt(e)
	switch {
	case ch.Archived:
		return check.ErrArchived
	case i >= 0 && slices.Contains(p.Reactions[i].Users, userID):
		return nil
	case ms.w.Guilds.Silenced(userID, ch):
		return check.ErrMissingPermissions
	case i < 0 && !ms.w.State.Permissions(userID, ch).Has(AddReactions):
		return check.ErrMissingPermissions
	case i < 0 && len(p.Reactions) >= maxReactions:
		return check.ErrTooManyReactions
	}
	changed := p.reacted(e, userID)
	ms.Replace(changed)
	event := ms.ReactionEvent(changed, e, userID)
	event["message_author_id"] = p.Message.Author.ID
	if guild := ms.w.State.Guilds[ch.GuildID]; guild != nil {
		if m := guild.Member(userID); m != nil {
			event["member"] = ms.w.State.GuildMember(m)
		}
	}
	ms.w.Events.Reaction("ADD", ch, event)
	return nil
}

// Replace stores a changed post. The caller tells the bots with a specific event.
func (ms *Messages) Replace(changed *Post) {
	ms.w.Put(Change{Post: changed})
	ms.w.Events.PublishMessage(changed, false)
}

// ReactionEvent returns the fields of the event for one user's reaction. Callers remove fields for the other reaction
// events.
func (ms *Messages) ReactionEvent(p *Post, e ReactionEmoji, userID string) map[string]any {
	event := map[string]any{
		"channel_id": p.Message.ChannelID, "message_id": p.Message.ID, "emoji": e,
		"user_id": userID, "burst": false, "type": 0,
	}
	if ch := ms.w.State.Channels[p.Message.ChannelID]; ch.GuildID != "" {
		event["guild_id"] = ch.GuildID
	}
	return event
}

// Unreact removes one user's reaction.
func (ms *Messages) Unreact(p *Post, e ReactionEmoji, userID string) error {
	i := p.ReactionAt(e)
	if i < 0 || !slices.Contains(p.Reactions[i].Users, userID) {
		return check.ErrUnknownEmoji
	}
	changed := p.Unreacted(func(other ReactionEmoji, id string) bool { return other.Same(e) && id == userID })
	ms.Replace(changed)
	ms.w.Events.Reaction("REMOVE", ms.w.State.Channels[p.Message.ChannelID], ms.ReactionEvent(p, e, userID))
	return nil
}
