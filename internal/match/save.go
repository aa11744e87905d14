package match

import "time"

// Save is one transaction: what has to hold for it, and what is written if all of that holds. A field with its zero value asks
// for nothing and writes nothing.
//
// The store goes by one order, so that of several reasons not to save the same one is told each time: values that replace
// others (ErrConflict), Permit, Consent and Quota (a [*Refusal]), new values (ErrExists), and then the rest. What a field asks
// is judged by what the transaction sees, and stays true until the transaction ends.
type Save struct {
	// What has to hold.
	Permit  Permit
	Consent Consent
	Quota   Quota

	// What is written.
	Challenge ChallengeChange
	Matches   []MatchChange // each match at most once
	Names     []Name
	Seen      Seen
	Extras    []Extra

	// Show, if it is not nil, is told how the first of the matches is shown, as the transaction leaves it. It says nothing if that
	// could not be told, and if the save fails.
	Show *Shown
}

// ChallengeChange writes a challenge: a new one if From is the zero value, else one that replaces From, provided that the
// stored version is still From's.
type ChallengeChange struct {
	From, To Challenge
	// At is when the challenge ended, from which the [BackOff] of the two is counted. It is zero if that stays as it is.
	At time.Time
}

// Creates reports whether the challenge is a new one.
func (c ChallengeChange) Creates() bool { return c.From.ID == "" && c.To.ID != "" }

// Replaces reports whether the challenge replaces another state of it.
func (c ChallengeChange) Replaces() bool { return c.From.ID != "" }

// MatchChange writes a match: a new one if From is the zero value, else one that replaces From, provided that the stored
// version is still From's. The moves that To has more than From are appended; if To counts and From did not, or the other way
// round, the scores change with it.
type MatchChange struct{ From, To Match }

// Creates reports whether the match is a new one.
func (c MatchChange) Creates() bool { return c.From.ID == "" }

// Permit asks whether the venue lets a match or challenge begin there, by its policy. Without a venue everything is permitted.
type Permit struct {
	Venue  Venue
	Places []string // where it was asked for; see [Request]
	Level  string   // of the computer; empty against people
}

// Name is a player's name as seen now.
type Name struct {
	Player User
	Name   string
}

// Seen records that the bot could hear the players of a partition at that time; what was recorded goes back by
// [Store.Credit] only. The record is of one number of parts: where that changes, by this or by Credit, each of the new
// parts was seen when the earliest of the old ones was, so that nobody loses by it. From a Seen on until one that says
// Leaving, or until its store is closed, the bot counts as one who hears the part.
type Seen struct {
	Partition Partition
	At        time.Time
	Leaving   bool
}

// Extra is what a front end has written in the same transaction and the core does not look into: in which message a match is
// shown, what a moderator did, a session with the gateway, who handles an interaction. A store knows those four, and refuses any
// other.
type Extra interface{ Extra() }

// deadline is the earliest deadline that is saved, zero if there is none.
func (s Save) deadline() (first time.Time) {
	deadlines := []time.Time{s.Challenge.To.Deadline}
	for _, c := range s.Matches {
		deadlines = append(deadlines, c.To.Deadline, c.To.Rematch.Deadline)
	}
	for _, d := range deadlines {
		if !d.IsZero() && (first.IsZero() || d.Before(first)) {
			first = d
		}
	}
	return first
}

// creates reports whether something begins under that id.
func (s Save) creates(id ID) bool {
	for _, c := range s.Matches {
		if c.Creates() && c.To.ID == id {
			return true
		}
	}
	return s.Challenge.Creates() && s.Challenge.To.ID == id
}
