package discordsim

import (
	"encoding/json"
	"slices"
)

// Event is an event for bots. The gateway sends it to every session that has one of the
// intents and whose shard has the server.
type Event struct {
	Name    string // such as MESSAGE_CREATE
	GuildID string // empty outside servers
	Intents int
	// Body returns the event's object for an application that has the given intents, or
	// nil if the application does not get the event.
	Body func(app string, intents int) any
}

// Events tells the bots and the event streams of changes.
type Events struct {
	w *World
	// Bots sends an event to the bots' sessions.
	Bots func(Event)
	// Streams sends an event to every event stream for which of returns a body other than nil.
	Streams func(kind string, of func(viewer string) any)
}

func newEvents(w *World) *Events {
	return &Events{w: w, Bots: func(Event) {}, Streams: func(string, func(string) any) {}}
}

// hearing sends an event to the bots that see a channel and have the required intent:
// inGuild for a channel of a server, direct otherwise.
func (ev *Events) hearing(ch *Channel, name string, inGuild, direct int, body func(app string, intents int) any) {
	intent := direct
	if ch.GuildID != "" {
		intent = inGuild
	}
	ev.Bots(Event{name, ch.GuildID, intent, func(app string, intents int) any {
		if !ev.w.state.permissions(app, ch).Has(ViewChannel) {
			return nil
		}
		return body(app, intents)
	}})
}

// told sends the same object to the bots in a server that have an intent.
func (ev *Events) told(guildID, name string, intent int, object any) {
	ev.Bots(Event{name, guildID, intent, func(app string, _ int) any {
		if !ev.w.state.installed(app, guildID) {
			return nil
		}
		return object
	}})
}

// same returns an Event.Body that returns one object for all applications.
func same(object any) func(string, int) any { return func(string, int) any { return object } }

// GuildCreate tells the bots in a new server about it.
func (ev *Events) GuildCreate(g *Guild) {
	ev.Bots(Event{"GUILD_CREATE", g.ID, intentGuilds, func(app string, _ int) any {
		if !ev.w.state.installed(app, g.ID) {
			return nil
		}
		return ev.w.state.guildCreate(g, app)
	}})
}

// Join tells a bot about the server that it has joined.
func (ev *Events) Join(g *Guild, bot string) {
	ev.Bots(Event{"GUILD_CREATE", g.ID, intentGuilds, func(app string, _ int) any {
		if app != bot {
			return nil
		}
		return ev.w.state.guildCreate(g, app)
	}})
}

// Leave tells bots that a member left a server, and a bot that it left itself.
func (ev *Events) Leave(guildID string, left *account) {
	ev.told(guildID, "GUILD_MEMBER_REMOVE", intentGuildMembers, map[string]any{"guild_id": guildID, "user": left.Profile})
	ev.Bots(Event{"GUILD_DELETE", guildID, intentGuilds, func(app string, _ int) any {
		if app != left.ID {
			return nil
		}
		return map[string]string{"id": guildID}
	}})
}

// Channel tells bots that a channel or thread was created, changed or deleted, if they
// see it or saw it before. what is CREATE, UPDATE or DELETE.
func (ev *Events) Channel(what string, before, after *Channel) {
	name := "CHANNEL_" + what
	if after.isThread() {
		name = "THREAD_" + what
	}
	st := ev.w.state
	ev.Bots(Event{name, after.GuildID, intentGuilds, func(app string, _ int) any {
		if !st.installed(app, after.GuildID) || !(st.permissions(app, after) | st.permissions(app, before)).Has(ViewChannel) {
			return nil
		}
		object := st.channelObject(after, app)
		if name == "THREAD_CREATE" {
			object.New = true
		}
		return object
	}})
}

// Role tells bots that a role was created or changed.
func (ev *Events) Role(name, guildID string, role Role) {
	ev.told(guildID, name, intentGuilds, map[string]any{"guild_id": guildID, "role": role})
}

// RoleDelete tells bots that a role was deleted.
func (ev *Events) RoleDelete(guildID, roleID string) {
	ev.told(guildID, "GUILD_ROLE_DELETE", intentGuilds, map[string]string{"guild_id": guildID, "role_id": roleID})
}

// Member tells bots that a member joined a server or changed. A bot is told about its
// own member even without the intent.
func (ev *Events) Member(name, guildID string, m *Member) {
	event := struct {
		guildMember
		GuildID string `json:"guild_id"`
	}{ev.w.state.guildMember(m), guildID}
	ev.Bots(Event{name, guildID, intentGuildMembers | intentGuilds, func(app string, intents int) any {
		wants := intents&intentGuildMembers != 0 || name == "GUILD_MEMBER_UPDATE" && app == m.UserID
		if !wants || !ev.w.state.installed(app, guildID) {
			return nil
		}
		return event
	}})
}

// Presence tells bots with the presence intent about a person's status.
func (ev *Events) Presence(a *account) {
	for _, id := range ev.w.state.guildOrder {
		if ev.w.state.guilds[id].member(a.ID) != nil {
			ev.told(id, "PRESENCE_UPDATE", intentPresences, a.presence(id))
		}
	}
}

