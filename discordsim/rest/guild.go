package rest

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"unicode/utf8"

	"tictactoe/discordsim/check"
	"tictactoe/discordsim/world"
)

var guildRoutes = []route{
	{pattern: "GET /guilds/{guild}", serve: guildGet, limit: lookUpBudget},
	{pattern: "GET /guilds/{guild}/channels", serve: guildChannels, limit: lookUpBudget},
	{pattern: "GET /users/@me/guilds", serve: userGuilds, limit: lookUpBudget},
	{pattern: "DELETE /users/@me/guilds/{guild}", serve: userLeaves, limit: lookUpBudget},
	{pattern: "POST /guilds/{guild}/channels", serve: channelCreate, limit: messageBudget},
	{pattern: "GET /channels/{channel}", serve: channelGet, limit: readBudget},
	{pattern: "PATCH /channels/{channel}", serve: channelEdit, limit: messageBudget},
	{pattern: "DELETE /channels/{channel}", serve: channelDelete, limit: messageBudget},
	{pattern: "PUT /channels/{channel}/permissions/{overwrite}", serve: overwriteEdit, limit: messageBudget},
	{pattern: "DELETE /channels/{channel}/permissions/{overwrite}", serve: overwriteDelete, limit: messageBudget},
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

// wholeGuild is the response to a request for a server. It includes fields that Discord always sends, although the
// simulator does not use them.
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
		if before != "" { // a page before an id ends with the item just before it
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

// channelBody is a bot's request to create or change a channel other than a thread.
type channelBody struct {
	Name           *string                     `json:"name"`
	Type           *int                        `json:"type"`
	Topic          optional[string]            `json:"topic"`
	NSFW           *bool                       `json:"nsfw"`
	SlowMode       *int                        `json:"rate_limit_per_user"`
	Position       *int                        `json:"position"`
	Parent         optional[world.Snowflake]   `json:"parent_id"`
	Overwrites     *[]overwriteBody            `json:"permission_overwrites"`
	ThreadArchive  *int                        `json:"default_auto_archive_duration"`
	ThreadSlowMode *int                        `json:"default_thread_rate_limit_per_user"`
	Flags          *int                        `json:"flags"`
	Tags           optional[[]world.ForumTag]  `json:"available_tags"`
	Reaction       optional[*world.ForumEmoji] `json:"default_reaction_emoji"`
	Order          optional[*int]              `json:"default_sort_order"`
	Layout         *int                        `json:"default_forum_layout"`
	TagSetting     *string                     `json:"default_tag_setting"`
}

// overwriteBody is a permission overwrite in a request. The numbers may be in quotes.
type overwriteBody struct {
	ID    world.Snowflake `json:"id"`
	Type  int             `json:"type"`
	Allow world.Snowflake `json:"allow"`
	Deny  world.Snowflake `json:"deny"`
}

// overwrite returns the permission overwrite of a body that was already checked.
func (b overwriteBody) overwrite() world.Overwrite {
	o := world.Overwrite{ID: string(b.ID), Type: b.Type}
	for to, from := range map[*world.Permission]world.Snowflake{&o.Allow: b.Allow, &o.Deny: b.Deny} {
		if from != "" {
			to.UnmarshalText([]byte(from)) // cannot fail, since the check accepted the number
		}
	}
	return o
}

// write applies the body to ch, which is a new channel or a copy of one. may has the application's permissions in the
// channel.
func (b channelBody) write(w *world.World, ch *world.Channel, may world.Permission) (err error) {
	ch.Name = *cmp.Or(b.Name, &ch.Name)
	ch.AgeRestricted = *cmp.Or(b.NSFW, &ch.AgeRestricted)
	for to, from := range map[*int]*int{
		&ch.SlowMode: b.SlowMode, &ch.Position: b.Position, &ch.ThreadArchive: b.ThreadArchive, &ch.ThreadSlowMode: b.ThreadSlowMode,
	} {
		*to = *cmp.Or(from, to)
	}
	if b.Topic.set {
		if ch.Topic = b.Topic.value; !ch.IsForum() && utf8.RuneCountInString(ch.Topic) > check.MaxTopic {
			return check.InvalidField("topic", "BASE_TYPE_MAX_LENGTH", fmt.Sprintf("Must be %d or fewer in length.", check.MaxTopic))
		}
	}
	if b.Parent.set {
		ch.ParentID = string(b.Parent.value)
		if parent := w.State.Channels[ch.ParentID]; ch.ParentID != "" && (parent == nil || parent.Type != world.ChannelCategory || parent.GuildID != ch.GuildID) {
			return check.InvalidField("parent_id", "CHANNEL_PARENT_INVALID", "Category does not exist")
		} else if ch.ParentID != "" && ch.Type == world.ChannelCategory {
			return check.InvalidField("parent_id", "CHANNEL_PARENT_INVALID_TYPE", "Not a valid parent channel type")
		}
	}
	if b.Overwrites != nil {
		before := ch.Overwrites
		ch.Overwrites = nil
		for _, o := range *b.Overwrites {
			ch.Overwrites = append(ch.Overwrites, o.overwrite())
		}
		if !mayOverwrite(may, before, ch.Overwrites) {
			return check.ErrMissingPermissions
		}
	}
	if ch.IsForum() {
		ch.Forum, err = b.forum(w, cmp.Or(ch.Forum, &world.Forum{}))
	}
	return err
}

// forum returns the settings of a forum after a change.
func (b channelBody) forum(w *world.World, before *world.Forum) (*world.Forum, error) {
	forum := *before
	if b.Tags.set {
		tags, err := newTags(w, forum.Tags, b.Tags.value)
		if err != nil {
			return nil, err
		}
		forum.Tags = tags
	}
	if b.Reaction.set {
		if forum.Reaction = b.Reaction.value; forum.Reaction != nil && forum.Reaction.ID != nil {
			return nil, check.ErrUnknownEmoji // servers have no emoji here
		}
	}
	if b.Flags != nil {
		forum.RequireTag, forum.NoDownload = *b.Flags&world.ChannelRequireTag != 0, *b.Flags&world.ChannelNoDownload != 0
	}
	if b.Order.set {
		forum.Order = b.Order.value
	}
	forum.Layout = *cmp.Or(b.Layout, &forum.Layout)
	forum.TagSetting = *cmp.Or(b.TagSetting, &forum.TagSetting)
	return &forum, nil
}

// mayOverwrite reports whether an application may change the overwrites of a channel: it needs MANAGE_ROLES and every
// permission that the change concerns.
func mayOverwrite(may world.Permission, before, after []world.Overwrite) bool {
	changed := world.Permission(0)
	for _, pair := range [2][2][]world.Overwrite{{before, after}, {after, before}} {
		for _, o := range pair[0] {
			if !slices.Contains(pair[1], o) {
				changed |= o.Allow | o.Deny
			}
		}
	}
	return may.Has(changed) && (may.Has(world.ManageRoles) || slices.Equal(before, after))
}

// newTags returns the tags of a forum after a change. A wanted tag replaces the existing tag that has the same id or,
// if the wanted tag has no id, the same name. It then has the id of the replaced tag.
func newTags(w *world.World, before, wanted []world.ForumTag) ([]world.ForumTag, error) {
	tags := []world.ForumTag{}
	for _, tag := range wanted {
		same := func(other world.ForumTag) bool { return other.Name == tag.Name }
		if slices.ContainsFunc(tags, same) {
			return nil, check.ErrTagTwice
		}
		if tag.ForumEmoji.ID != nil {
			return nil, check.ErrUnknownEmoji // servers have no emoji here
		}
		if tag.ID != "" {
			same = func(other world.ForumTag) bool { return other.ID == tag.ID }
		}
		i := slices.IndexFunc(before, same)
		switch {
		case i >= 0:
			tag.ID = before[i].ID
		case tag.ID != "":
			return nil, check.ErrUnknownTag
		default:
			tag.ID = w.NextID()
		}
		tags = append(tags, tag)
	}
	return tags, nil
}

// readChannel reads the body of a request that creates or changes a channel.
func readChannel(c *call, refused *check.Error) (body channelBody, err error) {
	if refused != nil {
		return body, refused
	}
	if err := c.lacksOf("a channel", "bitrate", "user_limit", "video_quality_mode", "rtc_region"); err != nil {
		return body, err
	}
	return body, c.decode(&body)
}

// maxChannels is the maximum number of channels of a server, not counting threads.
const maxChannels = 500

func channelCreate(c *call) (a answer, err error) {
	body, err := readChannel(c, c.api.checker.ChannelCreate(c.Body))
	if err != nil {
		return a, err
	}
	kind := *cmp.Or(body.Type, new(int))
	if !slices.Contains(world.ChannelKinds, kind) {
		return a, &absentError{"channels of type " + strconv.Itoa(kind)}
	}
	a, err = managing(c, world.ManageChannels, func(g *world.Guild, self *world.Member) (any, error) {
		n := 0
		for _, ch := range c.w.State.Channels {
			if ch.GuildID == g.ID && !ch.IsThread() {
				n++
			}
		}
		if n >= maxChannels {
			return nil, check.ErrTooManyChannels
		}
		ch := &world.Channel{ID: c.w.NextID(), GuildID: g.ID, Type: kind}
		if err := body.write(c.w, ch, g.Permissions(self)); err != nil {
			return nil, err
		}
		c.w.Guilds.PutChannel(ch)
		return c.w.State.ChannelObject(ch, c.App), nil
	})
	a.status = http.StatusCreated
	return a, err
}

// channelEdit changes a thread or another channel of a server.
func channelEdit(c *call) (a answer, err error) {
	if ch := c.channel(); ch != nil && ch.IsThread() {
		return threadEdit(c)
	}
	body, err := readChannel(c, c.api.checker.ChannelEdit(c.Body))
	if err != nil {
		return a, err
	}
	err = c.w.Locked(func() error {
		old, err := access(c, world.ManageChannels)
		if err != nil {
			return err
		}
		if body.Type != nil && *body.Type != old.Type {
			return &absentError{"a change of a channel's type"}
		}
		changed := *old
		if err := body.write(c.w, &changed, c.w.State.Permissions(c.App, old)); err != nil {
			return err
		}
		c.w.Guilds.ReplaceChannel(old, &changed)
		a = ok(c.w.State.ChannelObject(&changed, c.App))
		return nil
	})
	return a, err
}

func channelDelete(c *call) (a answer, err error) {
	err = c.w.Locked(func() error {
		ch, err := access(c, 0)
		if err != nil {
			return err
		}
		need := world.ManageChannels
		if ch.IsThread() {
			need = world.ManageThreads
		}
		if ch.GuildID == "" {
			return &absentError{"DELETE /channels/{channel_id} of direct messages"}
		}
		if _, err := access(c, need); err != nil {
			return err
		}
		a = ok(c.w.State.ChannelObject(ch, c.App))
		c.w.Guilds.DropChannel(ch)
		return nil
	})
	return a, err
}

// overwriteEdit sets the permission overwrite of a role or member in a channel.
func overwriteEdit(c *call) (a answer, err error) {
	if refused := c.api.checker.OverwriteEdit(c.Body); refused != nil {
		return a, refused
	}
	var body overwriteBody
	if err := c.decode(&body); err != nil {
		return a, err
	}
	body.ID = world.Snowflake(c.PathValue("overwrite"))
	return replaceOverwrite(c, func(ch *world.Channel) (world.Overwrite, error) {
		g := c.w.State.Guilds[ch.GuildID]
		if body.Type == 0 && g.Role(string(body.ID)) == nil {
			return world.Overwrite{}, check.ErrUnknownRole
		} else if body.Type == 1 && c.w.State.Accounts[string(body.ID)] == nil {
			return world.Overwrite{}, check.ErrUnknownUser
		}
		return body.overwrite(), nil
	})
}

func overwriteDelete(c *call) (answer, error) {
	return replaceOverwrite(c, func(ch *world.Channel) (o world.Overwrite, err error) {
		o.ID = c.PathValue("overwrite")
		if !slices.ContainsFunc(ch.Overwrites, func(other world.Overwrite) bool { return other.ID == o.ID }) {
			err = check.ErrUnknownOverwrite
		}
		return o, err
	})
}

// replaceOverwrite replaces a channel's overwrite for one role or member by the overwrite that find returns. An empty
// overwrite is removed.
func replaceOverwrite(c *call, find func(*world.Channel) (world.Overwrite, error)) (answer, error) {
	return noContent, c.w.Locked(func() error {
		old, err := access(c, world.ManageRoles)
		if err != nil {
			return err
		}
		if old.IsThread() || old.GuildID == "" {
			return check.ErrWrongChannel
		}
		o, err := find(old)
		if err != nil {
			return err
		}
		changed := *old
		changed.Overwrites = slices.DeleteFunc(slices.Clone(old.Overwrites), func(other world.Overwrite) bool { return other.ID == o.ID })
		if o.Allow|o.Deny != 0 {
			changed.Overwrites = append(changed.Overwrites, o)
		}
		if !mayOverwrite(c.w.State.Permissions(c.App, old), old.Overwrites, changed.Overwrites) {
			return check.ErrMissingPermissions
		}
		c.w.Guilds.ReplaceChannel(old, &changed)
		return nil
	})
}
