package policy

import (
	"time"

	"tictactoe/internal/match"
)

// Kept is how many audit entries of a venue are kept, the newest of them.
const Kept = 1000

// Kind is what was done. Its text is stored.
type Kind string

// The kinds.
const (
	SetPlaces   Kind = "places"
	SetTurnTime Kind = "clock"
	SetLevels   Kind = "levels"
	SetMentions Kind = "mentions"
	SetProfiles Kind = "profiles"
	SetRatings  Kind = "ratings"
	CallDraw    Kind = "draw"
	Void        Kind = "void"
	ResetScores Kind = "reset"
)

// AuditEntry is something that a moderator did. It is saved in the transaction of what it did, once for each id.
type AuditEntry struct {
	ID    match.ID // of the request
	Venue match.Venue
	By    match.User
	At    time.Time
	Kind  Kind
	Match match.ID // that it was about, for CallDraw and Void
	// Chosen is what was set: places, levels, a duration, "on" or "off". No places mean everywhere.
	Chosen []string
}

// Extra lets it be saved with a [match.Save].
func (AuditEntry) Extra() {}
