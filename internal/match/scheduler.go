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
	// judges is how many requests may be judged at the same moment.
	judges = 256
)

// Leap is the least by which a clock was set, or a machine was asleep; less is a clock being steered.
const Leap = 2 * time.Second

// Scheduler acts on deadlines. Deadlines are rows, so it has no state worth keeping: it may be stopped at any instant
// and another may go on from the store.
//
// It acts only while the bot hears the players of its part, between [Scheduler.Arrive] and [Scheduler.Leave], and only on
// deadlines up to which it has heard them: nobody loses on time because the bot was away, deaf or busy. Nor because nothing
// could be saved: then the clocks stand still, as they do while it is away.
type Scheduler struct {
	Referee *Referee
	Clock   Clock
	Changed func(ID) // called after a deadline was acted on, to redraw; must not block
	Log     *slog.Logger
	// Partition is what the scheduler acts on and hears; there is one for each.
	Partition Partition
	// Hear tries, for seconds at most, to have handled all that players did before until, and returns the time up to
	// which they were heard. Whatever they did before the earlier of the two is handled. Nil: everything is heard at once.
	Hear func(ctx context.Context, until time.Time) time.Time
	// Slept is for how long this process did not run between two readings of Clock, which does not count it as passed; see
	// [Awake]. Nil: it always runs.
	Slept func(from, to time.Time) time.Duration
	// Beside is what else there is to save whenever it is recorded that players were heard. Nil: nothing.
	Beside func() []Extra

	wake chan struct{}             // capacity 1
	look atomic.Pointer[time.Time] // when it looks at the deadlines again, at the latest; nil before the first look

	present  atomic.Bool
	acting   chan struct{}             // capacity 1; full while deadlines are acted on or given back. Waiting for it heeds a context
	lastBeat time.Time                 // guarded by acting
	lastLook atomic.Pointer[time.Time] // what the clock showed when deadlines were last right by it; nil before it arrives
	judging  chan struct{}             // one for each request that is judged by the deadlines; full while they are moved
	halt     halt
	// unreadable is what cannot be read, and when it was looked at last. It was logged once. Guarded by acting.
	unreadable map[ID]time.Time
}

// NewScheduler is a scheduler that is away until it arrives.
func NewScheduler(r *Referee, clock Clock, changed func(ID), log *slog.Logger) *Scheduler {
	return &Scheduler{
		Referee: r, Clock: clock, Changed: changed, Log: log,
		wake: make(chan struct{}, 1), acting: make(chan struct{}, 1), judging: make(chan struct{}, judges),
		unreadable: map[ID]time.Time{},
	}
}

// Now is the time that players are judged by, on the clock that the deadlines are right by: what that shows, less what it was
// set by since they were last right, and while nothing can be saved the time at which that began.
func (s *Scheduler) Now() time.Time {
	if since, _ := s.halt.at(); !since.IsZero() {
		return since
	}
	now := s.Clock.Now()
	if s.lastLook.Load() == nil || !s.astray(now) {
		return now
	}
	return s.right(now) // also while the bot is away: what is under way is judged, and deadlines follow when it arrives
}

// right is a time that the clock showed since deadlines were last right, as it would have shown it if it had not been set.
func (s *Scheduler) right(at time.Time) time.Time {
	last := *s.lastLook.Load()
	return last.Add(s.Clock.Passed(last, at))
}

// Saved tells the scheduler how a save went: if it would look at the deadlines later than that one, it looks now, and if
// nothing can be saved, the clocks stand still. The deadline is zero if none was saved. It never blocks.
func (s *Scheduler) Saved(deadline time.Time, err error) {
	look := s.look.Load()
	switch {
	case errors.Is(err, ErrUnsaved):
		s.halt.begin(s.Clock.Now())
	case err == nil && !deadline.IsZero() && (look == nil || deadline.Before(*look)):
		s.Wake()
	}
}

