package people

import (
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"tictactoe/discordsim/check"
	"tictactoe/discordsim/world"
)

// seen returns the person and a message that the person sees. The caller must
// hold the lock.
func (u *User) seen(message string) (*world.Account, *world.Post, error) {
	who, err := u.w.State.Person(u.ref)
	if err != nil {
		return nil, nil, err
	}
	p := u.w.State.PostByID[message]
	if p == nil || !u.w.State.Sees(who.ID, p) {
		return nil, nil, world.NotFoundMessage(message)
	}
	return who, p, nil
}

// Note is a message that a person writes: a text, files or both, or a poll alone.
type Note struct {
	Content string
	// ReplyTo is the id of the message to which the person replies; empty for none. A reply mentions the author of
	// that message.
	ReplyTo string
	Files   []File
	// Poll is a poll to vote on; nil for none.
	Poll *world.PollSpec
	// Title makes the message the first of a new post in a forum. Tags are the names or ids of the post's tags.
	Title string
	Tags  []string
}

// File is a file that a person sends.
type File struct {
	Filename string `json:"filename"`
	Data     []byte `json:"data"` // base64 in JSON
}

// checkLength returns an error for a text whose length no client allows.
func checkLength(content string, least int) error {
	if n := utf8.RuneCountInString(content); n < least || n > 2000 {
		return fmt.Errorf("a message has %d to 2000 characters, not %d", least, n)
	}
	return nil
}

// Write posts a plain message.
func (u *User) Write(channel, content string) (*world.Message, error) {
	return u.Send(channel, Note{Content: content})
}

// Send posts a message, which may be a reply and may have files or a poll.
func (u *User) Send(channel string, note Note) (message *world.Message, err error) {
	err = u.w.Locked(func() error {
		who, err := u.w.State.Person(u.ref)
		if err != nil {
			return err
		}
		ch, err := u.w.Guilds.ChannelFor(who, channel)
		if err != nil {
			return err
		}
		if err := mayWrite(u.w, who, ch, note); err != nil {
			return err
		}
		post := ch.IsForum()
		if post {
			if ch, err = u.w.Guilds.NewPost(ch, who.ID, note.Title, note.Tags); err != nil {
				return err
			}
		}
		message = u.w.Messages.Draft(who.Profile, ch, world.MessagePlain)
		message.Content = world.EmojiText(u.w.State, who.ID, note.Content)
		if note.Poll != nil {
			if message.Poll, err = note.Poll.Poll(u.w.Clock.Now()); err != nil {
				return err
			}
		}
		repliedTo, err := u.reply(message, ch, note.ReplyTo)
		if err != nil {
			return err
		}
		if post {
			u.w.Guilds.PutChannel(ch)
		}
		for _, file := range note.Files {
			f := u.w.Messages.NewFile(world.Upload{Name: file.Filename, Data: file.Data}, ch.ID, message.ID)
			u.w.Put(world.Change{File: f})
			message.Attachments = append(message.Attachments, world.MustJSON(u.w.Attachment(f)))
		}
		u.w.Messages.FillMentions(message, nil, repliedTo)
		p := &world.Post{Message: message}
		u.w.Messages.Post(p)
		message = u.w.State.MessageFor(p, who.ID)
		return nil
	})
	return message, err
}

// reply makes a message a reply to the message with the id to, and returns that message's author. If to is empty, it
// does nothing.
func (u *User) reply(m *world.Message, ch *world.Channel, to string) (author string, err error) {
	if to == "" {
		return "", nil
	}
	_, original, err := u.seen(to)
	if err != nil {
		return "", err
	}
	if original.Message.ChannelID != ch.ID || original.Viewer != "" || original.Message.IsSystem() {
		return "", fmt.Errorf("message %s cannot be replied to here", to)
	}
	m.Type = world.MessageReply
	m.MessageReference = &world.MessageReference{MessageID: to, ChannelID: ch.ID, GuildID: ch.GuildID}
	return original.Message.Author.ID, nil
}

// complete returns an error for a note that no client sends.
func (n Note) complete() error {
	switch {
	case n.Poll != nil && (n.Content != "" || n.ReplyTo != "" || len(n.Files) > 0):
		return fmt.Errorf("a message with a poll has no text and no files, and is no reply")
	case n.Poll != nil || n.Content == "" && len(n.Files) > 0:
		return nil
	}
	return checkLength(n.Content, 1)
}

// mayWrite returns an error if a person may not post a note in a channel.
func mayWrite(w *world.World, who *world.Account, ch *world.Channel, note Note) error {
	if err := note.complete(); err != nil {
		return err
	}
	may := w.State.Permissions(who.ID, ch)
	if !may.Has(ch.Writing()) || ch.Locked && !may.Has(world.ManageThreads) || ch.Type == world.ChannelCategory {
		return fmt.Errorf("%s may not write in this channel", who.Username)
	}
	if titled := note.Title != "" || note.Tags != nil; titled != ch.IsForum() {
		return fmt.Errorf("a message has a title if it is in a forum, where the title makes it a post, and only then")
	}
	if wait := slowedFor(w, who, ch); wait > 0 {
		return fmt.Errorf("%s has to wait %v in this channel, which has slow mode", who.Username, wait)
	}
	if note.ReplyTo != "" && !may.Has(world.ReadMessageHistory) {
		return fmt.Errorf("%s may not reply in this channel without reading its history", who.Username)
	}
	if note.Poll != nil && !may.Has(world.SendPolls) {
		return fmt.Errorf("%s may not ask polls in this channel", who.Username)
	}
	if len(note.Files) == 0 {
		return nil
	}
	if !may.Has(world.AttachFiles) {
		return fmt.Errorf("%s may not attach files in this channel", who.Username)
	}
	if len(note.Files) > check.MaxAttachments {
		return fmt.Errorf("a message has at most %d files, not %d", check.MaxAttachments, len(note.Files))
	}
	for _, f := range note.Files {
		if f.Filename == "" || len(f.Data) > check.MaxFileSize {
			return fmt.Errorf("a file has a name and at most %d bytes, not %q and %d", check.MaxFileSize, f.Filename, len(f.Data))
		}
	}
	return nil
}

