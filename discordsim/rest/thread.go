package rest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"tictactoe/discordsim/check"
	"tictactoe/discordsim/world"
)

var threadRoutes = []route{
	{pattern: "POST /channels/{channel}/messages/{message}/threads", serve: threadFromMessage, limit: messageBudget},
	{pattern: "POST /channels/{channel}/threads", serve: threadCreate, limit: messageBudget},
	{pattern: "GET /guilds/{guild}/threads/active", serve: threadsActive, limit: lookUpBudget},
	{pattern: "GET /channels/{channel}/threads/archived/public", serve: threadsArchived(false), limit: readBudget},
	{pattern: "GET /channels/{channel}/threads/archived/private", serve: threadsArchived(true), limit: readBudget},
	{pattern: "GET /channels/{channel}/users/@me/threads/archived/private", serve: threadsJoined, limit: readBudget},
	{pattern: "GET /channels/{channel}/thread-members", serve: threadMembers, limit: readBudget},
	{pattern: "GET /channels/{channel}/thread-members/{user}", serve: threadMemberGet, limit: readBudget},
	{pattern: "PUT /channels/{channel}/thread-members/@me", serve: threadJoin, limit: readBudget},
	{pattern: "PUT /channels/{channel}/thread-members/{user}", serve: threadJoin, limit: readBudget},
	{pattern: "DELETE /channels/{channel}/thread-members/@me", serve: threadLeave, limit: readBudget},
	{pattern: "DELETE /channels/{channel}/thread-members/{user}", serve: threadLeave, limit: readBudget},
}

// threadBody is a bot's request to create or change a thread.
type threadBody struct {
	Name        *string `json:"name"`
	Type        *int    `json:"type"`
	AutoArchive *int    `json:"auto_archive_duration"`
	SlowMode    *int    `json:"rate_limit_per_user"`
	Archived    *bool   `json:"archived"`
	Locked      *bool   `json:"locked"`
	Invitable   *bool   `json:"invitable"`
	Flags       *int    `json:"flags"`
	// Tags are the ids of the tags of a post.
	Tags *[]world.Snowflake `json:"applied_tags"`
}

// write applies the body to ch, which is a new thread or a copy of one.
func (b threadBody) write(ch *world.Channel, now world.Timestamp) {
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
	if b.Invitable != nil && ch.IsPrivate() {
		ch.Invitable = *b.Invitable
	}
	if b.Archived != nil {
		ch.Archived, ch.Turned = *b.Archived, now
	}
	if b.Flags != nil {
		ch.Pinned = *b.Flags&world.ChannelPinned != 0
	}
	if b.Tags != nil {
		ch.Tags = plain(*b.Tags)
	}
}

// plain returns ids as strings, without duplicates.
func plain(ids []world.Snowflake) (texts []string) {
	for _, id := range ids {
		if !slices.Contains(texts, string(id)) {
			texts = append(texts, string(id))
		}
	}
	return texts
}

// channel returns the channel of a request, which may be nil.
func (c *call) channel() *world.Channel {
	c.w.Lock()
	defer c.w.Unlock()
	return c.w.State.Channels[c.PathValue("channel")]
}

func threadFromMessage(c *call) (answer, error) {
	return newThread(c, func(parent *world.Channel, body threadBody) (*world.Channel, error) {
		p, err := postOf(c)
		switch {
		case err != nil:
			return nil, err
		case c.w.State.Channels[p.Message.ID] != nil:
			return nil, check.ErrThreadExists
		case p.Message.Type == world.MessagePin || p.Message.Type == world.MessageThread:
			return nil, check.ErrSystemMessage
		}
		thread := makeThread(c.w, parent, p.Message.ID, c.App, body)
		m := *p.Message
		m.Flags |= world.FlagHasThread
		marked := p.With(&m)
		c.w.Put(world.Change{Post: marked})
		c.w.Events.Message("MESSAGE_UPDATE", marked)
		c.w.Events.PublishMessage(marked, false)
		about := &world.MessageReference{MessageID: m.ID, ChannelID: parent.ID, GuildID: parent.GuildID}
		c.w.Messages.Note(thread, world.MessageStarter, p.Message.Author, about, "")
		return thread, nil
	})
}

