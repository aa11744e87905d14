package discordsim

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// state is all data that must survive a restart. It is changed only by apply, and
// every change is recorded in the journal.
type state struct {
	accounts     map[string]*account
	accountOrder []string
	guilds       map[string]*Guild
	guildOrder   []string
	channels     map[string]*Channel
	channelOrder []string
	directs      map[[2]string]*Channel
	applications map[string]*application
	commands     map[string]*Command
	posts        map[string][]*post // by channel, oldest first
	postByID     map[string]*post
	grants       map[string]*grant // by interaction
	files        map[string]*file
	fileOrder    []string // oldest first
	fileBytes    int
	emojis       map[string]*ownEmoji
	webhooks     map[string]*webhook
	avatars      map[string]*avatar // by hash
	offset       time.Duration
	mint         mint

	journal *journal // nil if the state is kept only in memory
	pending []change
}

// change is one step from one state to the next. Exactly one field is set.
type change struct {
	Offset         *time.Duration `json:"offset,omitempty"`
	Account        *account       `json:"account,omitempty"`
	Guild          *Guild         `json:"guild,omitempty"`
	Channel        *Channel       `json:"channel,omitempty"`
	ChannelDeleted string         `json:"channel_deleted,omitempty"`
	Application    *application   `json:"application,omitempty"`
	Command        *Command       `json:"command,omitempty"`
	CommandDeleted string         `json:"command_deleted,omitempty"`
	Post           *post          `json:"post,omitempty"`
	Deleted        string         `json:"deleted,omitempty"`
	Grant          *grant         `json:"grant,omitempty"`
	File           *file          `json:"file,omitempty"`
	FileDeleted    string         `json:"file_deleted,omitempty"`
	Emoji          *ownEmoji      `json:"emoji,omitempty"`
	EmojiDeleted   string         `json:"emoji_deleted,omitempty"`
	Webhook        *webhook       `json:"webhook,omitempty"`
	WebhookDeleted string         `json:"webhook_deleted,omitempty"`
	Avatar         *avatar        `json:"avatar,omitempty"`
}

func newState() *state {
	return &state{
		accounts: map[string]*account{}, guilds: map[string]*Guild{}, channels: map[string]*Channel{},
		directs: map[[2]string]*Channel{}, applications: map[string]*application{}, commands: map[string]*Command{},
		posts: map[string][]*post{}, postByID: map[string]*post{}, grants: map[string]*grant{}, files: map[string]*file{},
		emojis: map[string]*ownEmoji{}, webhooks: map[string]*webhook{}, avatars: map[string]*avatar{},
	}
}

func (st *state) apply(c change) {
	switch {
	case c.Offset != nil:
		st.offset = *c.Offset
	case c.Account != nil:
		if st.accounts[c.Account.ID] == nil {
			st.accountOrder = append(st.accountOrder, c.Account.ID)
		}
		st.accounts[c.Account.ID] = c.Account
		st.mint.seen(c.Account.ID)
	case c.Guild != nil:
		if st.guilds[c.Guild.ID] == nil {
			st.guildOrder = append(st.guildOrder, c.Guild.ID)
		}
		st.guilds[c.Guild.ID] = c.Guild
		st.mint.seen(c.Guild.ID)
	case c.Channel != nil:
		st.putChannel(c.Channel)
	case c.ChannelDeleted != "":
		st.dropChannel(c.ChannelDeleted)
	case c.Application != nil:
		st.applications[c.Application.ID] = c.Application
	case c.Command != nil:
		st.commands[c.Command.ID] = c.Command
		st.mint.seen(c.Command.Version)
	case c.CommandDeleted != "":
		delete(st.commands, c.CommandDeleted)
	case c.Post != nil:
		st.applyPost(c.Post)
	case c.Deleted != "":
		st.dropPost(c.Deleted)
	case c.Grant != nil:
		st.grants[c.Grant.Interaction] = c.Grant
		st.mint.seen(c.Grant.Interaction)
	case c.FileDeleted != "":
		st.dropFiles(func(f *file) bool { return f.ID == c.FileDeleted })
	case c.File != nil:
		st.putFile(c.File)
	case c.Emoji != nil:
		st.emojis[c.Emoji.ID] = c.Emoji
		st.mint.seen(c.Emoji.ID)
	case c.EmojiDeleted != "":
		delete(st.emojis, c.EmojiDeleted)
	case c.Webhook != nil:
		st.webhooks[c.Webhook.ID] = c.Webhook
		st.mint.seen(c.Webhook.ID)
	case c.WebhookDeleted != "":
		delete(st.webhooks, c.WebhookDeleted)
	case c.Avatar != nil:
		st.avatars[c.Avatar.Hash] = c.Avatar
	}
}

// putFile adds a file, or replaces a file whose description has changed. It drops the oldest files beyond the limit.
func (st *state) putFile(added *file) {
	if st.files[added.ID] != nil {
		st.dropFiles(func(f *file) bool { return f.ID == added.ID })
	}
	st.files[added.ID] = added
	st.fileOrder = append(st.fileOrder, added.ID)
	st.fileBytes += len(added.Data)
	st.mint.seen(added.ID)
	for st.fileBytes > keptFiles {
		oldest := st.fileOrder[0]
		st.dropFiles(func(f *file) bool { return f.ID == oldest })
	}
}

