package world

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// The simulated channel types.
const (
	ChannelText          = 0
	ChannelDirect        = 1
	ChannelVoice         = 2
	ChannelGroup         = 3
	ChannelCategory      = 4
	ChannelNews          = 5
	ChannelNewsThread    = 10
	ChannelPublicThread  = 11
	ChannelPrivateThread = 12
	ChannelStage         = 13
	ChannelForum         = 15
	ChannelMedia         = 16 // a forum for pictures
)

// Channel is a channel or thread of a server, a direct message between two accounts, or a group direct message. It is
// immutable: a change stores a new value.
type Channel struct {
	ID         string      `json:"id"`
	Type       int         `json:"type"`
	GuildID    string      `json:"guild_id,omitempty"`
	Name       string      `json:"name,omitempty"`
	Position   int         `json:"position,omitempty"`
	Overwrites []Overwrite `json:"permission_overwrites,omitempty"`
	Recipients []string    `json:"recipients,omitempty"`
	// ParentID is the id of a thread's channel, or of another channel's category.
	ParentID string `json:"parent_id,omitempty"`
	Archived bool   `json:"archived,omitempty"`
	// Turned is the date when a thread was created, or last archived or reopened.
	Turned Timestamp `json:"turned,omitzero"`
	// SlowMode is how many seconds people have to wait between their messages.
	SlowMode int `json:"slow_mode,omitempty"`
	// AgeRestricted allows age-restricted commands in the channel.
	AgeRestricted bool `json:"nsfw,omitempty"`
	// LastPin is the date of the most recent pin.
	LastPin *Timestamp `json:"last_pin,omitempty"`
	Topic   string     `json:"topic,omitempty"`
	// ThreadArchive and ThreadSlowMode are the AutoArchive and the SlowMode of new threads and posts.
	ThreadArchive  int `json:"thread_archive,omitempty"`
	ThreadSlowMode int `json:"thread_slow_mode,omitempty"`
	// Forum has the settings of a forum or media channel; it is nil in other channels.
	Forum *Forum `json:"forum,omitempty"`
	// Tags are the ids of a forum post's tags. Pinned keeps a post at the top of its forum.
	Tags   []string `json:"tags,omitempty"`
	Pinned bool     `json:"pinned,omitempty"`
	// The fields below are set for forum posts, and for threads that a bot created or changed. Owner is the account
	// or webhook that created the thread; groups have an Owner too. A thread without an Owner counts as created by
	// the server's owner, and all members of the server count as its members.
	Owner       string         `json:"owner,omitempty"`
	Locked      bool           `json:"locked,omitempty"`
	AutoArchive int            `json:"auto_archive,omitempty"` // minutes
	Followers   []ThreadMember `json:"followers,omitempty"`
	// Invitable allows members of a private thread who are not moderators to add others.
	Invitable bool `json:"invitable,omitempty"`
}

// IsThread reports whether the channel is a thread.
func (ch *Channel) IsThread() bool { return ParentType(ch.Type) >= 0 }

// ParentType returns the type of the channels that can have threads of a type, or -1 if kind is not a thread type.
func ParentType(kind int) int {
	switch kind {
	case ChannelPublicThread, ChannelPrivateThread:
		return ChannelText
	case ChannelNewsThread:
		return ChannelNews
	}
	return -1
}

// AgeRestricted reports whether a channel, or the channel of a thread, is age-restricted.
func (st *State) AgeRestricted(ch *Channel) bool {
	if parent := st.Channels[ch.ParentID]; ch.IsThread() && parent != nil {
		ch = parent
	}
	return ch.AgeRestricted
}

// IsForum reports whether the channel is a forum or a media channel, in which every message belongs to a post.
func (ch *Channel) IsForum() bool { return ch.Type == ChannelForum || ch.Type == ChannelMedia }

// HasMessages reports whether the channel can have messages of its own. A category has no messages, and a forum has
// messages only in its posts.
func (ch *Channel) HasMessages() bool { return ch.Type != ChannelCategory && !ch.IsForum() }

// Writing returns the permission required to send a message in the channel.
func (ch *Channel) Writing() Permission {
	if ch.IsThread() {
		return SendMessagesInThreads
	}
	return SendMessages
}

