package world

import (
	"encoding/json"
	"slices"
)

// Event is an event for bots. The gateway sends it to every session that has one of the
// intents and whose shard has the server.
type Event struct {
	Name    string // Discord's name of the event, such as MESSAGE_CREATE
	GuildID string // empty outside servers
	Intents int    // 0 if every session gets the event
	// Body returns the event's object for an application that has the given intents, or
	// nil if the application does not get the event.
	Body func(app string, intents int) any
}

// Events tells the bots and the event streams about changes.
type Events struct {
	w *World
	// Bots sends an event to the bots' sessions.
	Bots func(Event)
	// Streams sends an event to every event stream for which bodyFor returns a body other than nil.
	Streams func(kind string, bodyFor func(viewer string) any)
}

func newEvents(w *World) *Events {
	return &Events{w: w, Bots: func(Event) {}, Streams: func(string, func(string) any) {}}
}

// toChannel sends an event to the bots that see a channel and have the required intent. inGuild is the intent for a
// channel of a server, and direct is the intent for any other channel.
func (ev *Events) toChannel(ch *Channel, name string, inGuild, direct int, body func(app string, intents int) any) {
	intent := direct
	if ch.GuildID != "" {
		intent = inGuild
	}
	ev.Bots(Event{name, ch.GuildID, intent, func(app string, intents int) any {
		if !ev.w.State.Permissions(app, ch).Has(ViewChannel) {
			return nil
		}
		return body(app, intents)
	}})
}

// toGuild sends the same object to the bots in a server that have an intent.
func (ev *Events) toGuild(guildID, name string, intent int, object any) {
	ev.Bots(Event{name, guildID, intent, func(app string, _ int) any {
		if !ev.w.State.Installed(app, guildID) {
			return nil
		}
		return object
	}})
}

// sameForAll returns an Event.Body that returns one object for all applications.
func sameForAll(object any) func(string, int) any { return func(string, int) any { return object } }

// GuildCreate tells the bots in a new server about the server.
func (ev *Events) GuildCreate(g *Guild) {
	ev.Bots(Event{"GUILD_CREATE", g.ID, IntentGuilds, func(app string, _ int) any {
		if !ev.w.State.Installed(app, g.ID) {
			return nil
		}
		return ev.w.State.GuildCreate(g, app)
	}})
}

// Join tells a bot about the server that it has joined.
func (ev *Events) Join(g *Guild, bot string) {
	ev.Bots(Event{"GUILD_CREATE", g.ID, IntentGuilds, func(app string, _ int) any {
		if app != bot {
			return nil
		}
		return ev.w.State.GuildCreate(g, app)
	}})
}

// Leave tells bots that a member left a server. A bot that left is told that it has lost the server.
func (ev *Events) Leave(guildID string, left *Account) {
	ev.toGuild(guildID, "GUILD_MEMBER_REMOVE", IntentGuildMembers, map[string]any{"guild_id": guildID, "user": left.Profile})
	ev.Bots(Event{"GUILD_DELETE", guildID, IntentGuilds, func(app string, _ int) any {
		if app != left.ID {
			return nil
		}
		return map[string]string{"id": guildID}
	}})
}

// Channel tells bots that a channel or thread was created, changed or deleted, if they see it or saw it before. The
// change is CREATE, UPDATE or DELETE.
func (ev *Events) Channel(change string, before, after *Channel) {
	name := "CHANNEL_" + change
	if after.IsThread() {
		name = "THREAD_" + change
	}
	st := ev.w.State
	ev.Bots(Event{name, after.GuildID, IntentGuilds, func(app string, _ int) any {
		if !st.Installed(app, after.GuildID) || !(st.Permissions(app, after) | st.Permissions(app, before)).Has(ViewChannel) {
			return nil
		}
		object := st.ChannelObject(after, app)
		if name == "THREAD_CREATE" {
			object.New = true
		}
		return object
	}})
}

// Role tells bots that a role was created or changed.
func (ev *Events) Role(name, guildID string, role Role) {
	ev.toGuild(guildID, name, IntentGuilds, map[string]any{"guild_id": guildID, "role": role})
}

// RoleDelete tells bots that a role was deleted.
func (ev *Events) RoleDelete(guildID, roleID string) {
	ev.toGuild(guildID, "GUILD_ROLE_DELETE", IntentGuilds, map[string]string{"guild_id": guildID, "role_id": roleID})
}

// Member tells bots that a member joined a server or changed. A bot is told about its
// own member even without the intent.
func (ev *Events) Member(name, guildID string, m *Member) {
	event := struct {
		GuildMember
		GuildID string `json:"guild_id"`
	}{ev.w.State.GuildMember(m), guildID}
	ev.Bots(Event{name, guildID, IntentGuildMembers | IntentGuilds, func(app string, intents int) any {
		wants := intents&IntentGuildMembers != 0 || name == "GUILD_MEMBER_UPDATE" && app == m.UserID
		if !wants || !ev.w.State.Installed(app, guildID) {
			return nil
		}
		return event
	}})
}

