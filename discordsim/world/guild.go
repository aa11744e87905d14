package world

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Guild is a server. It is immutable: a change stores a new value.
type Guild struct {
	ID         string   `json:"id"`
	Name       string   `json:"name"`
	OwnerID    string   `json:"owner_id"`
	Locale     string   `json:"preferred_locale"`
	Features   []string `json:"features"`
	Roles      []Role   `json:"roles"`
	Members    []Member `json:"members"`
	Bans       []Ban    `json:"bans,omitempty"`
	BotsAbsent bool     `json:"bots_absent,omitempty"`
	// Defaults are the default permissions of @everyone in the program version that last opened the state file.
	Defaults Permission `json:"default_permissions,omitempty"`
}

// Role is a role of a server. The @everyone role has the server's id.
type Role struct {
	ID          string     `json:"id"`
	Name        string     `json:"name"`
	Color       int        `json:"color"`
	Colors      RoleColors `json:"colors"`
	Icon        *string    `json:"icon"`
	Emoji       *string    `json:"unicode_emoji"`
	Hoist       bool       `json:"hoist"`
	Position    int        `json:"position"`
	Permissions Permission `json:"permissions"`
	Managed     bool       `json:"managed"`
	Mentionable bool       `json:"mentionable"`
	Flags       int        `json:"flags"`
}

// RoleColors are the colours of a role. Only the primary colour is ever set.
type RoleColors struct {
	Primary   int  `json:"primary_color"`
	Secondary *int `json:"secondary_color"`
	Tertiary  *int `json:"tertiary_color"`
}

// Member is an account's membership of a server.
type Member struct {
	UserID   string    `json:"user_id"`
	Nick     *string   `json:"nick"`
	Roles    []string  `json:"roles"`
	JoinedAt Timestamp `json:"joined_at"`
	// Own is the id of a role that only this member has; it may be empty.
	Own string `json:"own,omitempty"`
	// TimedOut is the date when the member's timeout ends or ended; nil if there was no timeout.
	TimedOut *Timestamp `json:"timed_out,omitempty"`
}

// Member returns the membership of an account, or nil.
func (g *Guild) Member(userID string) *Member {
	for i := range g.Members {
		if g.Members[i].UserID == userID {
			return &g.Members[i]
		}
	}
	return nil
}

// Role returns a role by its id, or nil.
func (g *Guild) Role(id string) *Role {
	for i := range g.Roles {
		if g.Roles[i].ID == id {
			return &g.Roles[i]
		}
	}
	return nil
}

// Copy returns a copy of the guild whose members and roles can be changed without changing the original.
func (g *Guild) Copy() *Guild {
	c := *g
	c.Roles, c.Members, c.Bans = slices.Clone(g.Roles), slices.Clone(g.Members), slices.Clone(g.Bans)
	for i := range c.Members {
		c.Members[i].Roles = slices.Clone(c.Members[i].Roles)
	}
	return &c
}

// Server describes a guild to add to the simulator.
type Server struct {
	// ID is the server's id; a new one when empty.
	ID   string `json:"id"`
	Name string `json:"name"`
	// Owner is the name or the id of the person who owns the server; the first person when empty.
	Owner string `json:"owner"`
	// Locale is the server's language; en-US when empty. Only a Community can have another language, so setting
	// another language makes the server a Community.
	Locale string `json:"locale"`
	// Community makes the server a Community even if its language is en-US.
	Community bool `json:"community"`
	// Channels are the names of the server's text channels; general when nil.
	Channels []string `json:"channels"`
	// BotsAbsent keeps bots out of the server: only people who have installed an
	// application on their account can use it there.
	BotsAbsent bool `json:"bots_absent"`
}

// Add adds a server and returns its id. Its members are all people and, unless
// BotsAbsent is set, all bots.
func (gs *Guilds) Add(server Server) (id string, err error) {
	err = gs.w.Locked(func() error {
		if server.Name == "" {
			return fmt.Errorf("a server needs a name")
		}
		if err := checkLocale(server.Locale); err != nil {
			return err
		}
		for _, name := range server.Channels {
			if err := (&Channel{Type: ChannelText, Name: name}).named(); err != nil {
				return err
			}
		}
		if server.Owner != "" {
			owner, err := gs.w.State.Person(server.Owner)
			if err != nil {
				return err
			}
			server.Owner = owner.ID
		}
		if server.Channels == nil {
			server.Channels = []string{"general"}
		}
		if id, err = gs.w.claim(server.ID); err != nil {
			return err
		}
		gs.add(id, server, gs.w.NextID)
		gs.w.Events.PublishState()
		return nil
	})
	return id, err
}

