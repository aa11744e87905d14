package match

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"tictactoe/internal/clock"
)

// judges is how many requests may be judged at the same moment.
const judges = 256

// Keeper keeps the time of one partition: which time counts for its players, and up to when they were heard. [clock.Span] has
// the rule; the keeper measures, and asks the store to move the deadlines.
//
// It counts from an anchor: a reading of the clock up to which the players were heard, as the store has recorded it. While they
// are heard time runs on from the anchor, whatever date the clock is set to, and the anchor follows every five seconds. While they
// are not, or nothing can be saved, no time counts. Deadlines are right by the anchor at every moment.
type Keeper struct {
	Config

	present atomic.Bool
	acting  *semaphore.Weighted // of 1, taken while deadlines are acted on or moved
	judging *semaphore.Weighted // of judges: 1 is taken for each request that is judged by the deadlines, all while they are moved
	wake    chan struct{}       // capacity 1

	// These are guarded by acting. heardAt is the latest moment up to which all was heard then, by the machine's clock, and heardRan
	// the same by Clock.
	heardAt  time.Time
	heardRan clock.Reading
	beaten   clock.Reading // when presence was recorded last

	mu sync.Mutex
	at account
}

// account is from where a keeper counts, and whether it does.
type account struct {
	anchor clock.Reading // zero before players were ever heard
	paused bool          // nothing can be saved since the anchor
	failed clock.Reading // when nothing could be saved last
}

// span is the time since the anchor; heard is whether players could be heard since.
func (a account) span(now clock.Reading, heard bool) clock.Span {
	return clock.Until(a.anchor, now, heard && !a.paused)
}

func newKeeper(config Config) *Keeper {
	return &Keeper{
		Config: config, wake: make(chan struct{}, 1),
		acting: semaphore.NewWeighted(1), judging: semaphore.NewWeighted(judges),
	}
}

// account returns from where time counts at this moment.
func (k *Keeper) account() account {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.at
}

func (k *Keeper) countFrom(anchor clock.Reading) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.at = account{anchor: anchor}
}

// pause stops the clocks at the anchor, because nothing can be saved. Before the first arrival there is nothing to stop.
func (k *Keeper) pause() {
	now := k.Clock.Read()
	k.mu.Lock()
	defer k.mu.Unlock()
	k.at.failed, k.at.paused = now, k.at.anchor != clock.Reading{}
}

// counts tells whether time counts for the players: they are heard, and what they do can be saved.
func (k *Keeper) counts() bool { return k.present.Load() && !k.account().paused }

// Now is the time that players are judged by, on the clock that the deadlines are right by: the date, without what it was set
// by since the anchor. While nothing can be saved it is that of the anchor.
func (k *Keeper) Now() time.Time { return k.date(k.Clock.Read()) }

// date is the time that players are judged by when the clock shows that.
func (k *Keeper) date(now clock.Reading) time.Time {
	at := k.account()
	switch {
	case at.paused:
		return at.anchor.Date
	case at.anchor == clock.Reading{} || !at.span(now, true).Leaps():
		return now.Date
	}
	return at.anchor.Date.Add(now.Since(at.anchor)) // also while the bot is away: what is under way is judged
}

// Arrive says that the bot hears its players again. The time since it last did is credited; a process that was never heard goes
// on from where players were heard by the one before it. If nothing can be saved, the bot arrives all the same, to tell the
// players, and the time is credited when something can.
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
	if k.account().anchor == (clock.Reading{}) {
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

// Leave says that the bot no longer hears its players, and records when it last did. From then on nothing expires, even if
// the time could not be recorded.
func (k *Keeper) Leave(ctx context.Context) error {
	if !k.present.Swap(false) {
		return nil
	}
	if err := k.acting.Acquire(ctx, 1); err != nil {
		return err
	}
	defer k.acting.Release(1)
	if k.account().paused {
		return nil // until when players were heard, and what they did was saved, is recorded
	}
	if err := k.settle(ctx); err != nil {
		return err
	}
	return k.record(ctx, k.heard(ctx, time.Time{}), true) // what has not been heard will not come any more
}

// settle credits what players have missed while they seemed to be heard, if it is anything: the clock was set, the machine
// was asleep, this process was stopped, or nothing could be saved. Whether that has passed is tried five seconds after the
// last failure.
func (k *Keeper) settle(ctx context.Context) error {
	at, now := k.account(), k.Clock.Read()
	if at.paused && now.Since(at.failed) < clock.Record || !at.paused && !at.span(now, true).Leaps() {
		return nil
	}
	return k.credit(ctx, true)
}

// credit credits what players have missed since the anchor; heard is whether they could be heard since.
func (k *Keeper) credit(ctx context.Context, heard bool) error {
	if err := k.judging.Acquire(ctx, judges); err != nil { // what was judged by the deadlines as they are is saved before
		return err
	}
	defer k.judging.Release(judges)
	now := k.Clock.Read()
	s := k.account().span(now, heard)
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
		k.beaten = now
	}
	k.Wake() // the next look was set by the old date
	return nil
}

// beat records until when players were heard, if that was not done for five seconds.
func (k *Keeper) beat(ctx context.Context) error {
	now := k.Clock.Read()
	if now.Since(k.beaten) < clock.Record {
		return nil
	}
	err := k.record(ctx, k.heard(ctx, time.Now()), false)
	if err == nil {
		k.beaten = now
	}
	return err
}

// record saves until when players were heard, and sets the anchor there.
func (k *Keeper) record(ctx context.Context, heard clock.Reading, leaving bool) error {
	save := Save{Seen: Seen{Partition: k.Partition, At: heard.Date, Leaving: leaving}}
	if k.Beside != nil && !leaving {
		save.Extras = k.Beside()
	}
	if err := k.Referee.Store.Save(ctx, save); err != nil {
		return fmt.Errorf("record presence: %w", err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.at.paused && heard.Since(k.at.anchor) > 0 {
		k.at.anchor = heard
	}
	return nil
}

// while does something alone, unless the bot is away, and stops the clocks if nothing can be saved.
func (k *Keeper) while(ctx context.Context, do func(context.Context) error) error {
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
	return err
}

// heard returns the reading up to which players were heard, after an attempt to hear and handle all until then.
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
	// How long ago that was by Clock, which may have been moved since then, or stood still: the longer of the two.
	ago := max(asked.Sub(at), now.Since(k.heardRan)-at.Sub(k.heardAt))
	return clock.Reading{Date: now.Date.Add(-ago), Ran: now.Ran.Add(-ago)}
}

// Follow makes the deadlines right if the clock was set since anybody looked. Whoever is about to judge by them calls it: what
// was loaded may have been moved by another process already. Until done is called no deadline is moved, so that what is saved
// meanwhile moves with the others afterwards.
func (k *Keeper) Follow(ctx context.Context) (done func(), err error) {
	if k.counts() && k.account().span(k.Clock.Read(), true).Leaps() {
		if err := k.while(ctx, k.settle); err != nil {
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
