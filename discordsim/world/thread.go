package world

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"tictactoe/discordsim/check"
)

// ThreadMember is an account that follows a thread.
type ThreadMember struct {
	UserID string    `json:"user_id"`
	Joined Timestamp `json:"joined"`
}

// ThreadMemberObject is a thread member as Discord's API shows it.
type ThreadMemberObject struct {
	ID     string       `json:"id"` // the id of the thread
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

// Threads keeps the members of threads.
type Threads struct{ w *World }

// Member returns the i-th member of a thread. If whole is set, the result includes the account's membership of the
// server.
func (ts *Threads) Member(ch *Channel, i int, whole bool) ThreadMemberObject {
	f := ch.Followers[i]
	object := ThreadMemberObject{ID: ch.ID, UserID: f.UserID, Joined: f.Joined}
	if m := ts.w.State.Guilds[ch.GuildID].Member(f.UserID); whole && m != nil {
		member := ts.w.State.GuildMember(m)
		object.Member = &member
	}
	return object
}

// IsPrivate reports whether the channel is a private thread, which only its members and moderators see.
func (ch *Channel) IsPrivate() bool { return ch.Type == ChannelPrivateThread }

var errNotPrivate = errors.New("only a private thread has people and is invitable")

// Follow makes an account a member of a thread, unless it already is one.
func (ts *Threads) Follow(thread *Channel, userID string) {
	ch := ts.w.State.Channels[thread.ID]
	if ch.Follower(userID) >= 0 || ts.w.State.Guilds[ch.GuildID].Member(userID) == nil {
		return
	}
	changed := *ch
	changed.Followers = append(slices.Clone(ch.Followers), ThreadMember{userID, Stamp(ts.w.Clock.Now())})
	ts.w.Put(Change{Channel: &changed})
	if ch.IsPrivate() {
		ts.w.Events.ThreadOpened(&changed, len(changed.Followers)-1)
		ts.w.Events.PublishState()
	}
	ts.w.Events.ThreadMembers(&changed, []ThreadMemberObject{ts.Member(&changed, len(changed.Followers)-1, true)}, nil)
}

// Unfollow ends the membership of an account in a thread.
func (ts *Threads) Unfollow(thread *Channel, userID string) {
	changed := *ts.w.State.Channels[thread.ID]
	changed.Followers = slices.DeleteFunc(slices.Clone(changed.Followers), func(m ThreadMember) bool { return m.UserID == userID })
	ts.w.Put(Change{Channel: &changed})
	ts.w.Events.ThreadMembers(&changed, nil, []string{userID})
	ts.w.Events.PublishState()
}

// MayAdd reports whether the account by may add the account added to a thread. The first account must be able to write
// in the thread, and the second must see the thread's channel. A private thread can also restrict additions to
// moderators.
func (ts *Threads) MayAdd(ch *Channel, by, added string) bool {
	may, theirs := ts.w.State.Permissions(by, ch), ts.w.State.inherited(added, ch)
	open := !ch.IsPrivate() || ch.Invitable || may.Has(ManageThreads) || theirs.Has(ManageThreads)
	return may.Has(SendMessagesInThreads) && theirs.Has(ViewChannel) && open
}

// fill sets the first members of a new private thread.
func (ts *Threads) fill(ch *Channel, people []string, invitable *bool) error {
	switch {
	case ch.IsPrivate() && len(people) == 0:
		return fmt.Errorf("a private thread has people, the first of whom owns it")
	case !ch.IsPrivate() && (people != nil || invitable != nil):
		return errNotPrivate
	case !ch.IsPrivate():
		return nil
	}
	ids, err := ts.memberIDs(ch.GuildID, people)
	if err != nil {
		return err
	}
	ch.Owner, ch.Invitable = ids[0], invitable == nil || *invitable
	for _, id := range ids {
		ch.Followers = append(ch.Followers, ThreadMember{id, ch.Turned})
	}
	return nil
}

// memberIDs returns the ids of people and bots that are given by name or id. All of them must be members of the server.
func (ts *Threads) memberIDs(guildID string, refs []string) (ids []string, err error) {
	for _, ref := range refs {
		a := ts.w.State.Account(ref)
		if a == nil || ts.w.State.Guilds[guildID].Member(a.ID) == nil {
			return nil, fmt.Errorf("%w: no member %q of the server", ErrNotFound, ref)
		}
		if slices.Contains(ids, a.ID) {
			return nil, fmt.Errorf("%s is named twice", a.Username)
		}
		ids = append(ids, a.ID)
	}
	return ids, nil
}

// setFollowers makes the accounts, and no others, the members of a thread.
func (ts *Threads) setFollowers(ch *Channel, ids []string) {
	for _, m := range ch.Followers {
		if !slices.Contains(ids, m.UserID) {
			ts.Unfollow(ch, m.UserID)
		}
	}
	for _, id := range ids {
		ts.Follow(ch, id)
	}
}

// The flags of channels.
const (
	ChannelPinned     = 1 << 1  // a post at the top of its forum
	ChannelRequireTag = 1 << 4  // a forum whose posts need a tag
	ChannelNoDownload = 1 << 15 // a media channel that offers no downloads
)

// Forum has the settings of a forum. It is immutable: a change stores a new value.
type Forum struct {
	Tags       []ForumTag `json:"available_tags"`
	RequireTag bool       `json:"require_tag,omitempty"`
	// Reaction is the emoji with which clients offer to react to a post; nil for none.
	Reaction *ForumEmoji `json:"default_reaction_emoji,omitempty"`
	// NoDownload hides the download links of a media channel. This field and the fields below only affect clients.
	NoDownload bool   `json:"no_download,omitempty"`
	Order      *int   `json:"default_sort_order,omitempty"`
	Layout     int    `json:"default_forum_layout,omitempty"`
	TagSetting string `json:"default_tag_setting,omitempty"`
}

// ForumTag is a tag that posts of a forum can have.
type ForumTag struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Moderated restricts the tag to members with MANAGE_THREADS.
	Moderated bool `json:"moderated"`
	ForumEmoji
}

