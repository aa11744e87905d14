package world

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"
)

// above reports whether a role is higher than another. Of two roles at the same
// position, the older one is higher.
func (r *Role) above(other *Role) bool {
	return cmp.Or(cmp.Compare(r.Position, other.Position), CompareIDs(other.ID, r.ID)) > 0
}

// MoveRoles gives roles new positions, by id, and returns the roles whose position changed. The other roles make
// room, and @everyone stays at 0. The server is a copy that MoveRoles may change.
func (g *Guild) MoveRoles(to map[string]int) (moved []Role) {
	// The compiler shares the code of generic sorts among all pointer types, so sorting pointers keeps the program small.
	order := make([]*Role, len(g.Roles))
	for i := range g.Roles {
		order[i] = &g.Roles[i]
	}
	slices.SortFunc(order, func(a, b *Role) int {
		if a.above(b) {
			return 1
		}
		return -1
	})
	named := slices.DeleteFunc(slices.Clone(order), func(r *Role) bool { _, is := to[r.ID]; return !is })
	slices.SortStableFunc(named, func(a, b *Role) int { return cmp.Compare(to[a.ID], to[b.ID]) })
	order = slices.DeleteFunc(order, func(r *Role) bool { _, is := to[r.ID]; return is })
	for _, r := range named {
		order = slices.Insert(order, min(max(1, to[r.ID]), len(order)), r)
	}
	for position, r := range order {
		if now := g.Role(r.ID); now.Position != position {
			now.Position = position
			moved = append(moved, *now)
		}
	}
	return moved
}

// roleNamed returns the highest role with a name or an id, or nil.
func (g *Guild) roleNamed(ref string) *Role {
	var found *Role
	for i := range g.Roles {
		if r := &g.Roles[i]; (r.ID == ref || r.Name == ref) && (found == nil || r.above(found)) {
			found = r
		}
	}
	return found
}

// AddRole adds a role below all others but @everyone, stores the server and tells the bots. The server is a copy that
// AddRole may change.
func (gs *Guilds) AddRole(g *Guild, made Role) {
	var moved []Role
	for i := range g.Roles {
		if g.Roles[i].Position > 0 {
			g.Roles[i].Position++
			moved = append(moved, g.Roles[i])
		}
	}
	made.Position = 1
	g.Roles = append(g.Roles, made)
	gs.w.Put(Change{Guild: g})
	gs.w.Events.Role("GUILD_ROLE_CREATE", g.ID, made)
	for _, r := range moved {
		gs.w.Events.Role("GUILD_ROLE_UPDATE", g.ID, r)
	}
	gs.w.Events.PublishState()
}

// RoleSpec describes a role to add to a server.
type RoleSpec struct {
	// ID is the role's id; a new one when empty.
	ID          string `json:"id"`
	Name        string `json:"name"`
	Color       int    `json:"color"`
	Hoist       bool   `json:"hoist"`
	Mentionable bool   `json:"mentionable"`
	// Permissions are Discord's names of permissions. The role also has @everyone's.
	Permissions []string `json:"permissions"`
}

// NewRole adds a role to a server, below all others but @everyone, and returns its id.
func (gs *Guilds) NewRole(server string, r RoleSpec) (id string, err error) {
	may, err := ParsePermissions(r.Permissions...)
	if err != nil {
		return "", err
	}
	err = gs.w.Locked(func() error {
		guild, err := gs.w.State.guildFor(server)
		if err != nil {
			return err
		}
		made := Role{Name: r.Name, Color: r.Color, Colors: RoleColors{Primary: r.Color}, Hoist: r.Hoist, Mentionable: r.Mentionable, Permissions: may}
		if err := made.fits(guild); err != nil {
			return err
		}
		if id, err = gs.w.claim(r.ID); err != nil {
			return err
		}
		made.ID = id
		gs.AddRole(guild.Copy(), made)
		return nil
	})
	return id, err
}

// fits returns an error if no server can have the role, or if another role of the server has its name.
func (r *Role) fits(g *Guild) error {
	other := g.roleNamed(r.Name)
	switch n := utf8.RuneCountInString(r.Name); {
	case n < 1 || n > 100:
		return fmt.Errorf("a role's name has 1 to 100 characters, not %d", n)
	case r.Color < 0 || r.Color > 0xffffff:
		return fmt.Errorf("a colour is a number from 0 to %d, not %d", 0xffffff, r.Color)
	case other != nil && other.ID != r.ID:
		return fmt.Errorf("the server %q has a role %q already", g.Name, r.Name)
	}
	return nil
}

