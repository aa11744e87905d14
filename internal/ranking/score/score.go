// Package score counts finished matches and ranks players by them.
package score

import (
	"context"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
)

// Tally counts finished matches.
type Tally struct {
	Wins   int `json:"wins"`
	Draws  int `json:"draws"`
	Losses int `json:"losses"`
}

// Total returns the number of matches counted.
func (t Tally) Total() int { return t.Wins + t.Draws + t.Losses }

// Plus returns the sum of two tallies.
func (t Tally) Plus(u Tally) Tally {
	return Tally{t.Wins + u.Wins, t.Draws + u.Draws, t.Losses + u.Losses}
}

// Entry sums up a player's matches in one season and venue, with one rule set or with all, against people or against one level of
// the computer. With an empty Venue it sums up the matches in direct messages, which are on no leaderboard.
type Entry struct {
	Venue  match.Venue
	Season int
	Rules  string // empty: all rule sets together
	Player match.User
	Level  string // level of the computer; empty against people
	Tally
	// Reached is when the wins and losses last changed: of two equal players, the player with the earlier time is listed first.
	Reached time.Time
	Feats
}

// Feats are the achievements of a player against one level of the computer. Against people there are none.
type Feats struct {
	Beaten   time.Time // when the player first beat the level without a hint
	Fewest   int       // the fewest moves of the player in such a win; 0 without a win
	FewestAt time.Time // when the first win with this number of moves ended
	// Run is the number of draws with the level Perfect since the player's last loss to it, and Longest the longest such run,
	// reached at the time LongestAt. Latest is when the latest match that counts for runs ended.
	Run, Longest      int
	LongestAt, Latest time.Time
}

// Outcome is the outcome of a match for one of its players.
type Outcome uint8

// The outcomes.
const (
	Loss Outcome = iota
	Draw
	Win
)

// Result is the contribution of an ended match to the entries of one of its players.
type Result struct {
	Player  match.User
	Rules   string
	Level   string // level of the computer; empty against people
	Outcome Outcome
	First   bool // the player moved first
	Moves   int  // number of moves of the player
	Called  bool // a moderator has called the match a draw
	Helped  bool // the player had a hint
	Ended   time.Time
}

// FirstWins reports whether the side that moves first on an offered board can force a win. rules is in the notation of [game.Rules.String].
func FirstWins(rules string) bool { return rules == "3x3x3+keep3" }

// RuleSets returns the rule sets to whose scores the result adds; the empty one is for all rule sets together. A win over the computer
// that the player could force by moving first adds only to its own rule set, because it says little about the player's strength.
func (r Result) RuleSets() []string {
	if r.Level != "" && r.Outcome == Win && r.First && FirstWins(r.Rules) {
		return []string{r.Rules}
	}
	return []string{"", r.Rules}
}

// Adapts reports whether a level of the computer adapts to its player. Matches against it count for nothing.
func Adapts(level string) bool { return match.LevelName(level) != level }

// Of returns the result of an ended match for each player. There is none if the match does not count or its computer adapts to the
// player, and none for a player who has left.
func Of(m match.Match) []Result {
	if !m.Result.Counts() || Adapts(m.Seats.Level()) {
		return nil
	}
	var results []Result
	for _, p := range m.Seats.Players() {
		if p == match.Left {
			continue
		}
		mark := m.Seats.Mark(p)
		r := Result{
			Player: p, Rules: m.Position().Rules().String(), Level: m.Seats.Level(), First: mark == game.X,
			Moves: OwnMoves(m.Record.Len(), mark), Called: m.Result.Cause == match.ByModerator, Helped: m.Helped,
			Ended: m.Ended.Truncate(time.Millisecond), // the precision of the store
		}
		switch m.Result.Outcome.Winner() {
		case game.None:
			r.Outcome = Draw
		case mark:
			r.Outcome = Win
		}
		results = append(results, r)
	}
	return results
}

// OwnMoves returns the number of moves of one side in a match with the given number of moves. X moves first.
func OwnMoves(moves int, mark game.Mark) int {
	if mark == game.X {
		moves++
	}
	return moves / 2
}

// Tally returns the tally of one match.
func (o Outcome) Tally() Tally {
	switch o {
	case Win:
		return Tally{Wins: 1}
	case Draw:
		return Tally{Draws: 1}
	default:
		return Tally{Losses: 1}
	}
}

// Add adds a result to the entry.
func (e *Entry) Add(r Result) {
	e.Tally = e.Plus(r.Outcome.Tally())
	if r.Outcome != Draw && r.Ended.After(e.Reached) { // a draw changes neither wins nor losses
		e.Reached = r.Ended
	}
	if r.Level != "" && r.Outcome == Win && !r.Helped {
		e.win(r)
	}
	if r.continues() {
		e.Latest = r.Ended
		e.Run++
		if r.Outcome == Loss {
			e.Run = 0
		} else if e.Run > e.Longest {
			e.Longest, e.LongestAt = e.Run, r.Ended
		}
	}
}

func (f *Feats) win(r Result) {
	if f.Beaten.IsZero() || r.Ended.Before(f.Beaten) {
		f.Beaten = r.Ended
	}
	if f.Fewest == 0 || r.Moves < f.Fewest || r.Moves == f.Fewest && r.Ended.Before(f.FewestAt) {
		f.Fewest, f.FewestAt = r.Moves, r.Ended
	}
}

// continues reports whether a result extends or ends a run of draws. A loss ends a run, even with a hint. A win does not, because
// it would be odd to lose a run by winning. A draw extends a run, unless a moderator has called it or the player had a hint.
func (r Result) continues() bool {
	return r.Level == Perfect && (r.Outcome == Loss || r.Outcome == Draw && !r.Called && !r.Helped)
}

// Late reports whether a result is too late to be added: its match ended before a match that was added already, and their order
// matters.
func (e Entry) Late(r Result) bool { return r.continues() && !r.Ended.After(e.Latest) }

// Running is the score of a chain of rematches between two sides.
type Running struct{ A, B, Drawn int }

// RunningOf counts past matches, with the wins of seat a as A. Matches that do not count, such as aborted matches, are left out.
func RunningOf(a match.Seat, past []match.Past) Running {
	var r Running
	for _, p := range past {
		if !p.Result.Counts() {
			continue
		}
		switch winner := p.Result.Outcome.Winner(); {
		case winner == game.None:
			r.Drawn += p.Count
		case p.Seats.Of(winner) == a:
			r.A += p.Count
		default:
			r.B += p.Count
		}
	}
	return r
}

// Played reports whether any match was counted.
func (r Running) Played() bool { return r != Running{} }

// Store reads scores, which are stored with every ended match.
type Store interface {
	// Leaderboard returns one page of a leaderboard.
	Leaderboard(ctx context.Context, v match.Venue, b Board, where Where, own match.User) (Page, error)
	// Between returns at most limit rows of the leaderboard that follows from the matches that ended at from or later and before to, on all
	// rule sets together. The rows have no names.
	Between(ctx context.Context, v match.Venue, of Leaderboard, from, to time.Time, limit int) ([]Row, error)
	// Own returns the entries of a player for each venue, summed over all rule sets and all seasons: the entry against people
	// first, and then the entries by level. They have no feats.
	Own(ctx context.Context, p match.User) ([]Entry, error)
	// Recount recounts a part of the stale scores, and reports whether there are more.
	Recount(ctx context.Context) (more bool, err error)
}
