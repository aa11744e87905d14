package world

import (
	"regexp"
	"slices"
	"strings"
)

// AllowedMentions selects the mentions in a text that notify somebody.
type AllowedMentions struct {
	Parse       []string    `json:"parse"`
	Users       []Snowflake `json:"users"`
	Roles       []Snowflake `json:"roles"`
	RepliedUser *bool       `json:"replied_user"`
}

var (
	codeSpan    = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
	userMention = regexp.MustCompile(`<@!?(\d+)>`)
	roleMention = regexp.MustCompile(`<@&(\d+)>`)
	allMention  = regexp.MustCompile(`@(everyone|here)\b`)
)

// FillMentions sets the mentions of a message: the author of the message to which it replies, and the mentions in its
// text that the parameter allowed selects. If allowed is nil, Discord permits all mentions that the author may make.
func (ms *Messages) FillMentions(m *Message, allowed *AllowedMentions, repliedTo string) {
	text := codeSpan.ReplaceAllString(m.text(), "")
	may := func(kind string, ids []Snowflake, id string) bool {
		return allowed == nil || slices.Contains(allowed.Parse, kind) || slices.Contains(ids, Snowflake(id))
	}
	var users, roles []Snowflake
	if allowed != nil {
		users, roles = allowed.Users, allowed.Roles
	}
	m.Mentions, m.MentionRoles, m.MentionEveryone = []Profile{}, []string{}, false
	mention := func(id string) {
		a := ms.w.State.Accounts[id]
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
	ch := ms.w.State.Channels[m.ChannelID]
	if ch.GuildID == "" {
		return
	}
	everyone := ms.w.State.Permissions(m.Author.ID, ch).Has(MentionEveryone)
	known := ms.w.State.Guilds[ch.GuildID].Roles
	for _, found := range roleMention.FindAllStringSubmatch(text, -1) {
		exists := slices.ContainsFunc(known, func(r Role) bool { return r.ID == found[1] && (r.Mentionable || everyone) })
		if exists && may("roles", roles, found[1]) && !slices.Contains(m.MentionRoles, found[1]) {
			m.MentionRoles = append(m.MentionRoles, found[1])
		}
	}
	m.MentionEveryone = allMention.MatchString(text) && may("everyone", nil, "") && everyone
}

// text returns the message's text that Discord searches for mentions.
func (m *Message) text() string {
	var b strings.Builder
	b.WriteString(m.Content)
	WalkComponents(m.Components, func(c *Component) {
		if c.Type == ComponentTextDisplay {
			b.WriteString("\n" + c.Content)
		}
	})
	return b.String()
}

// pings reports whether a message notified this account when it was new, because
// it mentioned the account, one of its roles or everybody.
func (st *State) pings(m *Message, userID string) bool {
	if m.Flags&FlagSuppressNotifications != 0 || m.Author.ID == userID {
		return false
	}
	if m.MentionEveryone || slices.ContainsFunc(m.Mentions, func(p Profile) bool { return p.ID == userID }) {
		return true
	}
	guild := st.Guilds[st.Channels[m.ChannelID].GuildID]
	if guild == nil || guild.Member(userID) == nil {
		return false
	}
	has := guild.Member(userID).Roles
	return slices.ContainsFunc(m.MentionRoles, func(role string) bool { return slices.Contains(has, role) })
}