// Room describes a channel or a thread to add to a server.
type Room struct {
	// ID is the channel's id; a new one when empty.
	ID string `json:"id"`
	// Guild is the name or the id of the server; the first one when empty.
	Guild string `json:"guild"`
	Name  string `json:"name"`
	// Type is Discord's channel type: 0 text, 2 voice, 4 a category, 5 announcements, 13 a
	// stage, 15 a forum, 16 a media channel, 10 a thread of an announcement channel, 11 a thread of a text channel, 12 a
	// private thread of a text channel.
	Type int `json:"type"`
	// Parent is the name or the id of the channel that a thread belongs to, or of a channel's category.
	Parent string `json:"parent"`
	// People are the names or ids of a private thread's members. The first of them owns the thread.
	People []string `json:"people"`
	// Invitable allows members of a private thread who are not moderators to add others; true when nil.
	Invitable *bool `json:"invitable"`
	ForumSpec
}

// AddChannel adds a channel or a thread and returns its id.
func (gs *Guilds) AddChannel(room Room) (id string, err error) {
	err = gs.w.Locked(func() error {
		guild, err := gs.w.State.guildFor(room.Guild)
		if err != nil {
			return err
		}
		ch := &Channel{Type: room.Type, GuildID: guild.ID, Name: room.Name}
		if err := ch.named(); err != nil {
			return err
		}
		if !ch.IsThread() && !slices.Contains(ChannelKinds, ch.Type) {
			return fmt.Errorf("channels of type %d are not supported here", ch.Type)
		}
		if err := gs.placeIn(ch, room.Parent); err != nil {
			return err
		}
		if err := gs.setForum(ch, room.change()); err != nil {
			return err
		}
		if err := gs.w.Threads.fill(ch, room.People, room.Invitable); err != nil {
			return err
		}
		if id, err = gs.w.claim(room.ID); err != nil {
			return err
		}
		ch.ID = id
		gs.PutChannel(ch)
		return nil
	})
	return id, err
}

// ChannelKinds are the types of the channels, other than threads, that a simulated server can have.
var ChannelKinds = []int{ChannelText, ChannelVoice, ChannelCategory, ChannelNews, ChannelStage, ChannelForum, ChannelMedia}

// PutChannel adds a complete new channel or thread, after the other channels of its server.
func (gs *Guilds) PutChannel(ch *Channel) {
	for _, other := range gs.w.State.Channels {
		if other.GuildID == ch.GuildID && !other.IsThread() && !ch.IsThread() {
			ch.Position++
		}
	}
	gs.w.Put(Change{Channel: ch})
	gs.w.Events.Channel("CREATE", ch, ch)
	gs.w.Events.PublishState()
}

// placeIn sets the parent of a new channel. The parent of a thread is a channel. The parent of another channel is a
// category, if it has one.
func (gs *Guilds) placeIn(ch *Channel, parentRef string) error {
	wanted := ChannelCategory
	switch {
	case ch.IsThread():
		wanted, ch.Turned = ParentType(ch.Type), Stamp(gs.w.Clock.Now())
	case parentRef == "":
		return nil
	}
	parent, err := gs.w.State.ChannelOf(parentRef)
	if err != nil {
		return err
	}
	if ch.IsThread() && parent.IsForum() {
		return fmt.Errorf("a message with a title makes a post in %q", parent.Name)
	}
	if parent.GuildID != ch.GuildID || parent.Type != wanted || ch.Type == ChannelCategory {
		return fmt.Errorf("a channel of type %d does not belong to %q", ch.Type, parent.Name)
	}
	ch.ParentID = parent.ID
	return nil
}

func (ch *Channel) named() error {
	if n := utf8.RuneCountInString(ch.Name); n < 1 || n > 100 {
		return fmt.Errorf("a channel's name has 1 to 100 characters, not %d", n)
	}
	return nil
}

// RoomChange lists changes to a channel. Nil fields change nothing.
type RoomChange struct {
	Name *string `json:"name"`
	// Archived archives a thread or reopens it.
	Archived *bool `json:"archived"`
	// Locked locks a thread for members without MANAGE_THREADS, or unlocks it.
	Locked *bool `json:"locked"`
	// SlowMode is how many seconds people have to wait between their messages.
	SlowMode *int `json:"rate_limit_per_user"`
	// AgeRestricted allows age-restricted commands in the channel, or forbids them.
	AgeRestricted *bool `json:"nsfw"`
	// People are the names or ids of all members of a private thread.
	People *[]string `json:"people"`
	// Invitable allows members of a private thread who are not moderators to add others.
	Invitable *bool `json:"invitable"`
	ForumChange
}

