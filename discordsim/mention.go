package discordsim

import (
	"regexp"
	"slices"
	"strings"
)

// allowedMentions selects the mentions in a text that notify somebody.
type allowedMentions struct {
	Parse       []string    `json:"parse"`
	Users       []snowflake `json:"users"`
	Roles       []snowflake `json:"roles"`
	RepliedUser *bool       `json:"replied_user"`
}

var (
	codeSpan    = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
	userMention = regexp.MustCompile(`<@!?(\d+)>`)
	roleMention = regexp.MustCompile(`<@&(\d+)>`)
	allMention  = regexp.MustCompile(`@(everyone|here)\b`)
)

// FillMentions sets the mentions of a message: the mentions in its text that the
// allowed mentions permit, and the author of the message that it replies to.
// Without allowed mentions, Discord permits all mentions that the author may make.
func (ms *Messages) FillMentions(m *Message, allowed *allowedMentions, repliedTo string) {
	text := codeSpan.ReplaceAllString(m.text(), "")
	may := func(kind string, ids []snowflake, id string) bool {
		return allowed == nil || slices.Contains(allowed.Parse, kind) || slices.Contains(ids, snowflake(id))
	}
	var users, roles []snowflake
	if allowed != nil {
		users, roles = allowed.Users, allowed.Roles
	}
	m.Mentions, m.MentionRoles, m.MentionEveryone = []Profile{}, []string{}, false
	mention := func(id string) {
		a := ms.w.state.accounts[id]
		if a == nil || slices.ContainsFunc(m.Mentions, func(p Profile) bool { return p.ID == id }) {
			return
		}
		m.Mentions = append(m.Mentions, a.Profile)
	}
	for _, found := range userMention.FindAllStringSubmatch(text, -1) {
		if may("users", users, found[1]) {
			mention(found[1])
		}
	}
	if repliedTo != "" && (allowed == nil || allowed.RepliedUser != nil && *allowed.RepliedUser) {
		mention(repliedTo)
	}
	ch := ms.w.state.channels[m.ChannelID]
	if ch.GuildID == "" {
		return
	}
	everyone := ms.w.state.permissions(m.Author.ID, ch).Has(MentionEveryone)
	known := ms.w.state.guilds[ch.GuildID].Roles
	for _, found := range roleMention.FindAllStringSubmatch(text, -1) {
		exists := slices.ContainsFunc(known, func(r Role) bool { return r.ID == found[1] && (r.Mentionable || everyone) })
		if exists && may("roles", roles, found[1]) && !slices.Contains(m.MentionRoles, found[1]) {
			m.MentionRoles = append(m.MentionRoles, found[1])
		}
	}
	m.MentionEveryone = allMention.MatchString(text) && may("everyone", nil, "") && everyone
}

// text returns all text of the message in which Discord looks for mentions.
func (m *Message) text() string {
	var b strings.Builder
	b.WriteString(m.Content)
	walk(m.Components, func(c *Component) {
		if c.Type == componentTextDisplay {
			b.WriteString("\n" + c.Content)
		}
	})
	return b.String()
}

// pings reports whether a message notified this account when it was new, because
// it mentioned the account, one of its roles or everybody.
func (st *state) pings(m *Message, userID string) bool {
	if m.Flags&flagSuppressNotifications != 0 || m.Author.ID == userID {
		return false
	}
	if m.MentionEveryone || slices.ContainsFunc(m.Mentions, func(p Profile) bool { return p.ID == userID }) {
		return true
	}
	guild := st.guilds[st.channels[m.ChannelID].GuildID]
	if guild == nil || guild.member(userID) == nil {
		return false
	}
	has := guild.member(userID).Roles
	return slices.ContainsFunc(m.MentionRoles, func(role string) bool { return slices.Contains(has, role) })
}
