package daily

import (
	"context"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/policy"
	"tictactoe/internal/puzzle"
)

// MaxListed is how many of the people of a venue who want to be listed are searched for those who have solved a puzzle: each of them takes
// a few microseconds.
const MaxListed = 2000

// Store keeps attempts, who is listed in which server, and where puzzles are posted.
type Store interface {
	// BeginAttempt begins an attempt, and returns it as it is stored: one that was begun before stays as it is. The names are saved
	// with it.
	BeginAttempt(ctx context.Context, a Attempt, names ...match.Name) (Attempt, error)
	// Attempt is that of a user with the puzzle of a day; [match.ErrNotFound] if it was never begun.
	Attempt(ctx context.Context, p match.User, day puzzle.Day) (Attempt, error)
	// SaveAttempt replaces an attempt, provided that the stored presses are still those of from; [match.ErrConflict] otherwise.
	SaveAttempt(ctx context.Context, from, to Attempt) error
	// SolvedDays are the days whose attempts count for the streak of a user, in their order.
	SolvedDays(ctx context.Context, p match.User) ([]puzzle.Day, error)

	// Listed tells whether a user wants to be listed in a venue among those who have solved puzzles.
	Listed(ctx context.Context, v match.Venue, p match.User) (bool, error)
	// SetListed says so. The names are saved with it.
	SetListed(ctx context.Context, v match.Venue, p match.User, on bool, names ...match.Name) error
	// Solvers are those listed in a venue who have solved the puzzle of a day, those with the fewest tries first, among them the
	// quickest first: at most limit. Those who hide are left out. Of all counts them all. In a venue where more than [MaxListed] people
	// want to be listed, so many are looked at, always the same ones.
	Solvers(ctx context.Context, v match.Venue, day puzzle.Day, limit int) (first []Solver, of int, err error)

	// Post is where a venue has the puzzle posted; one without a channel if nobody has said anything.
	Post(ctx context.Context, v match.Venue) (Post, error)
	// SetPost says where a venue has the puzzle posted, from the day on that the post names or a later one that is stored. The entry
	// and the names are saved with it.
	SetPost(ctx context.Context, p Post, entry policy.AuditEntry, names ...match.Name) error
	// DuePosts are the posts whose next day is today or earlier, in the order of their venues: at most limit.
	DuePosts(ctx context.Context, today puzzle.Day, limit int) ([]Post, error)
	// ClaimedPosts are those that somebody has set about and of which nobody has said what became of them, the first claimed first.
	ClaimedPosts(ctx context.Context) ([]Post, error)
	// ClaimPost notes that somebody sets about posting the puzzle of a day, and returns the post as it is then. It has to be called
	// before that, so that there is one post a day at most: to all but one that have read the same post the error is
	// [match.ErrConflict].
	ClaimPost(ctx context.Context, p Post, day puzzle.Day, at time.Time) (Post, error)
	// ReleasePost takes the claim of a post back that was not made: somebody may claim the day of it again.
	ReleasePost(ctx context.Context, p Post) error
	// SettlePost notes that it is known what became of a claimed post. If the channel is closed to the bot, nothing is posted any more
	// until somebody chooses a channel.
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
	// Language is the one in which everybody in the channel was spoken to when it was chosen, as Discord names it; "" if it is not known.
	Language string
	Next     puzzle.Day // the first day whose puzzle nobody has set about posting
	Claimed  time.Time  // when somebody set about the post of the day before Next; zero once it is known what became of that
	Closed   string     // the channel in which the bot may not write any more, since when there is none; "" otherwise
}

// Day is the day that a claimed post is about.
func (p Post) Day() puzzle.Day { return p.Next - 1 }
