//go:build !js

package match

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tictactoe/internal/match/clock"
)

// This file keeps the time of a partition: which time counts for its players, and up to when they were heard.
// [clock.Span] holds the rule; the scheduler measures the time and tells the store to move the deadlines.
//
// The scheduler measures from an anchor: a reading of the clock up to which the players were heard, as recorded in the
// store. While the players are heard, time runs on from the anchor, whatever date the clock is set to, and every five
// seconds the anchor advances. While they are not heard, or nothing can be saved, no time counts. Measured from the
// anchor, the deadlines are right at every moment.

// state is the anchor of a partition, and whether time counts from the anchor on.
type state struct {
	anchor clock.Reading // zero until players are first heard
	paused bool          // nothing could be saved since the anchor
	failed clock.Reading // the latest failed save, if it failed because nothing can be saved
}

// span returns the time since the anchor. The argument heard reports whether players could be heard since then.
func (s state) span(now clock.Reading, heard bool) clock.Span {
	return clock.Until(s.anchor, now, heard && !s.paused)
}

// state returns the current state.
func (s *Scheduler) state() state {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

func (s *Scheduler) countFrom(anchor clock.Reading) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current = state{anchor: anchor}
}

// pause stops the clocks at the anchor, because nothing can be saved. Before the first arrival there is nothing to stop.
func (s *Scheduler) pause() {
	now := s.Clock.Read()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current.failed, s.current.paused = now, s.current.anchor != clock.Reading{}
}

// Counts reports whether time counts for the players: they are heard, and their actions can be saved.
func (s *Scheduler) Counts() bool { return s.present.Load() && !s.state().paused }

// Now returns the time against which deadlines are judged: the date, ignoring any step of the clock since the anchor.
// While nothing can be saved it is the anchor's date.
func (s *Scheduler) Now() time.Time { return s.date(s.Clock.Read()) }

// date returns the time against which deadlines are judged at the reading now.
func (s *Scheduler) date(now clock.Reading) time.Time {
	current := s.state()
	switch {
	case current.paused:
		return current.anchor.Date
	case current.anchor == clock.Reading{} || !current.span(now, true).Leaps():
		return now.Date
	}
	return current.anchor.Date.Add(now.Since(current.anchor)) // requests that the bot has already received are judged while it is away, too
}

// Arrive records that the bot hears its players again, and credits the time since it last heard them. A process that
// has never heard them continues from the time up to which an earlier process heard them.
//
// If nothing can be saved, the bot still arrives, so that it can tell the players, and the time is credited as soon as
// saving works again.
func (s *Scheduler) Arrive(ctx context.Context) error {
	if err := s.acting.Acquire(ctx, 1); err != nil {
		return err
	}
	defer s.acting.Release(1)
	if s.present.Load() {
		return nil
	}
	now := s.Clock.Read()
	s.heardAt, s.heardRan = time.Now(), now
	if s.state().anchor == (clock.Reading{}) {
		seen, err := s.Referee.Store.LastSeen(ctx, s.Partition)
		if err != nil {
			return err
		}
		if !seen.IsZero() {
			now.Date = seen
		}
		s.countFrom(now)
	}
	switch err := s.credit(ctx, false); {
	case errors.Is(err, ErrUnsaved):
		s.pause()
	case err != nil:
		return err
	}
	s.present.Store(true)
	s.Wake()
	return nil
}

// Leave records that the bot no longer hears its players, and up to when it heard them. From then on no deadline is
// acted on, and the store knows that the bot has left, even if the time could not be saved.
func (s *Scheduler) Leave(ctx context.Context) error {
	if !s.present.Swap(false) {
		return nil
	}
	if err := s.acting.Acquire(ctx, 1); err != nil {
		return errors.Join(err, s.savePresence(ctx, clock.Reading{}, true))
	}
	defer s.acting.Release(1)
	if s.state().paused { // the time of the anchor is already recorded
		_ = s.savePresence(ctx, clock.Reading{}, true) // the error needs no report, since it is known that nothing can be saved
		return nil
	}
	if err := s.settle(ctx); err != nil {
		return errors.Join(err, s.savePresence(ctx, clock.Reading{}, true))
	}
	return s.savePresence(ctx, s.heard(ctx, time.Time{}), true) // actions that have not arrived by now will not arrive
}

// settle credits the time that players missed although the bot appeared to hear them: because the clock was set, the machine
// slept, the process was stopped, or nothing could be saved. After a failed save it tries again, at the earliest
// clock.RecordInterval after the failure.
func (s *Scheduler) settle(ctx context.Context) error {
	current, now := s.state(), s.Clock.Read()
	if current.paused && now.Since(current.failed) < clock.RecordInterval || !current.paused && !current.span(now, true).Leaps() {
		return nil
	}
	return s.credit(ctx, true)
}

