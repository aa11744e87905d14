package check

import (
	"math"
	"strings"
)

// Message flags that a sender can set.
const (
	suppressEmbeds        = 1 << 2
	ephemeral             = 1 << 6
	suppressNotifications = 1 << 12
	voiceMessage          = 1 << 13
	componentsV2          = 1 << 15

	channelFlags     = suppressEmbeds | suppressNotifications | voiceMessage | componentsV2
	interactionFlags = channelFlags | ephemeral
)

// message is what the rules for a message depend on.
type message struct {
	// edit is set when the body changes a message: then what it does not name stays.
	edit bool
	// wasV2 says that the message to be changed already has the flag IS_COMPONENTS_V2, which no edit removes.
	wasV2 bool
	// settable are the flags that a creation may carry. Edits carry any: clients send back what they got.
	settable int64
}

// judge checks the body of a message.
func (m message) judge(v value) {
	if !v.object() {
		return
	}
	v2 := m.flags(v.member("flags")) || m.wasV2
	content := v.member("content").text(0, maxContent)
	embeds(v.member("embeds"))
	allowedMentions(v.member("allowed_mentions"))
	v.member("tts").flag()
	if nonce := v.member("nonce"); !m.edit {
		if _, isText := nonce.data.(string); isText {
			nonce.text(0, maxNonce)
		} else {
			nonce.whole(math.MinInt64, math.MaxInt64)
		}
	}
	for _, id := range v.member("sticker_ids").list(0, maxStickers) {
		id.snowflake()
	}
	for _, attachment := range v.member("attachments").list(0, maxAttachments) {
		if attachment.object() {
			attachment.required("id").snowflake()
		}
	}
	v.member("poll").object()
	if reference := v.member("message_reference"); reference.object() {
		reference.required("message_id").snowflake()
	}

	if v2 {
		noLegacyFields(v)
		rich(v.member("components"))
	} else {
		rows(v.member("components"))
	}
	if m.empty(v, content, v2) {
		v.report.instead = emptyMessage()
	}
}

// flags judges the flags and says whether they ask for Components V2.
func (m message) flags(v value) bool {
	flags, ok := v.whole(0, maxFlags)
	if !ok {
		return false
	}
	if !m.edit && flags&^m.settable != 0 {
		v.refuse(notAChoice, "The flags %d cannot be set here", flags&^m.settable)
	}
	if m.wasV2 && flags&componentsV2 == 0 {
		v.refuse(notAChoice, "The flag IS_COMPONENTS_V2 cannot be removed")
	}
	return flags&componentsV2 != 0
}

// noLegacyFields: with Components V2 everything is a component.
func noLegacyFields(v value) {
	for _, key := range []string{"content", "embeds", "poll", "sticker_ids"} {
		if m := v.member(key); filled(m) {
			m.refuse("MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
				"The '%s' field cannot be used when using MessageFlags.IS_COMPONENTS_V2", key)
		}
	}
}

// rich judges the components of a message with Components V2.
func rich(v value) {
	l := newLayout()
	for _, item := range v.list(0, maxTotal) {
		l.component(item, actionRow, section, textDisplay, mediaGallery, file, separator, container)
	}
	if l.count > maxTotal {
		v.refuse("COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", "Total number of components exceeds the maximum of %d", maxTotal)
	}
	if l.text > maxTotalText {
		v.refuse("COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
			"Components displayable text size exceeds maximum size of %d", maxTotalText)
	}
}

// rows judges the components of a message without Components V2.
func rows(v value) {
	l := newLayout()
	items, _ := v.data.([]any)
	if len(items) > maxRows {
		v.refuse(badLength, "Must be between 1 and %d in length.", maxRows)
		return
	}
	for _, item := range v.list(0, maxRows) {
		l.component(item, actionRow)
	}
}

// empty says whether the message would show nothing. An edit is judged only where it names all there is to show.
func (m message) empty(v value, content string, v2 bool) bool {
	components := v.member("components")
	if v2 {
		return !filled(components) && (!m.edit || components.present())
	}
	if m.edit || strings.TrimSpace(content) != "" {
		return false
	}
	for _, key := range []string{"components", "embeds", "poll", "sticker_ids", "attachments", "message_reference"} {
		if filled(v.member(key)) {
			return false
		}
	}
	return true
}

// filled says whether a member holds anything: "" and [] are how a client says that there is nothing.
func filled(v value) bool {
	if items, ok := v.data.([]any); ok {
		return len(items) > 0
	}
	return sent(v)
}