func threadCreate(c *call) (answer, error) {
	if ch := c.channel(); ch != nil && ch.IsForum() {
		return postCreate(c)
	}
	return newThread(c, func(parent *world.Channel, body threadBody) (*world.Channel, error) {
		thread := makeThread(c.w, parent, c.w.NextID(), c.App, body)
		if thread.IsPrivate() {
			return thread, nil
		}
		about := &world.MessageReference{ChannelID: thread.ID, GuildID: thread.GuildID}
		c.w.Messages.Note(parent, world.MessageThread, c.w.State.Accounts[c.App].Profile, about, thread.Name)
		return thread, nil
	})
}

// postCreate creates a forum post with its first message.
func postCreate(c *call) (a answer, err error) {
	if err := c.passes(c.api.checker.PostCreate(c.Body)); err != nil {
		return a, err
	}
	var in struct {
		threadBody
		Message json.RawMessage `json:"message"`
	}
	if err := c.decode(&in); err != nil {
		return a, err
	}
	body, err := readMessage(in.Message, c.Files, "message")
	if err != nil {
		return a, err
	}
	err = c.w.Locked(func() error {
		need := world.SendMessages
		if len(c.Files) > 0 {
			need |= world.AttachFiles
		}
		forum, err := access(c, need)
		if err != nil {
			return err
		}
		if body, err = permitted(c, forum, body); err != nil {
			return err
		}
		post := newPost(c.w, forum, c.App, in.threadBody)
		if err := forum.Forum.Taggable(post.Tags, c.w.State.Permissions(c.App, forum).Has(world.ManageThreads)); err != nil {
			return err
		}
		post.Followers = []world.ThreadMember{{UserID: c.App, Joined: post.Turned}}
		m := c.w.Messages.Draft(c.w.State.Accounts[c.App].Profile, post, world.MessagePlain)
		m.Flags = body.flags(world.FlagSuppressEmbeds | world.FlagSuppressNotifications | world.FlagComponentsV2)
		m.Theme = body.Theme
		if err := send(c.w, post, m, body); err != nil {
			return err
		}
		a = answer{http.StatusCreated, struct {
			world.ChannelObject
			Message *world.Message `json:"message"`
		}{c.w.State.ChannelObject(c.w.State.Channels[post.ID], c.App), c.w.State.MessageFor(c.w.State.PostByID[m.ID], c.App)}}
		return nil
	})
	return a, err
}

// newPost returns a new post of a forum. Sending its first message adds it to the server.
func newPost(w *world.World, forum *world.Channel, maker string, body threadBody) *world.Channel {
	now := world.Stamp(w.Clock.Now())
	body.Flags, body.Archived, body.Locked = nil, nil, nil
	post := &world.Channel{
		ID: w.NextID(), Type: world.ChannelPublicThread, GuildID: forum.GuildID, ParentID: forum.ID, Owner: maker, Turned: now,
		AutoArchive: forum.ThreadArchive, SlowMode: forum.ThreadSlowMode,
	}
	body.write(post, now)
	return post
}

// newThread calls begin with the channel in which a request creates a thread, and returns the thread that begin
// creates.
func newThread(c *call, begin func(*world.Channel, threadBody) (*world.Channel, error)) (a answer, err error) {
	if refused := c.api.checker.ThreadCreate(c.Body); refused != nil {
		return a, refused
	}
	var body threadBody
	if err := c.decode(&body); err != nil {
		return a, err
	}
	err = c.w.Locked(func() error {
		parent, need := c.w.State.Channels[c.PathValue("channel")], world.CreatePublicThreads
		if parent != nil {
			kind := body.kind(c, parent)
			if world.ParentType(kind) != parent.Type {
				return check.ErrWrongChannel
			}
			if body.Type = &kind; kind == world.ChannelPrivateThread {
				need = world.CreatePrivateThreads
			}
		}
		if _, err := access(c, need); err != nil {
			return err
		}
		thread, err := begin(parent, body)
		if err != nil {
			return err
		}
		a = answer{http.StatusCreated, c.w.State.ChannelObject(c.w.State.Channels[thread.ID], c.App)}
		return nil
	})
	return a, err
}

