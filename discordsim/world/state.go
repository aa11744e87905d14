package world

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// State is all data that must survive a restart. Only apply changes it, and every change is recorded in the journal.
type State struct {
	Accounts     map[string]*Account
	AccountOrder []string
	Guilds       map[string]*Guild
	GuildOrder   []string
	Channels     map[string]*Channel
	ChannelOrder []string
	directs      map[[2]string]*Channel
	Applications map[string]*application
	Commands     map[string]*Command
	Overrides    map[string]*CommandPermissions // by server and command or application
	Posts        map[string][]*Post             // by channel, oldest first
	PostByID     map[string]*Post
	Grants       map[string]*Grant // by interaction
	Files        map[string]*File
	fileOrder    []string // oldest first
	fileBytes    int
	Emojis       map[string]*ApplicationEmoji
	Webhooks     map[string]*Webhook
	Avatars      map[string]*Avatar // by hash
	offset       time.Duration
	mint         mint

	journal *journal // nil if the state is kept only in memory
	pending []Change
}

// Change is one step from one state to the next. Exactly one field is set.
type Change struct {
	Offset         *time.Duration      `json:"offset,omitempty"`
	Account        *Account            `json:"account,omitempty"`
	Guild          *Guild              `json:"guild,omitempty"`
	Channel        *Channel            `json:"channel,omitempty"`
	ChannelDeleted string              `json:"channel_deleted,omitempty"`
	Application    *application        `json:"application,omitempty"`
	Command        *Command            `json:"command,omitempty"`
	CommandDeleted string              `json:"command_deleted,omitempty"`
	Overrides      *CommandPermissions `json:"command_permissions,omitempty"`
	Post           *Post               `json:"post,omitempty"`
	Deleted        string              `json:"deleted,omitempty"`
	Grant          *Grant              `json:"grant,omitempty"`
	File           *File               `json:"file,omitempty"`
	FileDeleted    string              `json:"file_deleted,omitempty"`
	Emoji          *ApplicationEmoji   `json:"emoji,omitempty"`
	EmojiDeleted   string              `json:"emoji_deleted,omitempty"`
	Webhook        *Webhook            `json:"webhook,omitempty"`
	WebhookDeleted string              `json:"webhook_deleted,omitempty"`
	Avatar         *Avatar             `json:"avatar,omitempty"`
}

func newState() *State {
	return &State{
		Accounts: map[string]*Account{}, Guilds: map[string]*Guild{}, Channels: map[string]*Channel{},
		directs: map[[2]string]*Channel{}, Applications: map[string]*application{}, Commands: map[string]*Command{},
		Posts: map[string][]*Post{}, PostByID: map[string]*Post{}, Grants: map[string]*Grant{}, Files: map[string]*File{},
		Overrides: map[string]*CommandPermissions{},
		Emojis:    map[string]*ApplicationEmoji{}, Webhooks: map[string]*Webhook{}, Avatars: map[string]*Avatar{},
	}
}