// Ban tells bots that an account was banned from a server or may join again. The change is ADD or REMOVE.
func (ev *Events) Ban(change, guildID string, a *Account) {
	ev.toGuild(guildID, "GUILD_BAN_"+change, IntentGuildModeration, map[string]any{"guild_id": guildID, "user": a.Profile})
}

// CommandPermissions tells a bot who may use its commands in a server.
func (ev *Events) CommandPermissions(set *CommandPermissions) {
	ev.Bots(Event{"APPLICATION_COMMAND_PERMISSIONS_UPDATE", set.GuildID, 0, func(app string, _ int) any {
		if app != set.ApplicationID || !ev.w.State.Installed(app, set.GuildID) {
			return nil
		}
		return set
	}})
}

// Presence tells bots with the presence intent about a person's status.
func (ev *Events) Presence(a *Account) {
	for _, id := range ev.w.State.GuildOrder {
		if ev.w.State.Guilds[id].Member(a.ID) != nil {
			ev.toGuild(id, "PRESENCE_UPDATE", IntentPresences, a.Presence(id))
		}
	}
}

// ThreadMembers tells bots which accounts joined or left a thread. Without the members
// intent, a bot is told only about itself.
func (ev *Events) ThreadMembers(ch *Channel, added []ThreadMemberObject, removed []string) {
	event := map[string]any{"id": ch.ID, "guild_id": ch.GuildID, "member_count": min(len(ch.Followers), 50)}
	if len(added) > 0 {
		event["added_members"] = added
	}
	if len(removed) > 0 {
		event["removed_member_ids"] = removed
	}
	ev.Bots(Event{"THREAD_MEMBERS_UPDATE", ch.GuildID, IntentGuilds | IntentGuildMembers, func(app string, intents int) any {
		self := slices.Contains(removed, app) || slices.ContainsFunc(added, func(m ThreadMemberObject) bool { return m.UserID == app })
		if !self && (intents&IntentGuildMembers == 0 || !ev.w.State.Permissions(app, ch).Has(ViewChannel)) {
			return nil
		}
		return event
	}})
}

// ThreadOpened tells the i-th member of a private thread, if it is a bot, that it was added to the thread.
func (ev *Events) ThreadOpened(ch *Channel, i int) {
	ev.Bots(Event{"THREAD_CREATE", ch.GuildID, IntentGuilds, func(app string, _ int) any {
		if app != ch.Followers[i].UserID {
			return nil
		}
		return struct {
			ChannelObject
			Member ThreadMemberObject `json:"member"`
		}{ev.w.State.ChannelObject(ch, app), ev.w.Threads.Member(ch, i, false)}
	}})
}

// Message sends bots the event of a message that was created or edited. It sends none
// for an ephemeral message, which only its own bot knows.
func (ev *Events) Message(name string, p *Post) {
	if p.Viewer != "" {
		return
	}
	st := ev.w.State
	ch := st.Channels[p.Message.ChannelID]
	ev.toChannel(ch, name, IntentGuildMessages, IntentDirectMessages, func(app string, intents int) any {
		told := st.MessageFor(p, app)
		event := struct {
			*Message
			GuildID string       `json:"guild_id,omitempty"`
			Member  *GuildMember `json:"member,omitempty"`
		}{Message: told, GuildID: ch.GuildID}
		if guild := st.Guilds[ch.GuildID]; guild != nil {
			if m := guild.Member(p.Message.Author.ID); m != nil {
				member := st.GuildMember(m)
				member.User = nil
				event.Member = &member
			}
			if intents&IntentMessageContent == 0 {
				event.Message = told.readBy(app)
			}
		}
		return event
	})
}

// Addresses reports whether an application may read the message even without the
// message content intent: its own messages, and messages that mention it.
func (m *Message) Addresses(app string) bool {
	if m.Author.ID == app {
		return true
	}
	for _, mentioned := range m.Mentions {
		if mentioned.ID == app {
			return true
		}
	}
	return false
}

// readBy returns the message, and the message it replies to, as sent to an
// application without the message content intent.
func (m *Message) readBy(app string) *Message {
	read := *m
	if !m.Addresses(app) {
		read.Content, read.Embeds, read.Components, read.Attachments = "", []json.RawMessage{}, []Component{}, []json.RawMessage{}
		read.Poll = nil
		read.Snapshots = make([]Snapshot, len(m.Snapshots))
		for i, s := range m.Snapshots {
			read.Snapshots[i].Message = s.Message.withoutContent()
		}
	}
	if r := m.Referenced; r != nil && r.Message != nil {
		read.Referenced = &Referenced{r.Message.readBy(app)}
	}
	return &read
}

// MessageDelete tells bots that a message was deleted.
func (ev *Events) MessageDelete(p *Post) {
	if p.Viewer != "" {
		return
	}
	ch := ev.w.State.Channels[p.Message.ChannelID]
	event := struct {
		ID        string `json:"id"`
		ChannelID string `json:"channel_id"`
		GuildID   string `json:"guild_id,omitempty"`
	}{p.Message.ID, ch.ID, ch.GuildID}
	ev.toChannel(ch, "MESSAGE_DELETE", IntentGuildMessages, IntentDirectMessages, sameForAll(event))
}

