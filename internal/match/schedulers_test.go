package match_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
)

// far is a venue in the second of two partitions. The empty venue belongs to the first.
const far match.Venue = "4194304"

// parts returns the schedulers of two partitions in one process. Each has a separate clock, so that tests can tell which clock was
// read.
func parts(t *testing.T) (s *probed, near, away *running) {
	s = newStore(t)
	schedulers := &match.Schedulers{Clock: clock.New(&movable{})}
	near = runPart(t, s, s, &movable{}, match.Partition{Index: 0, Of: 2}, schedulers).arrive()
	away = runPart(t, s, s, &movable{}, match.Partition{Index: 1, Of: 2}, schedulers).arrive()
	return s, near, away
}

func TestAMatchIsJudgedByTheClockOfItsPartition(t *testing.T) {
	for name, venue := range map[string]match.Venue{"clicked on in its venue": far, "clicked on where else its board is shown": ""} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, near, away := parts(t)
				m := match.Start("m", "m", far, game.Classic(), match.Seats{match.Human(alice), match.Human(bob)}, time.Minute, 1, away.clock.Now())
				s.put(m)
				time.Sleep(time.Second)
				synctest.Wait()
				away.clock.set(10 * time.Hour)
				click := match.Request{ID: "1", By: alice, Venue: venue, At: away.clock.Now()}
				moved, err := near.Referee.Play(t.Context(), click, "m", 0, "b2")
				if err != nil {
					t.Fatal(err)
				}
				if want := away.clock.Now().Add(time.Minute); !moved.Deadline.Equal(want) {
					t.Errorf("the next turn has %v left", moved.Deadline.Sub(away.clock.Now()))
				}
			})
		})
	}
}

func TestAVenueHeardByAnotherProcessIsJudgedByTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &movable{}
		schedulers := &match.Schedulers{Clock: clock.New(c)}
		r := runPart(t, newStore(t), newStore(t), &movable{}, match.Partition{Index: 0, Of: 2}, schedulers).arrive()
		r.clock.set(time.Hour)
		done, err := schedulers.Follow(t.Context(), far)
		if err != nil {
			t.Fatal(err)
		}
		done()
		if got := schedulers.Now(far); !got.Equal(c.Now()) {
			t.Errorf("the time is %v ahead", got.Sub(c.Now()))
		}
	})
}

func TestAFailedSaveStopsTheClocksOfAllPartitions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, near, away := parts(t)
		arrived := near.clock.Now()
		s.put(match.Start("m", "m", far, game.Classic(), match.Seats{match.Human(alice), match.Human(bob)}, time.Minute, 1, arrived))
		s.put(match.Start("n", "n", "", game.Classic(), match.Seats{match.Human(alice), match.Human(bob)}, time.Minute, 1, arrived))
		time.Sleep(3 * time.Second) // before either scheduler would record anything
		near.full(true)
		away.wantUnsaved(away.click(alice, 0))
		for part, r := range []*running{near, away} {
			if got := r.Now(); !got.Equal(arrived) {
				t.Errorf("the clock of partition %d stands at %v after the last record", part, got.Sub(arrived))
			}
		}
		time.Sleep(time.Hour)
		near.full(false)
		near.recovered()
		away.recovered()
		for _, id := range []match.ID{"m", "n"} {
			if left := s.match(t, id).Deadline.Sub(near.clock.Now()); left > time.Minute || left < time.Minute-10*time.Second {
				t.Errorf("%v is left in match %s", left, id)
			}
		}
	})
}

// cutOff is a store that one process cannot reach.
type cutOff struct {
	match.Store
	is atomic.Bool
}

func (s *cutOff) Save(ctx context.Context, save match.Save) error {
	if s.is.Load() {
		return match.ErrUnsaved
	}
	return s.Store.Save(ctx, save)
}

func (s *cutOff) Credit(ctx context.Context, p match.Partition, span clock.Span) (int, error) {
	if s.is.Load() {
		return 0, match.ErrUnsaved
	}
	return s.Store.Credit(ctx, p, span)
}

func TestTheTimeOfAnOutageIsCreditedOnce(t *testing.T) {
	test := func(name string, test func(t *testing.T, s *probed, front *cutOff, first, second *running)) {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, c := newStore(t), &movable{}
				front := &cutOff{Store: s}
				first := runOn(t, front, s, c).arrive()
				first.fresh("m", time.Hour)
				time.Sleep(2 * time.Second) // so that the two schedulers check the deadlines at different times
				second := run(t, s, c).arrive()
				time.Sleep(20 * time.Second)
				test(t, s, front, first, second)
			})
		})
	}
	test("when two processes hear a partition and neither can save", func(t *testing.T, s *probed, _ *cutOff, first, second *running) {
		second.full(true)
		time.Sleep(10 * time.Minute)
		second.full(false)
		second.recovered()
		first.recovered()
		if left := s.match(t, "m").Deadline.Sub(first.clock.Now()); left < time.Hour-20*time.Second || left > time.Hour {
			t.Errorf("%v is left", left)
		}
	})
	test("no credit if the other process could reach the store", func(t *testing.T, s *probed, front *cutOff, first, _ *running) {
		front.is.Store(true)
		time.Sleep(10 * time.Minute)
		front.is.Store(false)
		first.recovered()
		if left := s.match(t, "m").Deadline.Sub(first.clock.Now()); left < 49*time.Minute || left > 50*time.Minute {
			t.Errorf("%v is left", left)
		}
	})
	test("no credit if the other process heard the partition while this one did not", func(t *testing.T, s *probed, front *cutOff, first, second *running) {
		front.is.Store(true)
		time.Sleep(20 * time.Second)
		first.leave()
		time.Sleep(10 * time.Minute)
		first.arrive()
		time.Sleep(20 * time.Second)
		front.is.Store(false)
		first.recovered()
		if left := s.match(t, "m").Deadline.Sub(first.clock.Now()); left < 48*time.Minute || left > 50*time.Minute {
			t.Errorf("%v is left", left)
		}
	})
}
