package match

import "time"

// Left stands in the seat of a user whose data was deleted at the user's request. No user has this id, all who left share
// it, and it has no name and no scores.
const Left User = "left"

// Left reports whether a seat is that of a user who has left.
func (s Seats) Left() bool { return s[0].Player == Left || s[1].Player == Left }

// Leave returns the match after a player has left for good: resigned, or ended by its deadline if that has passed, or with
// an open offer of a rematch declined. The seats stay as they are. It returns the match unchanged and false if there is
// nothing to end.
func (m Match) Leave(by User, at time.Time) (Match, bool) {
	if expired, due := m.Expire(at); due {
		return expired, true
	}
	if next, err := m.Resign(by, m.Record.Len(), at); err == nil {
		return next, true
	}
	next, err := m.DeclineRematch(by)
	return next, err == nil
}

// Leave returns the challenge after one of its two players has left for good: withdrawn or declined, or expired if its
// deadline has passed. It returns the challenge unchanged and false if it had already ended.
func (c Challenge) Leave(by User, at time.Time) (Challenge, bool) {
	if expired, due := c.Expire(at); due {
		return expired, true
	}
	next, err := c.Withdraw(by, at)
	if by == c.To {
		next, err = c.Decline(by, at)
	}
	return next, err == nil
}
