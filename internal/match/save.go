package match

import (
	"slices"
	"time"
)

// Save is one transaction: its conditions, and the values to write if all conditions hold. A field with its zero value
// sets no condition and writes nothing.
//
// The store checks the conditions in a fixed order, so that it always returns the same error if several conditions fail: replaced values
// (ErrConflict), Permit, Consent and Quota (a [*Refusal]), new values (ErrExists), and then the rest. The conditions are judged inside the
// transaction, and stay true until it ends.
type Save struct {
	// The conditions.
	Permit  Permit
	Consent Consent
	Quota   Quota

	// The values to write.
	Challenge ChallengeChange
	Matches   []MatchChange // each match at most once
	Names     []Name
	Seen      Seen
	Extras    []Extra
}

// ChallengeChange writes a challenge. If From is the zero value, the challenge is new; else it replaces From, provided that the stored
// version is still From.Version.
type ChallengeChange struct {
	From, To Challenge
	// At is when the challenge ended; the [BackOff] between the two players is counted from it. Zero leaves the back-off
	// as it is.
	At time.Time
}

// Creates reports whether the challenge is new.
func (c ChallengeChange) Creates() bool { return c.From.ID == "" && c.To.ID != "" }

// Replaces reports whether the challenge replaces an earlier version of it.
func (c ChallengeChange) Replaces() bool { return c.From.ID != "" }

// MatchChange writes a match. If From is the zero value, the match is new; else it replaces From, provided that the stored version is still
// From.Version. The moves of To that From lacks are appended, and the moves of From that To lacks are deleted. If From counts and To does
// not, or the reverse, the scores change too.
type MatchChange struct{ From, To Match }

// Creates reports whether the match is new.
func (c MatchChange) Creates() bool { return c.From.ID == "" }

// Permit is the condition that the policy of a venue lets a match or challenge begin, and that no player is barred. Without a venue, only
// users whom the host of the bot has barred are refused.
type Permit struct {
	Venue   Venue
	Players []User    // those who would play or post, first the one who asks
	At      time.Time // when, for bars that end
	Joins   bool      // the policy is not asked, because something goes on that has begun already

	// Interaction is the id of the request of the first player, as in [Request]. The error is claim.ErrTaken if a later request of that
	// player had all data deleted. Empty asks nothing.
	Interaction string

	Places []string // where the player asked; see [Request]
	Level  string   // the level of the computer; empty against people
	Board  string   // the rule set as [game.Rules.Title] names it; empty if no match is requested
}

// Name is a player's name at the time of a request.
type Name struct {
	Player User
	Name   string
}

// Seen records presence: the bot heard the players of a partition up to the time At. Only [Store.Credit] can move the recorded time back.
// Once a Seen is saved, the bot counts as a process that hears the partition, until a Seen with Leaving is saved or the store is closed.
//
// Presence is recorded for one number of partitions. When a Seen or a Credit changes that number, each new partition gets the earliest time
// of the old ones, so that no player loses time by the change.
type Seen struct {
	Partition Partition
	At        time.Time
	Leaving   bool
}

// Extra is a value that a front end saves in the same transaction and that the core does not look into: the message in
// which a match is shown, an audit entry, a gateway session, the claim on an interaction, a [PublicPost], a [BoardAfter], or the change of
// an arena. A store knows these seven types and rejects all others.
type Extra interface{ Extra() }

// BoardAfter says that the board of a new match belongs where the message of another match or of its arena is, or in another channel of the
// same server. The front end shows it there once the match is saved.
type BoardAfter struct {
	ID, After ID
	Channel   string // empty for the channel of the other message
}

// Extra marks BoardAfter as a value that is saved with a [Save].
func (BoardAfter) Extra() {}

// deadline returns the earliest deadline in the save, zero if there is none.
func (s Save) deadline() time.Time {
	deadlines := []time.Time{s.Challenge.To.Deadline}
	for _, c := range s.Matches {
		deadlines = append(deadlines, c.To.Deadline, c.To.Rematch.Deadline)
	}
	deadlines = slices.DeleteFunc(deadlines, time.Time.IsZero)
	if len(deadlines) == 0 {
		return time.Time{}
	}
	return slices.MinFunc(deadlines, time.Time.Compare)
}

// creates reports whether the save creates a match or challenge with the id.
func (s Save) creates(id ID) bool {
	for _, c := range s.Matches {
		if c.Creates() && c.To.ID == id {
			return true
		}
	}
	return s.Challenge.Creates() && s.Challenge.To.ID == id
}
