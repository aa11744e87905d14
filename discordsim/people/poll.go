package people

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
