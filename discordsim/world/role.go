package world

import (
	"cmp"
	"slices"
)

// above reports whether a role is higher than another. Of two roles at the same
// position, the older one is higher.
func (r *Role) above(other *Role) bool {
	return cmp.Or(cmp.Compare(r.Position, other.Position), CompareIDs(other.ID, r.ID)) > 0
}

// MoveRoles gives roles of a server that is not shared yet new positions, by id, and returns the roles whose position
// changed. The other roles make room, and @everyone stays at 0.
func (g *Guild) MoveRoles(to map[string]int) (moved []Role) {
	order := slices.Clone(g.Roles)
	slices.SortFunc(order, func(a, b Role) int {
		if a.above(&b) {
			return 1
		}
		return -1
	})
	named := slices.DeleteFunc(slices.Clone(order), func(r Role) bool { _, is := to[r.ID]; return !is })
	slices.SortStableFunc(named, func(a, b Role) int { return cmp.Compare(to[a.ID], to[b.ID]) })
	order = slices.DeleteFunc(order, func(r Role) bool { _, is := to[r.ID]; return is })
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

// Top returns the highest role of a member, which is @everyone if there is no other.
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

// Without removes a role from a member of a server that is not shared yet.
func (m *Member) Without(role string) {
	m.Roles = slices.DeleteFunc(m.Roles, func(id string) bool { return id == role })
	if m.Own == role {
		m.Own = ""
	}
}

// MakeCommon turns one member's own role into an ordinary role, once another member has it too.
func (g *Guild) MakeCommon(role, with string) {
	for i := range g.Members {
		if m := &g.Members[i]; m.Own == role && m.UserID != with {
			m.Own = ""
		}
	}
}

// PutMember stores a server in which a member has changed, and dispatches the change.
func (gs *Guilds) PutMember(g *Guild, m *Member) {
	gs.w.Put(Change{Guild: g})
	gs.w.Events.Member("GUILD_MEMBER_UPDATE", g.ID, m)
	gs.w.Events.PublishState()
}
