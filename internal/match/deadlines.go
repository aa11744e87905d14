//go:build !js

package match

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"tictactoe/internal/match/clock"
)

const (
	// actTime bounds one look at the deadlines: a store that does not answer in time is asked again.
	actTime = 10 * time.Second
	// dueAtOnce is the largest number of deadlines that one read returns.
	dueAtOnce = 100
	// holdTime is how long other processes leave a deadline to the process that took it, in case that process has died. It
	// is longer than actTime and the three seconds of a probe together.
	holdTime = 30 * time.Second
	// recheckPause is the pause before an expired deadline is checked again while it is unknown whether its player moved in
	// time.
	recheckPause = 100 * time.Millisecond
	// unreadableFor is how long the scheduler skips a match or challenge that cannot be read; an administrator may repair
	// it.
	unreadableFor = time.Minute
	// judges is the number of requests that can be compared with the deadlines at the same time.
	judges = 256
)

// Config holds the parameters and collaborators of the scheduler of a partition.
type Config struct {
	Referee   *Referee
	Clock     *clock.Clock
	Partition Partition
	Log       *slog.Logger
	// Changed is called with each match or challenge whose deadline was acted on, so that its board is redrawn. It must not
	// block.
	Changed func(ID)
	// Moved is called after the deadlines of the partition have moved by [BriefGap] or more, because boards still show the
	// old ones. It must not block.
	Moved func()
	// Hear waits, for a few seconds at most, until all actions of players before the time until are handled. It returns the time up to
	// which players were heard: all their actions before the earlier of until and that time are handled. Times are by the machine's clock.
	Hear func(ctx context.Context, until time.Time) time.Time
	// Beside returns extra values to save whenever presence is recorded. It may be nil.
	Beside func() []Extra
}

// Scheduler acts on the deadlines of one partition. Deadlines are rows, so it has no state worth keeping: it may be
// stopped at any instant, and another process continues from the store.
//
// It acts only while time counts for the players, and only on deadlines up to which they were heard; see presence.go.
// So no player loses on time because the bot was away or busy, or because nothing could be saved.
type Scheduler struct {
	Config

	present atomic.Bool
	acting  *semaphore.Weighted // weight 1, held while deadlines are acted on or moved
	judging *semaphore.Weighted // of weight judges: judging a request by the deadlines holds 1, moving the deadlines holds all
	wake    chan struct{}       // capacity 1

	// The next four fields are guarded by acting. heardAt and heardRan are the same moment on the machine's clock and on
	// Clock: the latest moment up to which all actions of players are known to be handled.
	heardAt    time.Time
	heardRan   clock.Reading
	recordedAt clock.Reading // when presence was last recorded
	// unreadable maps each match and challenge that could not be read to the time of the last attempt. Each was logged
	// once.
	unreadable map[ID]clock.Reading

	mu      sync.Mutex
	current state
}

// NewScheduler returns a scheduler that acts on nothing until Arrive is called.
func NewScheduler(config Config) *Scheduler {
	return &Scheduler{
		Config: config, wake: make(chan struct{}, 1), unreadable: map[ID]clock.Reading{},
		acting: semaphore.NewWeighted(1), judging: semaphore.NewWeighted(judges),
	}
}

// Run acts on deadlines until the context ends. An error of the store is logged, and the next look comes
// clock.RecordInterval later.
func (s *Scheduler) Run(ctx context.Context) {
	for ctx.Err() == nil {
		wait, err := s.actAndLook(ctx)
		if err != nil && ctx.Err() == nil && !errors.Is(err, ErrUnsaved) {
			s.Log.Error("act on deadlines", "err", err)
		}
		select {
		case <-ctx.Done():
		case <-s.wake:
		case <-s.Clock.After(wait):
		}
	}
}

// actAndLook calls Act, and returns the time to the next deadline, at most clock.RecordInterval. After an error it
// returns clock.RecordInterval, since a failed deadline stays due and would be retried without pause.
func (s *Scheduler) actAndLook(ctx context.Context) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, actTime)
	defer cancel()
	if err := s.Act(ctx); err != nil || !s.Counts() {
		return clock.RecordInterval, err
	}
	return s.untilDue(ctx)
}

// Act corrects the deadlines if time was missed, and acts on every deadline that is due and up to which players were
// heard. It does nothing while the bot is away; while nothing can be saved, it only checks whether saving works
// again. One failing deadline does not stop the others: the error joins all errors.
func (s *Scheduler) Act(ctx context.Context) error {
	return s.exclusively(ctx, func(ctx context.Context) error {
		if err := s.settle(ctx); err != nil || !s.Counts() {
			return err // the deadlines are wrong until settle succeeds
		}
		return errors.Join(s.expireDue(ctx), s.recordPresence(ctx))
	})
}

