package clock_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/internal/match/clock"
)

// settable is a machine's clock whose date can be set.
type settable struct {
	clock.Machine
	mu    sync.Mutex
	ahead time.Duration
}

func (c *settable) Read() (date, ran time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	return now.Add(c.ahead), now
}

func (c *settable) set(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += d
}

// running runs a test with the clock of a running process. The function stop stops the process as SIGSTOP does, and the function
// that stop returns continues it.
func running(t *testing.T, test func(t *testing.T, source *settable, c *clock.Clock, stop func() (goOn func()))) {
	synctest.Test(t, func(t *testing.T) {
		source := &settable{}
		c := clock.New(source)
		run := func() context.CancelFunc {
			ctx, cancel := context.WithCancel(t.Context())
			go c.Run(ctx)
			synctest.Wait()
			return cancel
		}
		cancel := run()
		test(t, source, c, func() func() {
			cancel()
			synctest.Wait()
			return func() { cancel = run() }
		})
		cancel()
	})
}

func TestReadingsOfAClock(t *testing.T) {
	for _, tt := range []struct {
		what      string
		happens   func(source *settable, stop func() func())
		date, ran time.Duration // how much the date and the elapsed time advance
	}{
		{"time passes", func(*settable, func() func()) { time.Sleep(time.Hour) }, time.Hour, time.Hour},
		{"it is set forward", func(s *settable, _ func() func()) { s.set(time.Hour) }, time.Hour, 0},
		{"it is set back", func(s *settable, _ func() func()) { s.set(-time.Hour); time.Sleep(time.Minute) }, -59 * time.Minute, time.Minute},
		{"the process is stopped", func(_ *settable, stop func() func()) { stop(); time.Sleep(time.Hour) }, time.Hour, 0},
		{"the process is stopped and goes on", func(_ *settable, stop func() func()) {
			goOn := stop()
			time.Sleep(time.Hour)
			goOn()
			time.Sleep(time.Minute)
		}, time.Hour + time.Minute, time.Minute},
		{"it is stopped twice, and set in between", func(s *settable, stop func() func()) {
			for range 2 {
				goOn := stop()
				time.Sleep(10 * time.Second)
				s.set(time.Hour)
				goOn()
			}
		}, 2*time.Hour + 20*time.Second, 0},
		{"the machine is busy for less than a second", func(_ *settable, stop func() func()) {
			goOn := stop()
			time.Sleep(900 * time.Millisecond)
			goOn()
		}, 900 * time.Millisecond, 900 * time.Millisecond},
	} {
		t.Run(tt.what, func(t *testing.T) {
			running(t, func(t *testing.T, source *settable, c *clock.Clock, stop func() func()) {
				before := c.Read()
				tt.happens(source, stop)
				after := c.Read()
				if date, ran := after.Date.Sub(before.Date), after.Since(before); date != tt.date || ran != tt.ran {
					t.Errorf("the date moved by %v and %v ran, not %v and %v", date, ran, tt.date, tt.ran)
				}
			})
		})
	}
}

func TestWoke(t *testing.T) {
	running(t, func(t *testing.T, _ *settable, c *clock.Clock, stop func() func()) {
		time.Sleep(time.Hour)
		if woke := c.Woke(); !woke.IsZero() {
			t.Errorf("the process was never stopped, but Woke returns %v", woke)
		}
		stop()
		time.Sleep(time.Hour)
		if woke := c.Woke(); !woke.Equal(time.Now()) {
			t.Errorf("Woke returns a time %v ago", time.Since(woke))
		}
	})
}

func TestWithoutRunNoPauseIsDetected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.New(clock.Machine{})
		before := c.Read()
		<-c.After(time.Hour)
		if ran := c.Read().Since(before); ran != time.Hour || !c.Woke().IsZero() {
			t.Errorf("%v ran", ran)
		}
	})
}

func TestAShiftedClock(t *testing.T) {
	var ahead time.Duration
	var c clock.Source = clock.Machine{Ahead: func() time.Duration { return ahead }}
	for _, next := range []time.Duration{0, 90 * time.Minute, -30 * time.Hour, 10 * time.Second} {
		ahead = 0
		date, ran := c.Read()
		ahead = next
		after, then := c.Read()
		passed, moved := then.Sub(ran), after.Round(0).Sub(date.Round(0))
		if passed < 0 || passed > time.Minute || (moved-passed-ahead).Abs() > time.Millisecond { // the two readings are not simultaneous
			t.Errorf("set by %s, %s have run and the date moved by %s", ahead, passed, moved)
		}
	}
	if ring := <-c.After(time.Millisecond); ring.IsZero() {
		t.Error("After never fires")
	}
}
