package daily

import (
	"context"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/server/policy"
)

// MaxListed is the largest number of listed users of a venue that are searched for solvers of a puzzle. The search takes a few microseconds
// for each user.
const MaxListed = 2000

// Store keeps the attempts, the listed users of each server, and the channels in which puzzles are posted.
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

	// Post returns the post settings of a venue. The channel is empty if none was chosen.
	Post(ctx context.Context, v match.Venue) (Post, error)
	// SetPost saves the post settings of a venue together with the audit entry and the names. They apply from the day p.Next on, or
	// from the stored next day if that is later.
	SetPost(ctx context.Context, p Post, entry policy.AuditEntry, names ...match.Name) error
	// DuePosts returns at most limit posts whose next day is today or earlier, ordered by that day and then by venue.
	DuePosts(ctx context.Context, today puzzle.Day, limit int) ([]Post, error)
	// ClaimedPosts returns the posts that are claimed and not settled, in the order in which they were claimed.
	ClaimedPosts(ctx context.Context) ([]Post, error)
	// ClaimPost claims the post of a day, and returns the claimed post. It has to be called before the puzzle is posted, so that
	// there is at most one post a day: if several processes claim the same post, all but one get the error [match.ErrConflict].
	ClaimPost(ctx context.Context, p Post, day puzzle.Day, at time.Time) (Post, error)
	// ReleasePost gives up the claim on a post that was not sent, so that the day can be claimed again.
	ReleasePost(ctx context.Context, p Post) error
	// SettlePost records that the outcome of a claimed post is known. If the bot may not write in the channel, posting stops until a
	// moderator chooses a channel.
	SettlePost(ctx context.Context, p Post, closed bool) error
}

// Solver is a row of the list of users who have solved a puzzle.
type Solver struct {
	User match.User
	Name string // the name last seen
	Try  int    // the number of the try that solved the puzzle, counted from 1
	Took time.Duration
}

// Post holds the settings and the state of the daily post of a venue.
type Post struct {
	Venue   match.Venue
	Channel string // "" if the puzzle is not posted
	// Language is the language of public messages in the channel at the time of the choice, as Discord names it; "" if unknown.
	Language string
	Next     puzzle.Day // the first day whose post is not claimed
	Claimed  time.Time  // when the post of the day before Next was claimed; zero once its outcome is known
	Closed   string     // the former channel if the bot may not write in it any more and no other was chosen; "" otherwise
}

// Day returns the day of a claimed post.
func (p Post) Day() puzzle.Day { return p.Next - 1 }