// Wake makes the scheduler look at the deadlines again. It never blocks.
func (s *Scheduler) Wake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Arrive says that the bot hears its players again. The time since it last did is added to every deadline that had not
// passed by then; a deadline that had is lost. If the clock was set back meanwhile, the time added is negative: what was
// left to the players stays the same. If nothing can be saved, it arrives all the same, to tell the players, and the time
// is added when something can.
func (s *Scheduler) Arrive(ctx context.Context) error {
	if err := s.hold(ctx); err != nil {
		return fmt.Errorf("arrive: %w", err)
	}
	defer s.release()
	if s.present.Load() {
		return nil
	}
	now := s.Clock.Now()
	seen, err := s.Referee.Store.LastSeen(ctx, s.Partition)
	if err != nil {
		return fmt.Errorf("arrive: %w", err)
	}
	s.halt.note(seen)
	if seen.IsZero() {
		s.halt.note(now)
	}
	switch err := s.resume(ctx, seen); {
	case errors.Is(err, ErrUnsaved):
		s.halt.begin(now)
		s.lastLook.Store(&now)
	case err != nil:
		return fmt.Errorf("arrive: %w", err)
	}
	s.present.Store(true)
	s.Wake()
	return nil
}

// resume lets the clocks run after they have stood still since players were last heard, as recorded, or since nothing could
// be saved. Seen is zero if they have never run.
func (s *Scheduler) resume(ctx context.Context, seen time.Time) error {
	since := seen
	if still, _ := s.halt.at(); !still.IsZero() && s.elsewhere(seen) {
		s.halt.move(seen) // the time until then is not this process's to give
	} else if !still.IsZero() {
		since = still // before what is recorded, if another save failed while that was
	}
	release, err := s.alone(ctx) // what was judged as of that time is saved before
	if err != nil {
		return err
	}
	defer release()
	now := s.Clock.Now()
	// Round strips the readings of the monotonic clock: deadlines are dates.
	gap := now.Round(0).Sub(since.Round(0))
	if since.IsZero() || gap == 0 {
		if err := s.Referee.Store.Save(ctx, Save{Seen: Seen{Partition: s.Partition, At: now}}); err != nil {
			return err
		}
	} else {
		n, err := s.Referee.Store.GiveBack(ctx, s.Partition, since, gap)
		if err != nil {
			return fmt.Errorf("give back %s: %w", gap, err)
		}
		if n > 0 {
			s.Log.Info("time away given back", "part", s.Partition.Index, "gap", gap.Round(time.Millisecond).String(), "deadlines", n)
		}
	}
	s.lastBeat = now
	s.lastLook.Store(&now)
	s.halt.end(now)
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
	if s.halt.on() {
		return nil // until when something could be saved is recorded
	}
	if err := s.followClock(ctx); err != nil {
		return fmt.Errorf("leave: %w", err)
	}
	// Nothing is waited for: what has not been heard will not come any more.
	if err := s.Referee.Store.Save(ctx, Save{Seen: Seen{Partition: s.Partition, At: s.heard(ctx, time.Time{}), Leaving: true}}); err != nil {
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
func (s *Scheduler) actAndLook(ctx context.Context) (wait time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, actTime)
	defer cancel()
	// What is saved from here on may be missed below. Whoever saved it wakes us if it is due before latest, and we look again
	// by then.
	latest := s.Clock.Now().Add(2 * beat)
	s.look.Store(&latest)
	defer func() {
		now := s.Clock.Now()
		wait = min(wait, latest.Sub(now))
		next := now.Add(wait)
		s.look.Store(&next)
	}()
	if err := s.Act(ctx); err != nil {
		return beat, err
	}
	if !s.present.Load() || s.halt.on() {
		return beat, nil
	}
	next, err := s.nextDeadline(ctx)
	if err != nil || next.IsZero() {
		return beat, err
	}
	if left := next.Sub(s.Clock.Now()); left > 0 {
		return min(beat, left), nil
	}
	return held, nil
}

// Act acts on every deadline that is due now and up to which players were heard, and returns when none is; every beat it
// also records until when they were. It does nothing while the bot is away. What fails does not keep it from the rest: the
// error joins all that happened.
//
// While nothing can be saved it only tries whether that has passed, a beat after the last failure.
func (s *Scheduler) Act(ctx context.Context) error {
	if err := s.hold(ctx); err != nil {
		return err
	}
	defer s.release()
	if !s.present.Load() {
		return nil
	}
	err := s.act(ctx)
	if err != nil {
		s.Saved(time.Time{}, err)
	}
	return err
}

func (s *Scheduler) act(ctx context.Context) error {
	if since, failed := s.halt.at(); !since.IsZero() {
		if s.Clock.Passed(failed, s.Clock.Now()) < beat {
			return nil
		}
		seen, err := s.Referee.Store.LastSeen(ctx, s.Partition)
		if err != nil {
			return err
		}
		return s.resume(ctx, seen)
	}
	if err := s.followClock(ctx); err != nil {
		return err // deadlines are wrong until it is done
	}
	err := s.expireDue(ctx)
	if now := s.Clock.Now(); s.Clock.Passed(s.lastBeat, now) >= beat {
		heard := s.heard(ctx, now)
		save := Save{Seen: Seen{Partition: s.Partition, At: heard}}
		if s.Beside != nil {
			save.Extras = s.Beside()
		}
		if failed := s.Referee.Store.Save(ctx, save); failed != nil {
			return errors.Join(err, fmt.Errorf("record presence: %w", failed))
		}
		s.lastBeat = now
		s.halt.note(heard)
	}
	return err
}

// followClock moves the deadlines with a clock that was set, or that went on while the machine was asleep or this process did
// not run: dates moved, but no time passed in which anybody could have played.
func (s *Scheduler) followClock(ctx context.Context) error {
	now := s.Clock.Now()
	switch jump, seen, err := s.jumped(ctx, now); {
	case err != nil:
		return fmt.Errorf("follow the clock by %s: %w", jump, err)
	case !seen.IsZero():
		s.halt.note(seen)
		s.Log.Warn("this process was asleep, and another one heard the players", "part", s.Partition.Index, "jump", jump.Round(time.Millisecond))
	case s.astray(now):
		release, err := s.alone(ctx)
		if err != nil {
			return fmt.Errorf("follow the clock by %s: %w", jump, err)
		}
		defer release()
		n, err := s.Referee.Store.FollowClock(ctx, s.Partition, *s.lastLook.Load(), now, jump)
		if err != nil {
			return fmt.Errorf("follow the clock by %s: %w", jump, err)
		}
		s.halt.follow(jump)
		s.Wake() // the next look was set by the old date
		s.Log.Warn("the clock was set, the machine was asleep, or this process did not run",
			"jump", jump.Round(time.Millisecond), "not run", s.slept(now).Round(time.Millisecond), "deadlines", n)
	}
	s.lastLook.Store(&now)
	return nil
}

// jumped is the jump, if it is one, and until when another process has heard the players during it, zero if none has.
func (s *Scheduler) jumped(ctx context.Context, now time.Time) (jump time.Duration, seen time.Time, err error) {
	if jump = s.jump(now); jump <= Leap {
		return jump, time.Time{}, nil
	}
	if seen, err = s.Referee.Store.LastSeen(ctx, s.Partition); !s.elsewhere(seen) {
		seen = time.Time{}
	}
	return jump, seen, err
}

// elsewhere tells from the time up to which players were heard, as recorded, whether another process has heard them: it is
// later than this one can have recorded by when it last looked.
func (s *Scheduler) elsewhere(seen time.Time) bool {
	last := s.lastLook.Load()
	return last != nil && seen.After(last.Add(beat+Leap))
}

// alone waits until no request is judged by the deadlines, and keeps others from it until release.
func (s *Scheduler) alone(ctx context.Context) (release func(), err error) {
	taken := 0
	release = func() {
		for range taken {
			<-s.judging
		}
	}
	for ; taken < judges; taken++ {
		if err := take(ctx, s.judging); err != nil {
			release()
			return nil, err
		}
	}
	return release, nil
}

// jump is by how much the date moved more than time passed since deadlines were last right.
func (s *Scheduler) jump(now time.Time) time.Duration {
	last := *s.lastLook.Load()
	// Round strips the reading of a monotonic clock, which only runs.
	return now.Round(0).Sub(last.Round(0)) - s.Clock.Passed(last, now)
}

// slept is for how long this process did not run since deadlines were last right.
func (s *Scheduler) slept(now time.Time) time.Duration {
	if s.Slept == nil {
		return 0
	}
	return s.Slept(*s.lastLook.Load(), now)
}

// astray tells whether deadlines have to move: by a jump that is one, or by any time in which this process did not run.
func (s *Scheduler) astray(now time.Time) bool { return s.jump(now).Abs() > Leap || s.slept(now) > 0 }

// Follow moves the deadlines with the clock if that was set since anybody looked. Whoever is about to judge by them calls
// it: a click that comes right after would be late by the new date, and a turn that begins then be given the jump as well.
// Until done is called no deadline is moved, so that what is saved meanwhile moves with the others afterwards.
func (s *Scheduler) Follow(ctx context.Context) (done func(), err error) {
	for {
		if err := take(ctx, s.judging); err != nil {
			return nil, err
		}
		if !s.present.Load() || s.halt.on() || !s.astray(s.Clock.Now()) {
			return func() { <-s.judging }, nil // what happens while the clocks stand still is given back when they run again
		}
		<-s.judging
		if err := s.hold(ctx); err != nil {
			return nil, err
		}
		if s.present.Load() && !s.halt.on() {
			err = s.followClock(ctx)
		}
		s.release()
		if err != nil {
			s.Saved(time.Time{}, err)
			return nil, err
		}
	}
}

// heard is the time up to which players were heard, after an attempt to hear and handle all until the given one. It is on
// the clock that the deadlines are right by.
func (s *Scheduler) heard(ctx context.Context, until time.Time) time.Time {
	at := s.Clock.Now()
	if s.Hear != nil {
		at = s.Hear(ctx, until)
	}
	if at.IsZero() {
		return at
	}
	return s.right(at)
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// expireDue acts on what is due, again as long as that led to anything: there may be more than is read in one go.
func (s *Scheduler) expireDue(ctx context.Context) error {
	now := *s.lastLook.Load()
	if due, err := s.due(ctx, now); err != nil || len(due) == 0 {
		return err
	}
	// What is handled meanwhile may move the deadlines, so they are read afterwards.
	horizon := earlier(s.heard(ctx, now), now)
	// A clock that all bots on a database share may turn out to have been set back as a match is loaded.
	until := func() time.Time { return earlier(horizon.Round(0), s.Clock.Now().Round(0)) }
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
		return known && s.Clock.Passed(tried, s.Clock.Now()) < unreadableFor
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
		return s.Referee.Store.NextDeadline(ctx, s.Partition, time.Time{})
	}
	now := s.Clock.Now()
	if due, err := s.due(ctx, now); err != nil || len(due) > 0 {
		return now, err
	}
	return s.Referee.Store.NextDeadline(ctx, s.Partition, now)
}

// hold waits until nobody else acts; release ends it.
func (s *Scheduler) hold(ctx context.Context) error { return take(ctx, s.acting) }

// take takes one of the places of a channel, which receiving from it gives back.
func take(ctx context.Context, from chan<- struct{}) error {
	select {
	case from <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s *Scheduler) release() { <-s.acting }
