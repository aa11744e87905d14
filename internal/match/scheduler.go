package match

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"
)

const (
	// beat is how often it is recorded that the bot hears its players. What a killed process cannot record any more is
	// at most this much, and is given to the players.
	beat = 5 * time.Second
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
	// leap is the least by which a clock was set, or a machine was asleep; less is a clock being steered.
	leap = 2 * time.Second
)

// Scheduler acts on deadlines. Deadlines are rows, so it has no state worth keeping: it may be stopped at any instant
// and another may go on from the store.
//
// It acts only while the bot hears the players of its part, between [Scheduler.Arrive] and [Scheduler.Leave], and only on deadlines up
// to which it has heard them: nobody loses on time because the bot was away, deaf or busy.
type Scheduler struct {
	Referee *Referee
	Clock   Clock
	Changed func(ID) // called after a deadline was acted on, to redraw; must not block
	Log     *slog.Logger
	// Part is what the scheduler acts on and hears; there is one for each.
	Part Part
	// Hear tries, for seconds at most, to have handled all that players did before until, and returns the time up to
	// which they were heard. Whatever they did before the earlier of the two is handled. Nil: everything is heard at once.
	Hear func(ctx context.Context, until time.Time) time.Time

	wake   chan struct{}                          // capacity 1
	passed func(from, to time.Time) time.Duration // by the monotonic clock

	present  atomic.Bool
	acting   chan struct{}             // capacity 1; full while deadlines are acted on or given back. Waiting for it heeds a context
	lastBeat time.Time                 // guarded by acting
	lastLook atomic.Pointer[time.Time] // what the clock showed when deadlines were last right by it
	// unreadable is what cannot be read, and when it was looked at last. It was logged once. Guarded by acting.
	unreadable map[ID]time.Time
}

// NewScheduler is a scheduler that is away until it arrives.
func NewScheduler(r *Referee, clock Clock, changed func(ID), log *slog.Logger) *Scheduler {
	return &Scheduler{
		Referee: r, Clock: clock, Changed: changed, Log: log,
		wake: make(chan struct{}, 1), acting: make(chan struct{}, 1),
		unreadable: map[ID]time.Time{},
		passed:     func(from, to time.Time) time.Duration { return to.Sub(from) },
	}
}

// Wake makes the scheduler look at the deadlines again, because one may have come that is earlier. It never blocks.
func (s *Scheduler) Wake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Arrive says that the bot hears its players again. The time since it last did is added to every deadline that had not
// passed by then; a deadline that had is lost. If the clock was set back meanwhile, the time added is negative: what was
// left to the players stays the same.
func (s *Scheduler) Arrive(ctx context.Context) error {
	if err := s.hold(ctx); err != nil {
		return fmt.Errorf("arrive: %w", err)
	}
	defer s.release()
	if s.present.Load() {
		return nil
	}
	now := s.Clock.Now()
	seen, err := s.Referee.Store.LastSeen(ctx, s.Part)
	if err != nil {
		return fmt.Errorf("arrive: %w", err)
	}
	if gap := now.Sub(seen); !seen.IsZero() && gap != 0 {
		n, err := s.Referee.Store.GiveBack(ctx, s.Part, seen, gap)
		if err != nil {
			return fmt.Errorf("give back %s: %w", gap, err)
		}
		if n > 0 {
			s.Log.Info("time away given back", "part", s.Part.Index, "gap", gap.Round(time.Millisecond).String(), "deadlines", n)
		}
	}
	if err := s.Referee.Store.Save(ctx, Seen{Part: s.Part, At: now}); err != nil {
		return fmt.Errorf("arrive: %w", err)
	}
	s.lastBeat = now
	s.lastLook.Store(&now)
	s.present.Store(true)
	s.Wake()
	return nil
}

// Leave says that the bot no longer hears its players, and records when it last did. From then on nothing expires, even if
// the time could not be recorded.
func (s *Scheduler) Leave(ctx context.Context) error {
	if !s.present.Swap(false) {
		return nil
	}
	if err := s.hold(ctx); err != nil {
		return fmt.Errorf("leave: %w", err)
	}
	defer s.release()
	if err := s.followClock(ctx); err != nil {
		return fmt.Errorf("leave: %w", err)
	}
	// Nothing is waited for: what has not been heard will not come any more.
	if err := s.Referee.Store.Save(ctx, Seen{Part: s.Part, At: s.heard(ctx, time.Time{}), Leaving: true}); err != nil {
		return fmt.Errorf("leave: %w", err)
	}
	return nil
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
func (s *Scheduler) actAndLook(ctx context.Context) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, actTime)
	defer cancel()
	if err := s.Act(ctx); err != nil {
		return beat, err
	}
	next, err := s.nextDeadline(ctx)
	if err != nil || next.IsZero() || !s.present.Load() {
		return beat, err
	}
	if wait := next.Sub(s.Clock.Now()); wait > 0 {
		return min(beat, wait), nil
	}
	return held, nil
}