func (gs *Guilds) add(id string, server Server, nextID func() string) {
	if server.Locale == "" {
		server.Locale = "en-US"
	}
	guild := &Guild{
		ID: id, Name: server.Name, OwnerID: server.Owner, Locale: server.Locale, Features: []string{},
		BotsAbsent: server.BotsAbsent, Defaults: everyonePermissions,
	}
	if server.Community || server.Locale != "en-US" {
		guild.Features = []string{"COMMUNITY"}
	}
	guild.Roles = []Role{{ID: id, Name: "@everyone", Permissions: everyonePermissions}}
	for _, userID := range gs.w.State.AccountOrder {
		a := gs.w.State.Accounts[userID]
		if a.Bot && server.BotsAbsent {
			continue
		}
		if guild.OwnerID == "" && !a.Bot {
			guild.OwnerID = userID
		}
		guild.Members = append(guild.Members, Member{UserID: userID, JoinedAt: Stamp(gs.w.Clock.Now())})
	}
	gs.w.Put(Change{Guild: guild})
	for i, name := range server.Channels {
		gs.w.Put(Change{Channel: &Channel{ID: nextID(), Type: ChannelText, GuildID: id, Name: name, Position: i}})
	}
	gs.w.Events.GuildCreate(guild)
}

// GuildMember is a member as Discord's API shows it.
type GuildMember struct {
	User        *Profile    `json:"user,omitempty"`
	Nick        *string     `json:"nick"`
	Avatar      *string     `json:"avatar"`
	Banner      *string     `json:"banner"`
	Roles       []string    `json:"roles"`
	JoinedAt    Timestamp   `json:"joined_at"`
	Premium     *Timestamp  `json:"premium_since"`
	TimedOut    *Timestamp  `json:"communication_disabled_until"`
	Deaf        bool        `json:"deaf"`
	Mute        bool        `json:"mute"`
	Pending     bool        `json:"pending"`
	Flags       int         `json:"flags"`
	Permissions *Permission `json:"permissions,omitempty"`
}

// GuildMember returns a member as Discord's API shows it.
func (st *State) GuildMember(m *Member) GuildMember {
	user := st.Accounts[m.UserID].Profile
	return GuildMember{User: &user, Nick: m.Nick, Roles: append([]string{}, m.Roles...), JoinedAt: m.JoinedAt, TimedOut: m.TimedOut}
}

// GuildObject is a server as Discord's API shows it.
type GuildObject struct {
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

// Object returns the server as Discord's API shows it.
func (g *Guild) Object() GuildObject {
	return GuildObject{
		ID: g.ID, Name: g.Name, OwnerID: g.OwnerID, PreferredLocale: g.Locale, Roles: g.Roles,
		Features: slices.Clone(g.Features), Emojis: []json.RawMessage{}, Stickers: []json.RawMessage{},
	}
}

// GuildCreate returns the GUILD_CREATE event that tells a bot about one of its servers.
func (st *State) GuildCreate(g *Guild, app string) any {
	channels, threads := []ChannelObject{}, []ChannelObject{}
	for _, id := range st.ChannelOrder {
		ch := st.Channels[id]
		switch {
		case ch.GuildID != g.ID || !st.Permissions(app, ch).Has(ViewChannel):
		case !ch.IsThread():
			channels = append(channels, st.ChannelObject(ch, app))
		case !ch.Archived:
			threads = append(threads, st.ChannelObject(ch, app))
		}
	}
	// Without the members intent Discord sends only the bot's own member.
	self := g.Member(app)
	return struct {
		GuildObject
		JoinedAt    Timestamp         `json:"joined_at"`
		Large       bool              `json:"large"`
		Unavailable bool              `json:"unavailable"`
		MemberCount int               `json:"member_count"`
		Members     []GuildMember     `json:"members"`
		Channels    []ChannelObject   `json:"channels"`
		Threads     []ChannelObject   `json:"threads"`
		Presences   []json.RawMessage `json:"presences"`
		VoiceStates []json.RawMessage `json:"voice_states"`
		Stages      []json.RawMessage `json:"stage_instances"`
		Scheduled   []json.RawMessage `json:"guild_scheduled_events"`
		Sounds      []json.RawMessage `json:"soundboard_sounds"`
	}{
		GuildObject: g.Object(), JoinedAt: self.JoinedAt, MemberCount: len(g.Members),
		Members: []GuildMember{st.GuildMember(self)}, Channels: channels,
		Threads: threads, Presences: []json.RawMessage{}, VoiceStates: []json.RawMessage{},
		Stages: []json.RawMessage{}, Scheduled: []json.RawMessage{}, Sounds: []json.RawMessage{},
	}
}
