package control

import (
	"bytes"
	"net/http"

	"tictactoe/discordsim/rest"
	"tictactoe/discordsim/world"
)

// overview is the response of GET /sim/state: everything visible to one person
// or, without a person, everything in all servers.
type overview struct {
	world.ClockReading
	Viewer   string            `json:"viewer,omitempty"` // the id of the person
	Guilds   []guildOverview   `json:"guilds"`
	Channels []channelOverview `json:"channels"`
	Users    []userOverview    `json:"users"`
	Commands []*world.Command  `json:"commands"`
	Bots     []botOverview     `json:"bots"`
}

type guildOverview struct {
	ID      string           `json:"id"`
	Name    string           `json:"name"`
	Locale  string           `json:"locale"`
	OwnerID string           `json:"owner_id"`
	Members []memberOverview `json:"members"`
	Roles   []roleOverview   `json:"roles"`
	Bans    []world.Ban      `json:"bans"`
}

type memberOverview struct {
	User        string           `json:"user"`
	Nick        *string          `json:"nick"`
	Roles       []string         `json:"roles"`
	Permissions world.Permission `json:"permissions"` // the permissions of the member's own role
	// TimedOut is the date when the member's timeout ends or ended; nil if there was none.
	TimedOut *world.Timestamp `json:"communication_disabled_until"`
}

type roleOverview struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Color    int    `json:"color"`
	Position int    `json:"position"`
	// Own is the id of the only member who can have the role; empty for other roles.
	Own string `json:"own,omitempty"`
}

type channelOverview struct {
	world.ChannelObject
	Overwrites []world.Overwrite `json:"overwrites"`
}

type userOverview struct {
	world.Profile
	Locale   string `json:"locale"`
	Bot      bool   `json:"bot"`
	Installs bool   `json:"installs"`
	Status   string `json:"status"`
}

type botOverview struct {
	ApplicationID string          `json:"application_id"`
	User          world.Profile   `json:"user"`
	Connected     bool            `json:"connected"`
	VerifyKey     string          `json:"verify_key"`
	Endpoint      string          `json:"interactions_endpoint_url"`
	Absences      []world.Absence `json:"not_simulated"`
}

// overview returns the overview for a person, with commands only in the person's language. If person is nil, it
// contains all servers and all translations.
func (c *setupCalls) overview(person *world.Account) overview {
	viewer, listed := "", func(command *world.Command) *world.Command { return command }
	if person != nil {
		viewer = person.ID
		listed = func(command *world.Command) *world.Command { return command.Localized(person.Locale) }
	}
	shown := overview{
		ClockReading: c.w.ClockReading(), Viewer: viewer, Guilds: []guildOverview{}, Channels: []channelOverview{},
		Users: []userOverview{}, Commands: []*world.Command{}, Bots: []botOverview{},
	}
	for _, id := range c.w.State.GuildOrder {
		shown.Guilds = append(shown.Guilds, overviewOf(c.w.State.Guilds[id]))
	}
	for _, id := range c.w.State.ChannelOrder {
		if ch, visible := c.channelOverview(c.w.State.Channels[id], viewer); visible {
			shown.Channels = append(shown.Channels, ch)
		}
	}
	for _, id := range c.w.State.AccountOrder {
		a := c.w.State.Accounts[id]
		if !a.Bot {
			shown.Users = append(shown.Users, userOverview{a.Profile, a.Locale, false, a.Installs, a.CurrentStatus()})
			continue
		}
		shown.Bots = append(shown.Bots, botOverview{
			a.ID, a.Profile, c.gateway.Connected(a.ID), rest.VerifyKey(a.ID), c.w.State.Applications[a.ID].Endpoint,
			append([]world.Absence{}, c.w.Absences(a.ID)...),
		})
		for _, guildID := range append([]string{""}, c.w.State.GuildOrder...) {
			for _, command := range c.w.State.CommandsOf(a.ID, guildID) {
				shown.Commands = append(shown.Commands, listed(command))
			}
		}
	}
	return shown
}

func overviewOf(g *world.Guild) guildOverview {
	listed := guildOverview{g.ID, g.Name, g.Locale, g.OwnerID, []memberOverview{}, []roleOverview{}, append([]world.Ban{}, g.Bans...)}
	owners := map[string]string{}
	for _, m := range g.Members {
		owners[m.Own] = m.UserID
		listed.Members = append(listed.Members, memberOverview{m.UserID, m.Nick, append([]string{}, m.Roles...), g.Extra(&m), m.TimedOut})
	}
	for _, r := range g.Roles {
		listed.Roles = append(listed.Roles, roleOverview{r.ID, r.Name, r.Color, r.Position, owners[r.ID]})
	}
	return listed
}

// channelOverview returns false if the viewer cannot see the channel, and for
// direct messages if viewer is empty.
func (c *setupCalls) channelOverview(ch *world.Channel, viewer string) (channelOverview, bool) {
	may := c.w.State.Permissions(viewer, ch)
	if ch.GuildID == "" && viewer == "" || viewer != "" && !may.Has(world.ViewChannel) {
		return channelOverview{}, false
	}
	object := c.w.State.ChannelObject(ch, viewer)
	if ch.Type == world.ChannelDirect {
		object.Name = "@" + object.Recipients[0].Username
	}
	if viewer != "" {
		object.Permissions = &may
	}
	overwrites := append([]world.Overwrite{}, object.Overwrites...)
	object.Overwrites = nil
	return channelOverview{object, overwrites}, true
}

// firstPerson returns the person who was added first, or nil if there are only bots.
func (c *setupCalls) firstPerson() *world.Account {
	for _, id := range c.w.State.AccountOrder {
		if a := c.w.State.Accounts[id]; !a.Bot {
			return a
		}
	}
	return nil
}

// serveEmoji redirects to the emoji with the same picture and the lowest id, so that a page fetches each picture only
// once, however many emoji have it.
func (c *setupCalls) serveEmoji(w http.ResponseWriter, r *http.Request) {
	c.w.Lock()
	first := c.w.State.Emojis[r.PathValue("emoji")]
	for _, e := range c.w.State.Emojis {
		if first != nil && bytes.Equal(e.Data, first.Data) && e.ID < first.ID {
			first = e
		}
	}
	c.w.Unlock()
	if first == nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	http.Redirect(w, r, "/api/cdn/emojis/"+first.ID, http.StatusMovedPermanently)
}
