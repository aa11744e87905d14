package discordsim

import (
	"encoding/json"
	"slices"
	"time"
)

// guildMember is a member as Discord's API shows it.
type guildMember struct {
	User        *Profile    `json:"user,omitempty"`
	Nick        *string     `json:"nick"`
	Avatar      *string     `json:"avatar"`
	Banner      *string     `json:"banner"`
	Roles       []string    `json:"roles"`
	JoinedAt    timestamp   `json:"joined_at"`
	Premium     *timestamp  `json:"premium_since"`
	TimedOut    *timestamp  `json:"communication_disabled_until"`
	Deaf        bool        `json:"deaf"`
	Mute        bool        `json:"mute"`
	Pending     bool        `json:"pending"`
	Flags       int         `json:"flags"`
	Permissions *Permission `json:"permissions,omitempty"`
}

func (st *state) guildMember(m *Member) guildMember {
	user := st.accounts[m.UserID].Profile
	return guildMember{User: &user, Nick: m.Nick, Roles: append([]string{}, m.Roles...), JoinedAt: m.JoinedAt}
}

// guildObject is a server as Discord's API shows it.
type guildObject struct {
	ID              string            `json:"id"`
	Name            string            `json:"name"`
	Icon            *string           `json:"icon"`
	OwnerID         string            `json:"owner_id"`
	PreferredLocale string            `json:"preferred_locale"`
	Features        []string          `json:"features"`
	Roles           []Role            `json:"roles"`
	Emojis          []json.RawMessage `json:"emojis"`
	Stickers        []json.RawMessage `json:"stickers"`
	Verification    int               `json:"verification_level"`
	Notifications   int               `json:"default_message_notifications"`
	ContentFilter   int               `json:"explicit_content_filter"`
	MFALevel        int               `json:"mfa_level"`
	NSFWLevel       int               `json:"nsfw_level"`
	PremiumTier     int               `json:"premium_tier"`
	SystemFlags     int               `json:"system_channel_flags"`
}

func (g *Guild) object() guildObject {
	return guildObject{
		ID: g.ID, Name: g.Name, OwnerID: g.OwnerID, PreferredLocale: g.Locale, Roles: g.Roles,
		Features: slices.Clone(g.Features), Emojis: []json.RawMessage{}, Stickers: []json.RawMessage{},
	}
}

// guildCreate returns the event that tells a bot about one of its servers.
func (st *state) guildCreate(g *Guild, app string) any {
	channels, threads := []channelObject{}, []channelObject{}
	for _, id := range st.channelOrder {
		ch := st.channels[id]
		switch {
		case ch.GuildID != g.ID || !st.permissions(app, ch).Has(ViewChannel):
		case !ch.isThread():
			channels = append(channels, st.channelObject(ch, app))
		case !ch.Archived:
			threads = append(threads, st.channelObject(ch, app))
		}
	}
	// Without the members intent Discord sends only the bot's own member.
	self := g.member(app)
	return struct {
		guildObject
		JoinedAt    timestamp         `json:"joined_at"`
		Large       bool              `json:"large"`
		Unavailable bool              `json:"unavailable"`
		MemberCount int               `json:"member_count"`
		Members     []guildMember     `json:"members"`
		Channels    []channelObject   `json:"channels"`
		Threads     []channelObject   `json:"threads"`
		Presences   []json.RawMessage `json:"presences"`
		VoiceStates []json.RawMessage `json:"voice_states"`
		Stages      []json.RawMessage `json:"stage_instances"`
		Scheduled   []json.RawMessage `json:"guild_scheduled_events"`
		Sounds      []json.RawMessage `json:"soundboard_sounds"`
	}{
		guildObject: g.object(), JoinedAt: self.JoinedAt, MemberCount: len(g.Members),
		Members: []guildMember{st.guildMember(self)}, Channels: channels,
		Threads: threads, Presences: []json.RawMessage{}, VoiceStates: []json.RawMessage{},
		Stages: []json.RawMessage{}, Scheduled: []json.RawMessage{}, Sounds: []json.RawMessage{},
	}
}

// dispatchGuild tells the bots in a new server about it.
func (s *Sim) dispatchGuild(g *Guild) {
	for _, se := range s.sessions {
		if se.intents&intentGuilds != 0 && s.state.installed(se.app, g.ID) && se.concerns(g.ID) {
			se.dispatch("GUILD_CREATE", s.state.guildCreate(g, se.app), nil)
		}
	}
}

// reorderWithin is how long a held-back interaction waits for the next
// interaction to overtake it.
const reorderWithin = time.Second

