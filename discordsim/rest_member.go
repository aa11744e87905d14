package discordsim

import (
	"slices"
)

// maxListed is the maximum number of members in a response.
const maxListed = 1000

var memberRoutes = []route{
	{pattern: "GET /guilds/{guild}/members", serve: memberList, limit: someLookUps},
	{pattern: "GET /guilds/{guild}/members/search", serve: memberSearch, limit: someLookUps},
	{pattern: "GET /guilds/{guild}/members/{user}", serve: guildMemberGet, limit: someLookUps},
	{pattern: "PATCH /guilds/{guild}/members/@me", serve: memberEdit, limit: someCommands},
	{pattern: "PATCH /guilds/{guild}/members/{user}", serve: memberEdit, limit: someCommands},
}

func guildMemberGet(c *call) (answer, error) {
	return inGuild(c, func(g *Guild) (any, error) {
		m := g.member(c.PathValue("user"))
		if m == nil {
			return nil, errUnknownMember
		}
		return c.w.state.guildMember(m), nil
	})
}

// memberList lists all members by id, which requires the privileged members
// intent to be enabled.
func memberList(c *call) (a answer, err error) {
	after := c.URL.Query().Get("after")
	if after != "" && after != "0" && !isSnowflake(after) {
		return a, notSnowflake("after", after)
	}
	return membersOf(c, func(m *Member) bool { return compareIDs(m.UserID, after) > 0 }, func() error {
		if !c.w.config.PrivilegedIntents {
			return errMissingAccess
		}
		return nil
	})
}

// memberSearch finds the members whose username or nick begins with a text.
func memberSearch(c *call) (a answer, err error) {
	text := c.URL.Query().Get("query")
	if text == "" {
		return a, invalidForm("query", "BASE_TYPE_REQUIRED", "This field is required")
	}
	if n := len([]rune(text)); n > 100 {
		return a, invalidForm("query", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
	}
	return membersOf(c, func(m *Member) bool { return c.w.state.memberNamed(m, text) }, func() error { return nil })
}

// membersOf lists the members of a request's server that satisfy is.
func membersOf(c *call, is func(*Member) bool, allowed func() error) (a answer, err error) {
	limit, err := limitOf(c.URL.Query(), 1, maxListed)
	if err != nil {
		return a, err
	}
	return inGuild(c, func(g *Guild) (any, error) {
		if err := allowed(); err != nil {
			return nil, err
		}
		sorted := slices.SortedFunc(slices.Values(g.Members), func(a, b Member) int { return compareIDs(a.UserID, b.UserID) })
		list := []guildMember{}
		for i := range sorted {
			if m := &sorted[i]; len(list) < limit && is(m) {
				list = append(list, c.w.state.guildMember(m))
			}
		}
		return list, nil
	})
}

// memberBody is a bot's request to change a member, or its own member.
type memberBody struct {
	Nick  named[string]      `json:"nick"`
	Roles named[[]snowflake] `json:"roles"`
}

// memberEdit changes the nick and the roles of a member.
func memberEdit(c *call) (a answer, err error) {
	if refused := c.api.checker.MemberEdit(c.Body); refused != nil {
		return a, refused
	}
	if err := c.lacksOf("mute", "deaf", "channel_id", "communication_disabled_until", "flags", "avatar", "banner", "bio"); err != nil {
		return a, err
	}
	var body memberBody
	if err := c.decode(&body); err != nil {
		return a, err
	}
	return managing(c, 0, func(g *Guild, self *Member) (any, error) {
		m := self
		if id := c.PathValue("user"); id != "" {
			m = g.member(id)
		}
		if m == nil {
			return nil, errUnknownMember
		}
		if err := renameMember(g, m, self, body); err != nil {
			return nil, err
		}
		if body.Roles.there {
			if err := setRoles(g, m, self, body.Roles.value); err != nil {
				return nil, err
			}
		}
		c.w.guilds.PutMember(g, m)
		return c.w.state.guildMember(m), nil
	})
}

// lacksOf returns the error for a body that sets an unsimulated field of a member.
func (c *call) lacksOf(fields ...string) error {
	var body map[string]any
	if err := c.decode(&body); err != nil {
		return err
	}
	for _, field := range fields {
		if body[field] != nil {
			return &absentError{"the field " + field + " of a member"}
		}
	}
	return nil
}

// renameMember sets a member's nick from the body, if the body has one. The server is a
// copy that may be changed. The bot needs CHANGE_NICKNAME for its own nick, and
// MANAGE_NICKNAMES for the nick of a member below it.
func renameMember(g *Guild, m, self *Member, body memberBody) error {
	may := g.permissions(self)
	switch {
	case !body.Nick.there:
		return nil
	case m == self && may&(ChangeNickname|ManageNicknames) == 0:
		return errMissingPermissions
	case m != self && (!may.Has(ManageNicknames) || m.UserID == g.OwnerID || !g.outranks(self, g.top(m))):
		return errMissingPermissions
	}
	m.Nick = nonEmpty(body.Nick.value)
	return nil
}

// setRoles sets a member's roles to a list. The server is a copy that may be
// changed. Each role that is added or removed must be below the bot.
func setRoles(g *Guild, m, self *Member, ids []snowflake) error {
	if !g.permissions(self).Has(ManageRoles) {
		return errMissingPermissions
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
		switch r := g.role(id); {
		case r == nil:
			return errUnknownRole
		case r.Managed || r.ID == g.ID:
			return errInvalidRole
		case !g.outranks(self, r):
			return errMissingPermissions
		}
	}
	for _, id := range before {
		if !slices.Contains(roles, id) {
			m.without(id)
		}
	}
	m.Roles = roles
	for _, id := range roles {
		g.makeCommon(id, m.UserID)
	}
	return nil
}
