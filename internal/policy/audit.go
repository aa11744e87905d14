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
	SetRatings  Kind = "ratings"
	SetFeatures Kind = "features"
	SetLanguage Kind = "language"
	// SetProfiles is of before there were other features: profiles were switched on or off.
	SetProfiles Kind = "profiles"
	CallDraw    Kind = "draw"
	Void        Kind = "void"
	ResetScores Kind = "reset"
	BeginSeason Kind = "season"
	PostPuzzles Kind = "daily"
	Undo        Kind = "undo"
)

// UndoTime is how long what a moderator did can be undone.
const UndoTime = 24 * time.Hour

// AuditEntry is something that a moderator did. It is saved in the transaction of what it did, once for each id.
type AuditEntry struct {
	ID    match.ID // of the request
	Venue match.Venue
	By    match.User
	At    time.Time
	Kind  Kind
	Match match.ID // that it was about, for CallDraw and Void, and for Undo of one of them
	// Chosen is what was set: places, levels, a duration, "on" or "off", the features that are
	// off, a language or nothing, the words of the name of a season. No places mean everywhere, but for PostPuzzles nowhere.
	// For Undo it is the kind of what was undone, and what had been chosen.
	Chosen []string
	Undoes match.ID // the audit entry that it undoes, for Undo

	Undone bool // by another entry, as the store tells; it is not saved
}

// Undoable tells whether it can be undone at that time. That a match went on when it was voided, which cannot, only the match tells.
func (d AuditEntry) Undoable(now time.Time) bool { return d.undoable(now) == nil }

// undoable is the refusal of who would undo it at that time: Unknown, Undone or UndoExpired, or nil.
func (d AuditEntry) undoable(now time.Time) error {
	until := d.At.Add(UndoTime)
	switch {
	case d.Kind != Void && d.Kind != ResetScores && d.Kind != BeginSeason:
		return &match.Refusal{Reason: match.Unknown}
	case d.Undone:
		return &match.Refusal{Reason: match.Undone}
	case !now.Before(until):
		return &match.Refusal{Reason: match.UndoExpired, Until: until}
	}
	return nil
}

// Extra lets it be saved with a [match.Save].
func (AuditEntry) Extra() {}
