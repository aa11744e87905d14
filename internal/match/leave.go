package match

import "time"

// Left stands in the seat of a player who had everything about himself deleted. It is nobody: no player has this id, all who
// left share it, and it has no name and no scores.
const Left User = "left"

// Left tells whether one of the seats is that of a player who is not known any more.
func (s Seats) Left() bool { return s[0].Player == Left || s[1].Player == Left }

// Leave is the match after a player has gone for good: given up, or lost if his time was up, and without a rematch that waits
// for an answer. The seats stay as they are. It reports false, and the match unchanged, where there is nothing to end.
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

// Leave is the challenge after one of the two has gone for good: withdrawn or declined, or expired if its time was up. It
// reports false, and the challenge unchanged, if it had ended before.
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
