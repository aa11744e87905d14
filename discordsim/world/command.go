package world

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"tictactoe/discordsim/check"
)

// The types of application command.
const (
	CommandChat    = 1
	CommandUser    = 2
	CommandMessage = 3
	CommandEntry   = 4 // the Entry Point command, which launches an application's Activity
)

// The types of command option.
const (
	OptionSubcommand  = 1
	OptionGroup       = 2
	OptionString      = 3
	OptionInteger     = 4
	OptionBoolean     = 5
	OptionUser        = 6
	OptionChannel     = 7
	OptionRole        = 8
	OptionMentionable = 9
	OptionNumber      = 10
	OptionAttachment  = 11
)

// The contexts in which a command may be used, and the installation types.
const (
	ContextGuild     = 0
	ContextBotDirect = 1
	ContextPrivate   = 2

	InstallGuild = 0
	InstallUser  = 1
)

// Command is a registered application command, as Discord's API shows it. It is immutable: a change stores a new
// value.
type Command struct {
	ID                       string            `json:"id"`
	ApplicationID            string            `json:"application_id"`
	Version                  string            `json:"version"`
	GuildID                  string            `json:"guild_id,omitempty"`
	Type                     int               `json:"type"`
	Name                     string            `json:"name"`
	NameLocalizations        map[string]string `json:"name_localizations,omitempty"`
	NameLocalized            readOnlyText      `json:"name_localized,omitempty"`
	Description              string            `json:"description"`
	DescriptionLocalizations map[string]string `json:"description_localizations,omitempty"`
	DescriptionLocalized     readOnlyText      `json:"description_localized,omitempty"`
	DefaultMemberPermissions *bits             `json:"default_member_permissions"`
	DMPermission             *bool             `json:"dm_permission,omitempty"`
	Contexts                 []int             `json:"contexts"`
	IntegrationTypes         []int             `json:"integration_types,omitempty"`
	NSFW                     bool              `json:"nsfw"`
	Options                  []Option          `json:"options,omitempty"`
	Handler                  int               `json:"handler,omitempty"` // who handles an Entry Point command: 1 the application, 2 Discord
}

// Option is an option, a subcommand or a group of subcommands of a command.
type Option struct {
	Type                     int               `json:"type"`
	Name                     string            `json:"name"`
	NameLocalizations        map[string]string `json:"name_localizations,omitempty"`
	NameLocalized            readOnlyText      `json:"name_localized,omitempty"`
	Description              string            `json:"description"`
	DescriptionLocalizations map[string]string `json:"description_localizations,omitempty"`
	DescriptionLocalized     readOnlyText      `json:"description_localized,omitempty"`
	Required                 bool              `json:"required,omitempty"`
	Autocomplete             bool              `json:"autocomplete,omitempty"`
	Choices                  []Choice          `json:"choices,omitempty"`
	MinValue                 *float64          `json:"min_value,omitempty"`
	MaxValue                 *float64          `json:"max_value,omitempty"`
	MinLength                *int              `json:"min_length,omitempty"`
	MaxLength                *int              `json:"max_length,omitempty"`
	ChannelTypes             []int             `json:"channel_types,omitempty"`
	FileTypes                []string          `json:"file_types,omitempty"`
	Options                  []Option          `json:"options,omitempty"`
}

// Choice is one of the allowed values of an option.
type Choice struct {
	Name              string            `json:"name"`
	NameLocalizations map[string]string `json:"name_localizations,omitempty"`
	NameLocalized     readOnlyText      `json:"name_localized,omitempty"`
	Value             any               `json:"value"` // string or float64
}

// readOnlyText is a text that bots can read but not set: decoding a request ignores it.
type readOnlyText string

// UnmarshalJSON leaves the text empty.
func (*readOnlyText) UnmarshalJSON([]byte) error { return nil }

// bits is a permission set written as a number, with quotes or without.
type bits struct{ Permission }

func (b bits) MarshalJSON() ([]byte, error) { return json.Marshal(b.Permission) }

func (b *bits) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] != '"' {
		text = slices.Concat([]byte{'"'}, text, []byte{'"'})
	}
	return json.Unmarshal(text, &b.Permission)
}

// Merged returns the command's definition as JSON, in which the fields of an edit replace the command's fields.
func (c *Command) Merged(edit []byte) ([]byte, error) {
	var members map[string]json.RawMessage
	text, err := json.Marshal(c)
	if err == nil {
		err = json.Unmarshal(text, &members)
	}
	if err != nil {
		return nil, err
	}
	if json.Unmarshal(edit, &members) != nil {
		return edit, nil // not an object; the check refuses it
	}
	return json.Marshal(members)
}

