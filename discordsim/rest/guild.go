package rest

import (
	"slices"
	"strconv"

	"tictactoe/discordsim/check"
	"tictactoe/discordsim/world"
)

var guildRoutes = []route{
	{pattern: "GET /guilds/{guild}", serve: guildGet, limit: someLookUps},
	{pattern: "GET /guilds/{guild}/channels", serve: guildChannels, limit: someLookUps},
	{pattern: "GET /users/@me/guilds", serve: userGuilds, limit: someLookUps},
	{pattern: "DELETE /users/@me/guilds/{guild}", serve: userLeaves, limit: someLookUps},
	{pattern: "GET /channels/{channel}", serve: channelGet, limit: someReads},
}

// inGuild calls f with a server that the application is a member of.
func inGuild(c *call, f func(*world.Guild) (any, error)) (a answer, err error) {
	err = c.w.Locked(func() error {
		guild := c.w.State.Guilds[c.PathValue("guild")]
		if guild == nil {
			return check.ErrUnknownGuild
		}
		if guild.Member(c.App) == nil {
			return check.ErrMissingAccess
		}
		body, err := f(guild)
		a = ok(body)
		return err
	})
	return a, err
}

func guildGet(c *call) (answer, error) {
	counts, _ := strconv.ParseBool(c.URL.Query().Get("with_counts"))
	return inGuild(c, func(g *world.Guild) (any, error) {
		object := wholeGuild{
			GuildObject: g.Object(), Region: "us-east", AFKTimeout: 300, MaxMembers: 500_000,
			MaxVideo: 25, MaxStage: 50,
		}
		if counts {
			members := len(g.Members)
			object.Members, object.Presences = &members, &members
		}
		return object, nil
	})
}

// wholeGuild is the response to a request for a server. It includes the fields that Discord always sends and that have no meaning
// here.
type wholeGuild struct {
	world.GuildObject
	Description   *string `json:"description"`
	HomeHeader    *string `json:"home_header"`
	Splash        *string `json:"splash"`
	Discovery     *string `json:"discovery_splash"`
	Banner        *string `json:"banner"`
	Application   *string `json:"application_id"`
	Region        string  `json:"region"`
	AFKChannel    *string `json:"afk_channel_id"`
	AFKTimeout    int     `json:"afk_timeout"` // seconds
	SystemChannel *string `json:"system_channel_id"`
	Widget        bool    `json:"widget_enabled"`
	WidgetChannel *string `json:"widget_channel_id"`
	RulesChannel  *string `json:"rules_channel_id"`
	SafetyChannel *string `json:"safety_alerts_channel_id"`
	NewsChannel   *string `json:"public_updates_channel_id"`
	Vanity        *string `json:"vanity_url_code"`
	Boosts        int     `json:"premium_subscription_count"`
	BoostBar      bool    `json:"premium_progress_bar_enabled"`
	NSFW          bool    `json:"nsfw"`
	MaxPresences  *int    `json:"max_presences"`
	MaxMembers    int     `json:"max_members"`
	MaxVideo      int     `json:"max_video_channel_users"`
	MaxStage      int     `json:"max_stage_video_channel_users"`
	Incidents     *string `json:"incidents_data"`
	Members       *int    `json:"approximate_member_count,omitempty"`
	Presences     *int    `json:"approximate_presence_count,omitempty"`
}

func guildChannels(c *call) (answer, error) {
	return inGuild(c, func(g *world.Guild) (any, error) {
		channels := []world.ChannelObject{}
		for _, id := range c.w.State.ChannelOrder {
			if ch := c.w.State.Channels[id]; ch.GuildID == g.ID && !ch.IsThread() {
				channels = append(channels, c.w.State.ChannelObject(ch, c.App))
			}
		}
		return channels, nil
	})
}

func userGuilds(c *call) (a answer, err error) {
	query := c.URL.Query()
	limit, after, err := pageOf(query, 200, 200)
	if err != nil {
		return a, err
	}
	before, err := idOf(query, "before")
	if err != nil {
		return a, err
	}
	counts, _ := strconv.ParseBool(query.Get("with_counts"))
	err = c.w.Locked(func() error {
		guilds := []map[string]any{}
		for _, id := range slices.SortedFunc(slices.Values(c.w.State.GuildOrder), world.CompareIDs) {
			if after != "" && world.CompareIDs(id, after) <= 0 || before != "" && world.CompareIDs(id, before) >= 0 {
				continue
			}
			g := c.w.State.Guilds[id]
			m := g.Member(c.App)
			if m == nil {
				continue
			}
			guild := map[string]any{
				"id": g.ID, "name": g.Name, "icon": nil, "banner": nil, "owner": false, "permissions": g.Permissions(m), "features": g.Features,
			}
			if counts {
				guild["approximate_member_count"], guild["approximate_presence_count"] = len(g.Members), len(g.Members)
			}
			guilds = append(guilds, guild)
		}
		if before != "" { // the page that ends just before that id
			guilds = guilds[max(0, len(guilds)-limit):]
		}
		a = ok(guilds[:min(len(guilds), limit)])
		return nil
	})
	return a, err
}

// userLeaves removes the bot from a server.
func userLeaves(c *call) (answer, error) {
	return noContent, c.w.Locked(func() error {
		guild := c.w.State.Guilds[c.PathValue("guild")]
		if guild == nil || guild.Member(c.App) == nil {
			return check.ErrUnknownGuild
		}
		c.w.Guilds.Leave(guild, c.w.State.Accounts[c.App])
		return nil
	})
}

func channelGet(c *call) (a answer, err error) {
	err = c.w.Locked(func() error {
		ch, err := access(c, 0)
		if err == nil {
			a = ok(c.w.State.ChannelObject(ch, c.App))
		}
		return err
	})
	return a, err
}

// access returns the channel of a request, if the application sees the channel
// and has the needed permission there.
func access(c *call, need world.Permission) (*world.Channel, error) {
	ch := c.w.State.Channels[c.PathValue("channel")]
	if ch == nil {
		return nil, check.ErrUnknownChannel
	}
	may := c.w.State.Permissions(c.App, ch)
	switch {
	case !may.Has(world.ViewChannel):
		return nil, check.ErrMissingAccess
	case !may.Has(need) && c.w.Guilds.Silenced(c.App, ch):
		return nil, check.ErrMissingAccess
	case !may.Has(need):
		return nil, check.ErrMissingPermissions
	}
	return ch, nil
}