// BulkDelete tells bots that messages of a channel were deleted.
func (ev *Events) BulkDelete(ch *Channel, ids []string) {
	event := map[string]any{"ids": ids, "channel_id": ch.ID, "guild_id": ch.GuildID}
	ev.toChannel(ch, "MESSAGE_DELETE_BULK", IntentGuildMessages, IntentDirectMessages, sameForAll(event))
}

// Reaction sends bots an event about a message's reactions. The change is ADD, REMOVE, REMOVE_EMOJI or REMOVE_ALL.
func (ev *Events) Reaction(change string, ch *Channel, event map[string]any) {
	ev.toChannel(ch, "MESSAGE_REACTION_"+change, IntentGuildReactions, IntentDirectReactions, sameForAll(event))
}

// PollVote tells bots that somebody chose an answer of a poll or withdrew the choice. The change is ADD or REMOVE.
func (ev *Events) PollVote(change string, p *Post, user string, answer int) {
	if p.Viewer != "" {
		return
	}
	ch := ev.w.State.Channels[p.Message.ChannelID]
	event := map[string]any{"user_id": user, "channel_id": ch.ID, "message_id": p.Message.ID, "answer_id": answer}
	if ch.GuildID != "" {
		event["guild_id"] = ch.GuildID
	}
	ev.toChannel(ch, "MESSAGE_POLL_VOTE_"+change, IntentGuildPolls, IntentDirectPolls, sameForAll(event))
}

// Pins tells bots that a channel's pins have changed.
func (ev *Events) Pins(ch *Channel) {
	event := map[string]any{"channel_id": ch.ID, "last_pin_timestamp": ch.LastPin}
	if ch.GuildID != "" {
		event["guild_id"] = ch.GuildID
	}
	ev.toChannel(ch, "CHANNEL_PINS_UPDATE", IntentGuilds, IntentDirectMessages, sameForAll(event))
}

// Webhooks tells bots that a channel's webhooks have changed.
func (ev *Events) Webhooks(ch *Channel) {
	event := map[string]string{"guild_id": ch.GuildID, "channel_id": ch.ID}
	ev.toChannel(ch, "WEBHOOKS_UPDATE", IntentGuildWebhooks, 0, sameForAll(event))
}

type messageEvent struct {
	Channel string   `json:"channel"`
	Message *Message `json:"message"`
	Ping    bool     `json:"ping"`
}

// PublishMessage sends a message that was created or edited to the event streams.
func (ev *Events) PublishMessage(p *Post, isNew bool) {
	st := ev.w.State
	ev.Streams("message", func(viewer string) any {
		if !st.Sees(viewer, p) {
			return nil
		}
		return messageEvent{p.Message.ChannelID, st.MessageFor(p, viewer), isNew && st.pings(p.Message, viewer)}
	})
}

// PublishDelete tells the event streams that a message was deleted.
func (ev *Events) PublishDelete(p *Post) {
	ev.Streams("delete", func(viewer string) any {
		if !ev.w.State.Sees(viewer, p) {
			return nil
		}
		return map[string]string{"channel": p.Message.ChannelID, "message": p.Message.ID}
	})
}

// PublishState tells the event streams that something other than a message has changed.
func (ev *Events) PublishState() {
	ev.Streams("state", func(string) any { return struct{}{} })
}

// PublishFaults tells the event streams that the faults have changed.
func (ev *Events) PublishFaults() {
	ev.Streams("faults", func(string) any { return struct{}{} })
}

// PublishClock sends the event streams the clock's date and offset.
func (ev *Events) PublishClock() {
	ev.Streams("clock", func(string) any { return ev.w.ClockReading() })
}

// interactionNews is the event that reports the status of an interaction.
type interactionNews struct {
	Interaction  string `json:"interaction"`
	As           string `json:"as"`
	Message      string `json:"message"`
	Status       string `json:"status"`
	Milliseconds *int64 `json:"ms,omitempty"` // set once the interaction is settled
}

// PublishInteraction sends the event streams the status of an interaction, but not of an autocompletion.
func (ev *Events) PublishInteraction(in *Interaction, status string) {
	if in.Type == InteractionAutocomplete {
		return
	}
	event := interactionNews{Interaction: in.ID, As: in.User.ID, Status: status}
	if in.Message != nil {
		event.Message = in.Message.Message.ID
	}
	if in.IsSettled() {
		event.Milliseconds = &in.result.Milliseconds
	}
	ev.Streams("interaction", func(string) any { return event })
}

// The gateway intents used by the simulator.
const (
	IntentGuilds          = 1 << 0
	IntentGuildMembers    = 1 << 1
	IntentGuildModeration = 1 << 2
	IntentGuildWebhooks   = 1 << 5
	IntentPresences       = 1 << 8
	IntentGuildMessages   = 1 << 9
	IntentGuildReactions  = 1 << 10
	IntentDirectMessages  = 1 << 12
	IntentDirectReactions = 1 << 13
	IntentMessageContent  = 1 << 15
	IntentGuildPolls      = 1 << 24
	IntentDirectPolls     = 1 << 25
)