func (st *State) apply(c Change) {
	switch {
	case c.Offset != nil:
		st.offset = *c.Offset
	case c.Account != nil:
		if st.Accounts[c.Account.ID] == nil {
			st.AccountOrder = append(st.AccountOrder, c.Account.ID)
		}
		st.Accounts[c.Account.ID] = c.Account
		st.mint.seen(c.Account.ID)
	case c.Guild != nil:
		if st.Guilds[c.Guild.ID] == nil {
			st.GuildOrder = append(st.GuildOrder, c.Guild.ID)
		}
		st.Guilds[c.Guild.ID] = c.Guild
		st.mint.seen(c.Guild.ID)
	case c.Channel != nil:
		st.putChannel(c.Channel)
	case c.ChannelDeleted != "":
		st.dropChannel(c.ChannelDeleted)
	case c.Application != nil:
		st.Applications[c.Application.ID] = c.Application
	case c.Command != nil:
		st.Commands[c.Command.ID] = c.Command
		st.mint.seen(c.Command.Version)
	case c.CommandDeleted != "":
		delete(st.Commands, c.CommandDeleted)
		maps.DeleteFunc(st.Overrides, func(_ string, o *CommandPermissions) bool { return o.ID == c.CommandDeleted })
	case c.Overrides != nil:
		if st.Overrides[c.Overrides.key()] = c.Overrides; len(c.Overrides.Permissions) == 0 {
			delete(st.Overrides, c.Overrides.key())
		}
	case c.Post != nil:
		st.applyPost(c.Post)
	case c.Deleted != "":
		st.dropPost(c.Deleted)
	case c.Grant != nil:
		st.Grants[c.Grant.Interaction] = c.Grant
		st.mint.seen(c.Grant.Interaction)
	case c.FileDeleted != "":
		st.dropFiles(func(f *File) bool { return f.ID == c.FileDeleted })
	case c.File != nil:
		st.putFile(c.File)
	case c.Emoji != nil:
		st.Emojis[c.Emoji.ID] = c.Emoji
		st.mint.seen(c.Emoji.ID)
	case c.EmojiDeleted != "":
		delete(st.Emojis, c.EmojiDeleted)
	case c.Webhook != nil:
		st.Webhooks[c.Webhook.ID] = c.Webhook
		st.mint.seen(c.Webhook.ID)
	case c.WebhookDeleted != "":
		delete(st.Webhooks, c.WebhookDeleted)
	case c.Avatar != nil:
		st.Avatars[c.Avatar.Hash] = c.Avatar
	}
}

// putFile adds a file, or replaces it if its description has changed. It removes the oldest files beyond the limit.
func (st *State) putFile(added *File) {
	if st.Files[added.ID] != nil {
		st.dropFiles(func(f *File) bool { return f.ID == added.ID })
	}
	st.Files[added.ID] = added
	st.fileOrder = append(st.fileOrder, added.ID)
	st.fileBytes += len(added.Data)
	st.mint.seen(added.ID)
	for st.fileBytes > KeptFiles {
		oldest := st.fileOrder[0]
		st.dropFiles(func(f *File) bool { return f.ID == oldest })
	}
}

// putChannel adds a channel, or replaces its earlier version.
func (st *State) putChannel(ch *Channel) {
	if st.Channels[ch.ID] == nil {
		st.ChannelOrder = append(st.ChannelOrder, ch.ID)
	}
	st.Channels[ch.ID] = ch
	if r := ch.Recipients; ch.Type == ChannelDirect && len(r) == 2 {
		st.directs[pair(r[0], r[1])] = ch
	}
	st.mint.seen(ch.ID)
}

// dropChannel removes a channel with its messages, files and webhooks.
func (st *State) dropChannel(channel string) {
	for _, p := range st.Posts[channel] {
		delete(st.PostByID, p.Message.ID)
	}
	st.dropFiles(func(f *File) bool { return f.Channel == channel })
	delete(st.Posts, channel)
	delete(st.Channels, channel)
	maps.DeleteFunc(st.Webhooks, func(_ string, w *Webhook) bool { return w.Channel == channel })
	st.ChannelOrder = slices.DeleteFunc(st.ChannelOrder, func(id string) bool { return id == channel })
}

// dropPost removes a message with its files.
func (st *State) dropPost(message string) {
	p := st.PostByID[message]
	if p == nil {
		return
	}
	ch := p.Message.ChannelID
	if i, found := st.postIndex(ch, message); found {
		st.Posts[ch] = slices.Delete(st.Posts[ch], i, i+1)
	}
	delete(st.PostByID, message)
	st.dropFiles(func(f *File) bool { return f.Message == message })
}

// dropFiles removes the files for which dropped returns true.
func (st *State) dropFiles(dropped func(*File) bool) {
	st.fileOrder = slices.DeleteFunc(st.fileOrder, func(id string) bool {
		f := st.Files[id]
		if !dropped(f) {
			return false
		}
		st.fileBytes -= len(f.Data)
		delete(st.Files, id)
		return true
	})
}

