package daily

import (
	"context"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/puzzle"
)

// MaxListed is the largest number of listed users of a venue that are searched for solvers of a puzzle. The search takes a few microseconds
// for each user.
const MaxListed = 2000

// Store keeps the attempts and the listed users of each server.
type Store interface {
	// BeginAttempt stores a new attempt together with the names, and returns the stored attempt. If the attempt exists already, it
	// does not change.
	BeginAttempt(ctx context.Context, a Attempt, names ...match.Name) (Attempt, error)
	// Attempt returns the attempt of a user at the puzzle of a day. The error is [match.ErrNotFound] if there is none.
	Attempt(ctx context.Context, p match.User, day puzzle.Day) (Attempt, error)
	// SaveAttempt replaces an attempt, given in its old and its new state. The error is [match.ErrConflict] if the stored presses are not
	// the presses of the old state any more.
	SaveAttempt(ctx context.Context, old, changed Attempt) error
	// SolvedDays returns the days whose attempts count for the streak of a user, in ascending order.
	SolvedDays(ctx context.Context, p match.User) ([]puzzle.Day, error)

	// Listed reports whether a user wants to be listed in a venue as a solver of puzzles.
	Listed(ctx context.Context, v match.Venue, p match.User) (bool, error)
	// SetListed sets whether a user wants to be listed. The names are saved with it.
	SetListed(ctx context.Context, v match.Venue, p match.User, on bool, names ...match.Name) error
	// Solvers returns at most limit of the users listed in a venue who have solved the puzzle of a day, ordered by the number of tries
	// and then by the time taken, and the number of all such users. Hidden users are left out. If more than [MaxListed] users want to
	// be listed in the venue, only that many are searched, always the same users.
	Solvers(ctx context.Context, v match.Venue, day puzzle.Day, limit int) (first []Solver, of int, err error)
}

// Solver is a row of the list of users who have solved a puzzle.
type Solver struct {
	User match.User
	Name string // the name last seen
	Try  int    // the number of the try that solved the puzzle, counted from 1
	Took time.Duration
}
