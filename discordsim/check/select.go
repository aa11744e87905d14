package check

func (l *layout) selection(v value, kind int64) {
	l.customID(v.required("custom_id"))
	v.member("placeholder").text(0, maxPlaceholder)
	if v.member("disabled").flag() && l.inModal {
		v.member("disabled").refuse(notAChoice, "Components in modals cannot be disabled")
	}
	v.member("required").flag()
	least, most := span(v, "min_values", "max_values", 0, maxOptions)
	if !v.member("min_values").present() {
		least = 1
	}
	l.atLeastOne(v)
	switch kind {
	case stringSelect:
		selectOptions(v.required("options"), most)
	case userSelect:
		defaultValues(v, least, most, "user")
	case roleSelect:
		defaultValues(v, least, most, "role")
	case mentionableSelect:
		defaultValues(v, least, most, "user", "role")
	case channelSelect:
		defaultValues(v, least, most, "channel")
		channelTypes(v.member("channel_types"))
	}
}

// span checks two members that are a lower and an upper bound, and returns both. An absent upper bound is returned as 1,
// Discord's default of max_values. The caller that checks the length of a text ignores the returned bounds.
func span(v value, lower, upper string, least, most int64) (int64, int64) {
	low, hasLow := v.member(lower).whole(least, most)
	high, hasHigh := v.member(upper).whole(1, most)
	if hasLow && hasHigh && low > high {
		v.member(lower).refuse(numberTooLarge, "Value should be less than or equal to %d.", high)
	}
	if !hasHigh {
		high = 1
	}
	return low, high
}

// selectOptions checks the options of a select: there are 1 to 25, and at least as many as may be chosen. Values are distinct,
// and at most as many options are defaults as may be chosen.
func selectOptions(v value, most int64) {
	distinctOptions(v, v.list(int(max(1, most)), maxOptions), most, true)
}

// groupOptions checks the options of a radio group or checkbox group. Values are distinct, and at most as many options are
// defaults as may be chosen.
func groupOptions(v value, least int, most int64) {
	distinctOptions(v, v.list(least, maxGroup), most, false)
}

func distinctOptions(v value, options []value, most int64, withEmoji bool) {
	values := map[string]bool{}
	defaults := int64(0)
	for _, option := range options {
		if !option.object() {
			continue
		}
		option.required("label").text(1, maxOptionText)
		option.member("description").text(0, maxOptionText)
		if withEmoji {
			emoji(option.member("emoji"))
		}
		if option.member("default").flag() {
			defaults++
		}
		content := option.required("value")
		s := content.text(1, maxOptionText)
		if s != "" && values[s] {
			content.refuse("SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "The specified option value is already used")
		}
		values[s] = true
	}
	if defaults > most {
		v.refuse(maxLength, "Must be %d or fewer in length.", most)
	}
}

// atLeastOne reports a min_values of 0 in a required input of a modal. Inputs are required by default.
func (l *layout) atLeastOne(v value) {
	least := v.member("min_values")
	if l.inModal && least.data == int64(0) && v.member("required").data != false {
		least.refuse(numberTooSmall, "Value should be greater than or equal to 1, unless required is false.")
	}
}

// defaultValues checks the default values of a select: none, or as many as may be chosen.
func defaultValues(v value, least, most int64, kinds ...string) {
	items := v.member("default_values").list(0, int(most))
	if n := int64(len(items)); n > 0 && n < least {
		v.member("default_values").refuse(badLength, "Must be between %d and %d in length.", least, most)
	}
	for _, item := range items {
		if item.object() {
			item.required("id").snowflake()
			item.required("type").word(kinds...)
		}
	}
}

// channelTypes checks the channel types that a select or a command option offers.
func channelTypes(v value) {
	seen := map[int64]bool{}
	for _, item := range v.list(0, maxOptions) {
		kind, ok := item.choice(0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16)
		if ok && seen[kind] {
			item.refuse(notAChoice, "The value is listed twice")
		}
		seen[kind] = true
	}
}
