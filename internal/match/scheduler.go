package match

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"tictactoe/internal/clock"
)

const (
	// actTime bounds one look at the deadlines: a store that does not answer is asked again, not waited for.
	actTime = 10 * time.Second
	// dueAtOnce bounds how many deadlines are read in one go.
	dueAtOnce = 100
	// holdTime is how long a deadline is left to the bot that holds it, and nobody else acts on it if that one died:
	// longer than one look takes, and to hear players besides.
	holdTime = 30 * time.Second
	// heldFor is how long a deadline that has passed waits to be looked at again while it is not known who was in time.
	heldFor = 100 * time.Millisecond
	// unreadableFor is how long what cannot be read is left alone before another look: somebody may have repaired it.
	unreadableFor = time.Minute
)

// Config is what the scheduler of a partition needs.
type Config struct {
	Referee   *Referee
	Clock     *clock.Clock
	Partition Partition
	Log       *slog.Logger
	// Changed is called after a deadline was acted on, to redraw. It must not block.
	Changed func(ID)
	// Moved is called after the deadlines of the partition have moved by [BriefGap] or more: boards show the old ones. It must not
	// block.
	Moved func()
	// Hear tries, for seconds at most, to have handled all that players did before until, and returns the time up to which they
	// were heard. Everything that they did before the earlier of until and that time has then been handled. Both are by the
	// machine's clock.
	Hear func(ctx context.Context, until time.Time) time.Time
	// Beside returns what else there is to save whenever it is recorded that players were heard. Nil: nothing.
	Beside func() []Extra
}

// Scheduler acts on deadlines. Deadlines are rows, so it has no state worth keeping: it may be stopped at any instant
// and another may go on from the store. There is one for each partition.
//
// It acts only while its [Keeper] counts time, and only on deadlines up to which the players were heard: nobody loses on time
// because the bot was away, deaf or busy, or because nothing could be saved.
type Scheduler struct {
	*Keeper

	// unreadable is what cannot be read, and when it was looked at last. It was logged once. Guarded by Keeper.acting.
	unreadable map[ID]clock.Reading
}

// NewScheduler returns a scheduler that is away until it arrives.
func NewScheduler(config Config) *Scheduler {
	return &Scheduler{Keeper: newKeeper(config), unreadable: map[ID]clock.Reading{}}
}

// Saved tells the scheduler how a save went: if what was saved is due before its next look, it looks now, and if nothing can be
// saved, the clocks stand still. The deadline is zero if none was saved. It never blocks.
func (s *Scheduler) Saved(deadline time.Time, err error) {
	switch {
	case errors.Is(err, ErrUnsaved):
		s.pause()
	case err == nil && !deadline.IsZero() && deadline.Sub(s.Clock.Now()) < 2*clock.Record: // it looks after one, if the machine is not busy
		s.Wake()
	}
}

// Run acts on deadlines until the context ends. A store that fails is logged and tried again at the next beat.
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

// actAndLook acts and says how long it is to the next deadline, a beat at most. After an error it is a beat: what could
// not be acted on is still due, and would be tried without end.
func (s *Scheduler) actAndLook(ctx context.Context) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, actTime)
	defer cancel()
	if err := s.Act(ctx); err != nil || !s.counts() {
		return clock.Record, err
	}
	return s.untilDue(ctx)
}

