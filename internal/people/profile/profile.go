// Package profile sums up the matches of players: the record of one player, and the duel of two players.
// Ratings are in [tictactoe/internal/ranking/ladder].
package profile

import (
	"context"
	"slices"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/score"
)

// Last is the number of latest matches that a record or a duel lists.
const Last = 5

// Scope selects matches. The zero value selects all matches.
type Scope struct {
	Venue match.Venue // the venue of the matches; any if empty
	Rules game.Rules  // the rule set of the matches; any if zero
}

// Result is the result of a match for its player.
type Result struct {
	Mark    game.Mark
	Outcome score.Outcome
	Helped  bool // the player had a hint, or a moderator called the draw: the result is no feat
}

// Results are the results of matches that count, in the order in which they ended.
type Results []Result

// Tally counts the results with one mark, or all results for [game.None].
func (rs Results) Tally(mark game.Mark) (t score.Tally) {
	for _, r := range rs {
		if mark == game.None || r.Mark == mark {
			t = t.Plus(r.Outcome.Tally())
		}
	}
	return t
}

// Streak returns the lengths of two streaks of results with the given outcome: the current streak and the longest. A result with
// a hint does not count for a streak, but ends it if it has another outcome.
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

// Record holds the results of a player's matches.
type Record struct {
	People    Results
	Computers map[string]Results // against the computer, by the name of its level; for a level that adapts, in any order
	Openings  []Opening          // the openings that the player plays as X
	Judged    map[string]Judged  // keyed by the level of the computer, empty against people; levels without a reviewed match are left out
	Last      []match.Match      // the latest [Last] that count, the latest first
	Arenas    int                // the arenas that the player has won; the store leaves it zero
}

// Reviewed returns the sum of all reviews.
func (r Record) Reviewed() (all Judged) {
	for _, j := range r.Judged {
		all = all.Plus(j)
	}
	return all
}

// Earnest returns the sum of the reviews of matches against people and against the strongest levels, in which badges are hard
// to earn.
func (r Record) Earnest() Judged {
	return r.Judged[""].Plus(r.Judged[hard]).Plus(r.Judged[unbeatable])
}

// Played reports whether the player has played any match.
func (r Record) Played() bool { return len(r.People)+len(r.Computers) > 0 }

// Best returns the player's best result against a level of the computer, and whether the player has met the level. Results with a hint
// do not count. If no result counts, the best result is a loss.
func (r Record) Best(level string) (best score.Outcome, met bool) {
	for _, x := range r.Computers[level] {
		if !x.Helped {
			best = max(best, x.Outcome)
		}
	}
	return best, len(r.Computers[level]) > 0
}

// Badge is a rare achievement.
type Badge uint8

// The badges.
const (
	BeatHard Badge = iota // won against the level hard
	Held                  // drew HeldFor times in a row with the level unbeatable
	Perfect               // made no error in a match that had many critical moves
	Comeback              // did not lose a match after a position in which every move was losing
)

// String returns the name of the badge in JSON and logs.
func (b Badge) String() string {
	return [...]string{BeatHard: "beat hard", Held: "held unbeatable", Perfect: "perfect match", Comeback: "comeback"}[b]
}

// The levels that badges require.
const hard, unbeatable = "hard", "unbeatable"

// HeldFor is the number of draws in a row with the level unbeatable that the badge [Held] requires.
const HeldFor = 10

// Badges returns the badges that follow from the record.
func (r Record) Badges() (badges []Badge) {
	if best, _ := r.Best(hard); best == score.Win {
		badges = append(badges, BeatHard)
	}
	// As on leaderboards, a win does not end a run of draws.
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

// Duel sums up the matches of two players against each other.
type Duel struct {
	Boards []OnBoard     // in the order of the names of the rule sets
	Judged [2]Judged     // the reviews of the first and of the second player, in these matches
	Last   []match.Match // the latest [Last] that count, the latest first
}

// OnBoard is the first player's tally of the matches with one rule set.
type OnBoard struct {
	Rules game.Rules
	score.Tally
}

// Tally returns the sum over all rule sets.
func (d Duel) Tally() (t score.Tally) {
	for _, b := range d.Boards {
		t = t.Plus(b.Tally)
	}
	return t
}

// Store reads the matches of players. It leaves out matches that do not count: aborted and voided matches, and matches that
// ended before the latest reset of their venue.
type Store interface {
	// Record returns the record of a player.
	Record(ctx context.Context, in Scope, p match.User) (Record, error)
	// Duel returns the duel of two players, from the view of the first.
	Duel(ctx context.Context, in Scope, a, b match.User) (Duel, error)
	// Unreviewed returns at most limit matches that count and have no verdict, in the order in which they ended. It leaves out
	// unreadable matches; then the error wraps [match.ErrUnreadable].
	Unreviewed(ctx context.Context, limit int) ([]match.Match, error)
	// KeepVerdicts saves verdicts.
	KeepVerdicts(ctx context.Context, verdicts []Verdict) error
	// Judged returns at most limit matches that have a verdict, and their verdicts, in the order of the ids, beginning after the
	// given id.
	Judged(ctx context.Context, after match.ID, limit int) ([]match.Match, []Verdict, error)
}