// Same reports whether two commands have the same definition.
func (c *Command) Same(other *Command) bool {
	a, b := *c, *other
	a.ID, a.Version = b.ID, b.Version
	left, err := json.Marshal(a)
	right, err2 := json.Marshal(b)
	return err == nil && err2 == nil && string(left) == string(right)
}

// Localized returns the command without its translations, and with its texts in one language where a translation
// exists.
func (c *Command) Localized(locale string) *Command {
	localized := *c
	localized.NameLocalizations, localized.NameLocalized = nil, translation(c.NameLocalizations, locale)
	localized.DescriptionLocalizations, localized.DescriptionLocalized = nil, translation(c.DescriptionLocalizations, locale)
	localized.Options = localizedOptions(c.Options, locale)
	return &localized
}

func localizedOptions(options []Option, locale string) []Option {
	localized := slices.Clone(options)
	for i := range localized {
		o := &localized[i]
		o.NameLocalized, o.NameLocalizations = translation(o.NameLocalizations, locale), nil
		o.DescriptionLocalized, o.DescriptionLocalizations = translation(o.DescriptionLocalizations, locale), nil
		o.Options = localizedOptions(o.Options, locale)
		o.Choices = slices.Clone(o.Choices)
		for j := range o.Choices {
			choice := &o.Choices[j]
			choice.NameLocalized, choice.NameLocalizations = translation(choice.NameLocalizations, locale), nil
		}
	}
	return localized
}

// fallbackLocales maps a locale to the locale whose translation replaces a missing one.
var fallbackLocales = map[string]string{"en-US": "en-GB", "en-GB": "en-US", "es-419": "es-ES"}

func translation(texts map[string]string, locale string) readOnlyText {
	return readOnlyText(cmp.Or(texts[locale], texts[fallbackLocales[locale]]))
}

// ContextOf returns the interaction context of a channel for an application.
func (st *State) ContextOf(ch *Channel, appID string) int {
	switch {
	case ch.GuildID != "":
		return ContextGuild
	case slices.Contains(ch.Recipients, appID):
		return ContextBotDirect
	}
	return ContextPrivate
}

// The types of command permission.
const (
	permitsRole    = 1
	permitsUser    = 2
	permitsChannel = 3
)

// CommandPermissions say who may use a command in a server and where, as the server's administrators set it.
type CommandPermissions struct {
	ID            string              `json:"id"` // the id of the command, or of the application for all of its commands
	ApplicationID string              `json:"application_id"`
	GuildID       string              `json:"guild_id"`
	Permissions   []CommandPermission `json:"permissions"`
}

// CommandPermission allows or denies a command to a role or a user, or in a channel.
type CommandPermission struct {
	ID         string `json:"id"`
	Type       int    `json:"type"`
	Permission bool   `json:"permission"`
}

func (p *CommandPermissions) key() string { return p.GuildID + "/" + p.ID }

// Override returns the permissions that a server's administrators have set for the command or the application with an
// id, or nil.
func (g *Guild) Override(st *State, id string) *CommandPermissions { return st.Overrides[g.ID+"/"+id] }

// find looks for the first of the ids for which a permission is set. It returns whether that permission allows the
// command, and whether it found one.
func (p *CommandPermissions) find(kind int, ids ...string) (allowed, set bool) {
	if p == nil {
		return false, false
	}
	for _, id := range ids {
		for _, set := range p.Permissions {
			if set.Type == kind && set.ID == id {
				return set.Permission, true
			}
		}
	}
	return false, false
}

// forMember returns a member's permission, and whether one is set: for the user, else for the member's roles, else
// for @everyone.
func (p *CommandPermissions) forMember(g *Guild, m *Member) (allowed, set bool) {
	if allowed, set = p.find(permitsUser, m.UserID); set {
		return allowed, true
	}
	for _, role := range m.Roles {
		if may, is := p.find(permitsRole, role); is {
			allowed, set = allowed || may, true
		}
	}
	if set {
		return allowed, true
	}
	return p.find(permitsRole, g.ID)
}

// allChannels returns the id that stands for all channels of a server in command permissions.
func allChannels(guildID string) string {
	n, _ := strconv.ParseUint(guildID, 10, 64)
	return strconv.FormatUint(n-1, 10)
}

