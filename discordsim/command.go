package discordsim

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
)

// The types of application command.
const (
	commandChat    = 1
	commandUser    = 2
	commandMessage = 3
	commandEntry   = 4 // the Entry Point command, which launches an application's Activity
)

// The types of command option.
const (
	optionSubcommand  = 1
	optionGroup       = 2
	optionString      = 3
	optionInteger     = 4
	optionBoolean     = 5
	optionUser        = 6
	optionChannel     = 7
	optionRole        = 8
	optionMentionable = 9
	optionNumber      = 10
	optionAttachment  = 11
)

// The contexts in which a command may be used, and the installation types.
const (
	contextGuild     = 0
	contextBotDirect = 1
	contextPrivate   = 2

	installGuild = 0
	installUser  = 1
)

// Command is a registered application command, as Discord's API shows it. It is
// a value that is replaced, never changed.
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

// readOnlyText is a text that bots can read but not set: it is ignored in requests.
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

// define reads a command's definition. Fields that a definition cannot set are taken from base, which has no lists and no maps.
func define(base Command, body []byte) (*Command, error) {
	cmd := base
	if err := json.Unmarshal(body, &cmd); err != nil {
		return nil, err
	}
	cmd.ID, cmd.ApplicationID, cmd.GuildID, cmd.Version = base.ID, base.ApplicationID, base.GuildID, base.Version
	if cmd.Type == 0 {
		cmd.Type = commandChat
	}
	if cmd.GuildID != "" {
		cmd.Contexts, cmd.IntegrationTypes = nil, nil
	} else if len(cmd.IntegrationTypes) == 0 {
		cmd.IntegrationTypes = []int{installGuild}
	}
	return &cmd, nil
}

