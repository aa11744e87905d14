package world

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"tictactoe/discordsim/check"
)

// Membership is a server's data about one of its members.
type Membership struct {
	// Nick is the member's nickname in the server; none when empty.
	Nick string
	// Permissions are the member's permissions beyond @everyone's. A role that only this member has grants them.
	Permissions Permission
	// Roles are the names or ids of the member's roles; nil leaves the roles unchanged.
	Roles []string
}

// SetMember makes a person or a bot a member of a server, or changes an existing
// membership. Servers and accounts are given by name or id.
func (gs *Guilds) SetMember(server, who string, as Membership) error {
	return gs.w.Locked(func() error {
		guild, a, err := gs.guildAndAccount(server, who)
		if err != nil {
			return err
		}
		if n := utf8.RuneCountInString(as.Nick); n > check.MaxNick {
			return fmt.Errorf("a nick has at most %d characters, not %d", check.MaxNick, n)
		}
		if extra := as.Permissions &^ AllPermissions; extra != 0 {
			return fmt.Errorf("there are no permissions %v", extra)
		}
		joins := guild.Member(a.ID) == nil
		if joins && guild.Ban(a.ID) != nil {
			return fmt.Errorf("%s is banned from %q", a.Username, guild.Name)
		}
		changed := guild.Copy()
		if joins {
			changed.Members = append(changed.Members, Member{UserID: a.ID, JoinedAt: Stamp(gs.w.Clock.Now())})
		}
		m := changed.Member(a.ID)
		if m.Nick = nil; as.Nick != "" {
			m.Nick = &as.Nick
		}
		if as.Roles != nil {
			if err := m.setRoles(changed, as.Roles); err != nil {
				return err
			}
		}
		tell := gs.grantRole(changed, m, a, as.Permissions)
		gs.w.Put(Change{Guild: changed})
		tell()
		switch {
		case !joins:
			gs.w.Events.Member("GUILD_MEMBER_UPDATE", guild.ID, m)
		case a.Bot:
			gs.w.Events.Join(changed, a.ID)
		default:
			gs.w.Events.Member("GUILD_MEMBER_ADD", guild.ID, m)
		}
		gs.w.Events.PublishState()
		return nil
	})
}

// setRoles gives a member exactly the named roles, and keeps the role that only this member has. The server is a copy
// that setRoles may change.
func (m *Member) setRoles(g *Guild, names []string) error {
	m.Roles = slices.DeleteFunc(m.Roles, func(id string) bool { return id != m.Own })
	for _, name := range names {
		r := g.roleNamed(name)
		switch {
		case r == nil || r.ID == g.ID || r.Managed:
			return fmt.Errorf("%w: no role %q of %q that members can have", ErrNotFound, name, g.Name)
		case slices.Contains(m.Roles, r.ID):
			return fmt.Errorf("the role %q is named twice", name)
		}
		m.Roles = append(m.Roles, r.ID)
	}
	return nil
}

// grantRole gives a member a role of its own with the given permissions, or removes that role if there are none. The
// server is a copy that grantRole may change. grantRole returns a function that tells the bots about the change.
func (gs *Guilds) grantRole(guild *Guild, m *Member, a *Account, may Permission) (tell func()) {
	own := guild.Role(m.Own)
	switch {
	case own == nil && may == 0:
		return func() {}
	case own == nil:
		role := Role{ID: gs.w.NextID(), Name: a.Username, Position: len(guild.Roles), Permissions: may, Managed: a.Bot}
		guild.Roles = append(guild.Roles, role)
		m.Roles, m.Own = append(m.Roles, role.ID), role.ID
		return func() { gs.w.Events.Role("GUILD_ROLE_CREATE", guild.ID, role) }
	case may == 0:
		id := own.ID
		guild.Roles = slices.DeleteFunc(guild.Roles, func(r Role) bool { return r.ID == id })
		m.Roles, m.Own = slices.DeleteFunc(m.Roles, func(role string) bool { return role == id }), ""
		return func() { gs.w.Events.RoleDelete(guild.ID, id) }
	}
	own.Permissions = may
	return func() { gs.w.Events.Role("GUILD_ROLE_UPDATE", guild.ID, *own) }
}

