// Package season divides the time of a venue into seasons, each with leaderboards of its own.
//
// A venue begins with season 0, which is not stored. Seasons follow each other without a gap: each ends when the next begins.
// The season of a match follows from the time when the match ended; see [Boundaries].
package season

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/server/policy"
)

// Latest stands for the number of the current season, wherever a season number is expected.
const Latest = -1

// Season is a period of a venue.
type Season struct {
	Venue  match.Venue
	Number int    // from 1
	Name   string // "" if the season follows a planned end
	Began  time.Time
	Ends   time.Time  // the planned end; zero without a plan
	Ended  time.Time  // when the next season began, which may be earlier than planned; zero for the current season
	By     match.User // the moderator who began it, [match.Left] if that user has left; "" if it follows a planned end
	// Channel is the channel in which the champions are posted at the end; "" if they are not posted.
	Channel string
	// Language is the language of public messages in that channel at the beginning of the season, as Discord names it; "" if unknown.
	Language string
	// Announced is when a process claimed the post of the champions; zero before.
	Announced time.Time
}

// GoesOn reports whether the season has not ended.
func (s Season) GoesOn() bool { return s.Ended.IsZero() }

// Boundaries are the times at which the seasons of a venue began, by number; the first is the beginning of season 1. A match that
// ended at a boundary belongs to the season before it.
type Boundaries []time.Time

// Number returns the season number of a match that ended at the given time.
func (b Boundaries) Number(ended time.Time) int {
	n, _ := slices.BinarySearchFunc(b, ended, time.Time.Compare)
	return n
}

// Between returns the boundaries between two matches that ended at from and to.
func (b Boundaries) Between(from, to time.Time) Boundaries {
	first, next := b.Number(from), b.Number(to)
	return b[first:max(first, next)]
}

// Span returns the bounds of a season: its matches ended later than start and not later than end. For season 0 start is zero, and for the
// current season end is zero.
func (b Boundaries) Span(number int) (start, end time.Time) {
	if number > 0 {
		start = b[number-1]
	}
	if number < len(b) {
		end = b[number]
	}
	return start, end
}

// Store keeps the seasons of venues.
type Store interface {
	// Seasons returns the stored seasons of a venue, the newest first. It leaves out seasons that ended before the last reset of the
	// venue's scores, because their matches do not count any more.
	Seasons(ctx context.Context, v match.Venue) ([]Season, error)
	// BeginSeason begins a season and ends the previous one, and saves the audit entry and the names. The error is
	// [match.ErrConflict] if the season's number is not the next, or if it begins before the previous season. Matches that ended
	// after its beginning move to it. If the same season is stored already, BeginSeason returns nil.
	BeginSeason(ctx context.Context, s Season, entry policy.AuditEntry, names ...match.Name) error
	// UndoSeason removes the newest season of a venue, and saves the audit entry and the names. The season's matches count for
	// the previous season, which continues, without its planned end if that has passed. The error is [match.ErrConflict] if the
	// season is not the newest any more.
	UndoSeason(ctx context.Context, s Season, entry policy.AuditEntry, names ...match.Name) error
	// EndSeasons ends the seasons whose planned end is not after now. A season without a name follows, which begins at the
	// planned end and has the same channel. EndSeasons returns the number of seasons that it ended. If several processes call
	// it at once, only one ends a season.
	EndSeasons(ctx context.Context, now time.Time) (n int, err error)
	// Unannounced returns at most limit ended seasons whose champions have to be posted, in the order in which they ended.
	Unannounced(ctx context.Context, limit int) ([]Season, error)
	// Announce claims the post of the champions of a season. It has to be called before the post is sent, so that there is at most
	// one post: the error is [match.ErrConflict] if another process has claimed it, or if the end of the season was undone.
	Announce(ctx context.Context, s Season, at time.Time) error
	// Announced returns the seasons whose post of the champions was claimed since the given time.
	Announced(ctx context.Context, since time.Time) ([]Season, error)
}

// WithPreseason adds season 0, which is not stored, to the seasons of a venue if they include season 1. Seasons before a reset of the
// scores are missing from the list; if season 1 is missing, season 0 does not count any more either.
func WithPreseason(all []Season) []Season {
	if n := len(all); n > 0 && all[n-1].Number == 1 {
		return append(slices.Clip(all), Season{Venue: all[0].Venue, Ended: all[n-1].Began})
	}
	return all
}

// Named returns the season with the given number or name: the first of the list if several have the name. It returns false if
// there is none.
func Named(all []Season, word string) (Season, bool) {
	word = strings.TrimSpace(word)
	i := slices.IndexFunc(all, func(s Season) bool { return strconv.Itoa(s.Number) == word })
	if i < 0 {
		i = slices.IndexFunc(all, func(s Season) bool { return s.Name != "" && strings.EqualFold(s.Name, word) })
	}
	if i < 0 {
		return Season{}, false
	}
	return all[i], true
}
