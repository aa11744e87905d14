// Package policy holds the settings that the moderators of a venue have chosen: where matches may begin, with what turn
// time, against which levels and on which boards, whether turns are mentioned and matches are rated, which features are
// off, and the language. It also carries out the moderators' decisions about matches and scores, and records them.
package policy

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"tictactoe/internal/match"
)

// Policy says what a venue allows. The zero value allows everything; it applies to direct messages and to venues
// without settings.
type Policy struct {
	Venue       match.Venue
	Places      []string      // where matches may begin; everywhere if empty
	TurnTime    time.Duration // for each move unless the challenger chooses another; zero if not set
	Levels      []string      // the levels on offer; all if empty
	Boards      []string      // the boards on offer, as [game.Offer] names them; all if empty
	MentionsOff bool          // no turn mentions, whatever the players want
	Unrated     bool          // no match counts for the ratings
	Off         []Feature     // the features that are switched off, in alphabetical order
	Language    string        // the language of public messages, as Discord names it; empty if not set
	Told        string        // the role that posts of open challenges mention; empty if none
	ArenasByAll bool          // anybody may start an arena, not only moderators
	TidyAfter   time.Duration // how long after its end the board of a match shrinks to one line; zero if it does not
	PlacesOnly  bool          // leaderboards and profiles are public only in the Places, if there are any
	LeaversOff  bool          // who has left the server is not on its leaderboards
	Staff       []string      // the roles whose holders are not on the leaderboards; at most MaxStaff
	Version     int           // grows by one with each change; 0 before the first
}

// Refuse returns nil if the policy allows a match or challenge under these conditions, else a [*match.Refusal]: WrongPlace,
// LevelWithheld, BoardWithheld.
func (p Policy) Refuse(ask match.Permit) error {
	here := func(place string) bool { return slices.Contains(ask.Places, place) }
	if len(p.Places) > 0 && !slices.ContainsFunc(p.Places, here) {
		return &match.Refusal{Reason: match.WrongPlace, Allowed: p.Places}
	}
	if ask.Level != "" && len(p.Levels) > 0 && !slices.Contains(p.Levels, ask.Level) {
		return &match.Refusal{Reason: match.LevelWithheld, Allowed: p.Levels}
	}
	if ask.Board != "" && len(p.Boards) > 0 && !slices.Contains(p.Boards, ask.Board) {
		return &match.Refusal{Reason: match.BoardWithheld, Allowed: p.Boards}
	}
	return nil
}

// PrivateAt reports whether leaderboards and profiles are private in the given places, of which one contains the others.
func (p Policy) PrivateAt(places []string) bool {
	return p.PlacesOnly && p.Refuse(match.Permit{Places: places}) != nil
}

// Offered returns the given levels that are on offer, in the given order.
func (p Policy) Offered(all []string) []string { return onOffer(p.Levels, all) }

// OfferedBoards returns the given boards that are on offer, in the given order.
func (p Policy) OfferedBoards(all []string) []string { return onOffer(p.Boards, all) }

// onOffer returns the elements of all that are in set, or all elements if the set is empty.
func onOffer(set, all []string) []string {
	offered := slices.DeleteFunc(slices.Clone(all), func(l string) bool { return !slices.Contains(set, l) })
	if len(offered) == 0 {
		return all
	}
	return offered
}

// TurnTime is the time for each move if neither the challenger nor the venue chooses another.
const TurnTime = time.Minute

