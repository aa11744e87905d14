package world

import "slices"

// ThreadMember is an account that follows a thread.
type ThreadMember struct {
	UserID string    `json:"user_id"`
	Joined Timestamp `json:"joined"`
}

// ThreadMemberObject is a thread member as Discord's API shows it.
type ThreadMemberObject struct {
	ID     string       `json:"id"` // of the thread
	UserID string       `json:"user_id"`
	Joined Timestamp    `json:"join_timestamp"`
	Flags  int          `json:"flags"`
	Member *GuildMember `json:"member,omitempty"`
}

// Follower returns the index of an account among the members of a thread, or -1.
func (ch *Channel) Follower(userID string) int {
	return slices.IndexFunc(ch.Followers, func(m ThreadMember) bool { return m.UserID == userID })
}

// Note posts a system message about an event in a channel.
func (ms *Messages) Note(ch *Channel, kind int, of Profile, about *MessageReference, text string) {
	m := ms.Draft(of, ch, kind)
	m.MessageReference = about
	m.Content = text
	ms.Post(&Post{Message: m})
}

// ThreadMember returns the i-th member of a thread; whole includes its membership of the server.
func (st *State) ThreadMember(ch *Channel, i int, whole bool) ThreadMemberObject {
	f := ch.Followers[i]
	object := ThreadMemberObject{ID: ch.ID, UserID: f.UserID, Joined: f.Joined}
	if m := st.Guilds[ch.GuildID].Member(f.UserID); whole && m != nil {
		member := st.GuildMember(m)
		object.Member = &member
	}
	return object
}

// Follow makes an account a member of a thread, unless it already is one.
func (gs *Guilds) Follow(ch *Channel, userID string) {
	if ch.Follower(userID) >= 0 || gs.w.State.Guilds[ch.GuildID].Member(userID) == nil {
		return
	}
	changed := *ch
	changed.Followers = append(slices.Clone(ch.Followers), ThreadMember{userID, Stamp(gs.w.Clock.Now())})
	gs.w.Put(Change{Channel: &changed})
	gs.w.Events.ThreadMembers(&changed, []ThreadMemberObject{gs.w.State.ThreadMember(&changed, len(changed.Followers)-1, true)}, nil)
}
