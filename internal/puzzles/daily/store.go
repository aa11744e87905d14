package daily

import (
	"context"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/server/policy"
)

// MaxListed is how many of the listed users of a venue are searched for those who have solved a puzzle: each of them takes a few
// microseconds.
const MaxListed = 2000

// Store keeps attempts, who is listed in which server, and where puzzles are posted.
type Store interface {
	// BeginAttempt begins an attempt and returns it as it is stored. An attempt that was begun before stays as it is. The names are
	// saved with it.
	BeginAttempt(ctx context.Context, a Attempt, names ...match.Name) (Attempt, error)
	// Attempt returns the attempt of a user at the puzzle of a day. The error is [match.ErrNotFound] if there is none.
	Attempt(ctx context.Context, p match.User, day puzzle.Day) (Attempt, error)
	// SaveAttempt replaces an attempt, provided that the stored presses are still those of from; [match.ErrConflict] otherwise.
	SaveAttempt(ctx context.Context, from, to Attempt) error
	// SolvedDays returns the days whose attempts count for the streak of a user, in their order.
	SolvedDays(ctx context.Context, p match.User) ([]puzzle.Day, error)

	// Listed reports whether a user wants to be listed in a venue among those who have solved puzzles.
	Listed(ctx context.Context, v match.Venue, p match.User) (bool, error)
	// SetListed sets whether a user wants to be listed. The names are saved with it.
	SetListed(ctx context.Context, v match.Venue, p match.User, on bool, names ...match.Name) error
	// Solvers returns at most limit of the users listed in a venue who have solved the puzzle of a day, those with the fewest tries
	// first and among them the quickest first, and how many there are in all. Hidden users are left out. If more than [MaxListed]
	// users want to be listed in the venue, only that many are searched, always the same ones.
	Solvers(ctx context.Context, v match.Venue, day puzzle.Day, limit int) (first []Solver, of int, err error)

	// Post returns where a venue has the puzzle posted. Its channel is empty if nobody has chosen one.
	Post(ctx context.Context, v match.Venue) (Post, error)
	// SetPost sets where a venue has the puzzle posted, from the day p.Next on, or from the stored one if that is later. The entry
	// and the names are saved with it.
	SetPost(ctx context.Context, p Post, entry policy.AuditEntry, names ...match.Name) error
	// DuePosts returns the posts whose next day is today or earlier, by that day and then by venue: at most limit.
	DuePosts(ctx context.Context, today puzzle.Day, limit int) ([]Post, error)
	// ClaimedPosts returns the posts that are claimed and not settled, the first claimed first.
	ClaimedPosts(ctx context.Context) ([]Post, error)
	// ClaimPost claims the post of a day, and returns the post as it is then. It has to be called before the puzzle is posted, so
	// that there is at most one post a day: of those who have read the same post, all but one get the error [match.ErrConflict].
	ClaimPost(ctx context.Context, p Post, day puzzle.Day, at time.Time) (Post, error)
	// ReleasePost gives up the claim on a post that was not made, so that the day can be claimed again.
	ReleasePost(ctx context.Context, p Post) error
	// SettlePost records that the outcome of a claimed post is known. If the channel is closed to the bot, nothing is posted any
	// more until somebody chooses a channel.
	SettlePost(ctx context.Context, p Post, closed bool) error
}

// Solver is a row of the list of those who have solved a puzzle.
type Solver struct {
	User match.User
	Name string // as last seen
	Try  int    // with which the puzzle was solved, counted from 1
	Took time.Duration
}

// Post is where a venue has the puzzle of each day posted.
type Post struct {
	Venue   match.Venue
	Channel string // "" if nowhere
	// Language is the language of public messages in the channel when it was chosen, as Discord names it; "" if unknown.
	Language string
	Next     puzzle.Day // the first day whose post nobody has claimed
	Claimed  time.Time  // when the post of the day before Next was claimed; zero once its outcome is known
	Closed   string     // the former channel, if the bot may not write there any more and there is no other; "" otherwise
}

// Day is the day that a claimed post is about.
func (p Post) Day() puzzle.Day { return p.Next - 1 }
