package check

import (
	"unicode"
	"unicode/utf8"
)

// Component types, by Discord's numbers.
const (
	actionRow         = 1
	button            = 2
	stringSelect      = 3
	textInput         = 4
	userSelect        = 5
	roleSelect        = 6
	mentionableSelect = 7
	channelSelect     = 8
	section           = 9
	textDisplay       = 10
	thumbnail         = 11
	mediaGallery      = 12
	file              = 13
	separator         = 14
	container         = 17
	label             = 18
	fileUpload        = 19
	radioGroup        = 21
	checkboxGroup     = 22
	checkbox          = 23
)

// Button styles, by Discord's numbers; 1 to 4 are the colours of buttons that send an interaction.
const (
	linkStyle    = 5
	premiumStyle = 6
)

// layout judges the components of one message or modal, and holds what concerns them all together.
type layout struct {
	customIDs map[string]bool
	ids       map[int64]bool
	count     int
	text      int
}

func newLayout() *layout {
	return &layout{customIDs: map[string]bool{}, ids: map[int64]bool{}}
}

// component judges a component and everything below it. Allowed are the types that may stand at this place.
func (l *layout) component(v value, allowed ...int64) {
	if !v.object() {
		return
	}
	l.count++
	l.id(v.member("id"))
	kind, ok := v.unionType(allowed...)
	if !ok {
		return
	}
	switch kind {
	case actionRow:
		l.row(v, button, stringSelect, userSelect, roleSelect, mentionableSelect, channelSelect)
	case button:
		l.button(v)
	case stringSelect, userSelect, roleSelect, mentionableSelect, channelSelect:
		l.selection(v, kind)
	case section:
		l.section(v)
	case textDisplay:
		l.textDisplay(v)
	case thumbnail:
		media(v.required("media"), "http", "https", "attachment")
		altText(v)
	case mediaGallery:
		gallery(v)
	case file:
		media(v.required("file"), "attachment")
		v.member("spoiler").flag()
	case separator:
		v.member("divider").flag()
		v.member("spacing").choice(1, 2)
	case container:
		l.container(v)
	case textInput:
		l.textInput(v)
	case label:
		l.label(v)
	case fileUpload, radioGroup, checkboxGroup, checkbox:
		l.customID(v.required("custom_id"))
	}
}

// id: optional, 0 means that Discord chooses one.
func (l *layout) id(v value) {
	id, ok := v.whole(0, maxComponentID)
	if !ok || id == 0 {
		return
	}
	if l.ids[id] {
		v.refuse("COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")
	}
	l.ids[id] = true
}

// customID: unique over the whole message, disabled components included.
func (l *layout) customID(v value) {
	id := v.text(1, maxCustomID)
	if id == "" {
		return
	}
	if l.customIDs[id] {
		v.refuse("COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")
	}
	l.customIDs[id] = true
}

// row: up to five buttons, or one of anything wider.
func (l *layout) row(v value, allowed ...int64) {
	width := 0
	for _, item := range v.required("components").list(1, maxNestedWidth) {
		l.component(item, allowed...)
		if item.member("type").data == int64(button) {
			width++
		} else {
			width += maxNestedWidth
		}
		if width > maxNestedWidth {
			item.refuse("COMPONENT_LAYOUT_WIDTH_EXCEEDED", "The specified component exceeds the maximum width")
		}
	}
}

func (l *layout) button(v value) {
	text := v.member("label").text(0, maxButtonLabel)
	emoji(v.member("emoji"))
	v.member("disabled").flag()
	v.member("sku_id").snowflake()
	customID, link := v.member("custom_id"), v.member("url")
	l.customID(customID)
	link.link(maxButtonURL, "http", "https", "discord")
	style, ok := v.required("style").choice(1, 2, 3, 4, linkStyle, premiumStyle)
	if !ok {
		return
	}
	switch style {
	case premiumStyle:
		v.required("sku_id")
		for _, key := range []string{"custom_id", "url", "label", "emoji"} {
			if m := v.member(key); sent(m) {
				m.refuse(notAChoice, "A premium button cannot have this field")
			}
		}
		return
	case linkStyle:
		if !sent(link) {
			link.refuse(required, "This field is required")
		}
		if sent(customID) {
			customID.refuse("BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", "A custom id and url cannot both be specified")
		}
	default:
		if !customID.present() {
			customID.refuse("BUTTON_COMPONENT_CUSTOM_ID_REQUIRED", "A custom id is required")
		}
		if sent(link) {
			link.refuse("BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", "A custom id and url cannot both be specified")
		}
	}
	if text == "" && !v.member("emoji").present() {
		v.member("label").refuse(required, "A button needs a label or an emoji")
	}
}

