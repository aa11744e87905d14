package world

import "strings"

// MemberNamed reports whether a member's username or nick begins with the given text.
func (st *State) MemberNamed(m *Member, text string) bool {
	begins := func(name string) bool { return strings.HasPrefix(strings.ToLower(name), strings.ToLower(text)) }
	return begins(st.Accounts[m.UserID].Username) || m.Nick != nil && begins(*m.Nick)
}
