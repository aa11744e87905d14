package check

import "regexp"

// emojiName matches the characters of a custom emoji's name, of any length.
var emojiName = regexp.MustCompile(`^\w*$`)

// EmojiCreate checks a new emoji of an application, apart from its image.
func (c *Checker) EmojiCreate(body []byte) *Error { return c.check(EmojiCreate, body, false) }

// EmojiEdit checks a change of an application's emoji.
func (c *Checker) EmojiEdit(body []byte) *Error { return c.check(EmojiEdit, body, false) }

func emojiCreate(v value) {
	if v.object() {
		customName(v.required("name"))
		v.required("image").anyText()
	}
}

func emojiEdit(v value) {
	if v.object() {
		customName(v.member("name"))
	}
}

func customName(v value) {
	name := v.text(2, 32)
	if !emojiName.MatchString(name) {
		v.refuse("STRING_TYPE_REGEX", "String value did not match validation regex.")
	}
}
