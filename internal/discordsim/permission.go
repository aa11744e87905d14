package discordsim

import (
	"slices"
	"strconv"
)

// Permission is a set of Discord's permission bits. In JSON it is a quoted
// decimal number.
type Permission uint64

// The permissions that the simulator looks at.
const (
	Administrator          Permission = 1 << 3
	AddReactions           Permission = 1 << 6
	ViewChannel            Permission = 1 << 10
	SendMessages           Permission = 1 << 11
	ManageMessages         Permission = 1 << 13
	EmbedLinks             Permission = 1 << 14
	AttachFiles            Permission = 1 << 15
	ReadMessageHistory     Permission = 1 << 16
	MentionEveryone        Permission = 1 << 17
	UseExternalEmojis      Permission = 1 << 18
	UseApplicationCommands Permission = 1 << 31
	UseExternalApps        Permission = 1 << 50
)

const allPermissions Permission = 1<<53 - 1

// everyonePermissions is what the @everyone role of a new server allows.
const everyonePermissions = AddReactions | ViewChannel | SendMessages | EmbedLinks | AttachFiles |
	ReadMessageHistory | UseExternalEmojis | UseApplicationCommands | UseExternalApps

// directPermissions is what everybody may do in a direct-message channel.
const directPermissions = everyonePermissions

// Has tells whether every bit of want is set.
func (p Permission) Has(want Permission) bool { return p&want == want }

func (p Permission) String() string { return strconv.FormatUint(uint64(p), 10) }

// MarshalText writes the decimal number, which JSON then quotes.
func (p Permission) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads a decimal number.
func (p *Permission) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 10, 64)
	*p = Permission(n)
	return err
}

// permissions of a user in a channel, computed as Discord documents it: the
// roles of the member, then the channel's overwrites for @everyone, for the
// roles together and for the member. A stranger to the channel has none.
func (st *state) permissions(userID string, ch *Channel) Permission {
	if ch.GuildID == "" {
		if slices.Contains(ch.Recipients, userID) {
			return directPermissions
		}
		return 0
	}
	guild := st.guilds[ch.GuildID]
	member := guild.member(userID)
	if member == nil {
		return 0
	}
	if guild.OwnerID == userID {
		return allPermissions
	}
	granted := Permission(0)
	for _, role := range guild.Roles {
		if role.ID == guild.ID || slices.Contains(member.Roles, role.ID) {
			granted |= role.Permissions
		}
	}
	if granted.Has(Administrator) {
		return allPermissions
	}
	var allow, deny Permission
	for _, o := range ch.Overwrites {
		if o.ID == guild.ID {
			granted = granted&^o.Deny | o.Allow
		} else if slices.Contains(member.Roles, o.ID) {
			allow, deny = allow|o.Allow, deny|o.Deny
		}
	}
	granted = granted&^deny | allow
	for _, o := range ch.Overwrites {
		if o.ID == userID {
			granted = granted&^o.Deny | o.Allow
		}
	}
	if !granted.Has(ViewChannel) {
		return 0
	}
	return granted
}
