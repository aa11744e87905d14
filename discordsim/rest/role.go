package rest

import (
	"net/http"
	"slices"

	"tictactoe/discordsim/check"
	"tictactoe/discordsim/world"
)

// maxRoles is the maximum number of roles in a server, including @everyone.
const maxRoles = 250

var roleRoutes = []route{
	{pattern: "GET /guilds/{guild}/roles", serve: guildRoles, limit: lookUpBudget},
	{pattern: "PATCH /guilds/{guild}/roles", serve: rolesMove, limit: commandBudget},
	{pattern: "POST /guilds/{guild}/roles", serve: roleCreate, limit: commandBudget},
	{pattern: "GET /guilds/{guild}/roles/{role}", serve: roleGet, limit: lookUpBudget},
	{pattern: "PATCH /guilds/{guild}/roles/{role}", serve: roleEdit, limit: commandBudget},
	{pattern: "DELETE /guilds/{guild}/roles/{role}", serve: roleDelete, limit: commandBudget},
	{pattern: "PUT /guilds/{guild}/members/{user}/roles/{role}", serve: roleGive, limit: commandBudget},
	{pattern: "DELETE /guilds/{guild}/members/{user}/roles/{role}", serve: roleTake, limit: commandBudget},
}

// roleBody is a bot's request to create or change a role.
type roleBody struct {
	Name        *string           `json:"name"`
	Permissions *world.Snowflake  `json:"permissions"` // a number, with quotes or without
	Color       *int              `json:"color"`
	Colors      *world.RoleColors `json:"colors"`
	Hoist       *bool             `json:"hoist"`
	Mentionable *bool             `json:"mentionable"`
	Icon        *string           `json:"icon"`
	Emoji       *string           `json:"unicode_emoji"`
}

