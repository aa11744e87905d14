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

// Entry is one player's tally at one venue against people, or against the computer of one level. Venue "" is what was
// played in direct messages: a player's own record, on no leaderboard.
type Entry struct {
	Venue  match.Venue
	Player match.User
	Level  string // of the computer played against; empty against people
	Tally
	// Reached is when the wins and losses came to be what they are: who got there first ranks first.
	Reached time.Time
}

// Of is what a match that has ended adds to each player's entry: nothing if it does not count, and nothing for one who has
// left.
func Of(m match.Match) []Entry {
	if !m.Result.Counts() {
		return nil
	}
	var entries []Entry
	for _, p := range m.Seats.Players() {
		if p == match.Left {
			continue
		}
		e := Entry{Venue: m.Venue, Player: p, Level: m.Seats.Level(), Reached: m.Ended}
		switch m.Result.Outcome.Winner() {
		case game.None:
			e.Draws = 1
			e.Reached = time.Time{} // a draw moves nobody
		case m.Seats.Mark(p):
			e.Wins = 1
		default:
			e.Losses = 1
		}
		entries = append(entries, e)
	}
	return entries
}

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
	Levels []LevelTally // against the computer, in the order of the levels' names; empty on the board of people
}

// LevelTally is a player's tally against the computer of one level.
type LevelTally struct {
	Level string
	Tally
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
}

// Leaderboard names a leaderboard.
type Leaderboard uint8

// The leaderboards of a venue.
const (
	People    Leaderboard = iota // matches between people: wins, then fewer losses, then who got there first
	Computers                    // matches against the computer: wins, then draws, then fewer losses, then who got there first
)

// Store reads what the store keeps with every match that ends.
type Store interface {
	// Leaderboard is one page.
	Leaderboard(ctx context.Context, v match.Venue, b Leaderboard, where Where, own match.User) (Page, error)
	// Own are all entries of a player, of every venue, people first, then by level.
	Own(ctx context.Context, p match.User) ([]Entry, error)
}
