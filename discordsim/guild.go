package discordsim

import (
	"fmt"
	"slices"
)

// Guild is a server. It is a value that is replaced, never changed.
type Guild struct {
	ID         string   `json:"id"`
	Name       string   `json:"name"`
	OwnerID    string   `json:"owner_id"`
	Locale     string   `json:"preferred_locale"`
	Features   []string `json:"features"`
	Roles      []Role   `json:"roles"`
	Members    []Member `json:"members"`
	BotsAbsent bool     `json:"bots_absent,omitempty"`
	// Defaults are the default permissions of @everyone in the program version that last opened the state.
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
	JoinedAt timestamp `json:"joined_at"`
	// Own is the id of a role that only this member has; it may be empty.
	Own string `json:"own,omitempty"`
}

func (g *Guild) member(userID string) *Member {
	for i := range g.Members {
		if g.Members[i].UserID == userID {
			return &g.Members[i]
		}
	}
	return nil
}

func (g *Guild) role(id string) *Role {
	for i := range g.Roles {
		if g.Roles[i].ID == id {
			return &g.Roles[i]
		}
	}
	return nil
}

// copy returns a guild whose members and roles can be changed.
func (g *Guild) copy() *Guild {
	c := *g
	c.Roles, c.Members = slices.Clone(g.Roles), slices.Clone(g.Members)
	for i := range c.Members {
		c.Members[i].Roles = slices.Clone(c.Members[i].Roles)
	}
	return &c
}

// Server describes a guild to add to the simulator.
type Server struct {
	Name string `json:"name"`
	// Locale is the server's language; en-US when empty. Only a Community can have another language, so setting one makes the
	// server a Community.
	Locale string `json:"locale"`
	// Community makes the server a Community even if its language is en-US.
	Community bool `json:"community"`
	// Channels are the names of the server's text channels; general when empty.
	Channels []string `json:"channels"`
	// BotsAbsent keeps bots out of the server: only people who have installed an
	// application on their account can use it there.
	BotsAbsent bool `json:"bots_absent"`
}

// Add adds a server and returns its id. The simulator's first person owns
// it. Its members are all people and, unless BotsAbsent is set, all bots.
func (gs *Guilds) Add(server Server) (id string, err error) {
	err = gs.w.Locked(func() error {
		if server.Name == "" {
			return fmt.Errorf("a server needs a name")
		}
		if err := isLocale(server.Locale); err != nil {
			return err
		}
		for _, name := range server.Channels {
			if err := (&Channel{Type: channelText, Name: name}).named(); err != nil {
				return err
			}
		}
		id = gs.w.NextID()
		gs.add(id, server, gs.w.NextID)
		gs.w.events.PublishState()
		return nil
	})
	return id, err
}

func (gs *Guilds) add(id string, server Server, nextID func() string) {
	if server.Locale == "" {
		server.Locale = "en-US"
	}
	if len(server.Channels) == 0 {
		server.Channels = []string{"general"}
	}
	guild := &Guild{ID: id, Name: server.Name, Locale: server.Locale, Features: []string{}, BotsAbsent: server.BotsAbsent, Defaults: everyonePermissions}
	if server.Community || server.Locale != "en-US" {
		guild.Features = []string{"COMMUNITY"}
	}
	guild.Roles = []Role{{ID: id, Name: "@everyone", Permissions: everyonePermissions}}
	for _, userID := range gs.w.state.accountOrder {
		a := gs.w.state.accounts[userID]
		if a.Bot && server.BotsAbsent {
			continue
		}
		if guild.OwnerID == "" && !a.Bot {
			guild.OwnerID = userID
		}
		guild.Members = append(guild.Members, Member{UserID: userID, JoinedAt: stamp(gs.w.clock.Now())})
	}
	gs.w.Put(change{Guild: guild})
	for i, name := range server.Channels {
		gs.w.Put(change{Channel: &Channel{ID: nextID(), Type: channelText, GuildID: id, Name: name, Position: i}})
	}
	gs.w.events.GuildCreate(guild)
}
