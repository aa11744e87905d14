package match

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
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
	// held is how long a deadline that has passed waits to be looked at again while it is not known who was in time.
	held = 100 * time.Millisecond
	// unreadableFor is how long what cannot be read is left alone before another look: somebody may have repaired it.
	unreadableFor = time.Minute
)

// Scheduler acts on deadlines. Deadlines are rows, so it has no state worth keeping: it may be stopped at any instant
// and another may go on from the store. There is one for each partition.
//
// It acts only while its [Keeper] counts time, and only on deadlines up to which the players were heard: nobody loses on time
// because the bot was away, deaf or busy, or because nothing could be saved.
type Scheduler struct {
	*Keeper
	Referee *Referee
	Changed func(ID) // called after a deadline was acted on, to redraw; must not block

	look atomic.Pointer[time.Time] // when it looks at the deadlines again, at the latest; nil before the first look
	// unreadable is what cannot be read, and when it was looked at last. It was logged once. Guarded by Keeper.acting.
	unreadable map[ID]clock.Reading
}

// NewScheduler returns a scheduler that is away until it arrives.
func NewScheduler(r *Referee, c *clock.Clock, changed func(ID), log *slog.Logger) *Scheduler {
	return &Scheduler{Keeper: newKeeper(r.Store, c, log), Referee: r, Changed: changed, unreadable: map[ID]clock.Reading{}}
}

// Saved tells the scheduler how a save went: if it would look at the deadlines later than that one, it looks now, and if
// nothing can be saved, the clocks stand still. The deadline is zero if none was saved. It never blocks.
func (s *Scheduler) Saved(deadline time.Time, err error) {
	look := s.look.Load()
	switch {
	case errors.Is(err, ErrUnsaved):
		s.pause()
	case err == nil && !deadline.IsZero() && (look == nil || deadline.Before(*look)):
		s.Wake()
	}
}

// Run acts on deadlines until the context ends. A store that fails is logged and tried again at the next beat.
func (s *Scheduler) Run(ctx context.Context) {
	for ctx.Err() == nil {
		wait, err := s.actAndLook(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil && !errors.Is(err, ErrUnsaved) {
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
func (s *Scheduler) actAndLook(ctx context.Context) (wait time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, actTime)
	defer cancel()
	// What is saved from here on may be missed below. Whoever saved it wakes us if it is due before latest, and we look again
	// by then.
	latest := s.Clock.Now().Add(2 * clock.Record)
	s.look.Store(&latest)
	defer func() {
		now := s.Clock.Now()
		wait = min(wait, latest.Sub(now))
		next := now.Add(wait)
		s.look.Store(&next)
	}()
	if err := s.Act(ctx); err != nil {
		return clock.Record, err
	}
	if !s.counts() {
		return clock.Record, nil
	}
	next, err := s.nextDeadline(ctx)
	if err != nil || next.IsZero() {
		return clock.Record, err
	}
	if left := next.Sub(s.Clock.Now()); left > 0 {
		return min(clock.Record, left), nil
	}
	return held, nil
}

// Act acts on every deadline that is due now and up to which players were heard, and returns when none is. It does nothing
// while the bot is away; while nothing can be saved it only tries whether that has passed. What fails does not keep it from the
// rest: the error joins all that happened.
func (s *Scheduler) Act(ctx context.Context) error { return s.act(ctx, s.expireDue) }

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

// nextDeadline is the earliest deadline that something can be done about, zero if there is none. What is skipped is due
// for ever, and says nothing of when to look again.
func (s *Scheduler) nextDeadline(ctx context.Context) (time.Time, error) {
	if err := s.hold(ctx); err != nil {
		return time.Time{}, err
	}
	defer s.release()
	if len(s.unreadable) == 0 {
		return s.Referee.Store.NextDeadline(ctx, s.Partition, time.Time{})
	}
	now := s.Clock.Now()
	if due, err := s.due(ctx, now); err != nil || len(due) > 0 {
		return now, err
	}
	return s.Referee.Store.NextDeadline(ctx, s.Partition, now)
}
