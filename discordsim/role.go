package discordsim

import (
	"cmp"
	"net/http"
	"slices"
)

// maxRoles is the maximum number of roles in a server, including @everyone.
const maxRoles = 250

var roleRoutes = []route{
	{pattern: "GET /guilds/{guild}/roles", serve: guildRoles, limit: someLookUps},
	{pattern: "POST /guilds/{guild}/roles", serve: roleCreate, limit: someCommands},
	{pattern: "GET /guilds/{guild}/roles/{role}", serve: roleGet, limit: someLookUps},
	{pattern: "PATCH /guilds/{guild}/roles/{role}", serve: roleEdit, limit: someCommands},
	{pattern: "DELETE /guilds/{guild}/roles/{role}", serve: roleDelete, limit: someCommands},
	{pattern: "PUT /guilds/{guild}/members/{user}/roles/{role}", serve: roleGive, limit: someCommands},
	{pattern: "DELETE /guilds/{guild}/members/{user}/roles/{role}", serve: roleTake, limit: someCommands},
}

// roleBody is a bot's request to create or change a role.
type roleBody struct {
	Name        *string     `json:"name"`
	Permissions *snowflake  `json:"permissions"` // a number, with quotes or without
	Color       *int        `json:"color"`
	Colors      *RoleColors `json:"colors"`
	Hoist       *bool       `json:"hoist"`
	Mentionable *bool       `json:"mentionable"`
	Icon        *string     `json:"icon"`
	Emoji       *string     `json:"unicode_emoji"`
}

// write applies the body to a role that is not shared yet. No server here has the
// boost level for role icons or multiple colours.
func (b roleBody) write(r *Role) error {
	if b.Icon != nil || b.Emoji != nil || b.Colors != nil && (b.Colors.Secondary != nil || b.Colors.Tertiary != nil) {
		return errNeedsBoosts
	}
	if b.Permissions != nil {
		if err := r.Permissions.UnmarshalText([]byte(*b.Permissions)); err != nil {
			return invalidForm("permissions", "NUMBER_TYPE_COERCE", "Value is not a set of permissions.")
		}
		r.Permissions &= allPermissions
	}
	if b.Color != nil {
		r.Color, r.Colors.Primary = *b.Color, *b.Color
	}
	if b.Colors != nil {
		r.Color, r.Colors.Primary = b.Colors.Primary, b.Colors.Primary
	}
	for to, from := range map[*bool]*bool{&r.Hoist: b.Hoist, &r.Mentionable: b.Mentionable} {
		if from != nil {
			*to = *from
		}
	}
	if b.Name != nil {
		r.Name = *b.Name
	}
	return nil
}

// above reports whether a role is higher than another. Of two roles at the same
// position, the older one is higher.
func (r *Role) above(other *Role) bool {
	return cmp.Or(cmp.Compare(r.Position, other.Position), compareIDs(other.ID, r.ID)) > 0
}

// top returns the highest role of a member, which is @everyone if there is no other.
func (g *Guild) top(m *Member) *Role {
	top := g.role(g.ID)
	for _, id := range m.Roles {
		if r := g.role(id); r != nil && r.above(top) {
			top = r
		}
	}
	return top
}

// outranks reports whether a member's highest role is above r.
func (g *Guild) outranks(m *Member, r *Role) bool {
	return g.OwnerID == m.UserID || g.top(m).above(r)
}

// managing calls f with a copy of the server that f may change, and with the application's
// member in that copy, if the member has the needed permission in the whole server.
func managing(c *call, need Permission, f func(g *Guild, self *Member) (any, error)) (answer, error) {
	return inGuild(c, func(g *Guild) (any, error) {
		if !g.permissions(g.member(c.App)).Has(need) {
			return nil, errMissingPermissions
		}
		changed := g.copy()
		return f(changed, changed.member(c.App))
	})
}

// managedRole returns the role named by the path, if the application is above it.
func managedRole(c *call, g *Guild, self *Member) (*Role, error) {
	r := g.role(c.PathValue("role"))
	switch {
	case r == nil:
		return nil, errUnknownRole
	case !g.outranks(self, r):
		return nil, errMissingPermissions
	}
	return r, nil
}

func guildRoles(c *call) (answer, error) {
	return inGuild(c, func(g *Guild) (any, error) { return g.Roles, nil })
}

func roleGet(c *call) (answer, error) {
	return inGuild(c, func(g *Guild) (any, error) {
		if r := g.role(c.PathValue("role")); r != nil {
			return r, nil
		}
		return nil, errUnknownRole
	})
}