// overtaken is an interaction that waits for its bot's next interaction.
type overtaken struct {
	send  func()
	timer *time.Timer
}

// dispatchInteraction sends an interaction to its bot: at once or, if there are
// faults, late, out of order or never.
func (s *Sim) dispatchInteraction(in *interaction, event interactionEvent) {
	f := s.faultsOf(in.app)
	send := func() { s.sendInteraction(in, event) }
	if f.Reorder {
		now := send
		send = func() { s.overtake(in.app, now) }
	}
	switch {
	case f.Lose:
	case f.DelayMS > 0:
		s.later(time.Duration(f.DelayMS)*time.Millisecond, send)
	default:
		send()
	}
}

// later runs do under the lock after a delay, unless the simulator has been closed by then.
func (s *Sim) later(d time.Duration, do func()) *time.Timer {
	return time.AfterFunc(d, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if !s.closed {
			do()
		}
	})
}

// overtake holds an interaction back until the bot's next interaction or, if one
// is already held back, sends the new interaction first.
func (s *Sim) overtake(app string, send func()) {
	first := s.overtaken[app]
	if first != nil {
		first.timer.Stop()
		delete(s.overtaken, app)
		send()
		first.send()
		return
	}
	first = &overtaken{send: send}
	first.timer = s.later(reorderWithin, func() {
		if s.overtaken[app] == first {
			delete(s.overtaken, app)
			first.send()
		}
	})
	s.overtaken[app] = first
}

// sendInteraction sends an interaction over the gateway, or to the application's
// endpoint if it has set one.
func (s *Sim) sendInteraction(in *interaction, event interactionEvent) {
	body, times, f := mustJSON(event), 1, s.faultsOf(in.app)
	if f.Garble != nil {
		body = f.Garble(in.id, body)
	}
	if f.Duplicate {
		times = 2
	}
	if app := s.state.applications[in.app]; app != nil && app.Endpoint != "" {
		for range times {
			s.callEndpoint(in, app.Endpoint, body)
		}
		return
	}
	for _, se := range s.sessions {
		if se.app != in.app || !se.concerns(in.channel.GuildID) {
			continue
		}
		for i := range times {
			var written chan struct{}
			if i == 1 && in.onWire == nil && se.connection != nil {
				written = make(chan struct{})
				in.onWire = written
			}
			se.dispatch("INTERACTION_CREATE", body, written)
		}
	}
}

// listeners calls each for every session that receives the messages of a channel.
func (s *Sim) listeners(ch *Channel, each func(*session)) {
	s.hearing(ch, intentGuildMessages, intentDirectMessages, each)
}

// hearing calls each for every session whose bot sees a channel and has the
// required intent: inGuild for a channel of a server, direct otherwise.
func (s *Sim) hearing(ch *Channel, inGuild, direct int, each func(*session)) {
	intent := direct
	if ch.GuildID != "" {
		intent = inGuild
	}
	for _, se := range s.sessions {
		if se.intents&intent != 0 && se.concerns(ch.GuildID) && s.state.permissions(se.app, ch).Has(ViewChannel) {
			each(se)
		}
	}
}

// dispatchMessage sends bots the event of a message that was created or edited.
// It sends none for an ephemeral message, which only its own bot knows.
func (s *Sim) dispatchMessage(kind string, p *post) {
	if p.Viewer != "" {
		return
	}
	ch := s.state.channels[p.Message.ChannelID]
	s.listeners(ch, func(se *session) {
		told := s.state.messageFor(p, se.app)
		event := struct {
			*Message
			GuildID string       `json:"guild_id,omitempty"`
			Member  *guildMember `json:"member,omitempty"`
		}{Message: told, GuildID: ch.GuildID}
		if guild := s.state.guilds[ch.GuildID]; guild != nil {
			if m := guild.member(p.Message.Author.ID); m != nil {
				member := s.state.guildMember(m)
				member.User = nil
				event.Member = &member
			}
			if se.intents&intentMessageContent == 0 {
				event.Message = told.readBy(se.app)
			}
		}
		se.dispatch(kind, event, nil)
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

func (s *Sim) dispatchDelete(p *post) {
	if p.Viewer != "" {
		return
	}
	ch := s.state.channels[p.Message.ChannelID]
	event := struct {
		ID        string `json:"id"`
		ChannelID string `json:"channel_id"`
		GuildID   string `json:"guild_id,omitempty"`
	}{p.Message.ID, ch.ID, ch.GuildID}
	s.listeners(ch, func(se *session) { se.dispatch("MESSAGE_DELETE", event, nil) })
}
