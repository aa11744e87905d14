package rest

import (
	"net/http"
	"net/url"
	"slices"
	"time"

	"tictactoe/discordsim/check"
	"tictactoe/discordsim/world"
)

// maxListed is the maximum number of members in a response.
const maxListed = 1000

var memberRoutes = []route{
	{pattern: "GET /guilds/{guild}/members", serve: memberList, limit: lookUpBudget},
	{pattern: "GET /guilds/{guild}/members/search", serve: memberSearch, limit: lookUpBudget},
	{pattern: "GET /guilds/{guild}/members/{user}", serve: guildMemberGet, limit: lookUpBudget},
	{pattern: "DELETE /guilds/{guild}/members/{user}", serve: memberKick, limit: commandBudget},
	{pattern: "PATCH /guilds/{guild}/members/@me", serve: memberEdit, limit: commandBudget},
	{pattern: "PATCH /guilds/{guild}/members/{user}", serve: memberEdit, limit: commandBudget},
	{pattern: "GET /guilds/{guild}/bans", serve: banList, limit: lookUpBudget},
	{pattern: "GET /guilds/{guild}/bans/{user}", serve: banGet, limit: lookUpBudget},
	{pattern: "PUT /guilds/{guild}/bans/{user}", serve: banCreate, limit: commandBudget},
	{pattern: "DELETE /guilds/{guild}/bans/{user}", serve: banDelete, limit: commandBudget},
	{pattern: "POST /guilds/{guild}/bulk-ban", serve: bulkBan, limit: commandBudget},
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

// membersOf lists the members of a request's server for which matches returns true. If allowed returns an error, so does
// membersOf.
func membersOf(c *call, matches func(*world.Member) bool, allowed func() error) (a answer, err error) {
	limit, err := limitOf(c.URL.Query(), 1, maxListed)
	if err != nil {
		return a, err
	}
	return inGuild(c, func(g *world.Guild) (any, error) {
		if err := allowed(); err != nil {
			return nil, err
		}
		sorted := make([]*world.Member, len(g.Members))
		for i := range g.Members {
			sorted[i] = &g.Members[i]
		}
		slices.SortFunc(sorted, func(a, b *world.Member) int { return world.CompareIDs(a.UserID, b.UserID) })
		list := []world.GuildMember{}
		for _, m := range sorted {
			if len(list) < limit && matches(m) {
				list = append(list, c.w.State.GuildMember(m))
			}
		}
		return list, nil
	})
}

// memberBody is a bot's request to change a member of a server, which can be the bot's own member.
type memberBody struct {
	Nick  optional[string]            `json:"nick"`
	Roles optional[[]world.Snowflake] `json:"roles"`
	Until optional[*time.Time]        `json:"communication_disabled_until"`
}

// memberEdit changes the nick and the roles of a member.
func memberEdit(c *call) (a answer, err error) {
	if refused := c.api.checker.MemberEdit(c.Body); refused != nil {
		return a, refused
	}
	if err := c.lacksOf("a member", "mute", "deaf", "channel_id", "flags", "avatar", "banner", "bio"); err != nil {
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
		if body.Roles.set {
			if err := setRoles(g, m, self, body.Roles.value); err != nil {
				return nil, err
			}
		}
		if err := setTimeout(g, m, self, body, c.w.Clock.Now()); err != nil {
			return nil, err
		}
		c.w.Guilds.PutMember(g, m)
		return c.w.State.GuildMember(m), nil
	})
}

// memberKick removes a member from the server. The member must be below the bot.
func memberKick(c *call) (answer, error) {
	a, err := managing(c, world.KickMembers, func(g *world.Guild, self *world.Member) (any, error) {
		m := g.Member(c.PathValue("user"))
		switch {
		case m == nil:
			return nil, check.ErrUnknownMember
		case !below(g, m, self):
			return nil, check.ErrMissingPermissions
		}
		c.w.Guilds.Leave(g, c.w.State.Accounts[m.UserID])
		return nil, nil
	})
	a.status = http.StatusNoContent
	return a, err
}

// below reports whether a member's highest role is below another member's. The owner of the server is below nobody.
func below(g *world.Guild, m, self *world.Member) bool {
	return m.UserID != g.OwnerID && g.Outranks(self, g.Top(m))
}

// setTimeout sets or ends a member's timeout from the body, if the body has one. The bot needs MODERATE_MEMBERS, and
// the member must be below the bot and not an administrator.
func setTimeout(g *world.Guild, m, self *world.Member, body memberBody, now time.Time) error {
	until := body.Until.value
	switch {
	case !body.Until.set:
		return nil
	case !g.Permissions(self).Has(world.ModerateMembers) || !below(g, m, self) || g.Permissions(m).Has(world.Administrator):
		return check.ErrMissingPermissions
	case until != nil && until.Sub(now) > world.MaxTimeout:
		return check.InvalidField("communication_disabled_until", "INVALID_COMMUNICATION_DISABLED_TIMESTAMP", "Invalid communication disabled timestamp")
	}
	if m.TimedOut = nil; until != nil {
		stamp := world.Stamp(*until)
		m.TimedOut = &stamp
	}
	return nil
}