// ChangeChannel changes a channel or a thread of a server.
func (gs *Guilds) ChangeChannel(ref string, to RoomChange) error {
	return gs.w.Locked(func() error {
		old, err := gs.w.State.ChannelOf(ref)
		if err != nil {
			return err
		}
		changed := *old
		if to.Name != nil {
			changed.Name = *to.Name
		}
		if err := changed.named(); err != nil {
			return err
		}
		if (to.Archived != nil || to.Locked != nil) && !old.IsThread() {
			return fmt.Errorf("only a thread can be archived or locked")
		}
		if to.Archived != nil {
			changed.Archived, changed.Turned = *to.Archived, Stamp(gs.w.Clock.Now())
		}
		if to.Locked != nil {
			changed.Locked = *to.Locked
		}
		if to.SlowMode != nil {
			if changed.SlowMode = *to.SlowMode; changed.SlowMode < 0 || changed.SlowMode > 21600 {
				return fmt.Errorf("slow mode is 0 to 21600 seconds, not %d", changed.SlowMode)
			}
		}
		if to.AgeRestricted != nil {
			if old.IsThread() {
				return fmt.Errorf("a thread is age-restricted if its channel is")
			}
			changed.AgeRestricted = *to.AgeRestricted
		}
		if err := gs.setForum(&changed, to.ForumChange); err != nil {
			return err
		}
		if (to.People != nil || to.Invitable != nil) && !old.IsPrivate() {
			return errNotPrivate
		}
		if to.Invitable != nil {
			changed.Invitable = *to.Invitable
		}
		var people []string
		if to.People != nil {
			if people, err = gs.w.Threads.memberIDs(old.GuildID, *to.People); err != nil {
				return err
			}
		}
		gs.ReplaceChannel(old, &changed)
		if to.People != nil {
			gs.w.Threads.setFollowers(&changed, people)
		}
		return nil
	})
}

// ReplaceChannel replaces a channel with its changed version.
func (gs *Guilds) ReplaceChannel(old, changed *Channel) {
	gs.w.Put(Change{Channel: changed})
	gs.w.Events.Channel("UPDATE", old, changed)
	gs.w.Events.PublishState()
}

// DeleteChannel deletes a channel of a server, its threads and all messages. The channels of a deleted category
// remain, without a category.
func (gs *Guilds) DeleteChannel(ref string) error {
	return gs.w.Locked(func() error {
		ch, err := gs.w.State.ChannelOf(ref)
		if err != nil {
			return err
		}
		gs.DropChannel(ch)
		return nil
	})
}

// DropChannel deletes a channel as DeleteChannel does.
func (gs *Guilds) DropChannel(ch *Channel) {
	deleted := []*Channel{ch}
	for _, id := range gs.w.State.ChannelOrder {
		other := gs.w.State.Channels[id]
		switch {
		case other.ParentID != ch.ID:
		case other.IsThread():
			deleted = append(deleted, other)
		default:
			freed := *other
			freed.ParentID = ""
			gs.ReplaceChannel(other, &freed)
		}
	}
	gs.DeleteChannels(deleted...)
}

// DeleteChannels deletes channels and threads with their messages. It tells the bots about all of them before it
// deletes any, because it needs the channels' permissions to decide which bots to tell.
func (gs *Guilds) DeleteChannels(channels ...*Channel) {
	for _, ch := range channels {
		gs.w.Events.Channel("DELETE", ch, ch)
	}
	for _, ch := range channels {
		gone := gs.w.State.Posts[ch.ID]
		gs.w.Put(Change{ChannelDeleted: ch.ID})
		for _, p := range gone {
			gs.w.Interactions.SettleChanged(p.Message.ID, nil)
		}
	}
	gs.w.Events.PublishState()
}

// ChannelOf finds a channel of a server by name or id.
func (st *State) ChannelOf(ref string) (*Channel, error) {
	if ch := st.Channels[ref]; ch != nil && ch.GuildID != "" {
		return ch, nil
	}
	for _, id := range st.ChannelOrder {
		if ch := st.Channels[id]; ch.GuildID != "" && ch.Name == ref {
			return ch, nil
		}
	}
	return nil, fmt.Errorf("%w: no channel %q of a server", ErrNotFound, ref)
}

// Overwrite changes the permissions of a role or a member in one channel.
type Overwrite struct {
	ID    string     `json:"id"`
	Type  int        `json:"type"` // 0 role, 1 member
	Allow Permission `json:"allow"`
	Deny  Permission `json:"deny"`
}