// write applies the body to r, which is a new role or a copy of one. No simulated server has the boost level for
// role icons or multiple colours.
func (b roleBody) write(r *world.Role) error {
	if b.Icon != nil || b.Emoji != nil || b.Colors != nil && (b.Colors.Secondary != nil || b.Colors.Tertiary != nil) {
		return check.ErrNeedsBoosts
	}
	if b.Permissions != nil {
		if err := r.Permissions.UnmarshalText([]byte(*b.Permissions)); err != nil {
			return check.InvalidField("permissions", "NUMBER_TYPE_COERCE", "Value is not a set of permissions.")
		}
		r.Permissions &= world.AllPermissions
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

// managing calls f with a copy of the server, which f may change, and with the application's member in that copy. The
// member must have the needed permission in the whole server.
func managing(c *call, need world.Permission, f func(g *world.Guild, self *world.Member) (any, error)) (answer, error) {
	return inGuild(c, func(g *world.Guild) (any, error) {
		self := g.Member(c.App)
		switch may := g.Permissions(self); {
		case self.Silenced(c.w.Clock.Now()) && !may.Has(world.Administrator):
			return nil, check.ErrMissingAccess
		case !may.Has(need):
			return nil, check.ErrMissingPermissions
		}
		changed := g.Copy()
		return f(changed, changed.Member(c.App))
	})
}

// managedRole returns the role named by the path, if the application is above it.
func managedRole(c *call, g *world.Guild, self *world.Member) (*world.Role, error) {
	r := g.Role(c.PathValue("role"))
	switch {
	case r == nil:
		return nil, check.ErrUnknownRole
	case !g.Outranks(self, r):
		return nil, check.ErrMissingPermissions
	}
	return r, nil
}

func guildRoles(c *call) (answer, error) {
	return inGuild(c, func(g *world.Guild) (any, error) { return g.Roles, nil })
}

func roleGet(c *call) (answer, error) {
	return inGuild(c, func(g *world.Guild) (any, error) {
		if r := g.Role(c.PathValue("role")); r != nil {
			return r, nil
		}
		return nil, check.ErrUnknownRole
	})
}

// roleCreate creates a role below all others but @everyone.
func roleCreate(c *call) (a answer, err error) {
	body, err := readRole(c)
	if err != nil {
		return a, err
	}
	return managing(c, world.ManageRoles, func(g *world.Guild, self *world.Member) (any, error) {
		if len(g.Roles) >= maxRoles {
			return nil, check.ErrTooManyRoles
		}
		made := world.Role{ID: c.w.NextID(), Name: "new role", Permissions: g.Role(g.ID).Permissions}
		if err := body.write(&made); err != nil {
			return nil, err
		}
		if body.Permissions != nil && !g.Permissions(self).Has(made.Permissions) {
			return nil, check.ErrMissingPermissions
		}
		made.Position = 1
		c.w.Guilds.AddRole(g, made)
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
	return managing(c, world.ManageRoles, func(g *world.Guild, self *world.Member) (any, error) {
		may := g.Permissions(self)
		r, err := managedRole(c, g, self)
		if err != nil {
			return nil, err
		}
		before := r.Permissions
		if err := body.write(r); err != nil {
			return nil, err
		}
		if !may.Has(before ^ r.Permissions) {
			return nil, check.ErrMissingPermissions
		}
		c.w.Put(world.Change{Guild: g})
		c.w.Events.Role("GUILD_ROLE_UPDATE", g.ID, *r)
		c.w.Events.PublishState()
		return *r, nil
	})
}

// rolesMove changes the order of roles. The application can move only roles below its highest role, and only to
// positions below it.
func rolesMove(c *call) (a answer, err error) {
	if refused := c.api.checker.RolesMove(c.Body); refused != nil {
		return a, refused
	}
	var body []struct {
		ID       world.Snowflake `json:"id"`
		Position *int            `json:"position"`
	}
	if err := c.decode(&body); err != nil {
		return a, err
	}
	return managing(c, world.ManageRoles, func(g *world.Guild, self *world.Member) (any, error) {
		to := map[string]int{}
		for _, move := range body {
			r := g.Role(string(move.ID))
			switch {
			case r == nil:
				return nil, check.ErrUnknownRole
			case r.ID == g.ID:
				return nil, check.ErrInvalidRole
			case !g.Outranks(self, r) || move.Position != nil && g.OwnerID != c.App && *move.Position >= g.Top(self).Position:
				return nil, check.ErrMissingPermissions
			case move.Position != nil:
				to[r.ID] = *move.Position
			}
		}
		moved := g.MoveRoles(to)
		c.w.Put(world.Change{Guild: g})
		for _, r := range moved {
			c.w.Events.Role("GUILD_ROLE_UPDATE", g.ID, r)
		}
		c.w.Events.PublishState()
		return g.Roles, nil
	})
}

func roleDelete(c *call) (answer, error) {
	a, err := managing(c, world.ManageRoles, func(g *world.Guild, self *world.Member) (any, error) {
		r, err := managedRole(c, g, self)
		if err != nil {
			return nil, err
		}
		if r.Managed || r.ID == g.ID {
			return nil, check.ErrInvalidRole
		}
		c.w.Guilds.DropRole(g, r.ID)
		return nil, nil
	})
	a.status = http.StatusNoContent
	return a, err
}

func roleGive(c *call) (answer, error) {
	return changeMemberRole(c, func(m *world.Member, r *world.Role) {
		if !slices.Contains(m.Roles, r.ID) {
			m.Roles = append(m.Roles, r.ID)
		}
	})
}

func roleTake(c *call) (answer, error) {
	return changeMemberRole(c, func(m *world.Member, r *world.Role) { m.Without(r.ID) })
}

// changeMemberRole adds a role to a member, or removes it.
func changeMemberRole(c *call, change func(*world.Member, *world.Role)) (answer, error) {
	a, err := managing(c, world.ManageRoles, func(g *world.Guild, self *world.Member) (any, error) {
		m := g.Member(c.PathValue("user"))
		if m == nil {
			return nil, check.ErrUnknownMember
		}
		r, err := managedRole(c, g, self)
		if err != nil {
			return nil, err
		}
		if r.Managed || r.ID == g.ID {
			return nil, check.ErrInvalidRole
		}
		change(m, r)
		g.MakeCommon(r.ID, m.UserID)
		c.w.Guilds.PutMember(g, m)
		return nil, nil
	})
	a.status = http.StatusNoContent
	return a, err
}