// banObject is a ban as Discord shows it.
type banObject struct {
	Reason *string       `json:"reason"`
	User   world.Profile `json:"user"`
}

// withBans calls f with a server whose bans the application may see.
func withBans(c *call, f func(*world.Guild) (any, error)) (answer, error) {
	return inGuild(c, func(g *world.Guild) (any, error) {
		if g.Permissions(g.Member(c.App))&(world.BanMembers|world.ViewAuditLog) == 0 {
			return nil, check.ErrMissingPermissions
		}
		return f(g)
	})
}

// banList lists bans by the ids of the users.
func banList(c *call) (a answer, err error) {
	query := c.URL.Query()
	limit, after, err := pageOf(query, maxListed, maxListed)
	if err != nil {
		return a, err
	}
	before, err := idOf(query, "before")
	if err != nil {
		return a, err
	}
	return withBans(c, func(g *world.Guild) (any, error) {
		bans := []*world.Ban{}
		for i := range g.Bans {
			b := &g.Bans[i]
			if (after == "" || world.CompareIDs(b.UserID, after) > 0) && (before == "" || world.CompareIDs(b.UserID, before) < 0) {
				bans = append(bans, b)
			}
		}
		slices.SortFunc(bans, func(a, b *world.Ban) int { return world.CompareIDs(a.UserID, b.UserID) })
		if before != "" { // a page before an id ends with the item just before it
			bans = bans[max(0, len(bans)-limit):]
		}
		list := []banObject{}
		for _, b := range bans[:min(len(bans), limit)] {
			list = append(list, banObject{b.Reason, c.w.State.Accounts[b.UserID].Profile})
		}
		return list, nil
	})
}

func banGet(c *call) (answer, error) {
	return withBans(c, func(g *world.Guild) (any, error) {
		b := g.Ban(c.PathValue("user"))
		if b == nil {
			return nil, check.ErrUnknownBan
		}
		return banObject{b.Reason, c.w.State.Accounts[b.UserID].Profile}, nil
	})
}

// banBody is a bot's request to ban users.
type banBody struct {
	Users   []world.Snowflake `json:"user_ids"`
	Seconds int               `json:"delete_message_seconds"`
	Days    int               `json:"delete_message_days"`
}

// forget returns the age up to which the messages of a banned user are deleted.
func (b banBody) forget() time.Duration {
	return time.Duration(b.Seconds)*time.Second + time.Duration(b.Days)*24*time.Hour
}

// reason returns the reason in the request's header, which libraries percent-encode.
func (c *call) reason() string {
	text := c.Header.Get("X-Audit-Log-Reason")
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

// bannable returns the account with an id, if the application may ban it. A member can be banned only by an
// application above it.
func bannable(c *call, g *world.Guild, self *world.Member, id string) (*world.Account, error) {
	a, m := c.w.State.Accounts[id], g.Member(id)
	switch {
	case a == nil:
		return nil, check.ErrUnknownUser
	case m != nil && !below(g, m, self):
		return nil, check.ErrMissingPermissions
	}
	return a, nil
}

func banCreate(c *call) (a answer, err error) {
	if len(c.Body) > 0 { // libraries send no body if there are no options
		if refused := c.api.checker.BanCreate(c.Body); refused != nil {
			return a, refused
		}
	}
	var body banBody
	if err := c.decode(&body); err != nil {
		return a, err
	}
	a, err = managing(c, world.BanMembers, func(g *world.Guild, self *world.Member) (any, error) {
		who, err := bannable(c, g, self, c.PathValue("user"))
		if err == nil {
			c.w.Guilds.PutBan(g, who, c.reason(), body.forget())
		}
		return nil, err
	})
	a.status = http.StatusNoContent
	return a, err
}

func banDelete(c *call) (answer, error) {
	a, err := managing(c, world.BanMembers, func(g *world.Guild, _ *world.Member) (any, error) {
		id := c.PathValue("user")
		if g.Ban(id) == nil {
			return nil, check.ErrUnknownBan
		}
		c.w.Guilds.DropBan(g, c.w.State.Accounts[id])
		return nil, nil
	})
	a.status = http.StatusNoContent
	return a, err
}

// bulkBan bans several users. Its response lists the users that it has banned, and the users who could not be banned or
// already were.
func bulkBan(c *call) (a answer, err error) {
	if refused := c.api.checker.BulkBan(c.Body); refused != nil {
		return a, refused
	}
	var body banBody
	if err := c.decode(&body); err != nil {
		return a, err
	}
	return managing(c, world.BanMembers|world.ManageGuild, func(g *world.Guild, self *world.Member) (any, error) {
		banned, failed := []string{}, []string{}
		for _, id := range plain(body.Users) {
			who, err := bannable(c, g, self, id)
			if err != nil || g.Ban(id) != nil {
				failed = append(failed, id)
				continue
			}
			c.w.Guilds.PutBan(g, who, c.reason(), body.forget())
			g = c.w.State.Guilds[g.ID].Copy()
			self = g.Member(c.App)
			banned = append(banned, id)
		}
		if len(banned) == 0 {
			return nil, check.ErrBulkBan
		}
		return map[string]any{"banned_users": banned, "failed_users": failed}, nil
	})
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
	case !body.Nick.set:
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
