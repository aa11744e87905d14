// Package archive finds matches again: those that a player has played, and those of a venue that are worth seeing.
package archive

import (
	"context"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
)

// Played is a match without its moves, as it stands in a list.
type Played struct {
	ID     match.ID
	Venue  match.Venue
	Rules  game.Rules
	Seats  match.Seats
	Result match.Result // zero while the match goes on
	At     time.Time    // when it ended, or began if it goes on
}

// Of is what stands in a list about a match.
func Of(m match.Match) Played {
	at := m.Ended
	if !m.Result.Over() {
		at = m.Created
	}
	return Played{ID: m.ID, Venue: m.Venue, Rules: m.Position().Rules(), Seats: m.Seats, Result: m.Result, At: at}
}

// Feat is a match that is worth seeing.
type Feat struct {
	Played
	Moves    int // of both sides, where it is their number that is worth seeing
	Critical int // critical moves of both sides, and Errors those that cost a win or a draw, where the match is accurate
	Errors   int
	Ahead    int // by how many points the loser was rated higher before, where the match is an upset
}

// Best are the matches of a venue that are worth seeing, the most remarkable of each kind first.
type Best struct {
	Shortest []Feat // wins with a line after few moves
	Longest  []Feat // matches that were played to a line or a full board with many moves
	Accurate []Feat // matches with at least [MinCritical] critical moves, of which at most one in [ErrorIn] was an error
	Upsets   []Feat // wins against somebody who was rated higher
}

const (
	// MaxEach is how many matches of each kind there are at most.
	MaxEach = 3
	// MinCritical is how many critical moves both sides together must have made in a match that is accurate.
	MinCritical = 4
	// ErrorIn is of how many critical moves of a match that is accurate at most one was an error.
	ErrorIn = 4
	// MaxDays is how many days one may look back.
	MaxDays = 31
)

// Empty tells whether nothing is worth seeing.
func (b Best) Empty() bool {
	return len(b.Shortest)+len(b.Longest)+len(b.Accurate)+len(b.Upsets) == 0
}

// Store reads the archive.
type Store interface {
	// Latest are the ended matches of a player in all venues, the latest first, at most so many: those too that do not count. All that
	// can be read stand beside an error that wraps [match.ErrUnreadable].
	Latest(ctx context.Context, p match.User, limit int) ([]Played, error)
	// Best are those of the matches of a venue between two people that count, ended on the day of that time by UTC or on one of the days
	// before, so many days in all, and were reviewed. Matches of players who hide their profiles are left out.
	Best(ctx context.Context, v match.Venue, last time.Time, days int) (Best, error)
}