// putChannel adds a channel, or replaces its earlier version.
func (st *state) putChannel(ch *Channel) {
	if st.channels[ch.ID] == nil {
		st.channelOrder = append(st.channelOrder, ch.ID)
	}
	st.channels[ch.ID] = ch
	if r := ch.Recipients; len(r) == 2 {
		st.directs[pair(r[0], r[1])] = ch
	}
	st.mint.seen(ch.ID)
}

// dropChannel removes a channel with its messages, files and webhooks.
func (st *state) dropChannel(channel string) {
	for _, p := range st.posts[channel] {
		delete(st.postByID, p.Message.ID)
	}
	st.dropFiles(func(f *file) bool { return f.Channel == channel })
	delete(st.posts, channel)
	delete(st.channels, channel)
	maps.DeleteFunc(st.webhooks, func(_ string, w *webhook) bool { return w.Channel == channel })
	st.channelOrder = slices.DeleteFunc(st.channelOrder, func(id string) bool { return id == channel })
}

// dropPost removes a message with its files.
func (st *state) dropPost(message string) {
	p := st.postByID[message]
	if p == nil {
		return
	}
	ch := p.Message.ChannelID
	if i, found := st.postIndex(ch, message); found {
		st.posts[ch] = slices.Delete(st.posts[ch], i, i+1)
	}
	delete(st.postByID, message)
	st.dropFiles(func(f *file) bool { return f.Message == message })
}

// dropFiles removes the files that satisfy which.
func (st *state) dropFiles(which func(*file) bool) {
	st.fileOrder = slices.DeleteFunc(st.fileOrder, func(id string) bool {
		f := st.files[id]
		if !which(f) {
			return false
		}
		st.fileBytes -= len(f.Data)
		delete(st.files, id)
		return true
	})
}

func (st *state) applyPost(p *post) {
	ch, id := p.Message.ChannelID, p.Message.ID
	if i, found := st.postIndex(ch, id); found {
		st.posts[ch][i] = p
	} else {
		st.posts[ch] = slices.Insert(st.posts[ch], i, p)
	}
	st.postByID[id] = p
	st.mint.seen(id)
}

// postIndex returns the index of a message in its channel, or the index at which
// it would be inserted.
func (st *state) postIndex(channelID, id string) (int, bool) {
	return slices.BinarySearchFunc(st.posts[channelID], id, func(p *post, id string) int {
		return compareIDs(p.Message.ID, id)
	})
}

// snapshot returns the shortest list of changes that creates this state.
func (st *state) snapshot(now time.Time) []change {
	changes := []change{{Offset: &st.offset}}
	for _, id := range st.accountOrder {
		changes = append(changes, change{Account: st.accounts[id]})
	}
	for _, id := range st.guildOrder {
		changes = append(changes, change{Guild: st.guilds[id]})
	}
	for _, id := range st.channelOrder {
		changes = append(changes, change{Channel: st.channels[id]})
	}
	for _, app := range st.applications {
		changes = append(changes, change{Application: app})
	}
	for _, cmd := range st.commands {
		changes = append(changes, change{Command: cmd})
	}
	for _, e := range st.emojis {
		changes = append(changes, change{Emoji: e})
	}
	for _, w := range st.webhooks {
		changes = append(changes, change{Webhook: w})
	}
	for _, a := range st.avatars {
		changes = append(changes, change{Avatar: a})
	}
	for _, id := range st.channelOrder {
		for _, p := range st.posts[id] {
			changes = append(changes, change{Post: p})
		}
	}
	for _, id := range st.fileOrder {
		changes = append(changes, change{File: st.files[id]})
	}
	for _, g := range st.grants {
		if !g.expired(now) {
			changes = append(changes, change{Grant: g})
		}
	}
	return changes
}

// flush writes the changes since the last flush to the journal.
func (st *state) flush() error {
	changes := st.pending
	st.pending = nil
	if st.journal == nil || len(changes) == 0 {
		return nil
	}
	return st.journal.append(changes)
}

// account finds a person or a bot by name or id.
func (st *state) account(ref string) *account {
	if a := st.accounts[ref]; a != nil {
		return a
	}
	return st.accountByName(ref)
}

func (st *state) accountByName(name string) *account {
	for _, a := range st.accounts {
		if a.Username == name {
			return a
		}
	}
	return nil
}

func (st *state) direct(a, b string) *Channel { return st.directs[pair(a, b)] }

func pair(a, b string) [2]string { return [2]string{min(a, b), max(a, b)} }

// commandsOf lists an application's commands in a guild, or its global ones,
// oldest first.
func (st *state) commandsOf(appID, guildID string) []*Command {
	var found []*Command
	for _, cmd := range st.commands {
		if cmd.ApplicationID == appID && cmd.GuildID == guildID {
			found = append(found, cmd)
		}
	}
	slices.SortFunc(found, func(a, b *Command) int { return compareIDs(a.ID, b.ID) })
	return found
}

// sees reports whether an account can see a message.
func (st *state) sees(userID string, p *post) bool {
	ch := st.channels[p.Message.ChannelID]
	return p.visibleTo(userID) && st.permissions(userID, ch).Has(ViewChannel)
}

// person finds a person by name or id. It does not find bots.
func (st *state) person(ref string) (*account, error) {
	a := st.account(ref)
	if a == nil || a.Bot {
		return nil, fmt.Errorf("%w: no person %q", ErrNotFound, ref)
	}
	return a, nil
}
