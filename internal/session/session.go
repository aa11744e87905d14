// Package session is what a process leaves of its session with Discord's gateway, so that the next one can resume it and
// hear what was said in between.
package session

import "time"

// Session is a gateway session as it can be resumed. The zero value is none.
type Session struct {
	// ID is Discord's name of it.
	ID string
	// Sequence is the number of the latest event that need not come again, 1 or more. One that is older than it could be
	// has events come again, which are handled as any event that is delivered twice.
	Sequence int64
	// Token is a digest of the token that the session was begun with. Nobody else can resume it.
	Token string
	// Saved is when it was so.
	Saved time.Time
}

// Kept records the session of a shard, in place of what was recorded of that shard. A zero one records that there is none:
// then nobody resumes it.
type Kept struct {
	Shard, Of int
	Session   Session
}

// Extra lets it be saved with a match.Save.
func (Kept) Extra() {}
