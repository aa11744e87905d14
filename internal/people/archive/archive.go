// Package archive finds past matches: the matches of a player, and the most remarkable matches of a venue.
package archive

import (
	"context"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
)

// Played is a match without its moves, for lists.
type Played struct {
	ID     match.ID
	Venue  match.Venue
	Rules  game.Rules
	Seats  match.Seats
	Result match.Result // zero while the match goes on
	At     time.Time    // when it ended, or began if it goes on
}

// Of returns the list entry of a match.
func Of(m match.Match) Played {
	at := m.Ended
	if !m.Result.Over() {
		at = m.Created
	}
	return Played{ID: m.ID, Venue: m.Venue, Rules: m.Position().Rules(), Seats: m.Seats, Result: m.Result, At: at}
}

// Feat is a remarkable match.
type Feat struct {
	Played
	Moves    int // moves of both sides, for the shortest and longest matches
	Critical int // critical moves of both sides, for accurate matches
	Errors   int // critical moves that cost a win or a draw, for accurate matches
	Ahead    int // the points by which the loser was rated higher before the match; for upsets
}

// Best holds the remarkable matches of a venue, the most remarkable of each kind first.
type Best struct {
	Shortest []Feat // wins with a line after few moves
	Longest  []Feat // matches that ended with a line or a full board after many moves
	Accurate []Feat // matches with at least [MinCritical] critical moves and at most one error in [ErrorIn] of them
	Upsets   []Feat // wins against a higher rated player
}

const (
	// MaxEach is the largest number of matches of each kind.
	MaxEach = 3
	// MinCritical is the least number of critical moves, of both sides together, in an accurate match.
	MinCritical = 4
	// ErrorIn is the number of critical moves among which an accurate match has at most one error.
	ErrorIn = 4
	// MaxDays is the largest number of days to look back.
	MaxDays = 31
)

// Empty reports whether there is no remarkable match.
func (b Best) Empty() bool {
	return len(b.Shortest)+len(b.Longest)+len(b.Accurate)+len(b.Upsets) == 0
}

// Store reads the archive.
type Store interface {
	// Latest returns at most limit ended matches of a player in all venues, the latest first, including matches that do not
	// count. With an error that wraps [match.ErrUnreadable] it returns the readable matches.
	Latest(ctx context.Context, p match.User, limit int) ([]Played, error)
	// Best returns the remarkable matches of a venue among the reviewed matches between two people that count and that ended
	// within the given number of days, the last of which is the UTC day of the given time. Matches of hidden players are left out.
	Best(ctx context.Context, v match.Venue, last time.Time, days int) (Best, error)
}