// ForumEmoji is an emoji of a forum. Servers here have no custom emoji, so the id is always nil.
type ForumEmoji struct {
	ID   *string `json:"emoji_id"`
	Name *string `json:"emoji_name"`
}

// ForumObject has the fields of a forum that other channels lack.
type ForumObject struct {
	Tags       []ForumTag  `json:"available_tags"`
	Reaction   *ForumEmoji `json:"default_reaction_emoji"`
	Order      *int        `json:"default_sort_order"`
	Layout     *int        `json:"default_forum_layout,omitempty"` // absent from media channels
	TagSetting string      `json:"default_tag_setting,omitempty"`
}

// showForum adds the fields of a forum. Its last message is its newest post.
func (ch *Channel) showForum(st *State, object *ChannelObject) {
	for _, id := range st.ChannelOrder {
		if st.Channels[id].ParentID == ch.ID {
			object.LastMessageID = &id
		}
	}
	forum := cmp.Or(ch.Forum, &Forum{})
	if forum.RequireTag {
		object.Flags |= ChannelRequireTag
	}
	if forum.NoDownload {
		object.Flags |= ChannelNoDownload
	}
	object.ForumObject = &ForumObject{append([]ForumTag{}, forum.Tags...), forum.Reaction, forum.Order, &forum.Layout, forum.TagSetting}
	if ch.Type == ChannelMedia {
		object.Layout = nil
	}
}

// tag returns the tag of a forum with a name or an id, or nil.
func (f *Forum) tag(ref string) *ForumTag {
	if f == nil {
		return nil
	}
	for i := range f.Tags {
		if t := &f.Tags[i]; t.ID == ref || t.Name == ref {
			return t
		}
	}
	return nil
}

// TagSpec describes a tag of a forum.
type TagSpec struct {
	Name      string `json:"name"`
	Emoji     string `json:"emoji"`
	Moderated bool   `json:"moderated"`
}

// ForumSpec describes the settings of a new forum.
type ForumSpec struct {
	Tags []TagSpec `json:"tags"`
	// RequireTag makes a tag necessary for a post.
	RequireTag bool `json:"require_tag"`
	// Reaction is a Unicode emoji; none when empty.
	Reaction string `json:"default_reaction"`
}

func (s ForumSpec) change() (c ForumChange) {
	if s.Tags != nil {
		c.Tags = &s.Tags
	}
	if s.RequireTag {
		c.RequireTag = &s.RequireTag
	}
	if s.Reaction != "" {
		c.Reaction = &s.Reaction
	}
	return c
}

// ForumChange lists changes to a forum or to a post. Nil fields change nothing.
type ForumChange struct {
	// Tags are all tags of a forum. A tag with the name of an existing tag keeps the id of that tag.
	Tags       *[]TagSpec `json:"tags"`
	RequireTag *bool      `json:"require_tag"`
	Reaction   *string    `json:"default_reaction"`
	// Applied are the names or ids of all tags of a post.
	Applied *[]string `json:"applied_tags"`
	Pinned  *bool     `json:"pinned"`
}