// Act acts on every deadline that is due now and up to which players were heard, and returns when none is; every beat it
// also records until when they were. It does nothing while the bot is away. What fails does not keep it from the rest: the
// error joins all that happened.
func (s *Scheduler) Act(ctx context.Context) error {
	if err := s.hold(ctx); err != nil {
		return err
	}
	defer s.release()
	if !s.present.Load() {
		return nil
	}
	if err := s.followClock(ctx); err != nil {
		return err // deadlines are wrong until it is done
	}
	err := s.expireDue(ctx)
	if now := s.Clock.Now(); s.passed(s.lastBeat, now) >= beat {
		if failed := s.Referee.Store.Save(ctx, Seen{Part: s.Part, At: s.heard(ctx, now)}); failed != nil {
			return errors.Join(err, fmt.Errorf("record presence: %w", failed))
		}
		s.lastBeat = now
	}
	return err
}

// followClock moves the deadlines with a clock that was set, or that went on while the machine was asleep: dates moved, but
// no time passed in which anybody could have played.
func (s *Scheduler) followClock(ctx context.Context) error {
	now := s.Clock.Now()
	switch jump, elsewhere, err := s.jumped(ctx, now); {
	case err != nil:
		return fmt.Errorf("follow the clock by %s: %w", jump, err)
	case elsewhere:
		s.Log.Warn("this process was asleep, and another one heard the players", "part", s.Part.Index, "jump", jump.Round(time.Millisecond))
	case jump.Abs() > leap:
		n, err := s.Referee.Store.GiveBack(ctx, s.Part, *s.lastLook.Load(), jump)
		if err != nil {
			return fmt.Errorf("follow the clock by %s: %w", jump, err)
		}
		s.Log.Warn("the clock was set, or the machine was asleep", "jump", jump.Round(time.Millisecond), "deadlines", n)
	}
	s.lastLook.Store(&now)
	return nil
}

// jumped is the jump, if it is one, and whether somebody else has heard the players during it: more was recorded than this
// process can have.
func (s *Scheduler) jumped(ctx context.Context, now time.Time) (jump time.Duration, elsewhere bool, err error) {
	if jump = s.jump(now); jump <= leap {
		return jump, false, nil
	}
	seen, err := s.Referee.Store.LastSeen(ctx, s.Part)
	return jump, seen.After(s.lastLook.Load().Add(beat + leap)), err
}

// jump is by how much the date moved more than time passed since deadlines were last right.
func (s *Scheduler) jump(now time.Time) time.Duration {
	last := *s.lastLook.Load()
	// Round strips the reading of the monotonic clock, which only runs.
	return now.Round(0).Sub(last.Round(0)) - s.passed(last, now)
}

// Follow moves the deadlines with the clock if that was set since anybody looked. Whoever is about to judge by them calls
// it: a click that comes right after would be late by the new date, and a turn that begins then be given the jump as well.
func (s *Scheduler) Follow(ctx context.Context) error {
	if !s.present.Load() || s.jump(s.Clock.Now()).Abs() <= leap {
		return nil // what happens while the bot is away is given back when it arrives
	}
	if err := s.hold(ctx); err != nil {
		return err
	}
	defer s.release()
	if !s.present.Load() {
		return nil
	}
	return s.followClock(ctx)
}

// heard is the time up to which players were heard, after an attempt to hear and handle all until the given one.
func (s *Scheduler) heard(ctx context.Context, until time.Time) time.Time {
	if s.Hear == nil {
		return s.Clock.Now()
	}
	return earlier(s.Hear(ctx, until), s.Clock.Now())
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// expireDue acts on what is due, again as long as that led to anything: there may be more than is read in one go.
func (s *Scheduler) expireDue(ctx context.Context) error {
	now := s.Clock.Now()
	if due, err := s.due(ctx, now); err != nil || len(due) == 0 {
		return err
	}
	// What is handled meanwhile may move the deadlines, so they are read afterwards.
	horizon := earlier(s.heard(ctx, now), now)
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
			changed, err := s.Referee.Expire(ctx, id, horizon)
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
	due, err := s.Referee.Store.TakeDue(ctx, s.Part, now, dueAtOnce, s.Clock.Now().Add(holdTime))
	return slices.DeleteFunc(due, func(id ID) bool {
		tried, known := s.unreadable[id]
		return known && s.passed(tried, s.Clock.Now()) < unreadableFor
	}), err
}

// skip leaves what cannot be read alone for a while, and logs it the first time.
func (s *Scheduler) skip(id ID, err error) {
	if _, known := s.unreadable[id]; !known {
		s.Log.Error("cannot be read, so its time does not run out", "match", id, "err", err)
	}
	s.unreadable[id] = s.Clock.Now()
}

// nextDeadline is the earliest deadline that something can be done about, zero if there is none. What is skipped is due
// for ever, and says nothing of when to look again.
func (s *Scheduler) nextDeadline(ctx context.Context) (time.Time, error) {
	if err := s.hold(ctx); err != nil {
		return time.Time{}, err
	}
	defer s.release()
	if len(s.unreadable) == 0 {
		return s.Referee.Store.NextDeadline(ctx, s.Part, time.Time{})
	}
	now := s.Clock.Now()
	if due, err := s.due(ctx, now); err != nil || len(due) > 0 {
		return now, err
	}
	return s.Referee.Store.NextDeadline(ctx, s.Part, now)
}

// hold waits until nobody else acts; release ends it.
func (s *Scheduler) hold(ctx context.Context) error {
	select {
	case s.acting <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s *Scheduler) release() { <-s.acting }
