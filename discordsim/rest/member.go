package rest

import (
	"net/http"
	"slices"

	"tictactoe/discordsim/check"
	"tictactoe/discordsim/world"
)

// maxListed is the maximum number of members in a response.
const maxListed = 1000

var memberRoutes = []route{
	{pattern: "GET /guilds/{guild}/members", serve: memberList, limit: someLookUps},
	{pattern: "GET /guilds/{guild}/members/search", serve: memberSearch, limit: someLookUps},
	{pattern: "GET /guilds/{guild}/members/{user}", serve: guildMemberGet, limit: someLookUps},
	{pattern: "DELETE /guilds/{guild}/members/{user}", serve: memberKick, limit: someCommands},
	{pattern: "PATCH /guilds/{guild}/members/@me", serve: memberEdit, limit: someCommands},
	{pattern: "PATCH /guilds/{guild}/members/{user}", serve: memberEdit, limit: someCommands},
}

func guildMemberGet(c *call) (answer, error) {
	return inGuild(c, func(g *world.Guild) (any, error) {
		m := g.Member(c.PathValue("user"))
		if m == nil {
			return nil, check.ErrUnknownMember
		}
		return c.w.State.GuildMember(m), nil
	})
}

// memberList lists all members by id, which requires the privileged members
// intent to be enabled.
func memberList(c *call) (a answer, err error) {
	after := c.URL.Query().Get("after")
	if after != "" && after != "0" && !world.IsSnowflake(after) {
		return a, check.NotSnowflake("after", after)
	}
	return membersOf(c, func(m *world.Member) bool { return world.CompareIDs(m.UserID, after) > 0 }, func() error {
		if !c.w.Config.PrivilegedIntents {
			return check.ErrMissingAccess
		}
		return nil
	})
}

// memberSearch finds the members whose username or nick begins with a text.
func memberSearch(c *call) (a answer, err error) {
	text := c.URL.Query().Get("query")
	if text == "" {
		return a, check.InvalidField("query", "BASE_TYPE_REQUIRED", "This field is required")
	}
	if n := len([]rune(text)); n > 100 {
		return a, check.InvalidField("query", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
	}
	return membersOf(c, func(m *world.Member) bool { return c.w.State.MemberNamed(m, text) }, func() error { return nil })
}

// membersOf lists the members of a request's server that satisfy is.
func membersOf(c *call, is func(*world.Member) bool, allowed func() error) (a answer, err error) {
	limit, err := limitOf(c.URL.Query(), 1, maxListed)
	if err != nil {
		return a, err
	}
	return inGuild(c, func(g *world.Guild) (any, error) {
		if err := allowed(); err != nil {
			return nil, err
		}
		sorted := slices.SortedFunc(slices.Values(g.Members), func(a, b world.Member) int { return world.CompareIDs(a.UserID, b.UserID) })
		list := []world.GuildMember{}
		for i := range sorted {
			if m := &sorted[i]; len(list) < limit && is(m) {
				list = append(list, c.w.State.GuildMember(m))
			}
		}
		return list, nil
	})
}

// memberBody is a bot's request to change a member, or its own member.
type memberBody struct {
	Nick  named[string]            `json:"nick"`
	Roles named[[]world.Snowflake] `json:"roles"`
}

// memberEdit changes the nick and the roles of a member.
func memberEdit(c *call) (a answer, err error) {
	if refused := c.api.checker.MemberEdit(c.Body); refused != nil {
		return a, refused
	}
	if err := c.lacksOf("a member", "mute", "deaf", "channel_id", "communication_disabled_until", "flags", "avatar", "banner", "bio"); err != nil {
		return a, err
	}
	var body memberBody
	if err := c.decode(&body); err != nil {
		return a, err
	}
	return managing(c, 0, func(g *world.Guild, self *world.Member) (any, error) {
		m := self
		if id := c.PathValue("user"); id != "" {
			m = g.Member(id)
		}
		if m == nil {
			return nil, check.ErrUnknownMember
		}
		if err := renameMember(g, m, self, body); err != nil {
			return nil, err
		}
		if body.Roles.there {
			if err := setRoles(g, m, self, body.Roles.value); err != nil {
				return nil, err
			}
		}
		c.w.Guilds.PutMember(g, m)
		return c.w.State.GuildMember(m), nil
	})
}

// memberKick removes a member below the bot from the server.
func memberKick(c *call) (answer, error) {
	a, err := managing(c, world.KickMembers, func(g *world.Guild, self *world.Member) (any, error) {
		m := g.Member(c.PathValue("user"))
		switch {
		case m == nil:
			return nil, check.ErrUnknownMember
		case m.UserID == g.OwnerID || !g.Outranks(self, g.Top(m)):
			return nil, check.ErrMissingPermissions
		}
		c.w.Guilds.Leave(g, c.w.State.Accounts[m.UserID])
		return nil, nil
	})
	a.status = http.StatusNoContent
	return a, err
}

// lacksOf returns the error for a body that sets an unsimulated field of an object.
func (c *call) lacksOf(object string, fields ...string) error {
	var body map[string]any
	if err := c.decode(&body); err != nil {
		return err
	}
	for _, field := range fields {
		if body[field] != nil {
			return &absentError{"the field " + field + " of " + object}
		}
	}
	return nil
}

// renameMember sets a member's nick from the body, if the body has one. The server is a
// copy that may be changed. The bot needs CHANGE_NICKNAME for its own nick, and
// MANAGE_NICKNAMES for the nick of a member below it.
func renameMember(g *world.Guild, m, self *world.Member, body memberBody) error {
	may := g.Permissions(self)
	switch {
	case !body.Nick.there:
		return nil
	case m == self && may&(world.ChangeNickname|world.ManageNicknames) == 0:
		return check.ErrMissingPermissions
	case m != self && (!may.Has(world.ManageNicknames) || m.UserID == g.OwnerID || !g.Outranks(self, g.Top(m))):
		return check.ErrMissingPermissions
	}
	m.Nick = nonEmpty(body.Nick.value)
	return nil
}

// setRoles sets a member's roles to a list. The server is a copy that may be
// changed. Each role that is added or removed must be below the bot.
func setRoles(g *world.Guild, m, self *world.Member, ids []world.Snowflake) error {
	if !g.Permissions(self).Has(world.ManageRoles) {
		return check.ErrMissingPermissions
	}
	roles := []string{}
	for _, id := range ids {
		roles = append(roles, string(id))
	}
	before := slices.Clone(m.Roles)
	for _, id := range slices.Concat(before, roles) {
		if slices.Contains(before, id) && slices.Contains(roles, id) {
			continue
		}
		switch r := g.Role(id); {
		case r == nil:
			return check.ErrUnknownRole
		case r.Managed || r.ID == g.ID:
			return check.ErrInvalidRole
		case !g.Outranks(self, r):
			return check.ErrMissingPermissions
		}
	}
	for _, id := range before {
		if !slices.Contains(roles, id) {
			m.Without(id)
		}
	}
	m.Roles = roles
	for _, id := range roles {
		g.MakeCommon(id, m.UserID)
	}
	return nil
}
