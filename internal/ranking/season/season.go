// Package season divides the time of a venue into seasons, each with leaderboards of its own.
//
// A venue begins with season 0, of which nothing is stored. From then on seasons follow each other without a gap: each ends
// when the next one begins. The season of a match follows from the time when the match ended; see [Boundaries].
package season

import (
	"context"
	"slices"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/server/policy"
)

// Latest stands for the number of the season that goes on, wherever a number is asked for.
const Latest = -1

// Season is a span of the time of a venue.
type Season struct {
	Venue  match.Venue
	Number int    // from 1
	Name   string // "" of the season that follows a planned end, until somebody begins another
	Began  time.Time
	Ends   time.Time  // as planned; zero without a plan
	Ended  time.Time  // when the next season began, which may be earlier than planned; zero while this one goes on
	By     match.User // who began it, [match.Left] if that user has left; "" if it followed a planned end
	// Channel is where its champions are posted when it has ended; "" if nowhere.
	Channel string
	// Language is the language of public messages in that channel when the season began, as Discord names it; "" if unknown.
	Language string
	// Announced is when a process claimed the post of the champions; zero before.
	Announced time.Time
}

// GoesOn reports whether the season has not ended.
func (s Season) GoesOn() bool { return s.Ended.IsZero() }

// Boundaries are the times when the seasons of a venue began, in the order of their numbers: the first is that of season 1.
// A match that ended at a boundary belongs to the season before it.
type Boundaries []time.Time

// Number returns the number of the season to which a match belongs that ended at a time.
func (b Boundaries) Number(ended time.Time) int {
	n, _ := slices.BinarySearchFunc(b, ended, time.Time.Compare)
	return n
}

// Between returns the boundaries between two matches, one that ended at from and one that ended at to.
func (b Boundaries) Between(from, to time.Time) Boundaries {
	first, next := b.Number(from), b.Number(to)
	return b[first:max(first, next)]
}

// Span returns the time of a season: its matches ended later than after and not later than to. For season 0 after is zero,
// and while the season goes on to is zero.
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
	// Seasons returns the seasons of a venue, the newest first; none if nobody has begun one. Seasons that ended before the
	// scores of the venue were last reset are left out, because nothing that was played in them counts any more.
	Seasons(ctx context.Context, v match.Venue) ([]Season, error)
	// BeginSeason begins a season, which ends the one before it. The error is [match.ErrConflict] if its number is not the
	// next one, or if it begins before the season before. Matches that have ended later than it began move to it. The entry
	// and the names are saved with it. A season that is already stored exactly so is no error.
	BeginSeason(ctx context.Context, s Season, entry policy.AuditEntry, names ...match.Name) error
	// UndoSeason undoes the newest season of a venue: its matches count for the season before, which goes on, without its
	// planned end if that has passed. The error is [match.ErrConflict] if the season is not the newest any more. The entry
	// and the names are saved with it.
	UndoSeason(ctx context.Context, s Season, entry policy.AuditEntry, names ...match.Name) error
	// EndSeasons ends the seasons whose planned end is at now or before: a season without a name follows, which begins at
	// the planned end and has the same channel. It returns how many seasons it ended. If several processes ask at once, only
	// one ends a season.
	EndSeasons(ctx context.Context, now time.Time) (n int, err error)
	// Unannounced returns seasons that have ended and whose champions are to be posted, in the order in which they ended, at
	// most limit.
	Unannounced(ctx context.Context, limit int) ([]Season, error)
	// Announce claims the post of the champions of a season. It has to be called before they are posted, so that they are
	// posted at most once: the error is [match.ErrConflict] if another process has claimed it, and if the season goes on
	// again.
	Announce(ctx context.Context, s Season, at time.Time) error
	// Announced returns the seasons whose champions' post has been claimed since a time.
	Announced(ctx context.Context, since time.Time) ([]Season, error)
}
