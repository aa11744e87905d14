package people

import (
	"fmt"

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
