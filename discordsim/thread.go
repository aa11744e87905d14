package discordsim

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// threadMember is an account that follows a thread.
type threadMember struct {
	UserID string    `json:"user_id"`
	Joined timestamp `json:"joined"`
}

// threadMemberObject is a thread member as Discord's API shows it.
type threadMemberObject struct {
	ID     string       `json:"id"` // of the thread
	UserID string       `json:"user_id"`
	Joined timestamp    `json:"join_timestamp"`
	Flags  int          `json:"flags"`
	Member *guildMember `json:"member,omitempty"`
}

func (ch *Channel) follower(userID string) int {
	return slices.IndexFunc(ch.Followers, func(m threadMember) bool { return m.UserID == userID })
}

var threadRoutes = []route{
	{pattern: "POST /channels/{channel}/messages/{message}/threads", serve: threadFromMessage, limit: someMessages},
	{pattern: "POST /channels/{channel}/threads", serve: threadCreate, limit: someMessages},
	{pattern: "PATCH /channels/{channel}", serve: threadEdit, limit: someMessages},
	{pattern: "DELETE /channels/{channel}", serve: threadDelete, limit: someMessages},
	{pattern: "GET /guilds/{guild}/threads/active", serve: threadsActive, limit: someLookUps},
	{pattern: "GET /channels/{channel}/threads/archived/public", serve: threadsArchived, limit: someReads},
	{pattern: "GET /channels/{channel}/thread-members", serve: threadMembers, limit: someReads},
	{pattern: "GET /channels/{channel}/thread-members/{user}", serve: threadMemberGet, limit: someReads},
	{pattern: "PUT /channels/{channel}/thread-members/@me", serve: threadJoin, limit: someReads},
	{pattern: "PUT /channels/{channel}/thread-members/{user}", serve: threadJoin, limit: someReads},
	{pattern: "DELETE /channels/{channel}/thread-members/@me", serve: threadLeave, limit: someReads},
	{pattern: "DELETE /channels/{channel}/thread-members/{user}", serve: threadLeave, limit: someReads},
}

// threadBody is a bot's request to create or change a thread.
type threadBody struct {
	Name        *string `json:"name"`
	Type        *int    `json:"type"`
	AutoArchive *int    `json:"auto_archive_duration"`
	SlowMode    *int    `json:"rate_limit_per_user"`
	Archived    *bool   `json:"archived"`
	Locked      *bool   `json:"locked"`
}

// write applies the body to a thread that is not shared yet.
func (b threadBody) write(ch *Channel, now timestamp) {
	set := func(field *int, to *int) {
		if to != nil {
			*field = *to
		}
	}
	set(&ch.AutoArchive, b.AutoArchive)
	set(&ch.SlowMode, b.SlowMode)
	if b.Name != nil {
		ch.Name = *b.Name
	}
	if b.Locked != nil {
		ch.Locked = *b.Locked
	}
	if b.Archived != nil {
		ch.Archived, ch.Turned = *b.Archived, now
	}
}

func threadFromMessage(c *call) (answer, error) {
	return newThread(c, func(parent *Channel, body threadBody) (*Channel, error) {
		p, err := postOf(c)
		switch {
		case err != nil:
			return nil, err
		case c.w.state.channels[p.Message.ID] != nil:
			return nil, errThreadExists
		case p.Message.Type == messagePin || p.Message.Type == messageThread:
			return nil, errSystemMessage
		}
		thread := makeThread(c.w, parent, p.Message.ID, c.App, body)
		m := *p.Message
		m.Flags |= flagHasThread
		marked := p.with(&m)
		c.w.Put(change{Post: marked})
		c.w.events.Message("MESSAGE_UPDATE", marked)
		c.w.events.PublishMessage(marked, false)
		c.w.messages.Note(thread, messageStarter, p.Message.Author, &MessageReference{MessageID: m.ID, ChannelID: parent.ID, GuildID: parent.GuildID}, "")
		return thread, nil
	})
}

func threadCreate(c *call) (answer, error) {
	return newThread(c, func(parent *Channel, body threadBody) (*Channel, error) {
		const private = 12
		if kind := body.Type; kind == nil || *kind == private {
			return nil, &absentError{"POST /channels/{channel_id}/threads without a type, or of type 12: private threads"}
		} else if threadsOf(*kind) != parent.Type {
			return nil, errWrongChannel
		}
		thread := makeThread(c.w, parent, c.w.NextID(), c.App, body)
		c.w.messages.Note(parent, messageThread, c.w.state.accounts[c.App].Profile, &MessageReference{ChannelID: thread.ID, GuildID: thread.GuildID}, thread.Name)
		return thread, nil
	})
}

