//go:build !js

// Package roster keeps former members and the staff of a server off its leaderboards, if its moderators want that.
// It asks Discord about single members, which takes no privileged intent.
package roster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
	"tictactoe/internal/ranking/rankrole"
	"tictactoe/internal/server/policy"
)

const (
	// FreshFor is how long an answer about a member is used.
	FreshFor = 24 * time.Hour
	// atOnce is the most members about whom Discord is asked for one page.
	atOnce = 10
	// pause is the pause after a request.
	pause = 250 * time.Millisecond
	// waiting is how many pages can wait.
	waiting = 64
)

// Store keeps the answers about members, and the players without a place.
type Store interface {
	Policy(ctx context.Context, v match.Venue) (policy.Policy, error)
	// Unchecked returns the given players about whom nothing was saved since a time, and then some of the players of the venue who were left
	// out before that time.
	Unchecked(ctx context.Context, v match.Venue, players []match.User, since time.Time) ([]match.User, error)
	// SaveCheck saves that a player has left a venue, or has these roles there. By its policy it leaves the player out of the
	// leaderboards or puts the player back, and reports whether that changed them.
	SaveCheck(ctx context.Context, v match.Venue, p match.User, left bool, roles []string, at time.Time) (changed bool, err error)
}

// Checker asks about members in the background.
type Checker struct {
	Store   Store
	Discord interface {
		// MemberRoles returns the roles of a member. The error wraps [rankrole.ErrAbsent] if the player is no member.
		MemberRoles(ctx context.Context, v match.Venue, p match.User) ([]string, error)
	}
	Clock *clock.Clock
	Log   *slog.Logger
	Queue chan Page // made by NewQueue
}

// Page is a page of a leaderboard that somebody has seen.
type Page struct {
	Venue   match.Venue
	Players []match.User
	// Here is a member who has just been seen with Roles; empty if nobody was.
	Here  match.User
	Roles []string
}

// NewQueue returns a queue for a Checker.
func NewQueue() chan Page { return make(chan Page, waiting) }

// Want has the players of a page checked later, unless too many pages wait: the next showing asks again.
func (c *Checker) Want(p Page) {
	select {
	case c.Queue <- p:
	default:
	}
}

// Run checks the players of pages until the context ends.
func (c *Checker) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case p := <-c.Queue:
			var err error
			if p.Here != "" {
				_, err = c.Store.SaveCheck(ctx, p.Venue, p.Here, false, p.Roles, c.Clock.Now())
			}
			if err == nil {
				_, err = c.Check(ctx, p.Venue, p.Players)
			}
			if err != nil && ctx.Err() == nil {
				c.Log.WarnContext(ctx, "it is unknown who has left a server", "venue", p.Venue, "error", err)
			}
		}
	}
}

// Check asks about players of a venue who were not asked about for [FreshFor], and about some who are left out. It reports whether the
// leaderboards have changed. A player about whom Discord does not answer stays as before.
func (c *Checker) Check(ctx context.Context, v match.Venue, players []match.User) (changed bool, err error) {
	p, err := c.Store.Policy(ctx, v)
	if err != nil || !p.LeavesOut() {
		return false, err
	}
	due, err := c.Store.Unchecked(ctx, v, players, c.Clock.Now().Add(-FreshFor))
	for _, who := range due[:min(len(due), atOnce)] {
		if err != nil {
			break
		}
		roles, failed := c.Discord.MemberRoles(ctx, v, who)
		left := errors.Is(failed, rankrole.ErrAbsent)
		if failed != nil && !left {
			return changed, fmt.Errorf("member of %s: %w", v, failed)
		}
		var other bool
		other, err = c.Store.SaveCheck(ctx, v, who, left, roles, c.Clock.Now())
		changed = changed || other
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return changed, ctx.Err()
		}
	}
	return changed, err
}
