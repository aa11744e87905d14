package match

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Schedulers are those of one process, one for each part that it has heard. A match belongs to the part of its venue, and
// that part's scheduler has the clock that it is judged by. What cannot be saved concerns them all. It is safe for
// concurrent use; set Clock before.
type Schedulers struct {
	Clock Clock // judges where no scheduler is: what another process hears

	mu     sync.Mutex
	of     int // how many parts there are
	byPart map[int]*Scheduler
}

// Add adds the scheduler of a part. All parts are of the same number.
func (s *Schedulers) Add(added *Scheduler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byPart == nil {
		s.byPart = make(map[int]*Scheduler)
	}
	s.of, s.byPart[added.Part.Index] = added.Part.Count(), added
}

// scheduler is that of a venue, nil if there is none.
func (s *Schedulers) scheduler(v Venue) *Scheduler {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byPart[PartOf(v, s.of).Index]
}

func (s *Schedulers) all() (all []*Scheduler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.byPart {
		all = append(all, one)
	}
	return all
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

// Saved tells all schedulers how a save went; see [Scheduler.Saved]. A deadline wakes those that would look later than that,
// which are none but for the shortest of clocks, so it is not worth asking whose it is.
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
			failed = errors.Join(failed, fmt.Errorf("part %d: %w", one.Part.Index, err))
		}
	}
	return failed
}