// newThread calls begin with the channel in which a request creates a thread.
func newThread(c *call, begin func(*Channel, threadBody) (*Channel, error)) (a answer, err error) {
	if refused := c.api.checker.ThreadCreate(c.Body); refused != nil {
		return a, refused
	}
	var body threadBody
	if err := c.decode(&body); err != nil {
		return a, err
	}
	err = c.w.Locked(func() error {
		parent := c.w.state.channels[c.PathValue("channel")]
		if parent != nil && parent.Type != channelText && parent.Type != channelNews {
			return errWrongChannel
		}
		if _, err := access(c, CreatePublicThreads); err != nil {
			return err
		}
		thread, err := begin(parent, body)
		if err != nil {
			return err
		}
		a = answer{http.StatusCreated, c.w.state.channelObject(c.w.state.channels[thread.ID], c.App)}
		return nil
	})
	return a, err
}

// makeThread creates a thread, which its creator follows.
func makeThread(w *World, parent *Channel, id, maker string, body threadBody) *Channel {
	now := stamp(w.clock.Now())
	thread := &Channel{
		ID: id, Type: channelPublicThread, GuildID: parent.GuildID, ParentID: parent.ID, Owner: maker, Turned: now,
		Followers: []threadMember{{maker, now}},
	}
	if parent.Type == channelNews {
		thread.Type = channelNewsThread
	}
	body.write(thread, now)
	w.Put(change{Channel: thread})
	w.events.Channel("CREATE", thread, thread)
	w.events.PublishState()
	return thread
}

// Note posts a system message about an event in a channel.
func (ms *Messages) Note(ch *Channel, kind int, of Profile, about *MessageReference, text string) {
	m := ms.Draft(of, ch, kind)
	m.MessageReference = about
	m.Content = text
	ms.Post(&post{Message: m})
}

// threadOf returns the threadOf of a request, if the application sees it.
func threadOf(c *call) (*Channel, error) {
	ch, err := access(c, 0)
	if err == nil && !ch.isThread() {
		err = errWrongChannel
	}
	return ch, err
}

// threadEdit changes a thread. The thread's creator may do that, but may not lock
// it; everyone who may write in the thread may reopen it.
func threadEdit(c *call) (a answer, err error) {
	if refused := c.api.checker.ThreadEdit(c.Body); refused != nil {
		return a, refused
	}
	var body threadBody
	if err := c.decode(&body); err != nil {
		return a, err
	}
	err = c.w.Locked(func() error {
		old, err := access(c, 0)
		if err != nil {
			return err
		}
		if !old.isThread() {
			return &absentError{"PATCH /channels/{channel_id} of a channel that is no thread"}
		}
		may := c.w.state.permissions(c.App, old)
		opens := body.Archived != nil && !*body.Archived
		only := body == threadBody{Archived: body.Archived}
		switch {
		case may.Has(ManageThreads):
		case body.Locked != nil, old.Locked:
			return errMissingPermissions
		case old.Owner == c.App, opens && only && may.Has(SendMessagesInThreads):
		default:
			return errMissingPermissions
		}
		if old.Archived && !opens {
			return errArchived
		}
		changed := *old
		body.write(&changed, stamp(c.w.clock.Now()))
		c.w.guilds.ReplaceChannel(old, &changed)
		a = ok(c.w.state.channelObject(&changed, c.App))
		return nil
	})
	return a, err
}

func threadDelete(c *call) (a answer, err error) {
	err = c.w.Locked(func() error {
		ch, err := access(c, 0)
		if err != nil {
			return err
		}
		if !ch.isThread() {
			return &absentError{"DELETE /channels/{channel_id} of a channel that is no thread"}
		}
		if !c.w.state.permissions(c.App, ch).Has(ManageThreads) {
			return errMissingPermissions
		}
		a = ok(c.w.state.channelObject(ch, c.App))
		c.w.guilds.DeleteChannels(ch)
		return nil
	})
	return a, err
}

// threadList returns a list of threads with the application's thread members.
func threadList(w *World, app string, is func(*Channel) bool) map[string]any {
	threads, members := []channelObject{}, []threadMemberObject{}
	for _, id := range slices.Backward(w.state.channelOrder) {
		ch := w.state.channels[id]
		if !ch.isThread() || !is(ch) || !w.state.permissions(app, ch).Has(ViewChannel) {
			continue
		}
		threads = append(threads, w.state.channelObject(ch, app))
		if i := ch.follower(app); i >= 0 {
			members = append(members, w.state.threadMember(ch, i, false))
		}
	}
	return map[string]any{"threads": threads, "members": members}
}

func threadsActive(c *call) (answer, error) {
	return inGuild(c, func(g *Guild) (any, error) {
		return threadList(c.w, c.App, func(ch *Channel) bool { return ch.GuildID == g.ID && !ch.Archived }), nil
	})
}

