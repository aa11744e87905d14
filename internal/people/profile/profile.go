// Package profile has what a player has done, for the player and others to see: the record of one player, and the duel of two.
// Ratings are in [tictactoe/internal/ranking/ladder].
package profile

import (
	"context"
	"slices"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/score"
)

// Last is how many matches a record or a duel lists, the latest ones.
const Last = 5

// Scope says which matches are looked at. The zero value means all of them.
type Scope struct {
	Venue match.Venue // where they were played; anywhere if empty
	Rules game.Rules  // on which board; on any if zero
}

// Result is how a match ended for its player.
type Result struct {
	Mark    game.Mark
	Outcome score.Outcome
	Helped  bool // with a hint, or a draw that a moderator has called: no feat
}

// Results are the results of matches that count, in the order in which they ended.
type Results []Result

// Tally counts the results as one mark, or all of them for [game.None].
func (rs Results) Tally(mark game.Mark) (t score.Tally) {
	for _, r := range rs {
		if mark == game.None || r.Mark == mark {
			t = t.Plus(r.Outcome.Tally())
		}
	}
	return t
}

// Streak returns how many results with the given outcome follow each other: at the end, and at most. A result with a hint does
// not count for the streak; but if it has another outcome, it ends the streak.
func (rs Results) Streak(of score.Outcome) (now, best int) {
	for _, r := range rs {
		if r.Helped && r.Outcome == of {
			continue
		}
		now++
		if r.Outcome != of {
			now = 0
		}
		best = max(best, now)
	}
	return now, best
}

// Record is what a player has played.
type Record struct {
	People    Results
	Computers map[string]Results // against the computer, by its level
	Openings  []Opening          // as X
	Judged    map[string]Judged  // by the level of the computer, empty against people; without levels against which no match was reviewed
	Last      []match.Match      // the latest [Last] that count, the latest first
}

// Reviewed returns the sum of all reviews.
func (r Record) Reviewed() (all Judged) {
	for _, j := range r.Judged {
		all = all.Plus(j)
	}
	return all
}

// Earnest returns the sum of the reviews of matches in which a badge is hard to earn: against people and against the
// strongest levels.
func (r Record) Earnest() Judged {
	return r.Judged[""].Plus(r.Judged[hard]).Plus(r.Judged[unbeatable])
}

// Played reports whether the player has played any match.
func (r Record) Played() bool { return len(r.People)+len(r.Computers) > 0 }

// Beaten returns those of the given levels that the player has beaten without a hint, in their order.
func (r Record) Beaten(levels []string) (beaten []string) {
	won := func(r Result) bool { return r.Outcome == score.Win && !r.Helped }
	for _, level := range levels {
		if slices.ContainsFunc(r.Computers[level], won) {
			beaten = append(beaten, level)
		}
	}
	return beaten
}

// Badge is something that few have done.
type Badge uint8

// The badges.
const (
	BeatHard Badge = iota // won against the level hard
	Held                  // drew HeldFor times in a row with the level unbeatable
	Perfect               // made no error in a match that had many critical moves
	Comeback              // did not lose a match in which every move had been losing
)

// String returns the name of the badge for programs.
func (b Badge) String() string {
	return [...]string{BeatHard: "beat hard", Held: "held unbeatable", Perfect: "perfect match", Comeback: "comeback"}[b]
}

// The levels that badges are about.
const hard, unbeatable = "hard", "unbeatable"

// HeldFor is how many draws in a row with the level unbeatable the badge [Held] takes.
const HeldFor = 10

// Badges returns the badges that follow from the record.
func (r Record) Badges() (badges []Badge) {
	if len(r.Beaten([]string{hard})) > 0 {
		badges = append(badges, BeatHard)
	}
	// A win ends no row of draws, as on leaderboards.
	held := slices.DeleteFunc(slices.Clone(r.Computers[unbeatable]), func(x Result) bool { return x.Outcome == score.Win })
	if _, best := held.Streak(score.Draw); best >= HeldFor {
		badges = append(badges, Held)
	}
	if r.Earnest().Perfect > 0 {
		badges = append(badges, Perfect)
	}
	if r.Earnest().Comebacks > 0 {
		badges = append(badges, Comeback)
	}
	return badges
}

// Duel is what two players have played against each other.
type Duel struct {
	Boards []OnBoard     // by the names of the rule sets
	Judged [2]Judged     // of the first and of the second player, in these matches
	Last   []match.Match // the latest [Last] that count, the latest first
}

// OnBoard is the tally of the matches on one board, as the first player sees it.
type OnBoard struct {
	Rules game.Rules
	score.Tally
}

// Tally returns the sum over all boards.
func (d Duel) Tally() (t score.Tally) {
	for _, b := range d.Boards {
		t = t.Plus(b.Tally)
	}
	return t
}

// Store reads what players have played. Only matches that count are counted: not those that were aborted or voided, nor
// those that ended before the latest reset of their venue.
type Store interface {
	// Record returns the record of a player.
	Record(ctx context.Context, in Scope, p match.User) (Record, error)
	// Duel returns the duel of two players, as the first one sees it.
	Duel(ctx context.Context, in Scope, a, b match.User) (Duel, error)
	// Unreviewed returns the matches that count and have no verdict, in the order in which they ended, at most limit. Those
	// that cannot be read are left out, and then the error wraps [match.ErrUnreadable].
	Unreviewed(ctx context.Context, limit int) ([]match.Match, error)
	// KeepVerdicts saves verdicts.
	KeepVerdicts(ctx context.Context, verdicts []Verdict) error
	// Judged returns the matches that have a verdict, and the verdicts, in the order of the ids: the first limit ones after
	// the given id.
	Judged(ctx context.Context, after match.ID, limit int) ([]match.Match, []Verdict, error)
}
