// Package policy is what those in charge of a venue say about it: where matches may begin, with what clock and against
// which levels, whether turns are mentioned. It also writes down what they did, and carries out what they decide about
// matches and scores.
package policy

import (
	"context"
	"slices"
	"time"

	"tictactoe/internal/match"
)

// Policy is what a venue allows. The zero value, that of direct messages and of a venue where nobody has said anything,
// allows everything.
type Policy struct {
	Venue    match.Venue
	Places   []string      // where matches may begin; everywhere if empty
	TurnTime time.Duration // for each move unless the challenger says otherwise; zero: nobody has said
	Levels   []string      // of the computer that are on offer; all if empty
	Quiet    bool          // no turn is mentioned, whatever the players want
	Casual   bool          // no match counts for the ratings
	Off      []Feature     // what its members cannot use, in alphabetical order
	Language string        // of what everybody there sees, as Discord names it; empty: nobody has said
	Version  int           // grows by one with each change; 0 while there was none
}

// Refuse is nil if the policy permits it, else a [*match.Refusal]: WrongPlace, LevelWithheld.
func (p Policy) Refuse(ask match.Permit) error {
	here := func(place string) bool { return slices.Contains(ask.Places, place) }
	if len(p.Places) > 0 && !slices.ContainsFunc(p.Places, here) {
		return &match.Refusal{Reason: match.WrongPlace, Allowed: p.Places}
	}
	if ask.Level != "" && len(p.Levels) > 0 && !slices.Contains(p.Levels, ask.Level) {
		return &match.Refusal{Reason: match.LevelWithheld, Allowed: p.Levels}
	}
	return nil
}

// Offered are those of all levels that are on offer, in their order.
func (p Policy) Offered(all []string) []string {
	offered := slices.DeleteFunc(slices.Clone(all), func(l string) bool { return !slices.Contains(p.Levels, l) })
	if len(offered) == 0 { // also if the program has no level of that name any more
		return all
	}
	return offered
}

// same tells whether both policies say the same.
func (p Policy) same(q Policy) bool {
	return slices.Equal(p.Places, q.Places) && p.TurnTime == q.TurnTime && slices.Equal(p.Levels, q.Levels) && p.Quiet == q.Quiet && p.Casual == q.Casual && slices.Equal(p.Off, q.Off) &&
		p.Language == q.Language
}

// Store reads what a venue's own have said and done. Writing goes through the core's Save, which also judges every
// [match.Permit] by the stored policy.
type Store interface {
	// Policy is that of a venue; one that allows everything where nobody has said anything.
	Policy(ctx context.Context, v match.Venue) (Policy, error)
	// Running are the matches of a venue that go on, the latest first: at most limit, after so many are skipped.
	Running(ctx context.Context, v match.Venue, skip, limit int) ([]match.Match, error)
	// Ended are the ended matches of a venue that were neither aborted nor voided, the last to end first, likewise.
	Ended(ctx context.Context, v match.Venue, skip, limit int) ([]match.Match, error)
	// AuditLog are what was done in a venue, the latest first, likewise. The newest [Kept] of each venue are there.
	AuditLog(ctx context.Context, v match.Venue, skip, limit int) ([]AuditEntry, error)
	// SetPolicy replaces a policy, provided that the stored version is still from's; [match.ErrConflict] otherwise. The audit
	// entry and the names are saved with it.
	SetPolicy(ctx context.Context, from, to Policy, entry AuditEntry, names ...match.Name) error
	// ResetScores lets the leaderboards of the entry's venue begin anew: matches that ended at the entry's time or before count
	// for nothing there any more. An earlier time than the latest changes nothing. The entry and the names are saved with it.
	ResetScores(ctx context.Context, entry AuditEntry, names ...match.Name) error
	// AuditEntry is one of the entries of a venue; [match.ErrNotFound] if it is not there, or not any more.
	AuditEntry(ctx context.Context, v match.Venue, id match.ID) (AuditEntry, error)
	// UndoReset undoes the reset that the entry undoes: what it took away counts again, unless another reset takes it away. The refusal
	// is [match.Undone]. The entry and the names are saved with it.
	UndoReset(ctx context.Context, entry AuditEntry, names ...match.Name) error
}