// threadsArchived lists the archived threads of a channel, most recently archived first.
func threadsArchived(c *call) (a answer, err error) {
	query := c.URL.Query()
	limit, err := limitOf(query, 50, 100)
	if err != nil {
		return a, err
	}
	var before time.Time
	if text := query.Get("before"); text != "" {
		if before, err = time.Parse(time.RFC3339, text); err != nil {
			return a, invalidForm("before", "DATE_TIME_TYPE_PARSE", fmt.Sprintf("Could not parse %s. Should be ISO8601.", text))
		}
	}
	err = c.w.Locked(func() error {
		parent, err := access(c, ReadMessageHistory)
		if err != nil {
			return err
		}
		list := threadList(c.w, c.App, func(ch *Channel) bool {
			return ch.ParentID == parent.ID && ch.Archived && (before.IsZero() || ch.Turned.Before(before))
		})
		threads := list["threads"].([]channelObject)
		slices.SortStableFunc(threads, func(a, b channelObject) int {
			return b.Metadata.ArchivedAt.Compare(a.Metadata.ArchivedAt.Time)
		})
		list["threads"], list["has_more"] = threads[:min(limit, len(threads))], len(threads) > limit
		a = ok(list)
		return nil
	})
	return a, err
}

func (st *state) threadMember(ch *Channel, i int, whole bool) threadMemberObject {
	f := ch.Followers[i]
	object := threadMemberObject{ID: ch.ID, UserID: f.UserID, Joined: f.Joined}
	if m := st.guilds[ch.GuildID].member(f.UserID); whole && m != nil {
		member := st.guildMember(m)
		object.Member = &member
	}
	return object
}

func threadMembers(c *call) (a answer, err error) {
	query := c.URL.Query()
	whole, _ := strconv.ParseBool(query.Get("with_member"))
	limit, after, err := pageOf(query, 100, 100)
	if err != nil {
		return a, err
	}
	err = c.w.Locked(func() error {
		ch, err := threadOf(c)
		if err != nil {
			return err
		}
		members := []threadMemberObject{}
		for i := range ch.Followers {
			members = append(members, c.w.state.threadMember(ch, i, whole))
		}
		if whole { // only this list has pages
			slices.SortFunc(members, func(a, b threadMemberObject) int { return compareIDs(a.UserID, b.UserID) })
			members = slices.DeleteFunc(members, func(m threadMemberObject) bool { return after != "" && compareIDs(m.UserID, after) <= 0 })
			members = members[:min(len(members), limit)]
		}
		a = ok(members)
		return nil
	})
	return a, err
}

func threadMemberGet(c *call) (a answer, err error) {
	err = c.w.Locked(func() error {
		ch, err := threadOf(c)
		if err != nil {
			return err
		}
		i := ch.follower(c.PathValue("user"))
		if i < 0 {
			return errUnknownMember
		}
		a = ok(c.w.state.threadMember(ch, i, c.URL.Query().Get("with_member") == "true"))
		return nil
	})
	return a, err
}

// follower returns the id of the account named by a request about a thread member.
func (c *call) follower() string {
	if id := c.PathValue("user"); id != "" {
		return id
	}
	return c.App
}

func threadJoin(c *call) (answer, error) {
	return noContent, c.w.Locked(func() error {
		ch, err := threadOf(c)
		if err != nil {
			return err
		}
		switch who := c.follower(); {
		case ch.Archived:
			return errArchived
		case who != c.App && !c.w.state.permissions(c.App, ch).Has(SendMessagesInThreads):
			return errMissingPermissions
		case c.w.state.guilds[ch.GuildID].member(who) == nil:
			return errUnknownMember
		default:
			c.w.guilds.Follow(ch, who)
		}
		return nil
	})
}

func threadLeave(c *call) (answer, error) {
	return noContent, c.w.Locked(func() error {
		ch, err := threadOf(c)
		if err != nil {
			return err
		}
		who := c.follower()
		i := ch.follower(who)
		switch {
		case ch.Archived:
			return errArchived
		case who != c.App && !c.w.state.permissions(c.App, ch).Has(ManageThreads):
			return errMissingPermissions
		case i < 0:
			return errUnknownMember
		}
		changed := *ch
		changed.Followers = slices.Delete(slices.Clone(ch.Followers), i, i+1)
		c.w.Put(change{Channel: &changed})
		c.w.events.ThreadMembers(&changed, nil, []string{who})
		return nil
	})
}

// Follow makes an account a member of a thread, unless it already is one.
func (gs *Guilds) Follow(ch *Channel, userID string) {
	if ch.follower(userID) >= 0 || gs.w.state.guilds[ch.GuildID].member(userID) == nil {
		return
	}
	changed := *ch
	changed.Followers = append(slices.Clone(ch.Followers), threadMember{userID, stamp(gs.w.clock.Now())})
	gs.w.Put(change{Channel: &changed})
	gs.w.events.ThreadMembers(&changed, []threadMemberObject{gs.w.state.threadMember(&changed, len(changed.Followers)-1, true)}, nil)
}