// setting returns the field of the policy that a kind of audit entries is about, or nil. If not is true, the field is the opposite of the
// "on" or "off" in such entries.
func (p *Policy) setting(k Kind) (field any, not bool) {
	switch k {
	case SetPlaces:
		return &p.Places, false
	case SetTurnTime:
		return &p.TurnTime, false
	case SetLevels:
		return &p.Levels, false
	case SetBoards:
		return &p.Boards, false
	case SetMentions:
		return &p.MentionsOff, true
	case SetRatings:
		return &p.Unrated, true
	case SetFeatures:
		return &p.Off, false
	case SetLanguage:
		return &p.Language, false
	case SetTold:
		return &p.Told, false
	case SetArenas:
		return &p.ArenasByAll, false
	case SetTidy:
		return &p.TidyAfter, false
	case SetElsewhere:
		return &p.PlacesOnly, false
	case SetLeavers:
		return &p.LeaversOff, false
	case SetStaff:
		return &p.Staff, false
	}
	return nil, false
}

// choice returns the value of a setting as audit entries have it.
func (p Policy) choice(k Kind) (values []string) {
	switch field, not := p.setting(k); field := field.(type) {
	case *[]string:
		values = *field
	case *[]Feature:
		for _, f := range *field {
			values = append(values, string(f))
		}
	case *string:
		values = strings.Fields(*field)
	case *time.Duration:
		d := *field
		if k == SetTurnTime {
			d = cmp.Or(d, TurnTime)
		}
		values = []string{d.String()}
	case *bool:
		values = []string{map[bool]string{true: "on", false: "off"}[*field != not]}
	}
	return values
}

// choose sets a setting to a value as audit entries have it.
func (p *Policy) choose(k Kind, values ...string) {
	first := strings.Join(values[:min(1, len(values))], "")
	switch field, not := p.setting(k); field := field.(type) {
	case *[]string:
		*field = values
	case *[]Feature:
		*field = nil
		for _, f := range values {
			*field = append(*field, Feature(f))
		}
	case *string:
		*field = first
	case *time.Duration:
		*field, _ = time.ParseDuration(first)
	case *bool:
		*field = (first == "on") != not
	}
}

// MaxStaff is the maximum number of roles whose holders are not on the leaderboards.
const MaxStaff = 5

// LeavesOut reports whether the leaderboards depend on who is a member of the server, and with which roles.
func (p Policy) LeavesOut() bool { return p.LeaversOff || len(p.Staff) > 0 }

// IsStaff reports whether somebody with these roles is not on the leaderboards.
func (p Policy) IsStaff(roles []string) bool {
	return slices.ContainsFunc(roles, func(r string) bool { return slices.Contains(p.Staff, r) })
}

// Tells returns the role that a post of an open challenge may mention, or nothing if mentions are off.
func (p Policy) Tells() string {
	if p.MentionsOff {
		return ""
	}
	return p.Told
}

// TidyTimes returns the times that a venue can choose for TidyAfter.
func TidyTimes() []time.Duration { return []time.Duration{time.Minute, 10 * time.Minute, time.Hour} }

// ToldAgain is the shortest time between two posts of open challenges in a venue that mention the role.
const ToldAgain = 10 * time.Minute

