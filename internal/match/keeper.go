package match

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"tictactoe/internal/match/clock"
)

// judges is how many requests may be judged by the deadlines at the same time.
const judges = 256

// Keeper keeps the time of one partition: which time counts for its players, and up to when they were heard. [clock.Span]
// has the rule; the keeper measures, and asks the store to move the deadlines.
//
// It counts from an anchor: a reading of the clock up to which the players were heard, as the store has recorded it. While
// the players are heard, time runs on from the anchor, whatever date the clock is set to, and every five seconds the anchor
// is moved up. While they are not heard, or nothing can be saved, no time counts. Measured from the anchor, the deadlines
// are right at every moment.
type Keeper struct {
	Config

	present atomic.Bool
	acting  *semaphore.Weighted // of weight 1, held while deadlines are acted on or moved
	judging *semaphore.Weighted // of weight judges: a request judged by the deadlines holds 1, moving the deadlines holds all
	wake    chan struct{}       // capacity 1

	// The next three are guarded by acting. heardAt and heardRan are one moment, on the machine's clock and on Clock: the latest
	// at which everything that players had done was known to be handled.
	heardAt    time.Time
	heardRan   clock.Reading
	recordedAt clock.Reading // when presence was last recorded

	mu      sync.Mutex
	current state
}

// state is the anchor of a keeper, and whether time counts from there.
type state struct {
	anchor clock.Reading // zero before players were ever heard
	paused bool          // nothing could be saved since the anchor
	failed clock.Reading // when a save failed last because nothing can be saved
}

// span returns the time since the anchor. heard says whether players could be heard since then.
func (s state) span(now clock.Reading, heard bool) clock.Span {
	return clock.Until(s.anchor, now, heard && !s.paused)
}

func newKeeper(config Config) *Keeper {
	return &Keeper{
		Config: config, wake: make(chan struct{}, 1),
		acting: semaphore.NewWeighted(1), judging: semaphore.NewWeighted(judges),
	}
}

// state returns the state at this moment.
func (k *Keeper) state() state {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.current
}

func (k *Keeper) countFrom(anchor clock.Reading) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.current = state{anchor: anchor}
}

// pause stops the clocks at the anchor, because nothing can be saved. Before the first arrival there is nothing to stop.
func (k *Keeper) pause() {
	now := k.Clock.Read()
	k.mu.Lock()
	defer k.mu.Unlock()
	k.current.failed, k.current.paused = now, k.current.anchor != clock.Reading{}
}

// counts reports whether time counts for the players: they are heard, and what they do can be saved.
func (k *Keeper) counts() bool { return k.present.Load() && !k.state().paused }

// Now returns the time against which deadlines are judged: the date, without any step of the clock since the anchor. While
// nothing can be saved it is the anchor's date.
func (k *Keeper) Now() time.Time { return k.date(k.Clock.Read()) }

// date returns the time against which deadlines are judged when the clock shows now.
func (k *Keeper) date(now clock.Reading) time.Time {
	current := k.state()
	switch {
	case current.paused:
		return current.anchor.Date
	case current.anchor == clock.Reading{} || !current.span(now, true).Leaps():
		return now.Date
	}
	return current.anchor.Date.Add(now.Since(current.anchor)) // also while the bot is away, for requests that it has already received
}

// Arrive records that the bot hears its players again, and credits the time since it last did. A process that has never
// heard them goes on from the time up to which an earlier process heard them.
//
// If nothing can be saved, the bot arrives all the same, so that it can tell the players, and the time is credited as soon
// as something can be saved.
func (k *Keeper) Arrive(ctx context.Context) error {
	if err := k.acting.Acquire(ctx, 1); err != nil {
		return err
	}
	defer k.acting.Release(1)
	if k.present.Load() {
		return nil
	}
	now := k.Clock.Read()
	k.heardAt, k.heardRan = time.Now(), now
	if k.state().anchor == (clock.Reading{}) {
		seen, err := k.Referee.Store.LastSeen(ctx, k.Partition)
		if err != nil {
			return err
		}
		if !seen.IsZero() {
			now.Date = seen
		}
		k.countFrom(now)
	}
	switch err := k.credit(ctx, false); {
	case errors.Is(err, ErrUnsaved):
		k.pause()
	case err != nil:
		return err
	}
	k.present.Store(true)
	k.Wake()
	return nil
}

// Leave records that the bot no longer hears its players, and up to when it did. From then on no deadline is acted on, and the store knows
// that the bot has left, even if the time could not be saved.
func (k *Keeper) Leave(ctx context.Context) error {
	if !k.present.Swap(false) {
		return nil
	}
	if err := k.acting.Acquire(ctx, 1); err != nil {
		return errors.Join(err, k.savePresence(ctx, clock.Reading{}, true))
	}
	defer k.acting.Release(1)
	if k.state().paused { // the anchor, up to which players were heard and their actions saved, is recorded
		_ = k.savePresence(ctx, clock.Reading{}, true) // that nothing can be saved is known
		return nil
	}
	if err := k.settle(ctx); err != nil {
		return errors.Join(err, k.savePresence(ctx, clock.Reading{}, true))
	}
	return k.savePresence(ctx, k.heard(ctx, time.Time{}), true) // what has not arrived by now will not arrive
}

