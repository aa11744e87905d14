//go:build !js

package arena

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
)

// Pause is the pause of a [Runner] while an arena is running. Otherwise it also wakes up for the next beginning, after [clock.RecordInterval]
// at most.
const Pause = time.Second

// attempts is how often a runner tries to change one arena in a row. An attempt fails if somebody else changes the arena.
const attempts = 20

// Runner begins the arenas of a partition, pairs their free entrants, and ends them. It keeps no state, so it may be stopped at any instant.
// Several processes may run one for the same partition: each change is saved from the version of the arena that it was made for.
type Runner struct {
	Store     Store
	Partition match.Partition
	Clock     *clock.Clock
	Hours     Hours
	Saved     func(deadline time.Time, err error) // see [match.Timekeeper]
	Stakes    match.Stakes
	// Changed is called after each change with the arena and its new games, so that messages are posted and drawn again. It must not block.
	Changed func(a Arena, games []match.Match)
	Log     *slog.Logger
}

// Hours tells which time counts for the players of the partition, as [match.Scheduler] does.
type Hours interface {
	// Counts reports whether the players are heard, and their actions can be saved.
	Counts() bool
	Now() time.Time
	// Follow corrects the end of arenas if the clock was set. No end moves until done is called.
	Follow(ctx context.Context) (done func(), err error)
}

// Run calls Act again and again until the context ends. An error is logged.
func (r *Runner) Run(ctx context.Context) {
	for ctx.Err() == nil {
		wait, err := r.act(ctx)
		if err != nil && ctx.Err() == nil && !errors.Is(err, match.ErrUnsaved) && !errors.Is(err, match.ErrBusy) {
			r.Log.Error("run arenas", "err", err)
		}
		select {
		case <-ctx.Done():
		case <-r.Clock.After(wait):
		}
	}
}

// Act makes all changes that are due. It does nothing while the bot is away, or nothing can be saved. One failing arena does not stop the
// others: the error joins all errors.
func (r *Runner) Act(ctx context.Context) error {
	_, err := r.act(ctx)
	return err
}

// act is Act, and returns how long to wait before it is called again.
func (r *Runner) act(ctx context.Context) (wait time.Duration, failed error) {
	if !r.Hours.Counts() {
		return clock.RecordInterval, nil
	}
	now := r.Hours.Now()
	due, err := r.Store.DueArenas(ctx, r.Partition, now)
	if err != nil {
		return clock.RecordInterval, err
	}
	running := due.Running || len(due.Arenas) > 0
	for _, id := range due.Arenas {
		if err := r.advance(ctx, id); err != nil {
			failed = errors.Join(failed, fmt.Errorf("arena %s: %w", id, err))
		}
	}
	switch {
	case failed != nil:
		return clock.RecordInterval, failed
	case running:
		return Pause, nil
	case !due.Next.IsZero():
		return min(due.Next.Sub(now), clock.RecordInterval), nil
	}
	return clock.RecordInterval, nil
}

// advance changes an arena until nothing more is due.
func (r *Runner) advance(ctx context.Context, id match.ID) (err error) {
	for range attempts {
		changed := false
		changed, err = r.step(ctx, id)
		refused := errors.As(err, new(*match.Refusal)) // somebody has blocked somebody since the arena was loaded
		if !refused && !errors.Is(err, match.ErrConflict) && !errors.Is(err, match.ErrExists) && (err != nil || !changed) {
			return err
		}
	}
	return err
}

// step makes one change of an arena, and reports whether it made one.
func (r *Runner) step(ctx context.Context, id match.ID) (changed bool, err error) {
	a, err := r.Store.Arena(ctx, id)
	if err != nil {
		return false, err
	}
	done, err := r.Hours.Follow(ctx)
	if err != nil {
		return false, err
	}
	defer done()
	now := r.Hours.Now()
	next, changed := a.Pass(now)
	var games []match.Match
	save := match.Save{}
	if !changed {
		pairs := a.Pairs(now)
		if len(pairs) == 0 {
			return false, nil
		}
		next, games = a.Paired(pairs, now)
	}
	deadline := time.Time{}
	for i, m := range games {
		pair := match.Challenge{Venue: a.Venue, From: m.Seats[0].Player, To: m.Seats[1].Player}
		pair.Rules, pair.Casual = a.Rules, !a.Rated
		if games[i].Stakes, err = r.Stakes.Of(ctx, pair, now); err != nil {
			return false, fmt.Errorf("stakes: %w", err)
		}
		save.Matches = append(save.Matches, match.MatchChange{To: games[i]})
		save.Extras = append(save.Extras, match.BoardAfter{ID: m.ID, After: a.ID, Channel: a.Place()})
		deadline = m.Deadline
	}
	save.Extras = append(save.Extras, Change{a, next})
	err = r.Store.Save(ctx, save)
	r.Saved(deadline, err)
	if err != nil {
		return false, err
	}
	if a.Status != next.Status {
		r.Log.Info("arena", "arena", id, "venue", a.Venue, "status", next.Status, "entrants", len(next.Entrants), "games", len(next.Pairings))
	}
	r.Changed(next, games)
	return true, nil
}
