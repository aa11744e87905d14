package match_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
)

// full makes the store fail as on a full disk or, if its argument is false, work again.
func (r *running) full(is bool) {
	r.store.failing(func(method string) error {
		if is && (method == "Save" || method == "Credit") {
			return match.ErrUnsaved
		}
		return nil
	})
}

// click makes a move of the player, on b2, a1 and so on, depending on the ply.
func (r *running) click(by match.User, ply int) error {
	_, err := r.Referee.Play(r.t.Context(), match.Request{ID: "1", By: by, At: r.clock.Now()}, "m", ply, []string{"b2", "a1", "c3"}[ply])
	return err
}

func (r *running) wantUnsaved(err error) {
	r.t.Helper()
	if !errors.Is(err, match.ErrUnsaved) {
		r.t.Errorf("got %v", err)
	}
}

// recovered waits until the clocks run again, which takes at most five seconds, because the scheduler tries to save that often.
func (r *running) recovered() {
	r.t.Helper()
	for waited := time.Duration(0); !r.Now().Equal(r.clock.Now()); waited += time.Second {
		if waited > 10*time.Second {
			r.t.Fatal("the clocks still stand")
		}
		time.Sleep(time.Second)
		synctest.Wait()
	}
}

func TestNoPlayerLosesOnTimeWhileNothingCanBeSaved(t *testing.T) {
	outage := func(name string, during func(r *running)) {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := run(t, newStore(t), &movable{}).arrive()
				r.fresh("m", time.Minute)
				r.expect(30*time.Second, "")
				r.full(true)
				during(r)
				r.full(false)
				r.recovered()
				r.expect(30*time.Second-instant, "")
				r.expect(instant, "m")
			})
		})
	}
	outage("no player loses although nobody clicks", func(r *running) { r.expect(time.Hour, "") })
	outage("no player loses when clicks fail", func(r *running) {
		for range 100 {
			r.expect(time.Minute, "")
			r.wantUnsaved(r.click(alice, 0))
		}
	})
	outage("no player loses when the gateway is lost meanwhile", func(r *running) {
		r.expect(10*time.Second, "")
		r.leave()
		r.expect(time.Hour, "")
		r.arrive() // now players can be told that nothing can be saved
		r.wantUnsaved(r.click(alice, 0))
		r.expect(time.Hour, "")
	})
	for name, jump := range map[string]time.Duration{"forward": 10 * time.Hour, "back": -10 * time.Hour} {
		outage("no player loses when the clock is set "+name+" meanwhile", func(r *running) {
			r.expect(10*time.Second, "")
			r.clock.set(jump)
			r.wantUnsaved(r.click(alice, 0))
			r.expect(time.Hour, "")
		})
		outage("no player loses when the clock was set "+name+" before it was noticed", func(r *running) {
			r.clock.set(jump)
			r.wantUnsaved(r.click(alice, 0))
			r.expect(time.Hour, "")
		})
		t.Run("no player loses after the clock was set "+name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := run(t, newStore(t), &movable{}).arrive()
				r.fresh("m", time.Minute)
				r.expect(27*time.Second, "")
				r.clock.set(jump)
				if err := r.Act(t.Context()); err != nil { // Act notices that the clock was set
					t.Fatal(err)
				}
				r.full(true)
				r.wantUnsaved(r.click(alice, 0))
				r.expect(time.Hour, "")
				r.full(false)
				r.recovered()
				r.expect(35*time.Second-instant, "") // the time since the last record is credited
				r.expect(instant, "m")
			})
		})
	}
	t.Run("a move after the disk has room again is in time, and starts a full turn for the opponent", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := run(t, newStore(t), &movable{}).arrive()
			r.fresh("m", time.Minute)
			r.expect(time.Minute-instant, "")
			r.full(true)
			r.wantUnsaved(r.click(alice, 0))
			r.expect(time.Hour, "")
			r.full(false)
			if err := r.click(alice, 0); err != nil { // before the scheduler knows of the full disk
				t.Fatal(err)
			}
			r.recovered()
			r.expect(time.Minute-instant, "")
			r.expect(instant, "m")
		})
	})
	t.Run("a match that is being saved when the disk has room again keeps its full time", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := run(t, newStore(t), &movable{}).arrive()
			r.full(true)
			r.expect(time.Hour, "")
			done, err := r.Follow(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			m := match.Start("m", "m", "", game.Classic(), match.Seats{match.Human(alice), match.Human(bob)}, time.Minute, 1, r.Now())
			r.full(false)
			r.expect(8*time.Second, "") // longer than the pause before a retry
			r.store.put(m)
			done()
			synctest.Wait()
			r.recovered()
			r.expect(time.Minute-instant, "")
			r.expect(instant, "m")
		})
	})
	t.Run("a match is lost whose deadline had passed before the outage", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := run(t, newStore(t), &movable{}).arrive()
			r.fresh("m", 12*time.Second)
			r.store.failing(func(method string) error { return map[string]error{"Find": errBroken}[method] })
			r.expect(20*time.Second, "") // no scheduler could act on the deadline
			r.full(true)
			r.expect(time.Hour, "")
			r.full(false)
			r.recovered()
			r.expect(time.Second, "m")
		})
	})
	t.Run("the time is credited even if the process is killed during the outage", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := run(t, newStore(t), &movable{}).arrive()
			r.fresh("m", time.Minute)
			r.expect(30*time.Second, "")
			r.full(true)
			r.expect(time.Hour, "")
			r.stop()
			again := run(t, r.store, r.clock).arrive() // the disk is still full
			again.wantUnsaved(again.click(alice, 0))
			again.expect(time.Hour, "")
			again.full(false)
			again.recovered()
			again.expect(30*time.Second-instant, "")
			again.expect(instant, "m")
		})
	})
	t.Run("no player loses if the disk is full from the start", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := run(t, newStore(t), &movable{})
			r.fresh("m", time.Minute)
			r.full(true)
			r.arrive()
			r.wantUnsaved(r.click(alice, 0))
			r.expect(time.Hour, "")
			r.full(false)
			r.recovered()
			r.expect(time.Minute-instant, "")
			r.expect(instant, "m")
		})
	})
	t.Run("no player loses when a save fails before the players of the partition were ever heard", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := run(t, newStore(t), &movable{})
			r.fresh("m", time.Minute)
			r.Referee.Time.Saved(time.Time{}, match.ErrUnsaved) // reported by another partition
			r.arrive()
			if m := r.store.match(t, "m"); m.Version != 1 {
				t.Errorf("version %d, its time runs out at %s", m.Version, m.Deadline)
			}
		})
	})
	t.Run("no player loses while presence can be saved and moves cannot", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := newStore(t)
			r := runOn(t, &crowded{s}, s, &movable{}).arrive()
			r.fresh("m", time.Minute)
			for range 100 {
				r.expect(4*time.Second, "")
				r.wantUnsaved(r.click(alice, 0))
			}
		})
	})
}

// crowded is a store on a disk that has room only for small values.
type crowded struct{ *probed }

func (s *crowded) Save(ctx context.Context, save match.Save) error {
	if slices.ContainsFunc(save.Matches, func(c match.MatchChange) bool { return !c.Creates() }) {
		return match.ErrUnsaved
	}
	return s.probed.Save(ctx, save)
}