// Denied returns why a member may not use the command in a channel of a server, or "". Permissions set for the
// command replace its default permissions and precede permissions set for the application, which only restrict it
// further.
func (c *Command) Denied(st *State, userID string, ch *Channel) string {
	guild, may := st.Guilds[ch.GuildID], st.Permissions(userID, ch)
	member := guild.Member(userID)
	if may.Has(Administrator) || member == nil {
		return ""
	}
	place := ch.ID
	if ch.IsThread() {
		place = ch.ParentID
	}
	own, app := guild.Override(st, c.ID), guild.Override(st, c.ApplicationID)
	allowed, set := own.find(permitsChannel, place, allChannels(guild.ID))
	if !set {
		allowed, set = app.find(permitsChannel, place, allChannels(guild.ID))
	}
	if set && !allowed {
		return "the server's administrators do not allow it in this channel"
	}
	const denied = "the server's administrators do not allow it to "
	name := st.Accounts[userID].Username
	if allowed, set = own.forMember(guild, member); set {
		if allowed {
			return ""
		}
		return denied + name
	}
	if allowed, set = app.forMember(guild, member); set && !allowed {
		return denied + name
	}
	if need := c.DefaultMemberPermissions; need != nil && (need.Permission == 0 || !may.Has(need.Permission)) {
		return name + " lacks the permissions that it asks for"
	}
	return ""
}

// CommandRule allows or denies a command to a user or a role, or in a channel.
type CommandRule struct {
	// Of is the name or the id of a user or a role, or everyone.
	Of string `json:"of"`
	// Channel is the name or the id of a channel, or * for all channels. Either Of or Channel is set.
	Channel string `json:"channel"`
	Allow   bool   `json:"allow"`
}

// SetCommandPermissions sets who may use a command in a server, and where, in place of earlier rules; without rules,
// the command's defaults apply. The command is given by its name or id, or is * for all commands of the application.
// The application must be given only if the commands of several applications match.
func (gs *Guilds) SetCommandPermissions(server, application, command string, rules ...CommandRule) error {
	return gs.w.Locked(func() error {
		guild, err := gs.w.State.guildFor(server)
		if err != nil {
			return err
		}
		set, err := gs.commandFor(guild, application, command)
		if err != nil {
			return err
		}
		for _, rule := range rules {
			permission, err := gs.permission(guild, rule)
			if err != nil {
				return err
			}
			set.Permissions = append(set.Permissions, permission)
		}
		if len(set.Permissions) > check.MaxOverrides {
			return fmt.Errorf("a command has at most %d permissions, not %d", check.MaxOverrides, len(set.Permissions))
		}
		gs.w.Put(Change{Overrides: set})
		gs.w.Events.CommandPermissions(set)
		gs.w.Events.PublishState()
		return nil
	})
}

// commandFor finds the command or the application whose permissions are set.
func (gs *Guilds) commandFor(g *Guild, application, command string) (*CommandPermissions, error) {
	found := map[string]*CommandPermissions{}
	for _, c := range gs.w.State.Commands {
		bot := gs.w.State.Accounts[c.ApplicationID]
		fits := command == "*" || c.ID == command || c.Name == command
		if !fits || c.GuildID != "" && c.GuildID != g.ID || application != "" && application != bot.ID && application != bot.Username {
			continue
		}
		set := &CommandPermissions{ID: c.ID, ApplicationID: bot.ID, GuildID: g.ID, Permissions: []CommandPermission{}}
		if command == "*" {
			set.ID = bot.ID
		}
		found[set.ID] = set
	}
	if len(found) > 1 {
		return nil, fmt.Errorf("%d commands or applications are meant by %q; name one by its id, or the application", len(found), command)
	}
	for _, set := range found {
		return set, nil
	}
	return nil, fmt.Errorf("%w: no command %q in %q", ErrNotFound, command, g.Name)
}

// permission returns the permission that a rule describes.
func (gs *Guilds) permission(g *Guild, rule CommandRule) (CommandPermission, error) {
	p := CommandPermission{Permission: rule.Allow}
	a, r := gs.w.State.Account(rule.Of), g.roleNamed(rule.Of)
	switch {
	case (rule.Of == "") == (rule.Channel == ""):
		return p, fmt.Errorf("a permission is for a user or role, or for a channel")
	case rule.Channel == "*":
		p.ID, p.Type = allChannels(g.ID), permitsChannel
	case rule.Channel != "":
		ch, err := gs.w.State.ChannelOf(rule.Channel)
		if err != nil {
			return p, err
		}
		p.ID, p.Type = ch.ID, permitsChannel
	case rule.Of == "everyone":
		p.ID, p.Type = g.ID, permitsRole
	case a != nil:
		p.ID, p.Type = a.ID, permitsUser
	case r != nil:
		p.ID, p.Type = r.ID, permitsRole
	default:
		return p, fmt.Errorf("%w: no user and no role %q", ErrNotFound, rule.Of)
	}
	return p, nil
}