// settle credits the time that players missed although the bot appeared to hear them: because the clock was set, the machine
// slept, the process was stopped, or nothing could be saved. After a failed save it tries again, at the earliest
// clock.RecordInterval after the failure.
func (k *Keeper) settle(ctx context.Context) error {
	current, now := k.state(), k.Clock.Read()
	if current.paused && now.Since(current.failed) < clock.RecordInterval || !current.paused && !current.span(now, true).Leaps() {
		return nil
	}
	return k.credit(ctx, true)
}

// credit credits what players have missed since the anchor. heard says whether they could be heard since then.
func (k *Keeper) credit(ctx context.Context, heard bool) error {
	if err := k.judging.Acquire(ctx, judges); err != nil { // requests that were judged by the current deadlines are saved first
		return err
	}
	defer k.judging.Release(judges)
	now := k.Clock.Read()
	s := k.state().span(now, heard)
	n, err := k.Referee.Store.Credit(ctx, k.Partition, s)
	if err != nil {
		return fmt.Errorf("credit %s: %w", s.Missed(), err)
	}
	if n > 0 {
		k.Log.Info("time credited to players", "partition", k.Partition.Index,
			"time", s.Missed().Round(time.Millisecond).String(), "deadlines", n)
	}
	if n > 0 && s.Missed().Abs() >= BriefGap {
		k.Moved()
	}
	k.countFrom(clock.Reading{Date: s.Heard(), Ran: now.Ran.Add(-s.Ran)})
	if !s.Counts {
		k.recordedAt = now
	}
	k.Wake() // the scheduler sleeps until a time that it computed from the old date
	return nil
}

// recordPresence records up to when players were heard, if that was not done for clock.RecordInterval.
func (k *Keeper) recordPresence(ctx context.Context) error {
	now := k.Clock.Read()
	if !k.present.Load() || now.Since(k.recordedAt) < clock.RecordInterval {
		return nil
	}
	err := k.savePresence(ctx, k.heard(ctx, time.Now()), false)
	if err == nil {
		k.recordedAt = now
	}
	return err
}

// savePresence saves up to when players were heard, and moves the anchor there. The zero reading does neither; with leaving it still tells the
// store that the bot has left.
func (k *Keeper) savePresence(ctx context.Context, heard clock.Reading, leaving bool) error {
	save := Save{Seen: Seen{Partition: k.Partition, At: heard.Date, Leaving: leaving}}
	if k.Beside != nil && !leaving {
		save.Extras = k.Beside()
	}
	if err := k.Referee.Store.Save(ctx, save); err != nil {
		return fmt.Errorf("record presence: %w", err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.current.paused && heard.Since(k.current.anchor) > 0 {
		k.current.anchor = heard
	}
	return nil
}

// exclusively runs do while no other caller acts on the deadlines. It does nothing while the bot is away, and pauses the
// clocks if do returns ErrUnsaved. If the bot leaves meanwhile, what do has saved may say that it is there, so the store is told again.
func (k *Keeper) exclusively(ctx context.Context, do func(context.Context) error) error {
	if err := k.acting.Acquire(ctx, 1); err != nil {
		return err
	}
	defer k.acting.Release(1)
	if !k.present.Load() {
		return nil
	}
	err := do(ctx)
	if errors.Is(err, ErrUnsaved) {
		k.pause()
	}
	if !k.present.Load() {
		err = errors.Join(err, k.savePresence(ctx, clock.Reading{}, true))
	}
	return err
}

// heard returns the reading up to which players were heard, once Hear has tried to have everything until then handled.
func (k *Keeper) heard(ctx context.Context, until time.Time) clock.Reading {
	asked, now := time.Now(), k.Clock.Read()
	now.Date = k.date(now)
	at := k.Hear(ctx, until)
	switch {
	case at.IsZero():
		return clock.Reading{}
	case !at.Before(asked):
		k.heardAt, k.heardRan = asked, now
		return now
	}
	// Clock may have been moved or have stood still since then, so ago is the longer of the times by the two clocks.
	ago := max(asked.Sub(at), now.Since(k.heardRan)-at.Sub(k.heardAt))
	return clock.Reading{Date: now.Date.Add(-ago), Ran: now.Ran.Add(-ago)}
}

// Follow makes the deadlines right if the clock was set since anybody looked. It is called before a request is judged by
// them, because another process may already have moved the deadlines that were loaded. Until done is called no deadline is
// moved, so that a deadline saved meanwhile moves with the others afterwards.
func (k *Keeper) Follow(ctx context.Context) (done func(), err error) {
	if k.counts() && k.state().span(k.Clock.Read(), true).Leaps() {
		if err := k.exclusively(ctx, k.settle); err != nil {
			return nil, err
		}
	}
	if err := k.judging.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	return func() { k.judging.Release(1) }, nil
}

// Wake makes the scheduler look at the deadlines again. It never blocks.
func (k *Keeper) Wake() {
	select {
	case k.wake <- struct{}{}:
	default:
	}
}
