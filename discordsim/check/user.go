package check

import (
	"encoding/base64"
	"slices"
	"strings"
)

// user checks a change of the bot's own user.
func user(v value) {
	if !v.object() {
		return
	}
	username(v.member("username"))
	picture(v.member("avatar"))
	picture(v.member("banner"))
}

// username checks a username by the rules of Discord's documentation.
func username(v value) {
	v.refuseReserved(v.text(minUsername, maxUsername), "@", "#", ":", "```", "discord")
}

// Username checks a username. It returns the reason why Discord would refuse the name, or nil.
func Username(name string) *Error {
	r := &report{}
	username(value{data: name, report: r})
	return r.err()
}

// refuseReserved refuses the names "everyone" and "here", and a name that contains one of the given parts.
func (v value) refuseReserved(name string, without ...string) {
	name = strings.ToLower(name)
	for _, part := range without {
		if strings.Contains(name, part) {
			v.refuse("USERNAME_INVALID_CONTAINS", "Username cannot contain %q", part)
			return
		}
	}
	if name == "everyone" || name == "here" {
		v.refuse("USERNAME_INVALID", "Username cannot be %q", name)
	}
}

// picture checks a data URI, which must hold a JPEG, GIF or PNG.
func picture(v value) {
	uri, ok := v.anyText()
	if !ok {
		return
	}
	_, data, found := strings.Cut(uri, ";base64,")
	if !strings.HasPrefix(uri, "data:image/") || !found {
		v.refuse(notDataURI, "Only data uri strings can be used.")
		return
	}
	picture, err := base64.StdEncoding.DecodeString(data)
	if err != nil || !slices.ContainsFunc(pictures, func(magic string) bool { return strings.HasPrefix(string(picture), magic) }) {
		v.refuse(notDataURI, "The data is no JPEG, GIF or PNG.")
	}
}

// pictures are the first bytes of the accepted image types. The type in the data URI is ignored.
var pictures = []string{"\xff\xd8\xff", "GIF87a", "GIF89a", "\x89PNG\r\n\x1a\n"}

// direct checks a request to open a direct-message channel.
func direct(v value) {
	if !v.object() {
		return
	}
	v.required("recipient_id").snowflake()
	seen := map[string]bool{}
	for _, item := range v.member("access_tokens").list(0, maxGroupMembers) {
		token, _ := item.anyText()
		if seen[token] {
			item.refuse(notAChoice, "The value is listed twice")
		}
		seen[token] = true
	}
	if nicks := v.member("nicks"); nicks.object() {
		for _, id := range nicks.keys() {
			nicks.member(id).anyText()
		}
	}
}
