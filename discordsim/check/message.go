package check

import (
	"fmt"
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

// The types of message_reference, by Discord's numbers.
const (
	replyReference   = 0
	forwardReference = 1
)

// message holds the properties of a message on which its rules depend.
type message struct {
	// kind is the kind of the request that contains the message.
	kind Kind
	// edit is set if the body changes a message. Fields that an edit does not set stay unchanged.
	edit bool
	// wasV2 reports whether the message being edited already has the flag IS_COMPONENTS_V2, which no edit removes.
	wasV2 bool
}

// check checks the body of a message.
func (m message) check(v value) {
	if !v.object() {
		return
	}
	flags := m.flags(v.member("flags"))
	v2 := flags&componentsV2 != 0 || m.wasV2
	content := v.member("content").text(0, maxContent)
	embeds(v.member("embeds"))
	allowedMentions(v.member("allowed_mentions"))
	listed := map[string]bool{}
	for _, item := range v.member("attachments").list(0, MaxAttachments) {
		attachment(item)
		id := item.peek("id")
		if text := fmt.Sprint(id.data); listed[text] {
			id.refuse(notAChoice, "The value is listed twice")
		} else {
			listed[text] = id.present()
		}
	}
	m.special(v)
	if v2 {
		noLegacyFields(v)
		rich(v.member("components"))
	} else {
		rows(v.member("components"))
	}
	switch {
	case m.empty(v, content, v2):
		v.report.instead = emptyMessage()
	case flags&voiceMessage != 0 && !m.edit:
		voice(v)
	}
}

// special checks the members that only some message requests have.
func (m message) special(v value) {
	switch {
	case m.kind == MessageCreate:
		nonce(v.member("nonce"))
		v.member("enforce_nonce").flag()
		snowflakes(v.member("sticker_ids"), maxStickers)
		reference(v.member("message_reference"))
		theme(v.member("shared_client_theme"))
	case m.kind == PostCreate:
		snowflakes(v.member("sticker_ids"), maxStickers)
		theme(v.member("shared_client_theme"))
	case m.kind == MessageEdit:
		snowflakes(v.member("sticker_ids"), maxStickers)
		// discordgo sends the ids of the message and the channel too, since it does not exclude them from the JSON.
		v.unset("ID", nil)
		v.unset("Channel", nil)
	case m.kind == WebhookCreate:
		v.member("username").text(1, maxWebhookName)
		v.member("avatar_url").link(maxURL, "http", "https")
		v.member("thread_name").text(0, maxThreadName)
		snowflakes(v.member("applied_tags"), MaxPostTags)
	}
	if m.kind == MessageCreate || m.kind == WebhookCreate || m.kind == Callback && !m.edit {
		v.member("tts").flag()
	} else {
		v.peek("tts").flag()
		v.unset("tts", false) // discordgo sends it in every callback, because it has one struct for all, without omitempty
	}
	if m.kind != MessageEdit && !(m.kind == Callback && m.edit) {
		poll(v.member("poll"))
	}
}

// flags checks the flags and returns them, or 0 if they are invalid. An edit may have any flags, since clients send back the
// flags that they received.
func (m message) flags(v value) int64 {
	settable := int64(interactionFlags)
	if m.kind == MessageCreate || m.kind == PostCreate {
		settable = channelFlags
	}
	flags, ok := v.whole(0, maxFlags)
	if !ok {
		return 0
	}
	if !m.edit && flags&^settable != 0 {
		v.refuse(notAChoice, "The flags %d cannot be set here", flags&^settable)
	}
	if m.wasV2 && flags&componentsV2 == 0 {
		v.refuse(notAChoice, "The flag IS_COMPONENTS_V2 cannot be removed")
	}
	return flags
}

func nonce(v value) {
	if _, isText := v.data.(string); isText {
		v.text(0, maxNonce)
	} else {
		v.whole(math.MinInt64, math.MaxInt64)
	}
}

func snowflakes(v value, most int) {
	for _, id := range v.list(0, most) {
		id.snowflake()
	}
}

// reference checks the reference to the message that this message replies to or forwards.
func reference(v value) {
	if !v.object() {
		return
	}
	v.required("message_id").snowflake()
	v.member("channel_id").snowflake()
	v.member("guild_id").snowflake()
	v.member("fail_if_not_exists").flag()
	kind, _ := v.member("type").choice(replyReference, forwardReference)
	if kind == forwardReference {
		v.required("channel_id")
	}
}

// attachment checks an attachment, which is an uploaded file or a file that the message keeps.
func attachment(v value) {
	if !v.object() {
		return
	}
	v.required("id").snowflake()
	v.member("filename").text(1, maxFileText)
	v.member("description").text(0, maxFileText)
	v.member("title").text(0, maxFileText)
	v.member("duration_secs").number(0, math.MaxInt32)
	v.member("waveform").text(0, maxWaveform)
	v.member("is_spoiler").flag()
	v.member("is_remix").flag()
}

// voice checks a voice message, which has one file with a waveform and no other content.
func voice(v value) {
	for _, key := range []string{"content", "embeds", "components", "poll", "sticker_ids"} {
		if filled(v.peek(key)) {
			v.report.instead = badRequest(codeVoiceContent, "Voice messages do not support additional content")
			return
		}
	}
	files, _ := v.peek("attachments").data.([]any)
	if len(files) != 1 {
		v.report.instead = badRequest(codeVoiceFile, "Voice messages must have a single audio attachment")
		return
	}
	file := v.peek("attachments").item(0)
	if !file.peek("duration_secs").present() || !file.peek("waveform").present() {
		v.report.instead = badRequest(codeVoiceMetadata, "Voice messages must have supporting metadata")
	}
}

// theme checks a client theme that a message offers to its readers.
func theme(v value) {
	if !v.object() {
		return
	}
	for _, colour := range v.required("colors").list(1, maxThemeColors) {
		colour.text(themeColor, themeColor)
	}
	v.required("gradient_angle").whole(0, 360)
	v.required("base_mix").whole(0, 100)
	v.member("base_theme").choice(0, 1, 2, 3, 4)
}

// noLegacyFields reports the fields that a message with Components V2 cannot have, since all of its content is in components.
func noLegacyFields(v value) {
	for _, key := range []string{"content", "embeds", "poll", "sticker_ids"} {
		if m := v.peek(key); filled(m) {
			m.refuse("MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
				"The '%s' field cannot be used when using MessageFlags.IS_COMPONENTS_V2", key)
		}
	}
}

// rich checks the components of a message with Components V2.
func rich(v value) {
	l := newLayout()
	for _, item := range v.list(0, maxComponents) {
		l.component(item, actionRow, section, textDisplay, mediaGallery, file, separator, container)
	}
	if l.count > maxComponents {
		v.refuse("COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", "Total number of components exceeds the maximum of %d", maxComponents)
	}
	if l.text > maxTotalText {
		v.refuse("COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
			"Components displayable text size exceeds maximum size of %d", maxTotalText)
	}
}

// rows checks the components of a message without Components V2.
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

// empty reports whether the message would show nothing. An edit is only empty if it sets all fields that can show something. A
// reply needs content of its own; a forward shows the forwarded message.
func (m message) empty(v value, content string, v2 bool) bool {
	components := v.peek("components")
	if v2 {
		return !filled(components) && (!m.edit || components.present())
	}
	if m.edit || strings.TrimSpace(content) != "" {
		return false
	}
	for _, key := range []string{"components", "embeds", "poll", "sticker_ids", "attachments", "shared_client_theme"} {
		if filled(v.peek(key)) {
			return false
		}
	}
	return v.peek("message_reference").peek("type").data != int64(forwardReference)
}

// filled reports whether a member has a non-empty value. Clients send "" and []
// for an empty one.
func filled(v value) bool {
	if items, ok := v.data.([]any); ok {
		return len(items) > 0
	}
	return sent(v)
}

// BulkDelete checks the ids of messages to delete in bulk.
func (c *Checker) BulkDelete(body []byte) *Error { return c.check(BulkDelete, body, false) }

func bulkDelete(v value) {
	if !v.object() {
		return
	}
	seen := map[string]bool{}
	messages := v.required("messages")
	for _, id := range messages.list(2, 100) {
		id.snowflake()
		if text := fmt.Sprint(id.data); seen[text] {
			messages.refuse("SET_TYPE_ALREADY_CONTAINS_VALUE", "The set already contains this value")
			return
		}
		seen[fmt.Sprint(id.data)] = true
	}
}