// kind returns the type of the thread that a request creates. Without a message and a type, Discord creates a private
// thread.
func (b threadBody) kind(c *call, parent *world.Channel) int {
	switch {
	case c.PathValue("message") == "" && b.Type == nil:
		return world.ChannelPrivateThread
	case c.PathValue("message") == "":
		return *b.Type
	case parent.Type == world.ChannelNews:
		return world.ChannelNewsThread
	}
	return world.ChannelPublicThread
}

// makeThread creates a thread and makes its creator a member. Members of a private thread can add others unless the
// request says otherwise.
func makeThread(w *world.World, parent *world.Channel, id, maker string, body threadBody) *world.Channel {
	now := world.Stamp(w.Clock.Now())
	thread := &world.Channel{
		ID: id, Type: *body.Type, GuildID: parent.GuildID, ParentID: parent.ID, Owner: maker, Turned: now,
		Followers: []world.ThreadMember{{UserID: maker, Joined: now}}, AutoArchive: parent.ThreadArchive, SlowMode: parent.ThreadSlowMode,
	}
	thread.Invitable = thread.IsPrivate()
	body.write(thread, now)
	w.Guilds.PutChannel(thread)
	return thread
}

// threadOf returns the thread of a request, if the application sees it.
func threadOf(c *call) (*world.Channel, error) {
	ch, err := access(c, 0)
	if err == nil && !ch.IsThread() {
		err = check.ErrWrongChannel
	}
	return ch, err
}

// postRefused returns the refusal of a change to the pin or the tags of a forum post, or nil. Other threads have
// neither.
func (b threadBody) postRefused(w *world.World, post *world.Channel, moderator bool) error {
	forum := w.State.Channels[post.ParentID]
	if forum == nil || !forum.IsForum() {
		return nil
	}
	if pin := b.Flags != nil && *b.Flags&world.ChannelPinned != 0; pin && !post.Pinned {
		if !moderator {
			return check.ErrMissingPermissions
		}
		for _, other := range w.State.Channels {
			if other.ParentID == forum.ID && other.Pinned {
				return check.ErrPinnedPost
			}
		}
	}
	if b.Tags == nil {
		return nil
	}
	return forum.Forum.Taggable(plain(*b.Tags), moderator)
}

// threadEdit changes a thread. The thread's creator may change everything but the lock, and everyone who may write in
// the thread may reopen it.
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
		may := c.w.State.Permissions(c.App, old)
		opens := body.Archived != nil && !*body.Archived
		only := body == threadBody{Archived: body.Archived}
		switch {
		case may.Has(world.ManageThreads):
		case body.Locked != nil, old.Locked:
			return check.ErrMissingPermissions
		case old.Owner == c.App, opens && only && may.Has(world.SendMessagesInThreads):
		default:
			return check.ErrMissingPermissions
		}
		if old.Archived && !opens {
			return check.ErrArchived
		}
		if err := body.postRefused(c.w, old, may.Has(world.ManageThreads)); err != nil {
			return err
		}
		changed := *old
		body.write(&changed, world.Stamp(c.w.Clock.Now()))
		c.w.Guilds.ReplaceChannel(old, &changed)
		a = ok(c.w.State.ChannelObject(&changed, c.App))
		return nil
	})
	return a, err
}

// visibleThreads returns the threads that an application sees and for which matches returns true, newest first.
func visibleThreads(w *world.World, app string, matches func(*world.Channel) bool) (threads []*world.Channel) {
	for _, id := range slices.Backward(w.State.ChannelOrder) {
		if ch := w.State.Channels[id]; ch.IsThread() && matches(ch) && w.State.Permissions(app, ch).Has(world.ViewChannel) {
			threads = append(threads, ch)
		}
	}
	return threads
}

// threadList returns the response for a list of threads, which includes the application's membership of each thread.
func threadList(w *world.World, app string, list []*world.Channel) map[string]any {
	threads, members := []world.ChannelObject{}, []world.ThreadMemberObject{}
	for _, ch := range list {
		threads = append(threads, w.State.ChannelObject(ch, app))
		if i := ch.Follower(app); i >= 0 {
			members = append(members, w.Threads.Member(ch, i, false))
		}
	}
	return map[string]any{"threads": threads, "members": members}
}

