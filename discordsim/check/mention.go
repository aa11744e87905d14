package check

import "slices"

// allowedMentions checks whom a message may ping. A kind is either parsed from the text or listed by id, not both.
func allowedMentions(v value) {
	if !v.object() {
		return
	}
	var parsed []string
	for _, item := range v.member("parse").list(0, maxMentioned) {
		if word := item.word("users", "roles", "everyone"); word != "" {
			if slices.Contains(parsed, word) {
				item.refuse(notAChoice, "The value is listed twice")
			}
			parsed = append(parsed, word)
		}
	}
	for _, kind := range []string{"users", "roles"} {
		ids := v.member(kind).list(0, maxMentioned)
		seen := map[any]bool{}
		for _, id := range ids {
			id.snowflake()
			switch id.data.(type) {
			case string, int64:
				if seen[id.data] {
					id.refuse(notAChoice, "The id is listed twice")
				}
				seen[id.data] = true
			}
		}
		if len(ids) > 0 && slices.Contains(parsed, kind) {
			v.refuse("MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
				`parse:[%q] and %s: [ids...] are mutually exclusive.`, kind, kind)
		}
	}
	v.member("replied_user").flag()
}
