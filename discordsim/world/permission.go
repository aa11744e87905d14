package world

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// Permission is a set of Discord's permission bits. In JSON it is a quoted
// decimal number.
type Permission uint64

// The permissions used by the simulator.
const (
	KickMembers            Permission = 1 << 1
	BanMembers             Permission = 1 << 2
	Administrator          Permission = 1 << 3
	ManageChannels         Permission = 1 << 4
	ManageGuild            Permission = 1 << 5
	AddReactions           Permission = 1 << 6
	ViewAuditLog           Permission = 1 << 7
	ViewChannel            Permission = 1 << 10
	SendMessages           Permission = 1 << 11
	SendTTSMessages        Permission = 1 << 12
	ManageMessages         Permission = 1 << 13
	EmbedLinks             Permission = 1 << 14
	AttachFiles            Permission = 1 << 15
	ReadMessageHistory     Permission = 1 << 16
	MentionEveryone        Permission = 1 << 17
	UseExternalEmojis      Permission = 1 << 18
	ChangeNickname         Permission = 1 << 26
	ManageNicknames        Permission = 1 << 27
	ManageRoles            Permission = 1 << 28
	ManageWebhooks         Permission = 1 << 29
	UseApplicationCommands Permission = 1 << 31
	ManageThreads          Permission = 1 << 34
	CreatePublicThreads    Permission = 1 << 35
	CreatePrivateThreads   Permission = 1 << 36
	SendMessagesInThreads  Permission = 1 << 38
	ModerateMembers        Permission = 1 << 40
	SendVoiceMessages      Permission = 1 << 46
	SendPolls              Permission = 1 << 49
	UseExternalApps        Permission = 1 << 50
	PinMessages            Permission = 1 << 51
	BypassSlowMode         Permission = 1 << 52
)

// permissionNames are Discord's names of the bits, from the lowest.
var permissionNames = [...]string{
	"CREATE_INSTANT_INVITE", "KICK_MEMBERS", "BAN_MEMBERS", "ADMINISTRATOR", "MANAGE_CHANNELS", "MANAGE_GUILD",
	"ADD_REACTIONS", "VIEW_AUDIT_LOG", "PRIORITY_SPEAKER", "STREAM", "VIEW_CHANNEL", "SEND_MESSAGES",
	"SEND_TTS_MESSAGES", "MANAGE_MESSAGES", "EMBED_LINKS", "ATTACH_FILES", "READ_MESSAGE_HISTORY",
	"MENTION_EVERYONE", "USE_EXTERNAL_EMOJIS", "VIEW_GUILD_INSIGHTS", "CONNECT", "SPEAK", "MUTE_MEMBERS",
	"DEAFEN_MEMBERS", "MOVE_MEMBERS", "USE_VAD", "CHANGE_NICKNAME", "MANAGE_NICKNAMES", "MANAGE_ROLES",
	"MANAGE_WEBHOOKS", "MANAGE_GUILD_EXPRESSIONS", "USE_APPLICATION_COMMANDS", "REQUEST_TO_SPEAK",
	"MANAGE_EVENTS", "MANAGE_THREADS", "CREATE_PUBLIC_THREADS", "CREATE_PRIVATE_THREADS",
	"USE_EXTERNAL_STICKERS", "SEND_MESSAGES_IN_THREADS", "USE_EMBEDDED_ACTIVITIES", "MODERATE_MEMBERS",
	"VIEW_CREATOR_MONETIZATION_ANALYTICS", "USE_SOUNDBOARD", "CREATE_GUILD_EXPRESSIONS", "CREATE_EVENTS",
	"USE_EXTERNAL_SOUNDS", "SEND_VOICE_MESSAGES", "", "", "SEND_POLLS", "USE_EXTERNAL_APPS", "PIN_MESSAGES",
	"BYPASS_SLOWMODE",
}

// ParsePermissions returns the set of the permissions with the given Discord names, such as SEND_MESSAGES, or numbers,
// such as 2048.
func ParsePermissions(names ...string) (Permission, error) {
	set := Permission(0)
	for _, name := range names {
		if n, err := strconv.ParseUint(name, 10, 64); err == nil && Permission(n)&^AllPermissions == 0 {
			set |= Permission(n)
			continue
		}
		bit := slices.Index(permissionNames[:], name)
		if bit < 0 || name == "" {
			return 0, fmt.Errorf("there is no permission %q", name)
		}
		set |= 1 << bit
	}
	return set, nil
}

// Names returns Discord's names of the permissions in the set, from the lowest bit.
func (p Permission) Names() []string {
	names := []string{}
	for bit, name := range permissionNames {
		if name != "" && p.Has(1<<bit) {
			names = append(names, name)
		}
	}
	return names
}

// AllPermissions are the permissions of an administrator.
const AllPermissions Permission = 1<<53 - 1

// everyonePermissions are the permissions of the @everyone role in a new server.
const everyonePermissions = AddReactions | ViewChannel | SendMessages | SendTTSMessages | EmbedLinks | AttachFiles |
	ReadMessageHistory | UseExternalEmojis | UseApplicationCommands | CreatePublicThreads |
	CreatePrivateThreads | SendMessagesInThreads | SendVoiceMessages | SendPolls | UseExternalApps

// DirectPermissions are everybody's permissions in a direct-message channel.
const DirectPermissions = everyonePermissions | PinMessages

// Has reports whether every bit of want is set.
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

// Permissions returns a user's permissions in a channel. A user without access to the channel has none; only members
// and moderators have access to a private thread.
func (st *State) Permissions(userID string, ch *Channel) Permission {
	granted := st.inherited(userID, ch)
	if ch.IsPrivate() && ch.Follower(userID) < 0 && !granted.Has(ManageThreads) {
		return 0
	}
	return granted
}

// inherited returns a user's permissions in a channel by Discord's documented algorithm: the member's roles, then the
// channel's overwrites for @everyone, for the roles together and for the member. For a thread, it returns the
// permissions in the thread's channel.
func (st *State) inherited(userID string, ch *Channel) Permission {
	if ch.GuildID == "" {
		if slices.Contains(ch.Recipients, userID) {
			return DirectPermissions
		}
		return 0
	}
	guild := st.Guilds[ch.GuildID]
	member := guild.Member(userID)
	if member == nil {
		return 0
	}
	granted := guild.Permissions(member)
	if granted.Has(Administrator) {
		return AllPermissions
	}
	if parent := st.Channels[ch.ParentID]; ch.IsThread() && parent != nil {
		ch = parent // a thread has no overwrites, so its channel's apply
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
	if member.Silenced(time.Now().Add(st.offset)) {
		granted &= ViewChannel | ReadMessageHistory
	}
	return granted
}

// Permissions returns a member's permissions in the server, from all of the member's roles.
func (g *Guild) Permissions(m *Member) Permission {
	if g.OwnerID == m.UserID {
		return AllPermissions
	}
	granted := Permission(0)
	for _, role := range g.Roles {
		if role.ID == g.ID || slices.Contains(m.Roles, role.ID) {
			granted |= role.Permissions
		}
	}
	if granted.Has(Administrator) {
		return AllPermissions
	}
	return granted
}
