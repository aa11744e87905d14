package check

import "slices"

// Option types, by Discord's numbers.
const (
	subcommand        = 1
	subcommandGroup   = 2
	stringOption      = 3
	integerOption     = 4
	booleanOption     = 5
	userOption        = 6
	channelOption     = 7
	roleOption        = 8
	mentionableOption = 9
	numberOption      = 10
	attachmentOption  = 11
)

// argumentTypes are the types of options that a person fills in.
var argumentTypes = []int64{stringOption, integerOption, booleanOption, userOption, channelOption, roleOption,
	mentionableOption, numberOption, attachmentOption}

// The types permitted among the options of a command, a group and a subcommand. Groups cannot be nested.
var (
	inCommand    = append([]int64{subcommand, subcommandGroup}, argumentTypes...)
	inGroup      = []int64{subcommand}
	inSubcommand = argumentTypes
)

// options checks the options of a command, group or subcommand.
func options(v value, allowed []int64) {
	items := v.list(0, maxCommandOptions)
	subcommands, arguments, optional := 0, 0, false
	for _, item := range items {
		kind := option(item, allowed)
		switch kind {
		case 0:
			continue
		case subcommand, subcommandGroup:
			subcommands++
			continue
		}
		arguments++
		demanded := item.member("required").data == true
		if demanded && optional {
			item.refuse("APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", "Required options must be placed before non-required options")
		}
		optional = optional || !demanded
	}
	if subcommands > 0 && arguments > 0 {
		v.refuse("APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
			"Sub-command and sub-command group option types are mutually exclusive to all other types")
	}
	uniqueNames(items, "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", "Option name already used in this command")
}

// option checks one option and returns its type, or 0 if it is invalid.
func option(v value, allowed []int64) int64 {
	if !v.object() {
		return 0
	}
	named(v, commandName)
	description(v)
	v.member("required").flag()
	kind, ok := v.unionType(allowed...)
	if !ok {
		return 0
	}
	switch kind {
	case subcommand:
		options(v.member("options"), inSubcommand)
	case subcommandGroup:
		options(v.member("options"), inGroup)
	case channelOption:
		channelTypes(v.member("channel_types"))
	case attachmentOption:
		fileTypes(v.member("file_types"))
	case stringOption:
		span(v, "min_length", "max_length", 0, maxStringOption)
	case integerOption:
		v.member("min_value").whole(-maxSafeInteger, maxSafeInteger)
		v.member("max_value").whole(-maxSafeInteger, maxSafeInteger)
		bounds(v)
	case numberOption:
		v.member("min_value").number(-maxSafeInteger, maxSafeInteger)
		v.member("max_value").number(-maxSafeInteger, maxSafeInteger)
		bounds(v)
	}
	offered(v, kind)
	return kind
}

// offered checks the choices and the autocompletion of an option, which only strings and numbers can have.
func offered(v value, kind int64) {
	switch kind {
	case stringOption, integerOption, numberOption:
		autocomplete := v.member("autocomplete")
		items := v.member("choices").list(0, maxChoices)
		if autocomplete.flag() && len(items) > 0 {
			autocomplete.refuse(notAChoice, "Autocomplete and choices are mutually exclusive")
		}
		choices(items, kind)
	default:
		v.unset("autocomplete", false) // discordgo sends it in every option, because it has one struct for all, without omitempty
		for _, key := range []string{"autocomplete", "choices"} {
			if m := v.peek(key); filled(m) && m.data != false {
				m.refuse(notAChoice, "This cannot be configured for this type of option")
			}
		}
	}
}

// bounds checks that the minimum of a number option is not above the maximum.
func bounds(v value) {
	low, hasLow := v.peek("min_value").float()
	high, hasHigh := v.peek("max_value").float()
	if hasLow && hasHigh && low > high {
		v.member("min_value").refuse(numberTooLarge, "Value should be less than or equal to %v.", high)
	}
}

// choices checks the choices of an option: they have the option's type, and distinct names and values.
func choices(items []value, kind int64) {
	seen := map[any]bool{}
	for _, item := range items {
		choice(item)
		v := item.member("value")
		switch kind {
		case stringOption:
			v.anyText()
		case integerOption:
			v.whole(-maxSafeInteger, maxSafeInteger)
		case numberOption:
			v.number(-maxSafeInteger, maxSafeInteger)
		}
		switch v.data.(type) {
		case string, int64, float64:
			if seen[v.data] {
				v.refuse(notAChoice, "The value is already used by another choice")
			}
			seen[v.data] = true
		}
	}
	uniqueNames(items, notAChoice, "The name is already used by another choice")
}

// choice checks a choice of an option, or a suggestion of an autocompletion.
func choice(v value) {
	if !v.object() {
		return
	}
	named(v, func(v value) { v.text(1, maxChoiceText) })
	switch content := v.required("value"); content.data.(type) {
	case nil, int64, float64:
	default:
		content.text(0, maxChoiceText)
	}
}

// uniqueNames reports names that another item has in the same language. In a language without a translation, an item has its
// default name.
func uniqueNames(items []value, code, message string) {
	defaults := map[string]int{}
	for i, item := range items {
		name, ok := item.member("name").data.(string)
		if !ok {
			continue
		}
		if _, taken := defaults[name]; taken {
			item.member("name").refuse(code, "%s", message)
			continue
		}
		defaults[name] = i
	}
	type translation struct{ locale, name string }
	translated := map[translation]bool{}
	for i, item := range items {
		translations := item.member("name_localizations")
		for _, locale := range translations.keys() {
			m := translations.member(locale)
			name, ok := m.data.(string)
			if !ok || !slices.Contains(locales, locale) {
				continue
			}
			first, taken := defaults[name]
			if taken && first != i || translated[translation{locale, name}] {
				m.refuse(code, "%s", message)
			}
			translated[translation{locale, name}] = true
		}
	}
}
