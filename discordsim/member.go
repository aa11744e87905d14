package discordsim

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// Membership is a server's data about one of its members.
type Membership struct {
	// Nick is the member's nickname in the server; none when empty.
	Nick string
	// Permissions are the member's permissions beyond @everyone's. They come from
	// a role of the member's own.
	Permissions Permission
}

// SetMember makes a person or a bot a member of a server, or changes an existing
// membership. Servers and accounts are given by name or id.
func (gs *Guilds) SetMember(server, who string, as Membership) error {
	return gs.w.Locked(func() error {
		guild, a, err := gs.guildAndAccount(server, who)
		if err != nil {
			return err
		}
		if n := utf8.RuneCountInString(as.Nick); n > 32 {
			return fmt.Errorf("a nick has at most 32 characters, not %d", n)
		}
		if extra := as.Permissions &^ allPermissions; extra != 0 {
			return fmt.Errorf("there are no permissions %v", extra)
		}
		joins := guild.member(a.ID) == nil
		changed := guild.copy()
		if joins {
			changed.Members = append(changed.Members, Member{UserID: a.ID, JoinedAt: stamp(gs.w.clock.Now())})
		}
		m := changed.member(a.ID)
		if m.Nick = nil; as.Nick != "" {
			m.Nick = &as.Nick
		}
		tell := gs.grantRole(changed, m, a, as.Permissions)
		gs.w.Put(change{Guild: changed})
		tell()
		switch {
		case !joins:
			gs.w.events.Member("GUILD_MEMBER_UPDATE", guild.ID, m)
		case a.Bot:
			gs.w.events.Join(changed, a.ID)
		default:
			gs.w.events.Member("GUILD_MEMBER_ADD", guild.ID, m)
		}
		gs.w.events.PublishState()
		return nil
	})
}

// grantRole gives a member of a changed server an own role with the given permissions,
// or removes that role if there are none. It returns a function that tells the bots.
func (gs *Guilds) grantRole(guild *Guild, m *Member, a *account, may Permission) (tell func()) {
	own := guild.role(m.Own)
	switch {
	case own == nil && may == 0:
		return func() {}
	case own == nil:
		role := Role{ID: gs.w.NextID(), Name: a.Username, Position: len(guild.Roles), Permissions: may, Managed: a.Bot}
		guild.Roles = append(guild.Roles, role)
		m.Roles, m.Own = append(m.Roles, role.ID), role.ID
		return func() { gs.w.events.Role("GUILD_ROLE_CREATE", guild.ID, role) }
	case may == 0:
		id := own.ID
		guild.Roles = slices.DeleteFunc(guild.Roles, func(r Role) bool { return r.ID == id })
		m.Roles, m.Own = slices.DeleteFunc(m.Roles, func(role string) bool { return role == id }), ""
		return func() { gs.w.events.RoleDelete(guild.ID, id) }
	}
	own.Permissions = may
	return func() { gs.w.events.Role("GUILD_ROLE_UPDATE", guild.ID, *own) }
}

// RemoveMember removes a person or a bot from a server.
func (gs *Guilds) RemoveMember(server, who string) error {
	return gs.w.Locked(func() error {
		guild, a, err := gs.guildAndAccount(server, who)
		if err != nil {
			return err
		}
		m := guild.member(a.ID)
		switch {
		case m == nil:
			return fmt.Errorf("%w: %s is no member of %q", ErrNotFound, a.Username, guild.Name)
		case guild.OwnerID == a.ID:
			return fmt.Errorf("%s owns %q and cannot leave it", a.Username, guild.Name)
		}
		gs.Leave(guild, a)
		return nil
	})
}

// Leave removes a member and the member's own role from a server.
func (gs *Guilds) Leave(guild *Guild, a *account) {
	changed := guild.copy()
	tell := gs.grantRole(changed, changed.member(a.ID), a, 0)
	changed.Members = slices.DeleteFunc(changed.Members, func(m Member) bool { return m.UserID == a.ID })
	gs.w.Put(change{Guild: changed})
	tell()
	gs.w.events.Leave(guild.ID, a)
	gs.w.events.PublishState()
}

// guildFor finds a server by name or id; the first one when ref is empty.
func (st *state) guildFor(ref string) (*Guild, error) {
	for _, id := range st.guildOrder {
		if g := st.guilds[id]; ref == "" || id == ref || g.Name == ref {
			return g, nil
		}
	}
	return nil, fmt.Errorf("%w: no server %q", ErrNotFound, ref)
}

// extra returns the permissions from a member's own role.
func (g *Guild) extra(m *Member) Permission {
	if own := g.role(m.Own); own != nil {
		return own.Permissions
	}
	return 0
}

func (gs *Guilds) guildAndAccount(server, who string) (*Guild, *account, error) {
	guild, err := gs.w.state.guildFor(server)
	if err != nil {
		return nil, nil, err
	}
	a := gs.w.state.account(who)
	if a == nil {
		return nil, nil, fmt.Errorf("%w: no user %q", ErrNotFound, who)
	}
	return guild, a, nil
}