// merged returns a command's definition with the members of an edit replacing its own.
func (c *Command) merged(edit []byte) ([]byte, error) {
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

// same reports whether two commands have the same definition.
func (c *Command) same(other *Command) bool {
	a, b := *c, *other
	a.ID, a.Version = b.ID, b.Version
	left, err := json.Marshal(a)
	right, err2 := json.Marshal(b)
	return err == nil && err2 == nil && string(left) == string(right)
}

// localized returns the command with its texts in one language, where
// translations exist, and without the translations.
func (c *Command) localized(locale string) *Command {
	one := *c
	one.NameLocalizations, one.NameLocalized = nil, translation(c.NameLocalizations, locale)
	one.DescriptionLocalizations, one.DescriptionLocalized = nil, translation(c.DescriptionLocalizations, locale)
	one.Options = localizedOptions(c.Options, locale)
	return &one
}

func localizedOptions(options []Option, locale string) []Option {
	all := slices.Clone(options)
	for i := range all {
		o := &all[i]
		o.NameLocalized, o.NameLocalizations = translation(o.NameLocalizations, locale), nil
		o.DescriptionLocalized, o.DescriptionLocalizations = translation(o.DescriptionLocalizations, locale), nil
		o.Options = localizedOptions(o.Options, locale)
		o.Choices = slices.Clone(o.Choices)
		for j := range o.Choices {
			choice := &o.Choices[j]
			choice.NameLocalized, choice.NameLocalizations = translation(choice.NameLocalizations, locale), nil
		}
	}
	return all
}

// nextLocales maps a language to the language that replaces a missing translation.
var nextLocales = map[string]string{"en-US": "en-GB", "en-GB": "en-US", "es-419": "es-ES"}

func translation(texts map[string]string, locale string) readOnlyText {
	return readOnlyText(cmp.Or(texts[locale], texts[nextLocales[locale]]))
}

// maxCommands returns the maximum number of commands of a type, globally and in each server.
func maxCommands(kind int) int {
	switch kind {
	case commandChat:
		return 100
	case commandUser, commandMessage:
		return 15
	}
	return 1 // the entry point
}

// register stores the definitions of one scope: each replaces the command of the same
// type and name, or becomes a new command. An identical definition keeps the version.
// With replace, commands without a definition are deleted. It stores all or nothing.
func register(w *World, scope Command, definitions []*Command, replace bool) (stored []*Command, created int, err error) {
	existing := w.state.commandsOf(scope.ApplicationID, scope.GuildID)
	entry := func(c *Command) bool { return c.Type == commandEntry }
	if replace && slices.ContainsFunc(existing, entry) && !slices.ContainsFunc(definitions, entry) {
		return nil, 0, errEntryPoint
	}
	kept := map[string]bool{}
	count := map[int]int{}
	for _, cmd := range definitions {
		i := slices.IndexFunc(existing, func(old *Command) bool { return old.Type == cmd.Type && old.Name == cmd.Name })
		if i < 0 {
			created++
			count[cmd.Type]++
			continue
		}
		cmd.ID, cmd.Version = existing[i].ID, existing[i].Version
		kept[cmd.ID] = true
	}
	for _, old := range existing {
		if kept[old.ID] || !replace {
			count[old.Type]++
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(count)) {
		if most := maxCommands(kind); count[kind] > most && created > 0 {
			return nil, 0, tooManyCommands(most)
		}
	}
	app, err := w.state.applications[scope.ApplicationID].create(scope.GuildID, created, w.clock.Now())
	if err != nil {
		return nil, 0, err
	}
	if created > 0 {
		w.Put(change{Application: app})
	}
	changed := created > 0
	for _, cmd := range definitions {
		if old := w.state.commands[cmd.ID]; old != nil && old.same(cmd) {
			stored = append(stored, old)
			continue
		}
		if cmd.ID == "" {
			cmd.ID = w.NextID()
		}
		cmd.Version = w.NextID()
		w.Put(change{Command: cmd})
		stored, changed = append(stored, cmd), true
	}
	for _, old := range existing {
		if replace && !kept[old.ID] {
			w.Put(change{CommandDeleted: old.ID})
			changed = true
		}
	}
	if changed {
		w.events.PublishState()
	}
	return stored, created, nil
}

// usable reports whether an account may use the command in a channel, and returns
// the installations that allow it, keyed as in authorizing_integration_owners.
func usable(w *World, cmd *Command, who *account, ch *Channel) (owners map[string]string, why string) {
	if cmd.GuildID != "" && cmd.GuildID != ch.GuildID {
		return nil, "it belongs to another server"
	}
	where := w.state.contextOf(ch, cmd.ApplicationID)
	if cmd.GuildID == "" && len(cmd.Contexts) > 0 && !slices.Contains(cmd.Contexts, where) {
		return nil, "it is not offered in this kind of channel"
	}
	if cmd.DMPermission != nil && !*cmd.DMPermission && len(cmd.Contexts) == 0 && where != contextGuild {
		return nil, "it is not offered outside servers"
	}
	owners = installations(w.state, cmd, who, ch)
	if len(owners) == 0 {
		return nil, "its application is installed neither here nor by " + who.Username
	}
	if ch.GuildID == "" {
		return owners, ""
	}
	may := w.state.permissions(who.ID, ch)
	if !may.Has(UseApplicationCommands) || cmd.Type != commandChat && !may.Has(ch.writing()) {
		return nil, who.Username + " may not use commands in this channel"
	}
	if need := cmd.DefaultMemberPermissions; need != nil && !may.Has(Administrator) &&
		(need.Permission == 0 || !may.Has(need.Permission)) {
		return nil, who.Username + " lacks the permissions that it asks for"
	}
	return owners, ""
}

// installations returns the installations that make a command available to an
// account in a channel, in the form of authorizing_integration_owners.
func installations(st *state, cmd *Command, who *account, ch *Channel) map[string]string {
	where := st.contextOf(ch, cmd.ApplicationID)
	owners := map[string]string{}
	byGuild := cmd.GuildID != "" || slices.Contains(cmd.IntegrationTypes, installGuild)
	switch {
	case byGuild && where == contextGuild && st.installed(cmd.ApplicationID, ch.GuildID):
		owners["0"] = ch.GuildID
	case byGuild && where == contextBotDirect:
		owners["0"] = "0"
	}
	if slices.Contains(cmd.IntegrationTypes, installUser) && who.Installs {
		owners["1"] = who.ID
	}
	return owners
}

// contextOf returns the interaction context of a channel for an application.
func (st *state) contextOf(ch *Channel, appID string) int {
	switch {
	case ch.GuildID != "":
		return contextGuild
	case slices.Contains(ch.Recipients, appID):
		return contextBotDirect
	}
	return contextPrivate
}
