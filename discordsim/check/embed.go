package check

import (
	"math"
	"time"
	"unicode/utf8"
)

// embeds checks each embed of a message, and the total size of all embeds.
func embeds(v value) {
	size := 0
	for _, item := range v.list(0, maxEmbeds) {
		if item.object() {
			size += embed(item)
		}
	}
	if size > maxEmbedTotal {
		v.refuse("MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of %d", maxEmbedTotal)
	}
}

// embed checks one embed and returns the number of characters that count towards
// the total size.
func embed(v value) int {
	size := 0
	count := func(s string) { size += utf8.RuneCountInString(s) }

	count(v.member("title").text(0, maxEmbedTitle))
	count(v.member("description").text(0, maxEmbedText))
	v.member("url").link(maxURL, "http", "https")
	v.member("color").whole(0, maxColor)
	timestamp(v.member("timestamp"))
	if footer := v.member("footer"); footer.object() {
		count(requiredText(footer, "text", maxFooter))
		footer.member("icon_url").link(maxURL, "http", "https", "attachment")
	}
	if author := v.member("author"); author.object() {
		count(requiredText(author, "name", maxAuthor))
		author.member("url").link(maxURL, "http", "https")
		author.member("icon_url").link(maxURL, "http", "https", "attachment")
	}
	pictures := 0
	for _, key := range []string{"image", "thumbnail"} {
		if picture := v.member(key); picture.object() {
			picture.required("url").link(maxURL, "http", "https", "attachment")
			embedMedia(picture)
			pictures++
		}
	}
	receivedOnly(v)
	for _, field := range v.member("fields").list(0, maxEmbedFields) {
		if field.object() {
			count(requiredText(field, "name", maxFieldName))
			count(requiredText(field, "value", maxFieldValue))
			field.member("inline").flag()
		}
	}
	if size == 0 && pictures == 0 {
		v.member("description").refuseRequired()
	}
	return size
}

// receivedOnly checks the fields that only Discord sets, and that clients send back.
func receivedOnly(v value) {
	v.member("type").text(0, maxEmbedType)
	if provider := v.member("provider"); provider.object() {
		provider.member("name").text(0, maxProvider)
		provider.member("url").text(0, maxURL)
	}
	if video := v.member("video"); video.object() {
		video.member("url").text(0, maxURL)
		embedMedia(video)
	}
}

// embedMedia checks the members that pictures and videos share, apart from the URL.
func embedMedia(v value) {
	v.member("width").whole(math.MinInt64, math.MaxInt64)
	v.member("height").whole(math.MinInt64, math.MaxInt64)
	v.member("placeholder").text(0, maxPlaceHash)
	v.member("placeholder_version").whole(0, math.MaxInt32)
	v.member("is_animated").flag()
	v.member("description").text(0, maxEmbedText)
}

// requiredText checks a required text in an embed. Discord treats an empty text as a missing one.
func requiredText(v value, key string, most int) string {
	m := v.required(key)
	if m.data == "" {
		m.refuseRequired()
	}
	return m.text(0, most)
}

func timestamp(v value) {
	s, ok := v.anyText()
	if !ok || s == "" {
		return
	}
	if _, err := time.Parse(time.RFC3339, s); err != nil {
		v.refuse(badDate, "Could not parse %s. Should be ISO8601.", s)
	}
}
