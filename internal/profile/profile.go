// Package profile says what a player has done, for the player and others to see: one player's record, and what two have played
// against each other. Ratings are the matter of [tictactoe/internal/ladder].
package profile

import (
	"context"
	"slices"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/score"
)

// Last is how many matches a record or a duel lists, the latest of them.
const Last = 5

// Scope is which matches are looked at. The zero value is all of them.
type Scope struct {
	Venue match.Venue // where they were played; anywhere if empty
	Rules game.Rules  // on which board; on any if zero
}

// Result is how a match ended for its player.
type Result struct {
	Mark   game.Mark
	Score  Score
	Helped bool // with a hint
}

// Score is what a match was for one of its players.
type Score uint8

// The scores.
const (
	Win Score = iota
	Draw
	Loss
)

// Results are the results of matches that count, in the order in which they ended.
type Results []Result

// Tally counts those as that mark, or all of them for [game.None].
func (rs Results) Tally(mark game.Mark) (t score.Tally) {
	for _, r := range rs {
		switch {
		case mark != game.None && r.Mark != mark:
		case r.Score == Win:
			t.Wins++
		case r.Score == Draw:
			t.Draws++
		default:
			t.Losses++
		}
	}
	return t
}

// Streak is how many results follow each other that are all that score: at the end, and at most. Those with a hint are passed over,
// unless they are of another score, which ends it.
func (rs Results) Streak(of Score) (now, best int) {
	for _, r := range rs {
		if r.Helped && r.Score == of {
			continue
		}
		now++
		if r.Score != of {
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
	Judged    map[string]Judged  // by the level of the computer, empty against people; who was not judged is not in it
	Last      []match.Match      // the latest [Last] that count, the latest first
}

// Reviewed is what all reviews add up to.
func (r Record) Reviewed() (all Judged) {
	for _, j := range r.Judged {
		all = all.Plus(j)
	}
	return all
}

// Earnest is what the reviews of those matches add up to that no badge is cheap in: against people and against the strongest levels.
func (r Record) Earnest() Judged {
	return r.Judged[""].Plus(r.Judged[hard]).Plus(r.Judged[unbeatable])
}

// Played tells whether there is anything.
func (r Record) Played() bool { return len(r.People)+len(r.Computers) > 0 }

// Beaten are the levels that the player has won against without a hint, of those given and in their order.
func (r Record) Beaten(levels []string) (beaten []string) {
	won := func(r Result) bool { return r.Score == Win && !r.Helped }
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
	Held                  // drew so often in a row against the level unbeatable that it was no accident
	Perfect               // made no error in a match that had many critical moves
	Comeback              // did not lose a match in which every move had been losing
)

// String names the badge for programs.
func (b Badge) String() string {
	return [...]string{BeatHard: "beat hard", Held: "held unbeatable", Perfect: "perfect match", Comeback: "comeback"}[b]
}

// The levels that badges are about, and how many draws in a row [Held] takes.
const (
	hard, unbeatable = "hard", "unbeatable"

	HeldFor = 10
)

// Badges are those that follow from the record.
func (r Record) Badges() (badges []Badge) {
	if len(r.Beaten([]string{hard})) > 0 {
		badges = append(badges, BeatHard)
	}
	if _, best := r.Computers[unbeatable].Streak(Draw); best >= HeldFor {
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
	Boards []OnBoard     // where they have played, by the names of the rule sets
	Judged [2]Judged     // of the first player and of the second, in the matches against each other
	Last   []match.Match // the latest [Last] that count, the latest first
}

// OnBoard is what came of the matches on one board, as the first player sees it.
type OnBoard struct {
	Rules game.Rules
	score.Tally
}

// Tally is what came of all of them.
func (d Duel) Tally() (t score.Tally) {
	for _, b := range d.Boards {
		t = t.Plus(b.Tally)
	}
	return t
}

// Store reads what players have played. Only what counts is counted: not what was aborted or voided, nor what ended before the
// latest reset of its venue.
type Store interface {
	// Record is that of a player.
	Record(ctx context.Context, in Scope, p match.User) (Record, error)
	// Duel is that of two players, as the first sees it.
	Duel(ctx context.Context, in Scope, a, b match.User) (Duel, error)
	// Unreviewed are the matches that count and have not been judged, in the order in which they ended, at most so many. Those that
	// cannot be read are left out, and then the error wraps [match.ErrUnreadable].
	Unreviewed(ctx context.Context, limit int) ([]match.Match, error)
	// KeepVerdicts keeps what reviews have said.
	KeepVerdicts(ctx context.Context, verdicts []Verdict) error
	// Judged are the matches that have been judged, and what is kept of each, in the order of their ids, from the one after that, at most
	// so many.
	Judged(ctx context.Context, after match.ID, limit int) ([]match.Match, []Verdict, error)
}
