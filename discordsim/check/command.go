package check

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Command types, by Discord's numbers.
const (
	chatCommand       = 1
	userCommand       = 2
	messageCommand    = 3
	entryPointCommand = 4
)

// chatName is Discord's own pattern for the names of slash commands and their options.
var chatName = regexp.MustCompile(`^[-_'\p{L}\p{N}\p{Devanagari}\p{Thai}]+$`)

// commandLimits is the maximum number of commands of each type in one scope.
var commandLimits = map[int64]int{
	chatCommand:       maxChatCommands,
	userCommand:       maxUserCommands,
	messageCommand:    maxMessageCommands,
	entryPointCommand: maxEntryPointCommands,
}

// commands checks the list that replaces all commands of a scope.
func commands(v value) {
	type identity struct {
		kind int64
		name string
	}
	seen := map[identity]bool{}
	count := map[int64]int{}
	for _, item := range v.list(0, maxChatCommands+maxUserCommands+maxMessageCommands) {
		kind := command(item)
		count[kind]++
		item.member("id").snowflake()
		name, _ := item.member("name").data.(string)
		if seen[identity{kind, name}] {
			item.refuse("APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")
		}
		seen[identity{kind, name}] = true
	}
	for _, kind := range slices.Sorted(maps.Keys(commandLimits)) {
		if limit := commandLimits[kind]; count[kind] > limit {
			v.report.instead = TooManyCommands(limit)
			return
		}
	}
}

// command checks one command and returns its type.
func command(v value) int64 {
	if !v.object() {
		return 0
	}
	kind := int64(chatCommand)
	if t := v.member("type"); t.present() {
		var ok bool
		if kind, ok = t.choice(chatCommand, userCommand, messageCommand, entryPointCommand); !ok {
			return 0
		}
	}
	permissions(v.member("default_member_permissions"))
	v.member("dm_permission").flag()
	v.member("nsfw").flag()
	distinct(v.member("contexts"), 0, 1, 2)
	distinct(v.member("integration_types"), 0, 1)
	handler := v.member("handler")
	handler.choice(1, 2)
	if handler.present() && kind != entryPointCommand {
		handler.refuse(notAChoice, "Only an entry point command has a handler")
	}

	if kind == userCommand || kind == messageCommand {
		named(v, menuName)
		v.member("description").text(0, 0)
		localized(v.member("description_localizations"), func(v value) { v.text(1, maxCommandDescription) })
		v.member("options").list(0, 0)
		return kind
	}
	named(v, commandName)
	if kind == entryPointCommand {
		v.member("description").text(0, maxCommandDescription)
		localized(v.member("description_localizations"), func(v value) { v.text(1, maxCommandDescription) })
		v.member("options").list(0, 0)
		return kind
	}
	description(v)
	options(v.member("options"), inCommand)
	if n := size(v); n > maxCommandSize {
		v.refuse("APPLICATION_COMMAND_TOO_LARGE", "Command exceeds maximum size (%d)", maxCommandSize)
	}
	return kind
}

// named checks the name of a command, option or choice in every language.
func named(v value, rule func(value)) {
	rule(v.required("name"))
	localized(v.member("name_localizations"), rule)
}

// description checks the description of a command or option in every language.
func description(v value) {
	v.required("description").text(1, maxCommandDescription)
	localized(v.member("description_localizations"), func(v value) { v.text(1, maxCommandDescription) })
}

// localized checks the translations of a text.
func localized(v value, rule func(value)) {
	if !v.object() {
		return
	}
	for _, locale := range v.keys() {
		m := v.member(locale)
		if !slices.Contains(locales, locale) {
			m.refuse(notAChoice, "Value must be one of {'%s'}.", strings.Join(locales, "', '"))
			continue
		}
		rule(m)
	}
}

// commandName checks the name of a slash command: it has no spaces, and is lowercase if its script has letter case.
func commandName(v value) {
	name := v.text(1, maxCommandName)
	if name != "" && (!chatName.MatchString(name) || strings.ToLower(name) != name) {
		v.refuse("APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
	}
}

// menuName checks the name of a command that is shown in a menu.
func menuName(v value) { v.notBlank(v.text(1, maxCommandName)) }

// permissions checks a permission set, which Discord writes as a string of digits and also accepts as a number.
func permissions(v value) {
	if s, ok := v.data.(string); ok {
		if s == "" || strings.Trim(s, "0123456789") != "" {
			v.refuse(notANumber, "Value %q is not int.", s)
			return
		}
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			n = math.MaxInt64 // more than an int64 holds, so more than maxPermissions
		}
		v.data = n
	}
	v.whole(0, maxPermissions)
}

// distinct checks a non-empty list of distinct values.
func distinct(v value, allowed ...int64) {
	seen := map[int64]bool{}
	for _, item := range v.list(1, len(allowed)) {
		n, ok := item.choice(allowed...)
		if ok && seen[n] {
			item.refuse(notAChoice, "The value is listed twice")
		}
		seen[n] = seen[n] || ok
	}
}

// size returns the number of characters that Discord counts in a command: its names, descriptions and the values of choices, each
// in the language with the longest text.
func size(v value) int {
	n := longest(v, "name") + longest(v, "description")
	if content := v.member("value"); content.present() {
		n += utf8.RuneCountInString(fmt.Sprint(content.data))
	}
	for _, key := range []string{"options", "choices"} {
		items, _ := v.member(key).data.([]any)
		for _, item := range items {
			n += size(value{data: item})
		}
	}
	return n
}

func longest(v value, key string) int {
	text, _ := v.member(key).data.(string)
	n := utf8.RuneCountInString(text)
	translations, _ := v.member(key + "_localizations").data.(map[string]any)
	for _, t := range translations {
		text, _ := t.(string)
		n = max(n, utf8.RuneCountInString(text))
	}
	return n
}

// locales are the locales that Discord's API accepts. Its clients do not support all of them.
var locales = []string{
	"ar", "bg", "cs", "da", "de", "el", "en-GB", "en-US", "es-419", "es-ES", "fi", "fr", "he", "hi", "hr", "hu",
	"id", "it", "ja", "ko", "lt", "nl", "no", "pl", "pt-BR", "ro", "ru", "sv-SE", "th", "tr", "uk", "vi", "zh-CN", "zh-TW",
}

// Locales returns the locales that Discord's API accepts, such as en-US.
func Locales() []string { return slices.Clone(locales) }
