// Package season divides the time of a venue into seasons, each with leaderboards of its own.
//
// A venue begins with season 0, of which nothing is stored. From then on seasons follow each other without a gap: each ends where
// the next one begins. Which season a match belongs to follows from the time when it ended; see [Boundaries].
package season

import (
	"context"
	"slices"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/policy"
)

// Latest stands for the number of the season that goes on, where one is asked for.
const Latest = -1

// Season is a span of the time of a venue.
type Season struct {
	Venue  match.Venue
	Number int    // from 1
	Name   string // "" of the time after a season whose planned end has passed, until somebody begins another
	Began  time.Time
	Ends   time.Time  // as planned; zero without a plan
	Ended  time.Time  // when the next one began, which may be earlier than planned; zero while it goes on
	By     match.User // who began it, [match.Left] who has left; "" if it followed a planned end
	// Channel is where its champions are to be posted when it has ended; "" if nowhere.
	Channel string
	// Language is the one in which everybody in that channel was spoken to when the season began, as Discord names it; "" if it is not known.
	Language string
	// Announced is when somebody set about posting them; zero before.
	Announced time.Time
}

// GoesOn tells whether the season has not ended.
func (s Season) GoesOn() bool { return s.Ended.IsZero() }

// Boundaries are the times when the seasons of a venue began, in the order of their numbers: the first is that of season 1. A match
// that ended at a boundary belongs to the season before it.
type Boundaries []time.Time

// Number is that of the season to which a match belongs that ended at that time.
func (b Boundaries) Number(ended time.Time) int {
	n, _ := slices.BinarySearchFunc(b, ended, time.Time.Compare)
	return n
}

// Between are the boundaries between two matches, one that ended at from and one that ended at to.
func (b Boundaries) Between(from, to time.Time) Boundaries {
	first, next := b.Number(from), b.Number(to)
	return b[first:max(first, next)]
}

// Span is the time of a season: what ended later than after, and not later than to, which is zero while the season goes on.
// Season 0 has no beginning: its after is zero.
func (b Boundaries) Span(number int) (after, to time.Time) {
	if number > 0 {
		after = b[number-1]
	}
	if number < len(b) {
		to = b[number]
	}
	return after, to
}

// Store keeps the seasons of venues.
type Store interface {
	// Seasons are those of a venue, the newest first; none where nobody has begun one. Those that ended before the scores of the
	// venue were last reset are left out: nothing that was played in them counts any more.
	Seasons(ctx context.Context, v match.Venue) ([]Season, error)
	// BeginSeason begins a season, which ends the one before it. Its number is the one that comes next and its beginning not before
	// that of the season before, else the error is [match.ErrConflict]. Matches that have ended later than it began move to it. The
	// entry and the names are saved with it. A season that is there already as it is to begin is no error.
	BeginSeason(ctx context.Context, s Season, entry policy.AuditEntry, names ...match.Name) error
	// UndoSeason undoes the newest season of a venue: its matches count for the season before, which goes on. A planned end of that
	// one which has passed is forgotten. If the season is not the newest any more, the error is [match.ErrConflict]. The
	// entry and the names are saved with it.
	UndoSeason(ctx context.Context, s Season, entry policy.AuditEntry, names ...match.Name) error
	// EndSeasons has the seasons whose planned end is at that time or before be followed by one without a name, which begins at the
	// planned end and has the same channel. It reports how many there were. Of several that ask at once one ends a season.
	EndSeasons(ctx context.Context, now time.Time) (n int, err error)
	// Unannounced are seasons that have ended and whose champions are to be posted, those that ended first first, at most limit.
	Unannounced(ctx context.Context, limit int) ([]Season, error)
	// Announce notes that somebody sets about posting the champions of a season. It has to be called before they are posted, so that
	// they are posted at most once: to all but one, and when the season goes on again, the error is [match.ErrConflict].
	Announce(ctx context.Context, s Season, at time.Time) error
	// Announced are the seasons whose champions somebody has set about posting since that time.
	Announced(ctx context.Context, since time.Time) ([]Season, error)
}