// Store reads and writes policies and audit entries. The store also judges every [match.Permit] by the stored policy when it
// saves a [match.Save].
type Store interface {
	// Barred returns the bar that keeps a user from playing in a venue at a time, or the zero bar. A bar for everybody there comes first.
	// Without a venue, it returns a bar of the user everywhere.
	Barred(ctx context.Context, v match.Venue, p match.User, at time.Time) (Bar, error)
	// SetBar sets a bar, withdraws the waiting challenges of the user in the venue, takes the user out of arenas there, and ends matches as
	// how says, all in one transaction. A bar for everybody voids matches and calls off arenas. The bar replaces a bar of the same user. It
	// returns the changed matches, challenges and arenas, whose messages must be redrawn. An entry with an id is saved with it, and the names;
	// with Cancel, the number of voided matches is added to its Chosen. The error is [ErrUnchanged] if all is so already.
	SetBar(ctx context.Context, b Bar, how Ending, at time.Time, entry AuditEntry, names ...match.Name) ([]match.ID, error)
	// LiftBar deletes a bar, even if the user's data was deleted since. The bar's end does not matter. The error is [ErrUnchanged] if there
	// is none.
	LiftBar(ctx context.Context, b Bar, entry AuditEntry, names ...match.Name) error
	// HostBars returns the bars without a user or venue.
	HostBars(ctx context.Context) ([]Bar, error)
	// SetRanked takes a user off the leaderboards of a venue, or puts the user back. Scores and ratings do not change. The entry is saved
	// with it, and the names. The error is [ErrUnchanged] if the user is off them, or back, already.
	SetRanked(ctx context.Context, v match.Venue, p match.User, ranked bool, entry AuditEntry, names ...match.Name) error
	// People returns whom the moderators of a venue have barred or taken off the leaderboards, sorted by id, with skip and limit as in
	// Running. If only is set, it returns that user alone, or nobody.
	People(ctx context.Context, v match.Venue, only match.User, at time.Time, skip, limit int) ([]Person, error)
	// Policy returns the policy of a venue, or the zero policy if nothing has been set.
	Policy(ctx context.Context, v match.Venue) (Policy, error)
	// Running returns the matches of a venue that are in progress, the latest first: at most limit, after skipping the
	// first skip matches. With an error that wraps [match.ErrUnreadable] it returns the readable matches.
	Running(ctx context.Context, v match.Venue, skip, limit int) ([]match.Match, error)
	// Ended returns the ended matches of a venue that were neither aborted nor voided, the latest end first, with skip and
	// limit as in Running.
	Ended(ctx context.Context, v match.Venue, skip, limit int) ([]match.Match, error)
	// AuditLog returns the audit entries of a venue, the latest first, with skip and limit as in Running. The store keeps
	// the newest [Kept] of each venue.
	AuditLog(ctx context.Context, v match.Venue, skip, limit int) ([]AuditEntry, error)
	// SetPolicy replaces a policy, provided that the stored version is still from's; otherwise the error is
	// [match.ErrConflict]. The audit entry and the names are saved with it.
	SetPolicy(ctx context.Context, from, to Policy, entry AuditEntry, names ...match.Name) error
	// ResetScores resets the leaderboards of the entry's venue: matches that ended at the entry's time or before no longer
	// count there. If that is earlier than the latest reset, nothing changes. The entry and the names are saved with it.
	ResetScores(ctx context.Context, entry AuditEntry, names ...match.Name) error
	// AuditEntry returns one of the entries of a venue; the error is [match.ErrNotFound] if the entry is unknown or was
	// deleted.
	AuditEntry(ctx context.Context, v match.Venue, id match.ID) (AuditEntry, error)
	// UndoReset undoes the reset that entry.Undoes names: the matches that it excluded count again, unless another reset
	// excludes them. The refusal is [match.Undone]. The entry and the names are saved with it.
	UndoReset(ctx context.Context, entry AuditEntry, names ...match.Name) error
}

// Feature is a part of the bot that the members of a venue can use, unless its policy has switched it off. Databases
// store the text.
type Feature string

// The features.
const (
	Profiles Feature = "profiles" // the records of other players
	Replays  Feature = "replays"  // finding a match and walking through it
	Best     Feature = "best"     // the most remarkable matches of the venue
	Sharing  Feature = "sharing"  // finished matches as pictures and texts
	Daily    Feature = "daily"    // the puzzle of the day
	Learn    Feature = "learn"    // the course
	Hints    Feature = "hints"    // hints in matches against the computer
	Open     Feature = "open"     // challenges that anybody may accept
	Crowd    Feature = "crowd"    // matches of everybody in a channel
	Arenas   Feature = "arena"    // arenas
)

// Features returns all features, in the order in which they are listed.
func Features() []Feature {
	return []Feature{Profiles, Replays, Best, Sharing, Daily, Learn, Hints, Open, Crowd, Arenas}
}

// Has reports whether the members of the venue can use the feature.
func (p Policy) Has(f Feature) bool { return !slices.Contains(p.Off, f) }