func threadsActive(c *call) (answer, error) {
	return inGuild(c, func(g *world.Guild) (any, error) {
		active := visibleThreads(c.w, c.App, func(ch *world.Channel) bool { return ch.GuildID == g.ID && !ch.Archived })
		return threadList(c.w, c.App, active), nil
	})
}

// threadsArchived returns a handler that lists the archived threads of a channel, public or private, most recently
// archived first.
func threadsArchived(private bool) func(*call) (answer, error) {
	need := world.ReadMessageHistory
	if private {
		need |= world.ManageThreads
	}
	return func(c *call) (a answer, err error) {
		query := c.URL.Query()
		limit, err := limitOf(query, 50, 100)
		if err != nil {
			return a, err
		}
		before, err := timeOf(query, "before")
		if err != nil {
			return a, err
		}
		err = c.w.Locked(func() error {
			parent, err := access(c, need)
			if err != nil {
				return err
			}
			list := visibleThreads(c.w, c.App, func(ch *world.Channel) bool {
				return ch.ParentID == parent.ID && ch.Archived && ch.IsPrivate() == private && (before.IsZero() || ch.Turned.Before(before))
			})
			slices.SortStableFunc(list, func(a, b *world.Channel) int { return b.Turned.Compare(a.Turned.Time) })
			a = firstThreads(c, list, limit)
			return nil
		})
		return a, err
	}
}

// threadsJoined lists the archived private threads of a channel that the application is a member of, newest first.
func threadsJoined(c *call) (a answer, err error) {
	query := c.URL.Query()
	limit, err := limitOf(query, 50, 100)
	if err != nil {
		return a, err
	}
	before, err := idOf(query, "before")
	if err != nil {
		return a, err
	}
	err = c.w.Locked(func() error {
		parent, err := access(c, world.ReadMessageHistory)
		if err != nil {
			return err
		}
		a = firstThreads(c, visibleThreads(c.w, c.App, func(ch *world.Channel) bool {
			joined := ch.IsPrivate() && ch.Follower(c.App) >= 0
			return ch.ParentID == parent.ID && ch.Archived && joined && (before == "" || world.CompareIDs(ch.ID, before) < 0)
		}), limit)
		return nil
	})
	return a, err
}

// firstThreads returns the first threads of a list, and whether there are more.
func firstThreads(c *call, threads []*world.Channel, limit int) answer {
	list := threadList(c.w, c.App, threads[:min(limit, len(threads))])
	list["has_more"] = len(threads) > limit
	return ok(list)
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
		var ids []string
		for _, m := range ch.Followers {
			if !whole || after == "" || world.CompareIDs(m.UserID, after) > 0 {
				ids = append(ids, m.UserID)
			}
		}
		if whole { // only a list with the members' objects has pages
			slices.SortFunc(ids, world.CompareIDs)
			ids = ids[:min(len(ids), limit)]
		}
		members := []world.ThreadMemberObject{}
		for _, id := range ids {
			members = append(members, c.w.Threads.Member(ch, ch.Follower(id), whole))
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
		i := ch.Follower(c.PathValue("user"))
		if i < 0 {
			return check.ErrUnknownMember
		}
		a = ok(c.w.Threads.Member(ch, i, c.URL.Query().Get("with_member") == "true"))
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
			return check.ErrArchived
		case c.w.State.Guilds[ch.GuildID].Member(who) == nil:
			return check.ErrUnknownMember
		case who != c.App && !c.w.Threads.MayAdd(ch, c.App, who):
			return check.ErrMissingPermissions
		default:
			c.w.Threads.Follow(ch, who)
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
		own := who == c.App || ch.IsPrivate() && ch.Owner == c.App
		switch {
		case ch.Archived:
			return check.ErrArchived
		case !own && !c.w.State.Permissions(c.App, ch).Has(world.ManageThreads):
			return check.ErrMissingPermissions
		case ch.Follower(who) < 0:
			return check.ErrUnknownMember
		}
		c.w.Threads.Unfollow(ch, who)
		return nil
	})
}
