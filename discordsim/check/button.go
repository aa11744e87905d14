package check

import (
	"unicode"
	"unicode/utf8"
)

// Button styles, by Discord's numbers; styles 1 to 4 are the colours of buttons that send an interaction.
const (
	linkStyle    = 5
	premiumStyle = 6
)

func (l *layout) button(v value) {
	text := v.member("label").text(0, maxButtonLabel)
	emoji(v.member("emoji"))
	v.member("disabled").flag()
	product := v.member("sku_id")
	product.snowflake()
	customID, link := v.member("custom_id"), v.member("url")
	l.customID(customID)
	link.link(maxButtonURL, "http", "https", "discord")
	style, ok := v.required("style").choice(1, 2, 3, 4, linkStyle, premiumStyle)
	if !ok {
		return
	}
	if style != premiumStyle && sent(product) {
		product.refuse(notAChoice, "Only a premium button can have this field")
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

// sent reports whether a member has a value. Clients write an unused string as "".
func sent(v value) bool { return v.present() && v.data != "" }

// emoji checks an emoji: a custom emoji by its id, or a Unicode emoji by its characters.
func emoji(v value) {
	if !v.object() {
		return
	}
	id, name := v.member("id"), v.required("name")
	id.snowflake()
	v.member("animated").flag() // in the documentation, but not in the OpenAPI description
	s := name.text(0, maxEmojiName)
	if name.present() && !sent(id) && !looksLikeEmoji(s) {
		name.refuse("BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
	}
}

// UnicodeEmoji reports whether a text can be a Unicode emoji.
func UnicodeEmoji(s string) bool {
	return s != "" && utf8.RuneCountInString(s) <= maxEmojiName && looksLikeEmoji(s)
}

// looksLikeEmoji reports whether a text can be an emoji. It returns false for letters and words. It does not have Unicode's list
// of emoji, so it returns true for some other symbols.
func looksLikeEmoji(s string) bool {
	symbols := 0
	for _, r := range s {
		switch {
		case r == '\uFE0F' || r == '\u200D': // variation selector, joiner
		case r >= '0' && r <= '9', r == '#', r == '*': // the base character of a keycap
		case r >= 0x2800 && r <= 0x28FF: // Braille patterns, including the blank one
			return false
		case r >= 0xE0020 && r <= 0xE007F: // tag characters, in the flags of regions
		case r == '\u20E3', r == '\u203C', r == '\u2049', r == '\u2139', r == '\u3030', r == '\u303D',
			unicode.In(r, unicode.So, unicode.Sm, unicode.Sk) && r > unicode.MaxASCII:
			symbols++
		default:
			return false
		}
	}
	return symbols > 0
}