// credit credits the time that players have missed since the anchor. The argument heard reports whether players could be heard since then.
func (s *Scheduler) credit(ctx context.Context, heard bool) error {
	if err := s.judging.Acquire(ctx, judges); err != nil { // requests that were judged by the current deadlines are saved first
		return err
	}
	defer s.judging.Release(judges)
	now := s.Clock.Read()
	span := s.state().span(now, heard)
	n, err := s.Referee.Store.Credit(ctx, s.Partition, span)
	if err != nil {
		return fmt.Errorf("credit %s: %w", span.Missed(), err)
	}
	if n > 0 {
		s.Log.Info("time credited to players", "partition", s.Partition.Index,
			"missed", span.Missed().Round(time.Millisecond).String(), "deadlines", n)
	}
	if n > 0 && span.Missed().Abs() >= BriefGap {
		s.Moved()
	}
	s.countFrom(clock.Reading{Date: span.Heard(), Ran: now.Ran.Add(-span.Ran)})
	if !span.Counts {
		s.recordedAt = now
	}
	s.Wake() // the scheduler sleeps until a time that it computed from the old date
	return nil
}

// recordPresence records up to when players were heard, if the last record is older than clock.RecordInterval.
func (s *Scheduler) recordPresence(ctx context.Context) error {
	now := s.Clock.Read()
	if !s.present.Load() || now.Since(s.recordedAt) < clock.RecordInterval {
		return nil
	}
	err := s.savePresence(ctx, s.heard(ctx, time.Now()), false)
	if err == nil {
		s.recordedAt = now
	}
	return err
}

// savePresence saves the time up to which players were heard, and moves the anchor to it. Given the zero reading it
// does neither, but if leaving is set, it still tells the store that the bot has left.
func (s *Scheduler) savePresence(ctx context.Context, heard clock.Reading, leaving bool) error {
	save := Save{Seen: Seen{Partition: s.Partition, At: heard.Date, Leaving: leaving}}
	if s.Beside != nil && !leaving {
		save.Extras = s.Beside()
	}
	if err := s.Referee.Store.Save(ctx, save); err != nil {
		return fmt.Errorf("record presence: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.current.paused && heard.Since(s.current.anchor) > 0 {
		s.current.anchor = heard
	}
	return nil
}

// exclusively calls job while no other goroutine acts on the deadlines. It does nothing while the bot is away, and pauses the clocks if job
// returns ErrUnsaved. If the bot leaves meanwhile, job may have recorded the bot as present, so exclusively tells the store again that the
// bot has left.
func (s *Scheduler) exclusively(ctx context.Context, job func(context.Context) error) error {
	if err := s.acting.Acquire(ctx, 1); err != nil {
		return err
	}
	defer s.acting.Release(1)
	if !s.present.Load() {
		return nil
	}
	err := job(ctx)
	if errors.Is(err, ErrUnsaved) {
		s.pause()
	}
	if !s.present.Load() {
		err = errors.Join(err, s.savePresence(ctx, clock.Reading{}, true))
	}
	return err
}

// heard calls Hear to have all earlier actions handled, and returns the reading up to which players were heard.
func (s *Scheduler) heard(ctx context.Context, until time.Time) clock.Reading {
	asked, now := time.Now(), s.Clock.Read()
	now.Date = s.date(now)
	at := s.Hear(ctx, until)
	switch {
	case at.IsZero():
		return clock.Reading{}
	case !at.Before(asked):
		s.heardAt, s.heardRan = asked, now
		return now
	}
	// Clock may have been set or stopped since then, so ago is the longer of the times by the two clocks.
	ago := max(asked.Sub(at), now.Since(s.heardRan)-at.Sub(s.heardAt))
	return clock.Reading{Date: now.Date.Add(-ago), Ran: now.Ran.Add(-ago)}
}

// Follow corrects the deadlines if the clock was set since the last look. It is called before a request is judged by the deadlines, because
// another process may already have moved the deadlines that this process has loaded. No deadline moves until done is called, so a deadline
// that is saved meanwhile moves afterwards with the others.
func (s *Scheduler) Follow(ctx context.Context) (done func(), err error) {
	if s.Counts() && s.state().span(s.Clock.Read(), true).Leaps() {
		if err := s.exclusively(ctx, s.settle); err != nil {
			return nil, err
		}
	}
	if err := s.judging.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	return func() { s.judging.Release(1) }, nil
}

// Wake makes the scheduler look at the deadlines again. It never blocks.
func (s *Scheduler) Wake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}