// expireDue acts on the deadlines that are due, and reads again as long as anything changes, because more may be due
// than one read returns.
func (s *Scheduler) expireDue(ctx context.Context) error {
	now := s.Now()
	if due, err := s.due(ctx, now); err != nil || len(due) == 0 {
		return err
	}
	// A move that is handled during this call changes the deadline of its match, so the deadlines are read after the call.
	horizon := s.heard(ctx, time.Now()).Date
	if now.Before(horizon) {
		horizon = now
	}
	// Loading a match may reveal that the clock, which all processes on a database share, was set back.
	until := func() time.Time {
		if now := s.Clock.Now(); now.Before(horizon) {
			return now
		}
		return horizon
	}
	for {
		due, err := s.due(ctx, horizon)
		if err != nil {
			return err
		}
		again, failed := false, error(nil)
		for _, id := range due {
			if !s.present.Load() {
				return failed
			}
			changed, err := s.Referee.Expire(ctx, id, until)
			switch {
			case errors.Is(err, ErrUnreadable):
				s.skip(id, err)
			case err != nil:
				failed = errors.Join(failed, fmt.Errorf("expire %s: %w", id, err))
			default:
				delete(s.unreadable, id)
			}
			if changed {
				again = true
				s.Changed(id)
			}
		}
		if !again || ctx.Err() != nil {
			return failed
		}
	}
}

// due takes the matches and challenges whose deadline is not after now, except matches and challenges that could not be read a moment ago.
func (s *Scheduler) due(ctx context.Context, now time.Time) ([]ID, error) {
	due, err := s.Referee.Store.TakeDue(ctx, s.Partition, now, dueAtOnce, s.Clock.Now().Add(holdTime))
	return slices.DeleteFunc(due, func(id ID) bool {
		tried, known := s.unreadable[id]
		return known && s.Clock.Read().Since(tried) < unreadableFor
	}), err
}

// skip makes the scheduler pass over a match or challenge for a while, and logs that once.
func (s *Scheduler) skip(id ID, err error) {
	if _, known := s.unreadable[id]; !known {
		s.Log.Error("match or challenge cannot be read: its deadline is not acted on", "match", id, "err", err)
	}
	s.unreadable[id] = s.Clock.Read()
}

// untilDue returns how long it is until the next deadline, at most clock.RecordInterval. Matches and challenges that
// cannot be read stay due, so it ignores them.
func (s *Scheduler) untilDue(ctx context.Context) (time.Duration, error) {
	if err := s.acting.Acquire(ctx, 1); err != nil {
		return clock.RecordInterval, err
	}
	defer s.acting.Release(1)
	now := s.Clock.Now()
	if due, err := s.due(ctx, now); err != nil {
		return clock.RecordInterval, err
	} else if len(due) > 0 {
		return recheckPause, nil
	}
	next, err := s.Referee.Store.NextDeadline(ctx, s.Partition, now)
	if err != nil || next.IsZero() {
		return clock.RecordInterval, err
	}
	return min(clock.RecordInterval, next.Sub(s.Clock.Now())), nil
}

// Schedulers holds the schedulers of one process, one for each partition that it has heard. A match is judged by the
// clock of the scheduler of its venue's partition. Schedulers is a [Timekeeper], and safe for concurrent use.
type Schedulers struct {
	Clock *clock.Clock // the clock of all schedulers, and of venues that only another process hears

	mu    sync.Mutex
	parts []*Scheduler // indexed by partition; nil for partitions that this process does not hear; empty before the first Add
}

// Add adds the scheduler of a partition. All partitions must have the same Of.
func (s *Schedulers) Add(added *Scheduler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.parts == nil {
		s.parts = make([]*Scheduler, added.Partition.Count())
	}
	s.parts[added.Partition.Index] = added
}

// here returns the schedulers of this process.
func (s *Schedulers) here() []*Scheduler {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.parts), func(part *Scheduler) bool { return part == nil })
}

// scheduler returns the scheduler of a venue's partition, or nil if this process does not hear the partition.
func (s *Schedulers) scheduler(v Venue) *Scheduler {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.parts) == 0 {
		return nil
	}
	return s.parts[PartitionOf(v, len(s.parts)).Index]
}

// Now returns the time against which deadlines of a venue are judged; see [Scheduler.Now].
func (s *Schedulers) Now(v Venue) time.Time {
	if part := s.scheduler(v); part != nil {
		return part.Now()
	}
	return s.Clock.Now()
}

// Follow corrects the deadlines of a venue's partition if the clock was set; see [Scheduler.Follow].
func (s *Schedulers) Follow(ctx context.Context, v Venue) (done func(), err error) {
	if part := s.scheduler(v); part != nil {
		return part.Follow(ctx)
	}
	return func() {}, nil
}

// Saved tells the schedulers the error of a save, if any, and the earliest deadline in it, zero if it has none. If
// nothing can be saved, the clocks of all partitions pause. If the deadline is so near that a scheduler might sleep
// past it, all schedulers look now: that is rare, so finding out the right one is not worth it. Saved never blocks.
func (s *Schedulers) Saved(deadline time.Time, err error) {
	switch {
	case errors.Is(err, ErrUnsaved):
		for _, part := range s.here() {
			part.pause()
		}
	// Schedulers sleep one interval, rarely more.
	case err == nil && !deadline.IsZero() && deadline.Sub(s.Clock.Now()) < 2*clock.RecordInterval:
		for _, part := range s.here() {
			part.Wake()
		}
	}
}

// Act acts on every deadline that is due; see [Scheduler.Act].
func (s *Schedulers) Act(ctx context.Context) error {
	var failed error
	for _, part := range s.here() {
		if err := part.Act(ctx); err != nil {
			failed = errors.Join(failed, fmt.Errorf("partition %d: %w", part.Partition.Index, err))
		}
	}
	return failed
}