// SetOverwrite replaces the permission overwrite of a channel for a member or a
// role. Both are given by name or id; an empty who stands for @everyone. If allow
// and deny are both empty, the overwrite is removed.
func (gs *Guilds) SetOverwrite(channel, who string, allow, deny Permission) error {
	return gs.w.Locked(func() error {
		ch, err := gs.w.State.ChannelOf(channel)
		if err != nil {
			return err
		}
		if ch.IsThread() {
			return fmt.Errorf("a thread follows the permissions of its channel")
		}
		if both := allow & deny; both != 0 {
			return fmt.Errorf("%v cannot be both allowed and denied", both.Names())
		}
		overwrite := Overwrite{ID: ch.GuildID, Allow: allow, Deny: deny}
		if who != "" {
			a, r := gs.w.State.Account(who), gs.w.State.Guilds[ch.GuildID].roleNamed(who)
			switch {
			case a != nil:
				overwrite.ID, overwrite.Type = a.ID, 1
			case r != nil:
				overwrite.ID = r.ID
			default:
				return fmt.Errorf("%w: no user and no role %q", ErrNotFound, who)
			}
		}
		changed := *ch
		changed.Overwrites = slices.DeleteFunc(slices.Clone(ch.Overwrites), func(o Overwrite) bool { return o.ID == overwrite.ID })
		if allow|deny != 0 {
			changed.Overwrites = append(changed.Overwrites, overwrite)
		}
		gs.ReplaceChannel(ch, &changed)
		return nil
	})
}

// OpenDirect finds or opens the direct-message channel between two accounts.
func (gs *Guilds) OpenDirect(a, b string) *Channel {
	if ch := gs.w.State.direct(a, b); ch != nil {
		return ch
	}
	ch := &Channel{ID: gs.w.NextID(), Type: ChannelDirect, Recipients: []string{a, b}}
	gs.w.Put(Change{Channel: ch})
	return ch
}

// GroupSpec describes a group direct message.
type GroupSpec struct {
	Name string `json:"name"`
	// People are the names or ids of the members. The first of them owns the group.
	People []string `json:"people"`
}

// maxGroup is the maximum number of people in a group.
const maxGroup = 10

// AddGroup opens a group direct message of people and returns its id. Bots cannot be members.
func (gs *Guilds) AddGroup(group GroupSpec) (id string, err error) {
	err = gs.w.Locked(func() error {
		ch := &Channel{Type: ChannelGroup, Name: group.Name}
		if err := ch.named(); err != nil {
			return err
		}
		for _, ref := range group.People {
			who, err := gs.w.State.Person(ref)
			if err != nil {
				return err
			}
			if slices.Contains(ch.Recipients, who.ID) {
				return fmt.Errorf("%s is named twice", who.Username)
			}
			ch.Recipients = append(ch.Recipients, who.ID)
		}
		if n := len(ch.Recipients); n < 2 || n > maxGroup {
			return fmt.Errorf("a group has 2 to %d people, not %d", maxGroup, n)
		}
		id = gs.w.NextID()
		ch.ID, ch.Owner = id, ch.Recipients[0]
		gs.w.Put(Change{Channel: ch})
		gs.w.Events.PublishState()
		return nil
	})
	return id, err
}

// ChannelFor finds the channel given by ref: an id, the name of a server's channel or of a group, or "@name" for the
// direct messages with that account.
func (gs *Guilds) ChannelFor(viewer *Account, ref string) (*Channel, error) {
	if name, ok := strings.CutPrefix(ref, "@"); ok {
		other := gs.w.State.Account(name)
		if other == nil || other.ID == viewer.ID {
			return nil, fmt.Errorf("%w: no direct messages of %s with %q", ErrNotFound, viewer.Username, name)
		}
		return gs.OpenDirect(viewer.ID, other.ID), nil
	}
	for _, id := range gs.w.State.ChannelOrder {
		ch := gs.w.State.Channels[id]
		if id != ref && (ch.Type == ChannelDirect || ch.Name != ref) {
			continue
		}
		if gs.w.State.Permissions(viewer.ID, ch).Has(ViewChannel) {
			return ch, nil
		}
	}
	return nil, fmt.Errorf("%w: %s sees no channel %q", ErrNotFound, viewer.Username, ref)
}

