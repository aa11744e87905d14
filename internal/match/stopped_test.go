package match_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
)

// stoppable is a process with a scheduler that a test can stop as SIGSTOP does.
type stoppable struct {
	*running
	steady *clock.Clock
	stop   func()
}

// stoppableIn runs a test, inside a bubble of package synctest, of a process that hears its players.
func stoppableIn(t *testing.T, name string, test func(t *testing.T, p *stoppable)) {
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p := &stoppable{running: run(t, newStore(t), &movable{})}
			p.running.stop()
			p.steady = clock.New(p.clock)
			p.Clock = p.steady
			p.goOn()
			t.Cleanup(func() { p.stop() })
			p.arrive()
			test(t, p)
		})
	})
}

func (p *stoppable) goOn() {
	ctx, cancel := context.WithCancel(p.t.Context())
	var work sync.WaitGroup
	work.Go(func() { p.steady.Run(ctx) })
	work.Go(func() { p.Run(ctx) })
	p.stop = sync.OnceFunc(func() { cancel(); work.Wait() })
	synctest.Wait()
}

// paused stops the process for a while. first, unless it is nil, runs before the process does anything else after the pause.
func (p *stoppable) paused(d time.Duration, first func()) {
	p.t.Helper()
	p.stop()
	time.Sleep(d)
	if first != nil {
		first()
	}
	p.goOn()
}

// spare is the largest error of the measured length of a pause.
const spare = 250 * time.Millisecond

// wantLeft checks how much time a match has left.
func (p *stoppable) wantLeft(id match.ID, want time.Duration) {
	p.t.Helper()
	synctest.Wait()
	if left := p.store.match(p.t, id).Deadline.Sub(p.clock.Now()); left < want || left > want+spare {
		p.t.Errorf("%v is left, not %v", left, want)
	}
}

func TestAPausedProcessCostsNoPlayerTime(t *testing.T) {
	const beforeIt, pause = 50 * time.Second, 25 * time.Second
	stoppableIn(t, "a deadline in the pause is moved by it", func(t *testing.T, p *stoppable) {
		p.fresh("m", time.Minute)
		p.expect(beforeIt, "")
		p.paused(pause, nil)
		p.wantLeft("m", 10*time.Second)
		p.expect(10*time.Second-instant, "")
		p.expect(spare, "m")
	})
	stoppableIn(t, "a click that is read before the clock is in time, and so is its answer", func(t *testing.T, p *stoppable) {
		p.fresh("m", time.Minute)
		p.expect(beforeIt, "")
		p.paused(pause, func() {
			if _, err := p.Referee.Play(t.Context(), match.Request{ID: "1", By: alice, At: p.steady.Now()}, "m", 0, "b2"); err != nil {
				t.Error(err)
			}
		})
		p.wantLeft("m", time.Minute)
	})
	stoppableIn(t, "a click that came before the pause", func(t *testing.T, p *stoppable) {
		p.fresh("m", time.Minute)
		p.expect(beforeIt, "")
		click := match.Request{ID: "1", By: alice, At: p.steady.Now()}
		p.paused(pause, func() {
			if _, err := p.Referee.Play(t.Context(), click, "m", 0, "b2"); err != nil {
				t.Error(err)
			}
		})
		p.wantLeft("m", time.Minute)
	})
	stoppableIn(t, "a player who was not heard since the pause does not lose", func(t *testing.T, p *stoppable) {
		p.fresh("m", time.Minute)
		p.expect(beforeIt, "")
		p.paused(pause, func() {
			woke := time.Now()
			p.Hear = func(context.Context, time.Time) time.Time { return woke }
		})
		p.expect(3*time.Minute, "")
		p.paused(0, func() { p.Hear = hearAll })
		p.expect(5*time.Second, "m")
	})
	stoppableIn(t, "the time until a lost connection is back is credited", func(t *testing.T, p *stoppable) {
		p.fresh("m", time.Minute)
		p.expect(beforeIt, "")
		p.paused(75*time.Second, p.leave)
		p.expect(20*time.Second, "")
		p.arrive()
		p.wantLeft("m", 10*time.Second)
	})
	stoppableIn(t, "a pause that is noticed later", func(t *testing.T, p *stoppable) {
		p.fresh("m", time.Minute)
		p.expect(beforeIt, "")
		p.paused(75*time.Second, nil)
		p.expect(time.Second, "")
		p.leave()
		p.expect(20*time.Second, "")
		p.arrive()
		p.wantLeft("m", 9*time.Second)
	})
	stoppableIn(t, "a pause of little more than a second counts as well, and one after the other", func(t *testing.T, p *stoppable) {
		p.fresh("m", time.Minute)
		for range 10 {
			p.expect(time.Second, "")
			p.paused(1200*time.Millisecond, nil)
		}
		if left := p.store.match(t, "m").Deadline.Sub(p.clock.Now()); left < 50*time.Second || left > 50*time.Second+10*spare {
			t.Errorf("the match has %v left", left)
		}
	})
	stoppableIn(t, "a deadline that had passed before is lost", func(t *testing.T, p *stoppable) {
		p.fresh("m", time.Minute)
		p.expect(59*time.Second, "")
		p.store.failing(func(string) error { return errors.New("busy") })
		p.expect(2*time.Second, "")
		p.paused(pause, func() { p.store.failing(nil) })
		p.expect(5*time.Second, "m")
	})
	stoppableIn(t, "while nothing can be saved too, and it is given back once", func(t *testing.T, p *stoppable) {
		p.fresh("m", time.Minute)
		p.expect(beforeIt, "")
		p.store.failing(func(string) error { return match.ErrUnsaved })
		p.expect(5*time.Second, "")
		p.paused(pause, func() { p.store.failing(nil) })
		p.expect(6*time.Second, "")
		// The clocks have stood still since the last record before the failure, and run again within five seconds.
		if left := p.store.match(t, "m").Deadline.Sub(p.clock.Now()); left < 4*time.Second || left > 16*time.Second {
			t.Errorf("the match has %v left", left)
		}
	})
}