// RoleChange lists changes to a role. Nil fields change nothing.
type RoleChange struct {
	Name        *string   `json:"name"`
	Color       *int      `json:"color"`
	Hoist       *bool     `json:"hoist"`
	Mentionable *bool     `json:"mentionable"`
	Permissions *[]string `json:"permissions"`
	// Position is the role's place, from 1 for the lowest; other roles make room.
	Position *int `json:"position"`
}

// ChangeRole changes a role, given by name or id.
func (gs *Guilds) ChangeRole(server, ref string, to RoleChange) error {
	return gs.w.Locked(func() error {
		guild, r, err := gs.editableRole(server, ref)
		if err != nil {
			return err
		}
		if to.Name != nil {
			r.Name = *to.Name
		}
		if to.Color != nil {
			r.Color, r.Colors.Primary = *to.Color, *to.Color
		}
		for to, from := range map[*bool]*bool{&r.Hoist: to.Hoist, &r.Mentionable: to.Mentionable} {
			if from != nil {
				*to = *from
			}
		}
		if to.Permissions != nil {
			if r.Permissions, err = ParsePermissions(*to.Permissions...); err != nil {
				return err
			}
		}
		if err := r.fits(guild); err != nil {
			return err
		}
		told := []Role{*r}
		if to.Position != nil {
			moved := guild.MoveRoles(map[string]int{r.ID: *to.Position})
			told = append([]Role{*r}, slices.DeleteFunc(moved, func(other Role) bool { return other.ID == r.ID })...)
		}
		gs.w.Put(Change{Guild: guild})
		for _, changed := range told {
			gs.w.Events.Role("GUILD_ROLE_UPDATE", guild.ID, changed)
		}
		gs.w.Events.PublishState()
		return nil
	})
}

// DeleteRole deletes a role, given by name or id.
func (gs *Guilds) DeleteRole(server, ref string) error {
	return gs.w.Locked(func() error {
		guild, r, err := gs.editableRole(server, ref)
		switch {
		case err != nil:
			return err
		case r.Managed:
			return fmt.Errorf("the role %q of %q belongs to an application, and goes only with it", r.Name, guild.Name)
		}
		gs.DropRole(guild, r.ID)
		return nil
	})
}

// editableRole finds a role that people can change, and returns it with the copy of the server that contains it.
func (gs *Guilds) editableRole(server, ref string) (*Guild, *Role, error) {
	guild, err := gs.w.State.guildFor(server)
	if err != nil {
		return nil, nil, err
	}
	guild = guild.Copy()
	r := guild.roleNamed(ref)
	if r == nil || r.ID == guild.ID {
		return nil, nil, fmt.Errorf("%w: no role %q of %q that can be changed", ErrNotFound, ref, guild.Name)
	}
	return guild, r, nil
}

// DropRole removes a role from a server and its members, and tells the bots. The server is a copy that DropRole may
// change.
func (gs *Guilds) DropRole(g *Guild, id string) {
	for i := range g.Members {
		g.Members[i].Without(id)
	}
	g.Roles = slices.DeleteFunc(g.Roles, func(r Role) bool { return r.ID == id })
	gs.w.Put(Change{Guild: g})
	gs.w.Events.RoleDelete(g.ID, id)
	gs.w.Events.PublishState()
}

// Top returns the highest role of a member, which is @everyone if the member has no other.
func (g *Guild) Top(m *Member) *Role {
	top := g.Role(g.ID)
	for _, id := range m.Roles {
		if r := g.Role(id); r != nil && r.above(top) {
			top = r
		}
	}
	return top
}

// Outranks reports whether a member's highest role is above r.
func (g *Guild) Outranks(m *Member, r *Role) bool {
	return g.OwnerID == m.UserID || g.Top(m).above(r)
}

// Without removes a role from a member. The member belongs to a copy of a server that may be changed.
func (m *Member) Without(role string) {
	m.Roles = slices.DeleteFunc(m.Roles, func(id string) bool { return id == role })
	if m.Own == role {
		m.Own = ""
	}
}

// MakeCommon turns a member's own role into an ordinary role, once another member has it too.
func (g *Guild) MakeCommon(role, with string) {
	for i := range g.Members {
		if m := &g.Members[i]; m.Own == role && m.UserID != with {
			m.Own = ""
		}
	}
}

// PutMember stores a server in which a member has changed, and tells the bots.
func (gs *Guilds) PutMember(g *Guild, m *Member) {
	gs.w.Put(Change{Guild: g})
	gs.w.Events.Member("GUILD_MEMBER_UPDATE", g.ID, m)
	gs.w.Events.PublishState()
}
