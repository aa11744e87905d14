// Package score says what a finished match counts and how players are ranked.
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

// Plus returns the sum of both.
func (t Tally) Plus(u Tally) Tally {
	return Tally{t.Wins + u.Wins, t.Draws + u.Draws, t.Losses + u.Losses}
}

// Entry is the sum of one player's matches in one season and venue, with one rule set or all, against people or against the
// computer of one level. With an empty Venue it sums the matches in direct messages, which are on no leaderboard.
type Entry struct {
	Venue  match.Venue
	Season int
	Rules  string // empty: all rule sets together
	Player match.User
	Level  string // of the computer played against; empty against people
	Tally
	// Reached is when the wins and losses became what they are: of two equal players the one who got there first ranks
	// first.
	Reached time.Time
	Feats
}

// Feats are what a player has achieved against the computer of one level. Against people there are none.
type Feats struct {
	Beaten   time.Time // when the player first beat it without a hint
	Fewest   int       // the fewest moves of the player in such a win; 0 without one
	FewestAt time.Time // when the first win with so few moves ended
	// Run is how often the player has drawn with the level Perfect since last losing to it, Longest the longest such run, and
	// LongestAt when that was reached. Latest is when the latest match that counts for runs ended.
	Run, Longest      int
	LongestAt, Latest time.Time
}

// Outcome is how a match ended for one of its players.
type Outcome uint8

// The outcomes.
const (
	Loss Outcome = iota
	Draw
	Win
)

// Result is what an ended match adds to the entries of one of its players.
type Result struct {
	Player  match.User
	Rules   string
	Level   string // of the computer played against; empty against people
	Outcome Outcome
	Moves   int  // how many moves the player made
	Called  bool // a moderator has called it a draw
	Helped  bool // the player had a hint
	Ended   time.Time
}

// Of returns the result of an ended match for each player: none if the match does not count, and none for a player who has
// left.
func Of(m match.Match) []Result {
	if !m.Result.Counts() {
		return nil
	}
	var results []Result
	for _, p := range m.Seats.Players() {
		if p == match.Left {
			continue
		}
		mark := m.Seats.Mark(p)
		r := Result{
			Player: p, Rules: m.Position().Rules().String(), Level: m.Seats.Level(),
			Moves: OwnMoves(m.Record.Len(), mark), Called: m.Result.Cause == match.ByModerator, Helped: m.Helped,
			Ended: m.Ended.Truncate(time.Millisecond), // as precise as it is stored
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

// OwnMoves returns how many of so many moves a side made. X moves first.
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

// continues reports whether a result belongs to a run of draws or ends one. A loss ends a run, even with a hint. A win does
// not, because it would be odd to lose a run by winning. A draw belongs to a run, unless a moderator has called it or the
// player had a hint.
func (r Result) continues() bool {
	return r.Level == Perfect && (r.Outcome == Loss || r.Outcome == Draw && !r.Called && !r.Helped)
}

// Late reports whether a result comes too late to be added: its match ended before one that was added already, and their
// order matters.
func (e Entry) Late(r Result) bool { return r.continues() && !r.Ended.After(e.Latest) }

// Running is the score of a series between two sides.
type Running struct{ A, B, Drawn int }

// RunningOf counts past matches, with the wins of seat a as A. Matches that do not count, such as aborted ones, are left
// out.
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

// Played reports whether any match has been counted.
func (r Running) Played() bool { return r != Running{} }

// RowsOnAPage is how many rows a page of a leaderboard has.
const RowsOnAPage = 10

// Row is one line of a leaderboard.
type Row struct {
	Rank   int // from 1
	Player match.User
	Name   string
	Hidden bool // the player is hidden, and has no name here
	Tally
	Levels []LevelTally // by level of the computer, the weakest first; empty on the leaderboard of people
}

// LevelTally is what a player has done against the computer of one level.
type LevelTally struct {
	Level string
	Tally
	Fewest  int // the fewest moves of the player in a win; 0 without one
	Longest int // the longest run of draws; see [Feats]
}

// Where says which page of a leaderboard to show: the page of a player, or a page by its number.
type Where struct {
	Player match.User // whose page to show, the first page for a player without a row; if empty, Page says which
	Page   int        // from 1; a number beyond the last page means the last page
}

// PageOf returns the page that has the row at a position, from 1.
func PageOf(position int) int { return (position-1)/RowsOnAPage + 1 }

// Page is one page of a leaderboard.
type Page struct {
	Rows  []Row
	Own   *Row // the row of the player who asks, even if it is on another page; nil without one
	Page  int  // from 1, at most Pages
	Pages int  // at least 1
	Stale bool // some of it is being counted anew
}

// Store reads the scores that the store keeps with every match that ends.
type Store interface {
	// Leaderboard returns one page of a leaderboard.
	Leaderboard(ctx context.Context, v match.Venue, b Board, where Where, own match.User) (Page, error)
	// Own returns the entries of a player on all rule sets together, of every venue and of all seasons together, people
	// first, then by level. They have no feats.
	Own(ctx context.Context, p match.User) ([]Entry, error)
	// Recount counts anew a part of the scores that need it, and reports whether there is more.
	Recount(ctx context.Context) (more bool, err error)
}