// ChannelObject is a channel as Discord's API shows it to one account.
type ChannelObject struct {
	ID            string      `json:"id"`
	Type          int         `json:"type"`
	LastMessageID *string     `json:"last_message_id"`
	LastPin       *Timestamp  `json:"last_pin_timestamp,omitempty"`
	Flags         int         `json:"flags"`
	GuildID       string      `json:"guild_id,omitempty"`
	Name          string      `json:"name,omitempty"`
	Position      *int        `json:"position,omitempty"`
	Overwrites    []Overwrite `json:"permission_overwrites,omitzero"`
	SlowMode      *int        `json:"rate_limit_per_user,omitempty"` // seconds
	Topic         *string     `json:"topic"`
	ParentID      *string     `json:"parent_id"`
	NSFW          bool        `json:"nsfw"`
	Recipients    []Profile   `json:"recipients,omitempty"`
	Permissions   *Permission `json:"permissions,omitempty"`
	// AppPermissions are the application's permissions in the channel; set only in the resolved objects of an
	// interaction.
	AppPermissions *Permission `json:"app_permissions,omitempty"`
	// AppliedTags are the tags of a post; nil in other channels.
	AppliedTags []string `json:"applied_tags,omitzero"`
	// OwnerID is the owner of a thread or a group.
	OwnerID        string `json:"owner_id,omitempty"`
	ThreadArchive  int    `json:"default_auto_archive_duration,omitempty"`
	ThreadSlowMode int    `json:"default_thread_rate_limit_per_user,omitempty"`
	*GroupObject
	*ThreadObject
	*ForumObject
}

// GroupObject has the field of a group that other channels lack.
type GroupObject struct {
	Icon *string `json:"icon"`
}

// ThreadObject has the fields of a thread that other channels lack.
type ThreadObject struct {
	MessageCount int            `json:"message_count"`
	TotalSent    int            `json:"total_message_sent"`
	MemberCount  int            `json:"member_count"`
	Metadata     threadMetadata `json:"thread_metadata"`
	New          bool           `json:"newly_created,omitempty"` // set only in the THREAD_CREATE event
}

type threadMetadata struct {
	Archived    bool      `json:"archived"`
	AutoArchive int       `json:"auto_archive_duration"` // minutes
	ArchivedAt  Timestamp `json:"archive_timestamp"`
	Locked      bool      `json:"locked"`
	Invitable   *bool     `json:"invitable,omitempty"` // set only for private threads
}

// ChannelObject returns a channel as Discord's API shows it to an account.
func (st *State) ChannelObject(ch *Channel, viewer string) ChannelObject {
	object := ChannelObject{ID: ch.ID, Type: ch.Type, GuildID: ch.GuildID, Name: ch.Name, LastPin: ch.LastPin}
	if ch.GuildID != "" {
		object.SlowMode, object.NSFW = &ch.SlowMode, st.AgeRestricted(ch)
	}
	if posts := st.Posts[ch.ID]; len(posts) > 0 {
		object.LastMessageID = &posts[len(posts)-1].Message.ID
	}
	switch {
	case ch.IsThread():
		guild, sent := st.Guilds[ch.GuildID], len(st.Posts[ch.ID])
		members := len(ch.Followers)
		if ch.Owner == "" {
			members = len(guild.Members)
		}
		object.ParentID = &ch.ParentID
		if parent := st.Channels[ch.ParentID]; parent != nil && parent.IsForum() {
			sent = max(0, sent-1) // Discord does not count the first message of a post
			object.AppliedTags = append([]string{}, ch.Tags...)
			if ch.Pinned {
				object.Flags = ChannelPinned
			}
		}
		object.OwnerID = cmp.Or(ch.Owner, guild.OwnerID)
		var invitable *bool
		if ch.IsPrivate() {
			invitable = &ch.Invitable
		}
		object.ThreadObject = &ThreadObject{
			MessageCount: sent, TotalSent: sent, MemberCount: min(members, 50),
			Metadata: threadMetadata{Archived: ch.Archived, AutoArchive: cmp.Or(ch.AutoArchive, 4320), ArchivedAt: ch.Turned, Locked: ch.Locked, Invitable: invitable},
		}
		return object
	case ch.GuildID != "":
		object.Position = &ch.Position
		if ch.ParentID != "" {
			object.ParentID = &ch.ParentID
		}
		if ch.Topic != "" {
			object.Topic = &ch.Topic
		}
		object.ThreadArchive, object.ThreadSlowMode = ch.ThreadArchive, ch.ThreadSlowMode
		if ch.IsForum() {
			ch.showForum(st, &object)
		}
		object.Overwrites = append([]Overwrite{}, ch.Overwrites...) // never null
		return object
	}
	if ch.Type == ChannelGroup {
		object.OwnerID, object.GroupObject = ch.Owner, &GroupObject{}
	}
	for _, id := range ch.Recipients {
		if id != viewer {
			object.Recipients = append(object.Recipients, st.Accounts[id].Profile)
		}
	}
	return object
}
