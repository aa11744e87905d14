package match_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/internal/match"
)

// telling is a store that reports the present time together with each match and challenge that it loads.
type telling struct {
	match.Store
	learn func()
}

func (s telling) Match(ctx context.Context, id match.ID) (match.Match, error) {
	m, err := s.Store.Match(ctx, id)
	if err == nil {
		s.learn()
	}
	return m, err
}

func (s telling) Find(ctx context.Context, id match.ID) (match.Found, error) {
	found, err := s.Store.Find(ctx, id)
	if err == nil {
		s.learn()
	}
	return found, err
}

// fleet is two processes that share a store and a clock that the test sets. The first process notices the change by itself; the second
// notices it when it next loads a match, or when learn is called.
type fleet struct {
	store         *probed
	first, second *running
	set           func(jump time.Duration) // sets the clock; the first process notices
	learn         func()                   // makes the second process notice
}

func newFleet(t *testing.T) *fleet {
	f := &fleet{store: newStore(t)}
	first, second := &movable{}, &movable{}
	f.set = first.set
	f.learn = func() {
		first.mu.Lock()
		wall := first.wall
		first.mu.Unlock()
		second.mu.Lock()
		defer second.mu.Unlock()
		second.wall = wall
	}
	f.first = run(t, f.store, first).arrive()
	time.Sleep(2 * time.Second) // so that the two processes check the deadlines at different times
	f.second = runOn(t, telling{f.store, f.learn}, f.store, second).arrive()
	return f
}

// left returns how much time a match has left, by the clock of the first process.
func (f *fleet) left(t *testing.T, id match.ID) time.Duration {
	t.Helper()
	synctest.Wait()
	return f.store.match(t, id).Deadline.Sub(f.first.clock.Now())
}

func TestSettingASharedClock(t *testing.T) {
	for name, jump := range map[string]time.Duration{"forward": 10 * time.Hour, "back": -10 * time.Hour, "forward by half a minute": 30 * time.Second} {
		test := func(what string, test func(t *testing.T, f *fleet)) {
			t.Run(name+what, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { test(t, newFleet(t)) }) })
		}
		test(", and one process moves the deadlines", func(t *testing.T, f *fleet) {
			f.first.fresh("m", time.Hour)
			time.Sleep(10 * time.Second)
			f.set(jump)
			time.Sleep(8 * time.Second)
			f.learn()
			time.Sleep(20 * time.Second)
			if left := f.left(t, "m"); left != time.Hour-38*time.Second {
				t.Errorf("the match has %v left", left)
			}
		})
		test(", and a move is judged and dated rightly by a process that has not noticed", func(t *testing.T, f *fleet) {
			f.first.fresh("m", time.Minute)
			time.Sleep(10 * time.Second)
			click := match.Request{ID: "1", By: alice, At: f.second.clock.Now()}
			f.set(jump)
			if err := f.first.Act(t.Context()); err != nil {
				t.Fatal(err)
			}
			if _, err := f.second.Referee.Play(t.Context(), click, "m", 0, "b2"); err != nil {
				t.Fatal(err)
			}
			if left := f.left(t, "m"); left != time.Minute {
				t.Errorf("the match has %v left", left)
			}
			f.first.expect(time.Minute-instant, "")
			time.Sleep(5 * time.Second)
			if synctest.Wait(); !f.store.match(t, "m").Result.Over() {
				t.Error("the next turn is not lost on time")
			}
		})
		test(", and a move is judged and dated anew that was about to be saved", func(t *testing.T, f *fleet) {
			f.first.fresh("m", time.Minute)
			time.Sleep(11 * time.Second) // no other save happens at this moment
			synctest.Wait()
			f.store.mu.Lock()
			f.store.before = func() {
				f.set(jump)
				if err := f.first.Act(t.Context()); err != nil {
					t.Error(err)
				}
			}
			f.store.mu.Unlock()
			click := match.Request{ID: "1", By: alice, At: f.second.clock.Now()}
			if _, err := f.second.Referee.Play(t.Context(), click, "m", 0, "b2"); err != nil {
				t.Fatal(err)
			}
			if left := f.left(t, "m"); left != time.Minute {
				t.Errorf("the match has %v left", left)
			}
		})
		test(", and a challenge is accepted by a process that has not noticed", func(t *testing.T, f *fleet) {
			req := match.Request{ID: "c", By: alice, At: f.first.clock.Now()}
			if _, err := f.first.Referee.Challenge(t.Context(), req, bob, terms(match.Me)); err != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Second)
			click := match.Request{ID: "1", By: bob, At: f.second.clock.Now()}
			f.set(jump)
			if err := f.first.Act(t.Context()); err != nil {
				t.Fatal(err)
			}
			m, err := f.second.Referee.Accept(t.Context(), click, "c")
			if err != nil {
				t.Fatal(err)
			}
			if left := f.left(t, "c"); left != m.TurnTime {
				t.Errorf("the match has %v left", left)
			}
		})
		test(", and no player loses by a process that has not noticed", func(t *testing.T, f *fleet) {
			f.first.fresh("m", time.Minute)
			time.Sleep(10 * time.Second)
			f.set(jump)
			if err := f.first.Act(t.Context()); err != nil {
				t.Fatal(err)
			}
			for range 9 { // the scheduler looks, and would act on deadlines that are due by the old date
				if err := f.second.Act(t.Context()); err != nil {
					t.Fatal(err)
				}
				f.first.expect(5*time.Second, "")
			}
			f.first.expect(5*time.Second-instant, "")
			if f.store.match(t, "m").Result.Over() {
				t.Error("the match is lost early")
			}
			time.Sleep(instant)
			if synctest.Wait(); !f.store.match(t, "m").Result.Over() {
				t.Error("the match is not lost in time")
			}
		})
	}
}