// RemoveMember removes a person or a bot from a server.
func (gs *Guilds) RemoveMember(server, who string) error {
	return gs.w.Locked(func() error {
		guild, a, err := gs.guildAndAccount(server, who)
		if err != nil {
			return err
		}
		m := guild.Member(a.ID)
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
func (gs *Guilds) Leave(guild *Guild, a *Account) {
	changed := guild.Copy()
	tell := gs.grantRole(changed, changed.Member(a.ID), a, 0)
	changed.Members = slices.DeleteFunc(changed.Members, func(m Member) bool { return m.UserID == a.ID })
	gs.w.Put(Change{Guild: changed})
	tell()
	gs.w.Events.Leave(guild.ID, a)
	gs.w.Events.PublishState()
}

// guildFor finds a server by name or id. If ref is empty, it returns the first server.
func (st *State) guildFor(ref string) (*Guild, error) {
	for _, id := range st.GuildOrder {
		if g := st.Guilds[id]; ref == "" || id == ref || g.Name == ref {
			return g, nil
		}
	}
	return nil, fmt.Errorf("%w: no server %q", ErrNotFound, ref)
}

// Extra returns the permissions that a member's own role grants.
func (g *Guild) Extra(m *Member) Permission {
	if own := g.Role(m.Own); own != nil {
		return own.Permissions
	}
	return 0
}

func (gs *Guilds) guildAndAccount(server, who string) (*Guild, *Account, error) {
	guild, err := gs.w.State.guildFor(server)
	if err != nil {
		return nil, nil, err
	}
	a := gs.w.State.Account(who)
	if a == nil {
		return nil, nil, fmt.Errorf("%w: no user %q", ErrNotFound, who)
	}
	return guild, a, nil
}

// MemberNamed reports whether a member's username or nick begins with the given text.
func (st *State) MemberNamed(m *Member, text string) bool {
	begins := func(name string) bool { return strings.HasPrefix(strings.ToLower(name), strings.ToLower(text)) }
	return begins(st.Accounts[m.UserID].Username) || m.Nick != nil && begins(*m.Nick)
}

// MaxTimeout is the maximum duration of a member's timeout.
const MaxTimeout = 28 * 24 * time.Hour

// Silenced reports whether the member is timed out now.
func (m *Member) Silenced(now time.Time) bool { return m.TimedOut != nil && m.TimedOut.After(now) }

// Silenced reports whether a timeout keeps an account from acting in a channel.
func (gs *Guilds) Silenced(userID string, ch *Channel) bool {
	guild := gs.w.State.Guilds[ch.GuildID]
	if guild == nil {
		return false
	}
	m := guild.Member(userID)
	return m != nil && m.Silenced(gs.w.Clock.Now()) && !guild.Permissions(m).Has(Administrator)
}

// TimeOut times a member out for a duration, or ends the timeout if d is zero. Administrators cannot be timed out.
func (gs *Guilds) TimeOut(server, who string, d time.Duration) error {
	return gs.w.Locked(func() error {
		guild, a, err := gs.guildAndAccount(server, who)
		if err != nil {
			return err
		}
		guild = guild.Copy()
		m := guild.Member(a.ID)
		switch {
		case m == nil:
			return fmt.Errorf("%w: %s is no member of %q", ErrNotFound, a.Username, guild.Name)
		case d < 0 || d > MaxTimeout:
			return fmt.Errorf("a timeout lasts 28 days at most, not %v", d)
		case guild.Permissions(m).Has(Administrator) && d > 0:
			return fmt.Errorf("%s is an administrator of %q and cannot be timed out", a.Username, guild.Name)
		}
		if m.TimedOut = nil; d > 0 {
			until := Stamp(gs.w.Clock.Now().Add(d))
			m.TimedOut = &until
		}
		gs.PutMember(guild, m)
		return nil
	})
}

// Ban keeps an account from joining a server.
type Ban struct {
	UserID string  `json:"user_id"`
	Reason *string `json:"reason"`
}

// Ban returns the ban of an account, or nil.
func (g *Guild) Ban(userID string) *Ban {
	i := slices.IndexFunc(g.Bans, func(b Ban) bool { return b.UserID == userID })
	if i < 0 {
		return nil
	}
	return &g.Bans[i]
}

// PutBan bans an account from a server, of which g is a copy that PutBan may change. The account leaves the server if
// it is a member, and its messages that are younger than forget are deleted.
func (gs *Guilds) PutBan(g *Guild, a *Account, reason string, forget time.Duration) {
	if g.Ban(a.ID) != nil {
		return
	}
	ban := Ban{UserID: a.ID}
	if reason != "" {
		ban.Reason = &reason
	}
	g.Bans = append(g.Bans, ban)
	gs.w.Put(Change{Guild: g})
	gs.w.Events.Ban("ADD", g.ID, a)
	gs.w.Events.PublishState()
	since := gs.w.Clock.Now().Add(-forget)
	for _, id := range gs.w.State.ChannelOrder {
		if ch := gs.w.State.Channels[id]; ch.GuildID == g.ID && forget > 0 {
			gs.w.Messages.RemoveAll(ch, slices.DeleteFunc(slices.Clone(gs.w.State.Posts[id]), func(p *Post) bool {
				return p.Message.Author.ID != a.ID || p.Message.Timestamp.Before(since)
			}))
		}
	}
	if g.Member(a.ID) != nil {
		gs.Leave(g, a)
	}
}

// DropBan lifts an account's ban from a server, of which g is a copy that DropBan may change.
func (gs *Guilds) DropBan(g *Guild, a *Account) {
	g.Bans = slices.DeleteFunc(g.Bans, func(b Ban) bool { return b.UserID == a.ID })
	gs.w.Put(Change{Guild: g})
	gs.w.Events.Ban("REMOVE", g.ID, a)
	gs.w.Events.PublishState()
}

// SetBan bans an account from a server.
func (gs *Guilds) SetBan(server, who, reason string) error {
	return gs.w.Locked(func() error {
		guild, a, err := gs.guildAndAccount(server, who)
		if err != nil {
			return err
		}
		if guild.OwnerID == a.ID {
			return fmt.Errorf("%s owns %q and cannot be banned", a.Username, guild.Name)
		}
		gs.PutBan(guild.Copy(), a, reason, 0)
		return nil
	})
}

// LiftBan lifts an account's ban from a server.
func (gs *Guilds) LiftBan(server, who string) error {
	return gs.w.Locked(func() error {
		guild, a, err := gs.guildAndAccount(server, who)
		if err == nil && guild.Ban(a.ID) == nil {
			err = fmt.Errorf("%w: %s is not banned from %q", ErrNotFound, a.Username, guild.Name)
		}
		if err == nil {
			gs.DropBan(guild.Copy(), a)
		}
		return err
	})
}
