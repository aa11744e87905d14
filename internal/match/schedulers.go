package match

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"tictactoe/internal/clock"
)

// Schedulers are those of one process, one for each partition that it has heard. A match belongs to the partition of its venue, and
// that partition's scheduler has the clock that it is judged by. What cannot be saved concerns them all. It is safe for
// concurrent use; set Clock before.
type Schedulers struct {
	Clock *clock.Clock // judges where no scheduler is: what another process hears

	mu          sync.Mutex
	of          int // how many parts there are
	byPartition map[int]*Scheduler
}

// Add adds the scheduler of a partition. All parts are of the same number.
func (s *Schedulers) Add(added *Scheduler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byPartition == nil {
		s.byPartition = make(map[int]*Scheduler)
	}
	s.of, s.byPartition[added.Partition.Index] = added.Partition.Count(), added
}

// scheduler is that of a venue, nil if there is none.
func (s *Schedulers) scheduler(v Venue) *Scheduler {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byPartition[PartitionOf(v, s.of).Index]
}

func (s *Schedulers) all() []*Scheduler {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.byPartition))
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
			failed = errors.Join(failed, fmt.Errorf("part %d: %w", one.Partition.Index, err))
		}
	}
	return failed
}
