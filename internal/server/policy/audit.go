package policy

import (
	"slices"
	"strconv"
	"time"

	"tictactoe/internal/match"
)

// Kept is the number of audit entries kept for each venue: the newest.
const Kept = 1000

// Kind names what a moderator did. Databases store the text, so it never changes.
type Kind string

// The kinds, except the kinds of the settings, which are beside the methods of [Moderation] that set them.
const (
	CallDraw    Kind = "draw"
	Void        Kind = "void"
	ResetScores Kind = "reset"
	BeginSeason Kind = "season"
	PostPuzzles Kind = "daily"
	// PostLeaderboards is about posts of leaderboards: the channel, the leaderboard and how often.
	PostLeaderboards Kind = "calendar"
	Undo             Kind = "undo"
	// CallOffArena, RemoveEntrant and LetBack are about an arena, of which the entry has the words of the name.
	CallOffArena  Kind = "arena.off"
	RemoveEntrant Kind = "arena.removed"
	LetBack       Kind = "arena.back"
	// Chosen of BarUser is the time when the bar ends, if it ends, and the number of voided matches, if matches were to be voided.
	BarUser Kind = "bar"
	LiftBar Kind = "unbar"
	TakeOff Kind = "off" // off the leaderboards
	PutBack Kind = "on"
)

// The kinds of entries of the bot itself about posts by the calendar: the bot may not write in the channel, may do so again, or the channel
// is gone. Such an entry has the channel and the kind of the posts.
const (
	PostsClosed Kind = "posts.closed"
	PostsOpen   Kind = "posts.open"
	PostsGone   Kind = "posts.gone"
)

// Itself is the user of audit entries about what the bot found out by itself.
const Itself match.User = "bot"

// The kinds of the settings.
const (
	SetPlaces    Kind = "places"
	SetTurnTime  Kind = "clock"
	SetLevels    Kind = "levels"
	SetBoards    Kind = "boards"
	SetMentions  Kind = "mentions"
	SetRatings   Kind = "ratings"
	SetFeatures  Kind = "features"
	SetLanguage  Kind = "language"
	SetTold      Kind = "told"
	SetArenas    Kind = "arenas"
	SetTidy      Kind = "tidy"
	SetElsewhere Kind = "elsewhere"
	SetLeavers   Kind = "left" // "on" leaves them out of the leaderboards
	SetStaff     Kind = "staff"
)

// UndoTime is how long a moderator can undo an action.
const UndoTime = 24 * time.Hour

// AuditEntry is an action of a moderator. It is saved in the transaction of the action, once for each id.
type AuditEntry struct {
	ID    match.ID // the id of the request
	Venue match.Venue
	By    match.User
	At    time.Time
	Kind  Kind
	Match match.ID // the match, for CallDraw and Void, and for Undo of one of them
	// Whom is the user for BarUser, LiftBar, TakeOff and PutBack, and for Undo of one of them, which is only found in old entries:
	// [match.Left] once that user's data was deleted.
	Whom match.User
	// Chosen is the chosen value: places, levels, a duration, "on" or "off", the features that are off, a language or
	// nothing, the words of the name of a season. No places mean everywhere, except for PostPuzzles and
	// PostLeaderboards, where they mean nowhere. For Undo it is the kind of the undone entry, followed by the Chosen of that entry
	// or, for a setting, by the restored choice.
	Chosen []string
	// Was is the choice before, for a setting: the kind, followed by what Chosen was. Older entries have none, and cannot be undone.
	Was    []string
	Undoes match.ID // the undone audit entry, for Undo

	Undone bool // another entry has undone it; set by the store when it reads, not saved
}

// Undoable reports whether the entry can be undone at a time. It does not know whether a match was voided while it went on,
// which cannot be undone; only the match says that.
func (d AuditEntry) Undoable(now time.Time) bool { return d.undoable(now) == nil }

// undoable returns the refusal if the entry cannot be undone at a time: Unknown, Undone or UndoExpired; else nil.
func (d AuditEntry) undoable(now time.Time) error {
	until := d.At.Add(UndoTime)
	switch {
	case len(d.Was) == 0 && !slices.Contains([]Kind{Void, ResetScores, BeginSeason}, d.Kind):
		return &match.Refusal{Reason: match.Unknown}
	case d.Undone:
		return &match.Refusal{Reason: match.Undone}
	case !now.Before(until):
		return &match.Refusal{Reason: match.UndoExpired, Until: until}
	}
	return nil
}

// Extra lets an audit entry be saved with a [match.Save].
func (AuditEntry) Extra() {}

// from returns the entry with the id, the venue, the user and the time of a request.
func (d AuditEntry) from(req match.Request) AuditEntry {
	d.ID, d.Venue, d.By, d.At = req.ID, req.Venue, req.By, req.At
	return d
}

// timeOf returns the time when a bar ends, as audit entries have it.
func timeOf(until time.Time) []string {
	if until.IsZero() {
		return nil
	}
	return []string{until.UTC().Format(time.RFC3339)}
}

// Ends returns when the bar ends that a BarUser is about, or zero. Old entries have the day.
func (d AuditEntry) Ends() (until time.Time) {
	for _, word := range d.Chosen {
		for _, layout := range []string{time.RFC3339, time.DateOnly} {
			if at, err := time.Parse(layout, word); err == nil {
				until = at
			}
		}
	}
	return until
}

// Voided returns the number of matches that a BarUser has voided. It reports false if matches were not to be voided.
func (d AuditEntry) Voided() (n int, is bool) {
	for _, word := range d.Chosen {
		if i, err := strconv.Atoi(word); err == nil {
			n, is = i, true
		}
	}
	return n, is
}
