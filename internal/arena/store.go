package arena

import (
	"context"
	"errors"
	"slices"
	"time"

	"tictactoe/internal/match"
)

// Store keeps arenas. Their games are matches, so one Save writes an arena and its new games.
type Store interface {
	// Arena returns an arena with its entrants and pairings. The error is [match.ErrNotFound] if the id is unknown.
	Arena(ctx context.Context, id match.ID) (Arena, error)
	// OpenArena returns the open arena of a channel. The error is [match.ErrNotFound] if there is none.
	OpenArena(ctx context.Context, v match.Venue, channel string) (Arena, error)
	// PlayedArenas returns the arenas of a venue, or of all if v is empty, that are over and had the player as an entrant, at most limit of them, the latest first.
	PlayedArenas(ctx context.Context, v match.Venue, p match.User, limit int) ([]Arena, error)
	// VenueArenas returns the arenas of a venue, at most limit of them, the latest first.
	VenueArenas(ctx context.Context, v match.Venue, limit int) ([]Arena, error)
	// DueArenas returns what a [Runner] has to look at.
	DueArenas(ctx context.Context, p match.Partition, now time.Time) (Due, error)
	// Save saves a [Change] among the extras of a save. The error is a [*match.Refusal] with Taken if the arena is new and the channel has
	// an open one, or if two players of a new game have blocked each other.
	Save(ctx context.Context, save match.Save) error
}

// Due says what a [Runner] has to look at in its partition.
type Due struct {
	Arenas  []match.ID // the arenas that may have to begin, end or pair entrants now
	Running bool       // some arena is running
	Next    time.Time  // when the next announced arena begins; zero if there is none
}

// Change writes an arena. If From is the zero value, the arena is new; else it replaces From, provided that the stored version is still
// From.Version.
type Change struct{ From, To Arena }

// Extra marks Change as a change that is saved with a [match.Save].
func (Change) Extra() {}

// Entrants returns the entrants that the change adds or changes.
func (c Change) Entrants() []Entrant {
	return slices.DeleteFunc(slices.Clone(c.To.Entrants), func(e Entrant) bool { return slices.Contains(c.From.Entrants, e) })
}

// Desk handles the requests of hosts, entrants and moderators. It is safe for concurrent use.
type Desk struct {
	Store Store
	Time  match.Timekeeper
}

// Announce saves a new arena in a channel. A request that is delivered twice finds the arena that it created. Refusals: BadTerms, BadTime,
// Taken, [match.WrongPlace], [match.BoardWithheld], [match.Barred].
func (d *Desk) Announce(ctx context.Context, req match.Request, channel string, terms Terms) (Arena, error) {
	for {
		known, err := d.Store.Arena(ctx, req.ID)
		if !errors.Is(err, match.ErrNotFound) {
			return known, err
		}
		now, done, err := match.Dated(ctx, d.Time, req.Venue, req.At)
		if err != nil {
			return Arena{}, err
		}
		a, err := New(req.ID, req.Venue, channel, req.By, terms, now)
		if err == nil {
			err = d.Store.Save(ctx, match.Save{
				Permit: match.Permit{
					Venue: req.Venue, Players: []match.User{req.By}, At: now, Interaction: req.Interaction,
					Places: req.Places, Board: terms.Rules.Title(),
				},
				Names: req.Names, Extras: slices.Concat(req.OnCreate, req.OnGrant, []match.Extra{Change{To: a}}),
			})
			d.Time.Saved(time.Time{}, err)
		}
		done()
		if !errors.Is(err, match.ErrExists) && !errors.Is(err, match.ErrConflict) {
			return a, err
		}
	}
}

// Change loads an arena, applies a step such as [Arena.Join], and saves what the step returns. It starts over until the change is saved or
// refused. If the step changes nothing, nothing is saved. For an arena of another venue the refusal is
// Unknown, and for a barred entrant [match.Barred].
func (d *Desk) Change(ctx context.Context, req match.Request, id match.ID, step func(a Arena, now time.Time) (Arena, error)) (Arena, error) {
	for {
		a, err := d.Store.Arena(ctx, id)
		if errors.Is(err, match.ErrNotFound) || err == nil && a.Venue != req.Venue {
			return a, refuse(Unknown)
		}
		if err != nil {
			return a, err
		}
		now, done, err := match.Dated(ctx, d.Time, a.Venue, req.At)
		if err != nil {
			return a, err
		}
		next, err := step(a, now)
		if err != nil || next.Version == a.Version {
			done()
			return next, err
		}
		change, permit := Change{a, next}, match.Permit{Venue: a.Venue, At: now, Joins: true, Interaction: req.Interaction}
		for _, e := range change.Entrants() {
			if e.State == Ready {
				permit.Players = append(permit.Players, e.Player)
			}
		}
		err = d.Store.Save(ctx, match.Save{
			Permit: permit, Names: req.Names, Extras: slices.Concat(req.OnUpdate, req.OnGrant, []match.Extra{change}),
		})
		d.Time.Saved(time.Time{}, err)
		done()
		if !errors.Is(err, match.ErrConflict) {
			return next, err
		}
	}
}
