// Package score says what a finished match is worth and how players are ranked.
package score

import (
	"context"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
)

// Tally counts finished matches.
type Tally struct{ Wins, Draws, Losses int }

// Total is the number of matches counted.
func (t Tally) Total() int { return t.Wins + t.Draws + t.Losses }

// Plus is both together.
func (t Tally) Plus(u Tally) Tally {
	return Tally{t.Wins + u.Wins, t.Draws + u.Draws, t.Losses + u.Losses}
}

// Entry is what one player's matches of one season add up to, at one venue, on one board, against people or against the
// computer of one level. Venue "" is what was played in direct messages: a player's own record, on no leaderboard.
type Entry struct {
	Venue  match.Venue
	Season int
	Rules  string // empty: on all boards together
	Player match.User
	Level  string // of the computer played against; empty against people
	Tally
	// Reached is when the wins and losses came to be what they are: who got there first ranks first.
	Reached time.Time
	Feats
}

// Feats are what a player has achieved against the computer of one level. Against people there are none.
type Feats struct {
	Beaten   time.Time // when it was beaten for the first time
	Fewest   int       // of one's own moves in a win; 0 without one
	FewestAt time.Time // when that was done for the first time
	// Run is how often the player has drawn against the computer that never loses since losing to it last, Longest the most that
	// ever was, and LongestAt when it came to be. Latest is when the latest match ended that they are about.
	Run, Longest      int
	LongestAt, Latest time.Time
}

// Outcome is what a match was for one of its players.
type Outcome uint8

// The outcomes.
const (
	Loss Outcome = iota
	Draw
	Win
)

// Result is what a match that has ended adds to the entries of one of its players.
type Result struct {
	Player  match.User
	Rules   string
	Level   string // of the computer played against; empty against people
	Outcome Outcome
	Moves   int  // of the player's own
	Called  bool // a moderator has called it a draw
	Helped  bool // the player had a hint
	Ended   time.Time
}

// Of is what a match that has ended is to each player: nothing if it does not count, and nothing for one who has left.
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
			Ended: m.Ended.Truncate(time.Millisecond), // as it is stored
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

// OwnMoves is how many of so many moves are those of a side. X moves first.
func OwnMoves(moves int, mark game.Mark) int {
	if mark == game.X {
		moves++
	}
	return moves / 2
}

// Tally is the one match that it is.
func (r Result) Tally() Tally {
	switch r.Outcome {
	case Win:
		return Tally{Wins: 1}
	case Draw:
		return Tally{Draws: 1}
	default:
		return Tally{Losses: 1}
	}
}

// Add counts a result.
func (e *Entry) Add(r Result) {
	e.Tally = e.Plus(r.Tally())
	if r.Outcome != Draw && r.Ended.After(e.Reached) { // a draw moves nobody
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

// continues tells whether a result is a part of a run of draws, or ends one. For a draw that a moderator has called nobody has
// played, and one with a hint is no part of a run; and that a player should lose a run by winning would be odd. A hint does not save a run
// from a loss.
func (r Result) continues() bool {
	return r.Level == Perfect && (r.Outcome == Loss || r.Outcome == Draw && !r.Called && !r.Helped)
}

// Late tells whether a result comes too late to be counted after the others: its match did not end after theirs, and their order
// matters.
func (e Entry) Late(r Result) bool { return r.continues() && !r.Ended.After(e.Latest) }

// Running is the score of a chain of rematches between two sides.
type Running struct{ A, B, Drawn int }

// RunningOf counts the past matches, with a's wins first. Aborted ones do not count.
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

// Played tells whether anything has been counted.
func (r Running) Played() bool { return r != Running{} }

// RowsOnAPage is how many rows a page of a leaderboard has.
const RowsOnAPage = 10

// Row is one line of a leaderboard.
type Row struct {
	Rank   int // from 1
	Player match.User
	Name   string
	Hidden bool // wants to be named to nobody, and has no name here
	Tally
	Levels []LevelTally // against the computer, the weakest first; empty on the leaderboard of people
}

// LevelTally is what a player has done against the computer of one level.
type LevelTally struct {
	Level string
	Tally
	Fewest  int // moves of one's own in a win; 0 without one
	Longest int // run of draws; see [Feats]
}

// Where says which page of a leaderboard to show: that of a player, or one by its number.
type Where struct {
	Player match.User // whose page it is, the first for one who has no row; if it is empty, Page says which
	Page   int        // from 1; a page beyond the last is the last
}

// PageOf is the page that has the row at that position, from 1.
func PageOf(position int) int { return (position-1)/RowsOnAPage + 1 }

// Page is one page of a leaderboard.
type Page struct {
	Rows  []Row
	Own   *Row // of the player who asks, also when it is on another page; nil without one
	Page  int  // from 1, at most Pages
	Pages int  // at least 1
	Stale bool // some of it is being counted anew
}

// Store reads what the store keeps with every match that ends.
type Store interface {
	// Leaderboard is one page.
	Leaderboard(ctx context.Context, v match.Venue, b Board, where Where, own match.User) (Page, error)
	// Own are the entries of a player on all boards together, of every venue and all seasons together, people first, then by level.
	// Those of one venue have no feats.
	Own(ctx context.Context, p match.User) ([]Entry, error)
	// Recount counts anew what has to be, a part at a time, and reports whether there is more.
	Recount(ctx context.Context) (more bool, err error)
}
