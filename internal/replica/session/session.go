// Package session holds the state of a session with Discord's gateway, saved so that the next process can resume the
// session and receive the events in between.
package session

import "time"

// Session is a gateway session that can be resumed. The zero value is no session.
type Session struct {
	// ID is the id that Discord gave the session.
	ID string
	// Sequence is the number of the latest event that need not be sent again, 1 or more. If it is too low, Discord sends
	// some events again, and the bot handles them like any event that is delivered twice.
	Sequence int64
	// Token is a digest of the token that the session was begun with. Only a bot with that token can resume the session.
	Token string
	// Saved is the time at which the session had this sequence number.
	Saved time.Time
}

// Kept records the session of a shard, in place of the previous one. If Session is the zero value, the shard has no
// session that can be resumed.
type Kept struct {
	Shard, Of int
	Session   Session
}

// Extra marks Kept as a change that is saved with a match.Save.
func (Kept) Extra() {}