// roleCreate creates a role below all others but @everyone.
func roleCreate(c *call) (a answer, err error) {
	body, err := readRole(c)
	if err != nil {
		return a, err
	}
	return managing(c, ManageRoles, func(g *Guild, self *Member) (any, error) {
		if len(g.Roles) >= maxRoles {
			return nil, errTooManyRoles
		}
		made := Role{ID: c.w.NextID(), Name: "new role", Position: 1, Permissions: g.role(g.ID).Permissions}
		if err := body.write(&made); err != nil {
			return nil, err
		}
		if body.Permissions != nil && !g.permissions(self).Has(made.Permissions) {
			return nil, errMissingPermissions
		}
		var moved []Role
		for i := range g.Roles {
			if g.Roles[i].Position > 0 {
				g.Roles[i].Position++
				moved = append(moved, g.Roles[i])
			}
		}
		g.Roles = append(g.Roles, made)
		c.w.Put(change{Guild: g})
		c.w.events.Role("GUILD_ROLE_CREATE", g.ID, made)
		for _, r := range moved {
			c.w.events.Role("GUILD_ROLE_UPDATE", g.ID, r)
		}
		c.w.events.PublishState()
		return made, nil
	})
}

func readRole(c *call) (body roleBody, err error) {
	if refused := c.api.checker.RoleEdit(c.Body); refused != nil {
		return body, refused
	}
	return body, c.decode(&body)
}

// roleEdit changes a role. An application cannot grant or remove permissions that
// it does not have itself.
func roleEdit(c *call) (a answer, err error) {
	body, err := readRole(c)
	if err != nil {
		return a, err
	}
	return managing(c, ManageRoles, func(g *Guild, self *Member) (any, error) {
		may := g.permissions(self)
		r, err := managedRole(c, g, self)
		if err != nil {
			return nil, err
		}
		before := r.Permissions
		if err := body.write(r); err != nil {
			return nil, err
		}
		if !may.Has(before ^ r.Permissions) {
			return nil, errMissingPermissions
		}
		c.w.Put(change{Guild: g})
		c.w.events.Role("GUILD_ROLE_UPDATE", g.ID, *r)
		c.w.events.PublishState()
		return *r, nil
	})
}

func roleDelete(c *call) (answer, error) {
	a, err := managing(c, ManageRoles, func(g *Guild, self *Member) (any, error) {
		r, err := managedRole(c, g, self)
		if err != nil {
			return nil, err
		}
		if r.Managed || r.ID == g.ID {
			return nil, errInvalidRole
		}
		id := r.ID
		for i := range g.Members {
			g.Members[i].without(id)
		}
		g.Roles = slices.DeleteFunc(g.Roles, func(r Role) bool { return r.ID == id })
		c.w.Put(change{Guild: g})
		c.w.events.RoleDelete(g.ID, id)
		c.w.events.PublishState()
		return nil, nil
	})
	a.status = http.StatusNoContent
	return a, err
}

// without removes a role from a member of a server that is not shared yet.
func (m *Member) without(role string) {
	m.Roles = slices.DeleteFunc(m.Roles, func(id string) bool { return id == role })
	if m.Own == role {
		m.Own = ""
	}
}

func roleGive(c *call) (answer, error) {
	return roleOf(c, func(m *Member, r *Role) {
		if !slices.Contains(m.Roles, r.ID) {
			m.Roles = append(m.Roles, r.ID)
		}
	})
}

func roleTake(c *call) (answer, error) {
	return roleOf(c, func(m *Member, r *Role) { m.without(r.ID) })
}

// roleOf adds a role to a member, or removes it.
func roleOf(c *call, change func(*Member, *Role)) (answer, error) {
	a, err := managing(c, ManageRoles, func(g *Guild, self *Member) (any, error) {
		m := g.member(c.PathValue("user"))
		if m == nil {
			return nil, errUnknownMember
		}
		r, err := managedRole(c, g, self)
		if err != nil {
			return nil, err
		}
		if r.Managed || r.ID == g.ID {
			return nil, errInvalidRole
		}
		change(m, r)
		g.makeCommon(r.ID, m.UserID)
		c.w.guilds.PutMember(g, m)
		return nil, nil
	})
	a.status = http.StatusNoContent
	return a, err
}

// makeCommon turns one member's own role into an ordinary role, once another member has it too.
func (g *Guild) makeCommon(role, with string) {
	for i := range g.Members {
		if m := &g.Members[i]; m.Own == role && m.UserID != with {
			m.Own = ""
		}
	}
}

// PutMember stores a server in which a member has changed, and dispatches the change.
func (gs *Guilds) PutMember(g *Guild, m *Member) {
	gs.w.Put(change{Guild: g})
	gs.w.events.Member("GUILD_MEMBER_UPDATE", g.ID, m)
	gs.w.events.PublishState()
}
