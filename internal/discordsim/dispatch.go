package discordsim

import "encoding/json"

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
		Features: []string{}, Emojis: []json.RawMessage{}, Stickers: []json.RawMessage{},
	}
}

// guildCreate is the event that tells a bot of a server that it is in.
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
	// Without the members intent Discord sends no more than the bot itself.
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
	}{
		guildObject: g.object(), JoinedAt: self.JoinedAt, MemberCount: len(g.Members),
		Members: []guildMember{st.guildMember(self)}, Channels: channels,
		Threads: threads, Presences: []json.RawMessage{}, VoiceStates: []json.RawMessage{},
	}
}

// dispatchGuild tells the bots in a new server of it.
func (s *Sim) dispatchGuild(g *Guild) {
	for _, se := range s.sessions {
		if se.intents&intentGuilds != 0 && s.state.installed(se.app, g.ID) && se.concerns(g.ID) {
			se.dispatch("GUILD_CREATE", s.state.guildCreate(g, se.app), nil)
		}
	}
}

// listeners are the sessions that hear of the messages of a channel.
func (s *Sim) listeners(ch *Channel, each func(*session)) {
	intent := intentDirectMessages
	if ch.GuildID != "" {
		intent = intentGuildMessages
	}
	for _, se := range s.sessions {
		if se.intents&intent != 0 && se.concerns(ch.GuildID) && s.state.permissions(se.app, ch).Has(ViewChannel) {
			each(se)
		}
	}
}

// dispatchMessage tells bots of a message created or edited. Nobody but the
// bot that made an ephemeral one knows it, and that one from its own answer.
func (s *Sim) dispatchMessage(kind string, p *post) {
	if p.Viewer != "" {
		return
	}
	ch := s.state.channels[p.Message.ChannelID]
	s.listeners(ch, func(se *session) {
		event := struct {
			*Message
			GuildID string       `json:"guild_id,omitempty"`
			Member  *guildMember `json:"member,omitempty"`
		}{Message: p.Message, GuildID: ch.GuildID}
		if guild := s.state.guilds[ch.GuildID]; guild != nil {
			if m := guild.member(p.Message.Author.ID); m != nil {
				member := s.state.guildMember(m)
				member.User = nil
				event.Member = &member
			}
			if se.intents&intentMessageContent == 0 && !p.Message.addresses(se.app) {
				event.Message = p.Message.withoutContent()
			}
		}
		se.dispatch(kind, event, nil)
	})
}

// addresses tells whether an application reads the message even without the
// intent for content: its own, and one that mentions it.
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

func (m *Message) withoutContent() *Message {
	bare := *m
	bare.Content, bare.Embeds, bare.Components, bare.Attachments = "", []json.RawMessage{}, []Component{}, []json.RawMessage{}
	return &bare
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
