package world

import (
	"cmp"
	"encoding/json"
	"slices"
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

// Merged returns a command's definition with the members of an edit replacing its own.
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

// Localized returns the command with its texts in one language, where
// translations exist, and without the translations.
func (c *Command) Localized(locale string) *Command {
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