func (st *State) applyPost(p *Post) {
	ch, id := p.Message.ChannelID, p.Message.ID
	if i, found := st.postIndex(ch, id); found {
		st.Posts[ch][i] = p
	} else {
		st.Posts[ch] = slices.Insert(st.Posts[ch], i, p)
	}
	st.PostByID[id] = p
	st.mint.seen(id)
}

// postIndex returns the index of a message in its channel, or the index at which
// it would be inserted.
func (st *State) postIndex(channelID, id string) (int, bool) {
	return slices.BinarySearchFunc(st.Posts[channelID], id, func(p *Post, id string) int {
		return CompareIDs(p.Message.ID, id)
	})
}

// snapshot returns the shortest list of changes that creates this state.
func (st *State) snapshot(now time.Time) []Change {
	changes := []Change{{Offset: &st.offset}}
	for _, id := range st.AccountOrder {
		changes = append(changes, Change{Account: st.Accounts[id]})
	}
	for _, id := range st.GuildOrder {
		changes = append(changes, Change{Guild: st.Guilds[id]})
	}
	for _, id := range st.ChannelOrder {
		changes = append(changes, Change{Channel: st.Channels[id]})
	}
	for _, app := range st.Applications {
		changes = append(changes, Change{Application: app})
	}
	for _, cmd := range st.Commands {
		changes = append(changes, Change{Command: cmd})
	}
	for _, o := range st.Overrides {
		changes = append(changes, Change{Overrides: o})
	}
	for _, e := range st.Emojis {
		changes = append(changes, Change{Emoji: e})
	}
	for _, w := range st.Webhooks {
		changes = append(changes, Change{Webhook: w})
	}
	for _, a := range st.Avatars {
		changes = append(changes, Change{Avatar: a})
	}
	for _, id := range st.ChannelOrder {
		for _, p := range st.Posts[id] {
			changes = append(changes, Change{Post: p})
		}
	}
	for _, id := range st.fileOrder {
		changes = append(changes, Change{File: st.Files[id]})
	}
	for _, g := range st.Grants {
		if !g.Expired(now) {
			changes = append(changes, Change{Grant: g})
		}
	}
	return changes
}

// flush writes the changes since the last flush to the journal.
func (st *State) flush() error {
	changes := st.pending
	st.pending = nil
	if st.journal == nil || len(changes) == 0 {
		return nil
	}
	return st.journal.append(changes)
}

// Account finds a person or a bot by name or id.
func (st *State) Account(ref string) *Account {
	if a := st.Accounts[ref]; a != nil {
		return a
	}
	return st.AccountByName(ref)
}

// AccountByName returns the account with a username, or nil.
func (st *State) AccountByName(name string) *Account {
	for _, a := range st.Accounts {
		if a.Username == name {
			return a
		}
	}
	return nil
}

func (st *State) direct(a, b string) *Channel { return st.directs[pair(a, b)] }

func pair(a, b string) [2]string { return [2]string{min(a, b), max(a, b)} }

// CommandsOf lists an application's commands in a guild, or its global ones,
// oldest first.
func (st *State) CommandsOf(appID, guildID string) []*Command {
	var found []*Command
	for _, cmd := range st.Commands {
		if cmd.ApplicationID == appID && cmd.GuildID == guildID {
			found = append(found, cmd)
		}
	}
	slices.SortFunc(found, func(a, b *Command) int { return CompareIDs(a.ID, b.ID) })
	return found
}

// Sees reports whether an account can see a message.
func (st *State) Sees(userID string, p *Post) bool {
	ch := st.Channels[p.Message.ChannelID]
	return p.VisibleTo(userID) && st.Permissions(userID, ch).Has(ViewChannel)
}

// Person finds a person by name or id. It does not find bots.
func (st *State) Person(ref string) (*Account, error) {
	a := st.Account(ref)
	if a == nil || a.Bot {
		return nil, fmt.Errorf("%w: no person %q", ErrNotFound, ref)
	}
	return a, nil
}