// slowedFor returns how long a person has to wait until the next message in a channel with slow mode. Moderators need
// not wait.
func slowedFor(w *world.World, who *world.Account, ch *world.Channel) time.Duration {
	exempt := world.ManageMessages | world.ManageChannels | world.BypassSlowMode
	if ch.SlowMode == 0 || w.State.Permissions(who.ID, ch)&exempt != 0 {
		return 0
	}
	for _, id := range slices.Backward(w.State.ChannelOrder) {
		if post := w.State.Channels[id]; ch.IsForum() && post.ParentID == ch.ID && post.Owner == who.ID {
			return world.MintedAt(id).Add(time.Duration(ch.SlowMode) * time.Second).Sub(w.Clock.Now())
		}
	}
	for _, p := range slices.Backward(w.State.Posts[ch.ID]) {
		if p.Message.Author.ID == who.ID {
			return p.Message.Timestamp.Add(time.Duration(ch.SlowMode) * time.Second).Sub(w.Clock.Now())
		}
	}
	return 0
}

// Edit changes the text of a message that the person wrote.
func (u *User) Edit(message, content string) (edited *world.Message, err error) {
	err = u.w.Locked(func() error {
		who, p, err := u.seen(message)
		if err != nil {
			return err
		}
		if p.Message.Author.ID != who.ID || p.Message.IsSystem() || p.Message.Poll != nil || u.w.State.Channels[p.Message.ChannelID].Archived {
			return fmt.Errorf("%s cannot edit message %s", who.Username, message)
		}
		least := 1
		if len(p.Message.Attachments) > 0 {
			least = 0
		}
		if err := checkLength(content, least); err != nil {
			return err
		}
		m, now := *p.Message, world.Stamp(u.w.Clock.Now())
		m.Content, m.EditedTimestamp = world.EmojiText(u.w.State, who.ID, content), &now
		u.w.Messages.FillMentions(&m, nil, "")
		changed := p.With(&m)
		u.w.Messages.Replace(changed)
		u.w.Events.Message("MESSAGE_UPDATE", changed)
		edited = u.w.State.MessageFor(changed, who.ID)
		return nil
	})
	return edited, err
}

// Delete deletes a message that the person wrote or may delete as a moderator.
func (u *User) Delete(message string) error {
	return u.w.Locked(func() error {
		who, p, err := u.seen(message)
		if err != nil {
			return err
		}
		moderator := u.w.State.Permissions(who.ID, u.w.State.Channels[p.Message.ChannelID]).Has(world.ManageMessages)
		if p.Message.Author.ID != who.ID && !moderator || p.Viewer != "" {
			return fmt.Errorf("%s may not delete message %s", who.Username, message)
		}
		u.w.Messages.Remove(p)
		return nil
	})
}

// Vote sets the answers that the person chooses in the poll of a message, numbered from 1. Without answers it withdraws the
// person's votes.
func (u *User) Vote(message string, answers ...int) error {
	return u.w.Locked(func() error {
		who, p, err := u.seen(message)
		if err != nil {
			return err
		}
		if err := u.silenced(who, p.Message.ChannelID); err != nil {
			return err
		}
		return u.w.Messages.Vote(p, who.ID, answers...)
	})
}

// EndPoll ends the poll of a message that the person wrote, before the poll expires.
func (u *User) EndPoll(message string) error {
	return u.w.Locked(func() error {
		who, p, err := u.seen(message)
		switch {
		case err != nil:
			return err
		case p.Message.Poll == nil || p.Message.Poll.Results.Finalized:
			return fmt.Errorf("message %s has no poll that is open", message)
		case p.Message.Author.ID != who.ID:
			return fmt.Errorf("%s may not end the poll of message %s, which somebody else asked", who.Username, message)
		}
		u.w.Messages.EndPoll(p)
		return nil
	})
}

// Pin pins a message that the person sees, or unpins it if remove is set.
func (u *User) Pin(message string, remove bool) error {
	return u.w.Locked(func() error {
		who, p, err := u.seen(message)
		if err != nil {
			return err
		}
		if !u.w.State.Permissions(who.ID, u.w.State.Channels[p.Message.ChannelID]).Has(world.PinMessages) || p.Viewer != "" {
			return fmt.Errorf("%s may not pin message %s", who.Username, message)
		}
		if remove {
			return u.w.Messages.Unpin(p)
		}
		return u.w.Messages.Pin(p, who)
	})
}

// React adds the person's reaction to a message that the person sees, or removes
// it. A custom emoji is given as name:id.
func (u *User) React(message, emoji string, remove bool) error {
	return u.w.Locked(func() error {
		who, p, err := u.seen(message)
		if err != nil {
			return err
		}
		if p.Viewer != "" {
			return fmt.Errorf("nobody reacts to message %s, which is ephemeral", message)
		}
		e, err := u.w.Messages.ParseReaction(p, "", emoji)
		if err != nil {
			return fmt.Errorf("%s cannot react with %q", who.Username, emoji)
		}
		if remove {
			err = u.w.Messages.Unreact(p, e, who.ID)
		} else {
			err = u.w.Messages.React(p, e, who.ID)
		}
		if err != nil {
			return fmt.Errorf("%s cannot do that to message %s: %w", who.Username, message, err)
		}
		return nil
	})
}