// sent says whether a member holds something: clients write an unused string as "".
func sent(v value) bool { return v.present() && v.data != "" }

// emoji: one of a server, by id, or one of Unicode, by its characters.
func emoji(v value) {
	if !v.object() {
		return
	}
	id, name := v.member("id"), v.required("name")
	id.snowflake()
	s := name.text(0, maxEmojiName)
	if name.present() && !sent(id) && !looksLikeEmoji(s) {
		name.refuse("BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
	}
}

// looksLikeEmoji refuses text, the usual mistake. It does not hold the list of Unicode, so it lets through
// some symbols that are no emoji.
func looksLikeEmoji(s string) bool {
	symbols := 0
	for _, r := range s {
		switch {
		case r == '\uFE0F' || r == '\u200D': // variation selector, joiner
		case r >= '0' && r <= '9', r == '#', r == '*': // the base of a keycap
		case r >= 0x2800 && r <= 0x28FF: // Braille, blank ones among them
			return false
		case r >= 0xE0020 && r <= 0xE007F: // tags, in the flags of regions
		case r == '\u20E3', r == '\u203C', r == '\u2049', r == '\u2139', r == '\u3030', r == '\u303D',
			unicode.In(r, unicode.So, unicode.Sm, unicode.Sk) && r > unicode.MaxASCII:
			symbols++
		default:
			return false
		}
	}
	return symbols > 0
}

func (l *layout) selection(v value, kind int64) {
	l.customID(v.required("custom_id"))
	v.member("placeholder").text(0, maxPlaceholder)
	v.member("disabled").flag()
	v.member("required").flag()
	_, most := span(v, "min_values", "max_values", 0, maxOptions)
	switch kind {
	case stringSelect:
		selectOptions(v.required("options"), most)
	case userSelect:
		defaultValues(v, most, "user")
	case roleSelect:
		defaultValues(v, most, "role")
	case mentionableSelect:
		defaultValues(v, most, "user", "role")
	case channelSelect:
		defaultValues(v, most, "channel")
		channelTypes(v.member("channel_types"))
	}
}

// span judges a pair of members that bound something from below and above, and returns the two.
// An absent upper bound is 1, as for the values of a select; the callers for which it is not ignore it.
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

// selectOptions: 1 to 25, at least as many as may be chosen, no value twice, no more defaults than may be chosen.
func selectOptions(v value, most int64) {
	values := map[string]bool{}
	defaults := int64(0)
	for _, option := range v.list(int(max(1, most)), maxOptions) {
		if !option.object() {
			continue
		}
		option.required("label").text(1, maxOptionText)
		option.member("description").text(0, maxOptionText)
		emoji(option.member("emoji"))
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

func defaultValues(v value, most int64, kinds ...string) {
	for _, item := range v.member("default_values").list(0, int(most)) {
		if item.object() {
			item.required("id").snowflake()
			item.required("type").word(kinds...)
		}
	}
}

// channelTypes: a list of the kinds of channel that a select or a command option offers.
func channelTypes(v value) {
	for _, item := range v.list(0, maxOptions) {
		item.choice(0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16)
	}
}

func (l *layout) section(v value) {
	for _, item := range v.required("components").list(1, maxSectionTexts) {
		l.component(item, textDisplay)
	}
	l.component(v.required("accessory"), button, thumbnail)
}

func (l *layout) textDisplay(v value) {
	content := v.required("content").text(1, maxTextDisplay)
	l.text += utf8.RuneCountInString(content)
}

func (l *layout) container(v value) {
	v.member("accent_color").whole(0, maxColor)
	v.member("spoiler").flag()
	for _, item := range v.required("components").list(1, maxTotal) {
		l.component(item, actionRow, section, textDisplay, mediaGallery, file, separator)
	}
}

func gallery(v value) {
	for _, item := range v.required("items").list(1, maxGallery) {
		if item.object() {
			media(item.required("media"), "http", "https", "attachment")
			altText(item)
		}
	}
}

func media(v value, schemes ...string) {
	if v.object() {
		v.required("url").link(maxURL, schemes...)
	}
}

// altText: the members that all pictures share.
func altText(v value) {
	v.member("description").text(1, maxAltText)
	v.member("spoiler").flag()
}