// ThreadMembers tells bots which accounts joined or left a thread. Without the members
// intent, a bot is told only about itself.
func (ev *Events) ThreadMembers(ch *Channel, added []threadMemberObject, removed []string) {
	event := map[string]any{"id": ch.ID, "guild_id": ch.GuildID, "member_count": min(len(ch.Followers), 50)}
	if len(added) > 0 {
		event["added_members"] = added
	}
	if len(removed) > 0 {
		event["removed_member_ids"] = removed
	}
	ev.hearing(ch, "THREAD_MEMBERS_UPDATE", intentGuilds|intentGuildMembers, 0, func(app string, intents int) any {
		self := slices.Contains(removed, app) || slices.ContainsFunc(added, func(m threadMemberObject) bool { return m.UserID == app })
		if intents&intentGuildMembers == 0 && !self {
			return nil
		}
		return event
	})
}

// Message sends bots the event of a message that was created or edited. It sends none
// for an ephemeral message, which only its own bot knows.
func (ev *Events) Message(name string, p *post) {
	if p.Viewer != "" {
		return
	}
	st := ev.w.state
	ch := st.channels[p.Message.ChannelID]
	ev.hearing(ch, name, intentGuildMessages, intentDirectMessages, func(app string, intents int) any {
		told := st.messageFor(p, app)
		event := struct {
			*Message
			GuildID string       `json:"guild_id,omitempty"`
			Member  *guildMember `json:"member,omitempty"`
		}{Message: told, GuildID: ch.GuildID}
		if guild := st.guilds[ch.GuildID]; guild != nil {
			if m := guild.member(p.Message.Author.ID); m != nil {
				member := st.guildMember(m)
				member.User = nil
				event.Member = &member
			}
			if intents&intentMessageContent == 0 {
				event.Message = told.readBy(app)
			}
		}
		return event
	})
}

// addresses reports whether an application may read the message even without the
// message content intent: its own messages, and messages that mention it.
func (m *Message) addresses(app string) bool {
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
	if !m.addresses(app) {
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
func (ev *Events) MessageDelete(p *post) {
	if p.Viewer != "" {
		return
	}
	ch := ev.w.state.channels[p.Message.ChannelID]
	event := struct {
		ID        string `json:"id"`
		ChannelID string `json:"channel_id"`
		GuildID   string `json:"guild_id,omitempty"`
	}{p.Message.ID, ch.ID, ch.GuildID}
	ev.hearing(ch, "MESSAGE_DELETE", intentGuildMessages, intentDirectMessages, same(event))
}

// BulkDelete tells bots that messages of a channel were deleted.
func (ev *Events) BulkDelete(ch *Channel, ids []string) {
	event := map[string]any{"ids": ids, "channel_id": ch.ID, "guild_id": ch.GuildID}
	ev.hearing(ch, "MESSAGE_DELETE_BULK", intentGuildMessages, intentDirectMessages, same(event))
}

// Reaction sends bots a reaction event: what is ADD, REMOVE, REMOVE_EMOJI or REMOVE_ALL.
func (ev *Events) Reaction(what string, ch *Channel, event map[string]any) {
	ev.hearing(ch, "MESSAGE_REACTION_"+what, intentGuildReactions, intentDirectReactions, same(event))
}

// Pins tells bots that a channel's pins have changed.
func (ev *Events) Pins(ch *Channel) {
	event := map[string]any{"channel_id": ch.ID, "last_pin_timestamp": ch.LastPin}
	if ch.GuildID != "" {
		event["guild_id"] = ch.GuildID
	}
	ev.hearing(ch, "CHANNEL_PINS_UPDATE", intentGuilds, intentDirectMessages, same(event))
}

// Webhooks tells bots that a channel's webhooks have changed.
func (ev *Events) Webhooks(ch *Channel) {
	event := map[string]string{"guild_id": ch.GuildID, "channel_id": ch.ID}
	ev.hearing(ch, "WEBHOOKS_UPDATE", intentGuildWebhooks, 0, same(event))
}

type messageEvent struct {
	Channel string   `json:"channel"`
	Message *Message `json:"message"`
	Ping    bool     `json:"ping"`
}

// PublishMessage sends the event streams a message that was created or edited.
func (ev *Events) PublishMessage(p *post, isNew bool) {
	st := ev.w.state
	ev.Streams("message", func(viewer string) any {
		if !st.sees(viewer, p) {
			return nil
		}
		return messageEvent{p.Message.ChannelID, st.messageFor(p, viewer), isNew && st.pings(p.Message, viewer)}
	})
}

// PublishDelete tells the event streams that a message was deleted.
func (ev *Events) PublishDelete(p *post) {
	ev.Streams("delete", func(viewer string) any {
		if !ev.w.state.sees(viewer, p) {
			return nil
		}
		return map[string]string{"channel": p.Message.ChannelID, "message": p.Message.ID}
	})
}

// PublishState tells the event streams that anything but messages has changed.
func (ev *Events) PublishState() {
	ev.Streams("state", func(string) any { return struct{}{} })
}

// PublishFaults tells the event streams that the faults have changed.
func (ev *Events) PublishFaults() {
	ev.Streams("faults", func(string) any { return struct{}{} })
}

// PublishClock sends the event streams the date.
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

// PublishInteraction sends the event streams the status of an interaction.
// Autocompletions are not reported.
func (ev *Events) PublishInteraction(in *interaction, status string) {
	if in.kind == interactionAutocomplete {
		return
	}
	event := interactionNews{Interaction: in.id, As: in.who.ID, Status: status}
	if in.message != nil {
		event.Message = in.message.Message.ID
	}
	if in.isSettled() {
		event.Milliseconds = &in.result.Milliseconds
	}
	ev.Streams("interaction", func(string) any { return event })
}