// Act makes the deadlines right, acts on all that are due now and up to which players were heard, and returns when none is. It
// does nothing while the bot is away; while nothing can be saved it only tries whether that has passed. What fails does not keep
// it from the rest: the error joins all that happened.
func (s *Scheduler) Act(ctx context.Context) error {
	return s.while(ctx, func(ctx context.Context) error {
		if err := s.settle(ctx); err != nil || !s.counts() {
			return err // deadlines are wrong until it is done
		}
		return errors.Join(s.expireDue(ctx), s.beat(ctx))
	})
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// expireDue acts on what is due, again as long as that led to anything: there may be more than is read in one go.
func (s *Scheduler) expireDue(ctx context.Context) error {
	now := s.Now()
	if due, err := s.due(ctx, now); err != nil || len(due) == 0 {
		return err
	}
	// What is handled meanwhile may move the deadlines, so they are read afterwards.
	horizon := earlier(s.heard(ctx, time.Now()).Date, now)
	// A clock that all bots on a database share may turn out to have been set back as a match is loaded.
	until := func() time.Time { return earlier(horizon, s.Clock.Now()) }
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

// due takes what is due at now or before, without those that could not be read a moment ago.
func (s *Scheduler) due(ctx context.Context, now time.Time) ([]ID, error) {
	due, err := s.Referee.Store.TakeDue(ctx, s.Partition, now, dueAtOnce, s.Clock.Now().Add(holdTime))
	return slices.DeleteFunc(due, func(id ID) bool {
		tried, known := s.unreadable[id]
		return known && s.Clock.Read().Since(tried) < unreadableFor
	}), err
}

// skip leaves what cannot be read alone for a while, and logs it the first time.
func (s *Scheduler) skip(id ID, err error) {
	if _, known := s.unreadable[id]; !known {
		s.Log.Error("cannot be read, so its time does not run out", "match", id, "err", err)
	}
	s.unreadable[id] = s.Clock.Read()
}

// untilDue is how long it is until there is something to act on, a beat at most. What cannot be read is due for ever, and says
// nothing of when to look again.
func (s *Scheduler) untilDue(ctx context.Context) (time.Duration, error) {
	if err := s.acting.Acquire(ctx, 1); err != nil {
		return clock.Record, err
	}
	defer s.acting.Release(1)
	now := s.Clock.Now()
	if due, err := s.due(ctx, now); err != nil {
		return clock.Record, err
	} else if len(due) > 0 {
		return heldFor, nil
	}
	next, err := s.Referee.Store.NextDeadline(ctx, s.Partition, now)
	if err != nil || next.IsZero() {
		return clock.Record, err
	}
	return min(clock.Record, next.Sub(s.Clock.Now())), nil
}

// Schedulers are those of one process, one for each partition that it has heard. A match belongs to the partition of its venue, and
// that partition's scheduler has the clock that it is judged by. It is a [Timekeeper], and safe for concurrent use.
type Schedulers struct {
	Clock *clock.Clock // judges where no scheduler is: what another process hears

	mu   sync.Mutex
	list []*Scheduler
}

// Add adds the scheduler of a partition. The partitions of all of them are of the same number.
func (s *Schedulers) Add(added *Scheduler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, added)
}

func (s *Schedulers) all() []*Scheduler {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.list)
}

// scheduler is that of a venue, nil if there is none.
func (s *Schedulers) scheduler(v Venue) *Scheduler {
	for _, one := range s.all() {
		if one.Partition.Has(v) {
			return one
		}
	}
	return nil
}

// Now is the time that players of a venue are judged by; see [Scheduler.Now].
func (s *Schedulers) Now(v Venue) time.Time {
	if one := s.scheduler(v); one != nil {
		return one.Now()
	}
	return s.Clock.Now()
}

// Follow moves the deadlines of a venue's part with a clock that was set; see [Scheduler.Follow].
func (s *Schedulers) Follow(ctx context.Context, v Venue) (done func(), err error) {
	if one := s.scheduler(v); one != nil {
		return one.Follow(ctx)
	}
	return func() {}, nil
}

// Saved tells all schedulers how a save went; see [Scheduler.Saved]. What cannot be saved concerns them all. A deadline that is so
// near that it wakes them is rare, so it is not worth asking whose it is.
func (s *Schedulers) Saved(deadline time.Time, err error) {
	for _, one := range s.all() {
		one.Saved(deadline, err)
	}
}

// Act acts on every deadline that is due; see [Scheduler.Act].
func (s *Schedulers) Act(ctx context.Context) error {
	var failed error
	for _, one := range s.all() {
		if err := one.Act(ctx); err != nil {
			failed = errors.Join(failed, fmt.Errorf("part %d: %w", one.Partition.Index, err))
		}
	}
	return failed
}