// setForum changes the settings of a forum or a post, of which ch is a copy that setForum may change.
func (gs *Guilds) setForum(ch *Channel, to ForumChange) error {
	parent := gs.w.State.Channels[ch.ParentID]
	post := parent != nil && parent.IsForum()
	switch {
	case (to.Tags != nil || to.RequireTag != nil || to.Reaction != nil) && !ch.IsForum():
		return fmt.Errorf("only a forum has tags and a default reaction")
	case (to.Applied != nil || to.Pinned != nil) && !post:
		return fmt.Errorf("only a post of a forum has applied tags and can be pinned")
	}
	if to.Pinned != nil {
		ch.Pinned = *to.Pinned
	}
	if to.Applied != nil {
		ids, err := parent.Forum.tagIDs(*to.Applied)
		if err != nil {
			return err
		}
		ch.Tags = ids
	}
	if !ch.IsForum() {
		return nil
	}
	forum := *cmp.Or(ch.Forum, &Forum{})
	if to.RequireTag != nil {
		forum.RequireTag = *to.RequireTag
	}
	if to.Reaction != nil {
		emoji, err := forumEmoji(*to.Reaction)
		if err != nil {
			return err
		}
		if forum.Reaction = &emoji; emoji.Name == nil {
			forum.Reaction = nil
		}
	}
	if to.Tags != nil {
		tags, err := gs.tags(&forum, *to.Tags)
		if err != nil {
			return err
		}
		forum.Tags = tags
	}
	ch.Forum = &forum
	return nil
}

// tags returns the described tags of a forum.
func (gs *Guilds) tags(forum *Forum, specs []TagSpec) (tags []ForumTag, err error) {
	if len(specs) > check.MaxForumTags {
		return nil, fmt.Errorf("a forum has at most %d tags, not %d", check.MaxForumTags, len(specs))
	}
	for _, spec := range specs {
		tag := ForumTag{Name: spec.Name, Moderated: spec.Moderated}
		if n := utf8.RuneCountInString(spec.Name); n < 1 || n > check.MaxTagName {
			return nil, fmt.Errorf("a tag's name has 1 to %d characters, not %d", check.MaxTagName, n)
		}
		if slices.ContainsFunc(tags, func(t ForumTag) bool { return t.Name == tag.Name }) {
			return nil, fmt.Errorf("the tag %q is named twice", tag.Name)
		}
		if tag.ForumEmoji, err = forumEmoji(spec.Emoji); err != nil {
			return nil, err
		}
		if old := forum.tag(spec.Name); old != nil {
			tag.ID = old.ID
		} else {
			tag.ID = gs.w.NextID()
		}
		tags = append(tags, tag)
	}
	return tags, nil
}

func forumEmoji(text string) (ForumEmoji, error) {
	switch {
	case text == "":
		return ForumEmoji{}, nil
	case !check.UnicodeEmoji(text):
		return ForumEmoji{}, fmt.Errorf("a forum here can only have Unicode emoji, not %q", text)
	}
	return ForumEmoji{Name: &text}, nil
}

// tagIDs returns the ids of tags that are given by name or id.
func (f *Forum) tagIDs(refs []string) (ids []string, err error) {
	if len(refs) > check.MaxPostTags {
		return nil, fmt.Errorf("a post has at most %d tags, not %d", check.MaxPostTags, len(refs))
	}
	for _, ref := range refs {
		tag := f.tag(ref)
		if tag == nil {
			return nil, fmt.Errorf("%w: no tag %q in this forum", ErrNotFound, ref)
		}
		if !slices.Contains(ids, tag.ID) {
			ids = append(ids, tag.ID)
		}
	}
	return ids, nil
}

// Taggable returns Discord's refusal of a post's tags, given by id, or nil. Only moderators may use moderated tags.
func (f *Forum) Taggable(ids []string, moderator bool) error {
	f = cmp.Or(f, &Forum{})
	usable := func(t ForumTag) bool { return moderator || !t.Moderated }
	switch {
	case f.RequireTag && len(ids) == 0 && !slices.ContainsFunc(f.Tags, usable):
		return check.ErrNoUsableTags
	case f.RequireTag && len(ids) == 0:
		return check.ErrTagRequired
	}
	for _, id := range ids {
		i := slices.IndexFunc(f.Tags, func(t ForumTag) bool { return t.ID == id })
		switch {
		case i < 0:
			return check.ErrUnknownTag
		case !usable(f.Tags[i]):
			return check.ErrMissingPermissions
		}
	}
	return nil
}

// NewPost returns a new post of a forum, to be added by PutChannel before its first message. Tags are given by name
// or id.
func (gs *Guilds) NewPost(forum *Channel, author, title string, tags []string) (*Channel, error) {
	ids, err := forum.Forum.tagIDs(tags)
	if err != nil {
		return nil, err
	}
	if err := forum.Forum.Taggable(ids, gs.w.State.Permissions(author, forum).Has(ManageThreads)); err != nil {
		return nil, err
	}
	post := &Channel{
		ID: gs.w.NextID(), Type: ChannelPublicThread, GuildID: forum.GuildID, ParentID: forum.ID, Owner: author,
		Name: strings.TrimSpace(title), Tags: ids, Turned: Stamp(gs.w.Clock.Now()), AutoArchive: forum.ThreadArchive, SlowMode: forum.ThreadSlowMode,
	}
	return post, post.named()
}
