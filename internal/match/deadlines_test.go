package match_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
)

// movable is a clock that runs like the fake clock of package synctest. Like the simulator's clock it can be moved forward, which lets time
// pass. Like a machine's clock its date can be set in both directions, which changes only the date.
type movable struct {
	mu      sync.Mutex
	offset  time.Duration
	wall    time.Duration
	waiting []waiter
}

type waiter struct {
	due   time.Time
	ring  chan time.Time
	timer *time.Timer
}

func (c *movable) Read() (date, ran time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	ran = time.Now().Add(c.offset)
	return ran.Add(c.wall), ran
}

// Now returns the date, as [clock.Clock] shows it.
func (c *movable) Now() time.Time { date, _ := c.Read(); return date.Round(0) }

// set changes the date by d, without any time passing.
func (c *movable) set(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wall += d
}

func (c *movable) After(d time.Duration) <-chan time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := waiter{due: time.Now().Add(c.offset + d), ring: make(chan time.Time, 1)}
	w.timer = time.AfterFunc(d, c.ring)
	c.waiting = append(c.waiting, w)
	return w.ring
}

func (c *movable) ring() {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now().Add(c.offset)
	c.waiting = slices.DeleteFunc(c.waiting, func(w waiter) bool {
		if w.due.After(now) {
			w.timer.Reset(w.due.Sub(now))
			return false
		}
		w.timer.Stop()
		w.ring <- now
		return true
	})
}

func (c *movable) move(d time.Duration) {
	c.mu.Lock()
	c.offset += d
	c.mu.Unlock()
	c.ring()
}

// running is a scheduler on a store, with its calls and its log.
type running struct {
	*match.Scheduler
	t     *testing.T
	store *probed
	clock *movable
	log   bytes.Buffer
	stop  func()

	mu      sync.Mutex
	changed []match.ID
	moved   int // the number of calls of Moved
}

// run starts a scheduler that has not arrived yet, inside a bubble of package synctest.
func run(t *testing.T, s *probed, clock *movable) *running { return runOn(t, s, s, clock) }

// runOn is like run, but the scheduler uses the store front.
func runOn(t *testing.T, front match.Store, s *probed, c *movable) *running {
	return runPart(t, front, s, c, match.Partition{}, &match.Schedulers{Clock: clock.New(c)})
}

// runPart is like runOn, for one of several partitions. It adds the scheduler to all.
func runPart(t *testing.T, front match.Store, s *probed, c *movable, part match.Partition, all *match.Schedulers) *running {
	r := &running{t: t, store: s, clock: c}
	referee := newReferee(s)
	referee.Store = front
	referee.Time = all
	r.Scheduler = match.NewScheduler(match.Config{
		Referee: referee, Clock: clock.New(c), Partition: part, Log: slog.New(slog.NewTextHandler(&r.log, nil)),
		Changed: func(id match.ID) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.changed = append(r.changed, id)
		},
		Moved: func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.moved++
		},
		Hear: hearAll,
	})
	all.Add(r.Scheduler)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); r.Run(ctx) }()
	r.stop = sync.OnceFunc(func() { cancel(); <-done })
	t.Cleanup(r.stop)
	return r
}

// hearAll is a function for Config.Hear that returns at once: all actions so far are handled.
func hearAll(context.Context, time.Time) time.Time { return time.Now() }

func (r *running) arrive() *running {
	r.t.Helper()
	if err := r.Arrive(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
	return r
}

func (r *running) leave() {
	r.t.Helper()
	if err := r.Leave(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
}

// told returns the scheduler's calls since the previous call of told.
func (r *running) told() string {
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	var ids []string
	for _, id := range r.changed {
		ids = append(ids, string(id))
	}
	r.changed = nil
	return strings.Join(ids, " ")
}

func (r *running) expect(after time.Duration, want string) {
	r.t.Helper()
	time.Sleep(after) // in a bubble of synctest, sleeping takes no real time
	if got := r.told(); got != want {
		r.t.Errorf("after %v: told %q, want %q", after, got, want)
	}
}

// fresh saves a match that starts now.
func (r *running) fresh(id match.ID, turn time.Duration) {
	r.store.put(match.Start(id, id, "", game.Classic(), match.Seats{match.Human(alice), match.Human(bob)}, turn, 1, r.clock.Now()))
	r.Wake()
}

const instant = time.Millisecond // the resolution of the stores

func TestTheSchedulerActsWhenSomethingIsDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := run(t, newStore(t), &movable{}).arrive()
		r.fresh("m", time.Minute)
		c, err := match.NewChallenge("c", "", alice, bob, terms(match.Me), r.clock.Now())
		if err != nil {
			t.Fatal(err)
		}
		r.store.put(c)
		r.expect(time.Minute-instant, "")
		r.expect(instant, "m")
		if got := r.store.match(t, "m").Result; got != (match.Result{Outcome: game.OWins, Cause: match.ByTime}) {
			t.Error(got)
		}
		r.expect(4*time.Minute-instant, "")
		r.expect(instant, "c")
		if r.store.challenge(t, "c").Status != match.Expired {
			t.Error("the challenge has not expired")
		}
		r.expect(time.Hour, "")
	})
}

func TestTheSchedulerWakesForAnEarlierDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := run(t, newStore(t), &movable{}).arrive()
		r.fresh("late", time.Hour)
		synctest.Wait()
		r.fresh("soon", time.Second)
		r.expect(time.Second, "soon")
	})
}

func TestMovingTheClockWakesTheScheduler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := run(t, newStore(t), &movable{}).arrive()
		r.fresh("slow", 24*time.Hour)
		r.fresh("quick", time.Minute)
		synctest.Wait()
		r.clock.move(time.Minute)
		r.expect(0, "quick")
		r.clock.move(24*time.Hour - time.Minute)
		r.expect(0, "slow")
	})
}

func TestActReturnsOnceAllDueDeadlinesAreHandled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore(t)
		r := run(t, s, &movable{}).arrive()
		r.stop() // now only Act handles deadlines
		const many = 250
		for i := range many {
			m := match.Start(match.ID(string(rune('A'+i))), "s", "", game.Classic(), match.Seats{match.Human(alice), match.Human(bob)}, time.Minute, 1, r.clock.Now())
			s.put(m)
		}
		r.clock.move(time.Hour)
		if err := r.Act(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(r.changed) != many {
			t.Error(len(r.changed), "of", many)
		}
	})
}

func TestNoDeadlineIsActedOnWhileTheBotIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore(t)
		r := run(t, s, &movable{})
		r.fresh("m", time.Minute)
		r.expect(time.Hour, "")
		if err := r.Act(t.Context()); err != nil {
			t.Fatal(err)
		}
		r.expect(0, "")
		if n, _ := s.saved(); n != 0 {
			t.Error("the scheduler saved something while the bot was away")
		}
	})
}

func TestTimeAwayIsCredited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := run(t, newStore(t), &movable{}).arrive()
		r.fresh("m", time.Minute)
		time.Sleep(20 * time.Second)
		r.leave()
		r.expect(10*time.Hour, "")
		before := r.store.match(t, "m").Version
		r.arrive()
		if got := r.store.match(t, "m").Version; got != before+1 {
			t.Errorf("version %d after %d", got, before)
		}
		r.expect(40*time.Second-instant, "")
		r.expect(instant, "m")
	})
}

func TestLeavingAndArrivingTwiceIsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := run(t, newStore(t), &movable{})
		r.leave() // the bot has never arrived
		r.arrive()
		r.fresh("m", time.Minute)
		time.Sleep(30 * time.Second)
		r.arrive()
		r.leave()
		time.Sleep(time.Hour)
		r.leave()
		time.Sleep(time.Hour)
		r.arrive()
		r.arrive()
		r.expect(30*time.Second-instant, "")
		r.expect(instant, "m")
	})
}

func TestADeadlineBeforeAnAbsenceIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore(t)
		r := run(t, s, &movable{}).arrive()
		r.stop() // the process dies before it can act
		r.fresh("m", time.Minute)
		time.Sleep(time.Minute)
		r.leave()
		time.Sleep(time.Hour)

		again := run(t, s, r.clock)
		again.expect(0, "")
		again.arrive()
		again.expect(0, "m")
	})
}

func TestTheTimeSinceTheLastRecordOfAKilledProcessIsCredited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore(t)
		r := run(t, s, &movable{}).arrive()
		r.fresh("m", time.Minute)
		time.Sleep(32 * time.Second)
		r.stop() // the process dies without leaving: its last record was at 30 s
		synctest.Wait()
		if _, seen := s.saved(); r.clock.Now().Sub(seen) != 2*time.Second {
			t.Errorf("last seen %v ago", r.clock.Now().Sub(seen))
		}
		time.Sleep(time.Hour)
		again := run(t, s, r.clock).arrive()
		again.expect(30*time.Second-instant, "")
		again.expect(instant, "m")
	})
}

func TestTheFirstStartCreditsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore(t)
		r := run(t, s, &movable{})
		r.fresh("m", time.Minute)
		time.Sleep(time.Second)
		r.arrive()
		if _, seen := s.saved(); s.match(t, "m").Version != 1 || !seen.Equal(r.clock.Now()) {
			t.Errorf("version %d, seen %v", s.match(t, "m").Version, seen)
		}
	})
}

func TestPresenceIsRecordedEveryFiveSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore(t)
		run(t, s, &movable{}).arrive()
		synctest.Wait()
		began, _ := s.saved()
		time.Sleep(time.Minute)
		synctest.Wait()
		if n, seen := s.saved(); n-began != 12 || !seen.Equal(time.Now()) {
			t.Errorf("%d beats, last seen %v ago", n-began, time.Since(seen))
		}
	})
}

func TestNoPlayerLosesOnTimeWhileThePlayersAreNotHeard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := run(t, newStore(t), &movable{})
		heard := time.Now().Add(20 * time.Second)
		r.Hear = func(ctx context.Context, until time.Time) time.Time {
			if until.IsZero() {
				return heard
			}
			select { // simulates a gateway that does not answer
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
			return heard
		}
		r.arrive()
		r.fresh("soon", 20*time.Second)
		r.fresh("late", time.Minute)
		r.expect(22*time.Second, "soon") // only the deadline that had passed by then is lost
		r.expect(10*time.Minute, "")
		if _, seen := r.store.saved(); !seen.Equal(heard) {
			t.Errorf("last seen %v after it was last heard", seen.Sub(heard))
		}
		r.leave()
		r.Hear = hearAll
		time.Sleep(time.Hour)
		r.arrive()
		r.expect(40*time.Second-instant, "")
		r.expect(instant, "late")
	})
}

func TestNoPlayerLosesIfTheClockIsSetWhileThePlayersAreNotHeard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := run(t, newStore(t), &movable{})
		last := time.Now()
		var answers atomic.Bool
		r.Hear = func(_ context.Context, until time.Time) time.Time {
			if answers.Load() {
				return until
			}
			return last // the gateway has been silent since then
		}
		r.arrive()
		r.fresh("m", time.Minute)
		r.expect(3*time.Second, "")
		r.clock.move(time.Hour)
		r.expect(30*time.Second, "")
		answers.Store(true)
		r.expect(5*time.Second, "m")
	})
}

func TestAClickHandledBeforeTheClockIsReadCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore(t)
		r := run(t, s, &movable{})
		r.Hear = func(_ context.Context, until time.Time) time.Time {
			if now := time.Now(); until.Equal(now) && s.match(t, "m").Record.Len() == 0 { // the click that waits in the queue
				m := s.match(t, "m")
				moved, err := m.Play(m.Seats.Of(game.X).Player, 0, 0, now.Add(-instant))
				if err == nil {
					err = s.Save(t.Context(), match.Save{Matches: []match.MatchChange{{From: m, To: moved}}})
				}
				if err != nil {
					t.Error(err)
				}
			}
			return until
		}
		r.fresh("m", 4*time.Second) // the deadline is before the first record, which also calls Hear
		r.arrive()
		r.expect(4*time.Second, "")
		r.expect(4*time.Second-2*instant, "")
		r.expect(instant, "m")
	})
}

func TestHearIsNotCalledWhileNothingIsDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := run(t, newStore(t), &movable{})
		asked := 0
		r.Hear = func(_ context.Context, until time.Time) time.Time { asked++; return until }
		r.arrive()
		r.fresh("m", time.Hour)
		for range 100 {
			r.Wake()
			r.expect(10*time.Millisecond, "")
		}
		if asked > 0 {
			t.Errorf("Hear was called %d times in a second", asked)
		}
	})
}

// looked calls a function after each look at the next deadline, when the scheduler no longer sees later saves.
type looked struct {
	*probed
	after func()
}

func (s looked) NextDeadline(ctx context.Context, p match.Partition, after time.Time) (time.Time, error) {
	next, err := s.probed.NextDeadline(ctx, p, after)
	s.after()
	return next, err
}

func TestASaveWakesTheSchedulerOnlyForADeadlineItWouldMiss(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r *running
		add := func(id match.ID, turn time.Duration) {
			m := match.Start(id, id, "", game.Classic(), match.Seats{match.Human(alice), match.Human(bob)}, turn, 1, r.clock.Now())
			r.store.put(m)
			r.Referee.Time.Saved(m.Deadline, nil)
		}
		looks, meanwhile := 0, func() {}
		s := newStore(t)
		r = runOn(t, looked{s, func() { looks++; meanwhile() }}, s, &movable{})
		r.arrive().expect(2*time.Second, "")

		looks = 0
		add("slow", time.Hour)
		synctest.Wait()
		if looks > 0 {
			t.Error("the scheduler woke for a deadline after its next look")
		}
		add("quick", 2*time.Second)
		r.expect(2*time.Second-instant, "")
		r.expect(instant, "quick")

		meanwhile = func() { meanwhile = func() {}; add("between", 3*time.Second) }
		r.Wake()
		r.expect(3*time.Second-instant, "")
		r.expect(instant, "between")
	})
}

func TestSettingTheClockMovesTheDeadlines(t *testing.T) {
	for name, jump := range map[string]time.Duration{"forward, or the machine was asleep": 10 * time.Hour, "back": -10 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := run(t, newStore(t), &movable{}).arrive()
				r.fresh("m", time.Minute)
				r.fresh("gone", 10*time.Second)
				r.expect(20*time.Second, "gone")
				r.clock.set(jump)
				r.expect(40*time.Second-instant, "")
				r.expect(instant, "m")
				if _, seen := r.store.saved(); seen.After(r.clock.Now()) {
					t.Errorf("last seen in the future, by %v", seen.Sub(r.clock.Now()))
				}
			})
		})
		t.Run(name+", and then the bot goes away", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := run(t, newStore(t), &movable{}).arrive()
				r.fresh("m", time.Minute)
				r.expect(20*time.Second, "")
				r.clock.set(jump)
				r.leave()
				r.expect(time.Hour, "")
				r.arrive()
				r.expect(40*time.Second-instant, "")
				r.expect(instant, "m")
			})
		})
		t.Run(name+", and then the bot goes away without having heard players since", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := run(t, newStore(t), &movable{}).arrive()
				r.fresh("m", time.Minute)
				r.expect(20*time.Second, "")
				heard := time.Now()
				r.Hear = func(context.Context, time.Time) time.Time { return heard }
				r.clock.set(jump)
				r.leave()
				r.expect(time.Hour, "")
				r.Hear = hearAll
				r.arrive()
				r.expect(40*time.Second-instant, "")
				r.expect(instant, "m")
			})
		})
		t.Run(name+", and no player loses before being heard", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := run(t, newStore(t), &movable{}).arrive()
				r.fresh("m", time.Minute)
				r.expect(20*time.Second, "")
				heard := time.Now()
				r.Hear = func(context.Context, time.Time) time.Time { return heard }
				r.clock.set(jump)
				r.expect(3*time.Minute, "")
			})
		})
		t.Run(name+" while the bot is away, and an earlier click is in time, and so is the answer to it", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := run(t, newStore(t), &movable{}).arrive()
				r.fresh("m", time.Minute)
				r.expect(58*time.Second, "")
				r.leave()
				r.clock.set(jump)
				if err := r.click(alice, 0); err != nil {
					t.Fatal(err)
				}
				r.expect(time.Hour, "")
				r.arrive()
				r.expect(time.Minute-instant, "")
				r.expect(instant, "m")
			})
		})
		t.Run(name+" while the bot is away", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := run(t, newStore(t), &movable{}).arrive()
				r.fresh("m", time.Minute)
				r.expect(20*time.Second, "")
				r.leave()
				r.clock.set(jump)
				r.expect(time.Hour, "")
				r.arrive()
				r.expect(40*time.Second-instant, "")
				r.expect(instant, "m")
			})
		})
	}
	t.Run("no credit if another process heard the players during the pause of this process", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := run(t, newStore(t), &movable{}).arrive()
			r.expect(7*time.Second, "")
			r.clock.set(10 * time.Hour)
			if err := r.store.Save(t.Context(), match.Save{Seen: match.Seen{At: r.clock.Now()}}); err != nil {
				t.Fatal(err)
			}
			r.fresh("m", time.Minute) // a match that the other process has begun
			r.expect(time.Minute-instant, "")
			r.expect(instant, "m")
		})
	})
	t.Run("by less than a leap, and no deadline moves", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := run(t, newStore(t), &movable{}).arrive()
			r.fresh("m", time.Minute)
			r.clock.set(time.Second)
			r.expect(59*time.Second-instant, "")
			r.expect(instant, "m")
		})
	})
	for name, jump := range map[string]time.Duration{"forward": 10 * time.Hour, "back": -10 * time.Hour} {
		t.Run(name+", and a click before the change is noticed is in time, and so is the answer to it", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := run(t, newStore(t), &movable{}).arrive()
				r.fresh("m", time.Minute)
				r.expect(56*time.Second, "")
				r.clock.set(jump)
				r.expect(time.Second, "")
				moved, err := r.Referee.Play(t.Context(), match.Request{ID: "1", By: alice, At: r.clock.Now()}, "m", 0, "b2")
				if err != nil {
					t.Fatal(err)
				}
				if want := r.clock.Now().Add(time.Minute); !moved.Deadline.Equal(want) {
					t.Errorf("the next turn has %v left", moved.Deadline.Sub(r.clock.Now()))
				}
				r.expect(time.Minute-instant, "")
				r.expect(instant, "m")
			})
		})
	}
	for name, jump := range map[string]time.Duration{"forward": 10 * time.Hour, "back": -10 * time.Hour} {
		t.Run(name+", and a deadline before the next look by the old date is not acted on late", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := run(t, newStore(t), &movable{}).arrive()
				r.expect(time.Second, "")
				r.clock.set(jump)
				done, err := r.Follow(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				m := match.Start("m", "m", "", game.Classic(), match.Seats{match.Human(alice), match.Human(bob)}, 2*time.Second, 1, r.Now())
				r.store.put(m)
				r.Referee.Time.Saved(m.Deadline, nil)
				done()
				r.expect(2*time.Second-instant, "")
				r.expect(instant, "m")
			})
		})
		t.Run(name+" while a match is being saved, which keeps its full time", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := run(t, newStore(t), &movable{}).arrive()
				done, err := r.Follow(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				m := match.Start("m", "m", "", game.Classic(), match.Seats{match.Human(alice), match.Human(bob)}, time.Minute, 1, r.Now())
				r.clock.set(jump)
				r.expect(6*time.Second, "") // longer than the interval between records, so that the scheduler has seen the match
				r.store.put(m)
				done()
				r.Wake()
				r.expect(54*time.Second-instant, "")
				r.expect(instant, "m")
			})
		})
	}
	t.Run("back, and an earlier click is in time although it is handled afterwards", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := run(t, newStore(t), &movable{}).arrive()
			r.fresh("m", time.Minute)
			r.expect(58*time.Second, "")
			click := match.Request{ID: "1", By: alice, At: r.clock.Now()}
			r.clock.set(-10 * time.Hour)
			r.expect(time.Second, "")
			if _, err := r.Referee.Play(t.Context(), click, "m", 0, "b2"); err != nil {
				t.Error(err)
			}
		})
	})
	t.Run("to another time zone or to summer time, and no deadline moves", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := run(t, newStore(t), &movable{})
			synctest.Wait()
			r.arrive()
			r.fresh("m", time.Minute)
			r.expect(time.Second, "")
			r.stop()
			r.Scheduler.Clock = clock.New(elsewhere{r.clock})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			go r.Run(ctx)
			r.expect(59*time.Second-instant, "")
			r.expect(instant, "m")
		})
	})
	t.Run("no player loses while the store fails", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := run(t, newStore(t), &movable{}).arrive()
			r.fresh("m", time.Minute)
			r.store.failing(func(method string) error {
				if method == "Credit" {
					return errBroken
				}
				return nil
			})
			r.clock.set(time.Hour)
			r.expect(30*time.Second, "")
			r.store.failing(nil)
			r.expect(30*time.Second-instant, "")
			r.expect(instant, "m")
		})
	})
}

// elsewhere is a clock that shows the same time in another time zone, hours away.
type elsewhere struct{ *movable }

func (c elsewhere) Read() (date, ran time.Time) {
	date, ran = c.movable.Read()
	return date.In(time.FixedZone("elsewhere", 5*60*60)), ran
}

var errBroken = errors.New("disk on fire")

func TestBoardsAreRedrawnAfterALargeMoveOfTheirDeadlines(t *testing.T) {
	for _, tt := range []struct {
		what    string
		happens func(r *running)
		want    int
	}{
		{"the clock is set forward", func(r *running) { r.clock.set(match.BriefGap) }, 1},
		{"the clock is set back", func(r *running) { r.clock.set(-match.BriefGap) }, 1},
		{"the clock is set by little", func(r *running) { r.clock.set(match.BriefGap - time.Second) }, 0},
		{"the bot is away", func(r *running) { r.leave(); time.Sleep(match.BriefGap); r.arrive() }, 1},
		{"the bot is away for a moment", func(r *running) { r.leave(); time.Sleep(match.BriefGap - time.Second); r.arrive() }, 0},
		{"there is no deadline any more", func(r *running) { r.expect(time.Minute, "m"); r.clock.set(time.Hour) }, 0},
	} {
		t.Run(tt.what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := run(t, newStore(t), &movable{}).arrive()
				r.fresh("m", time.Minute)
				tt.happens(r)
				time.Sleep(5 * time.Second) // the scheduler checks the clock at this interval
				synctest.Wait()
				r.mu.Lock()
				defer r.mu.Unlock()
				if r.moved != tt.want {
					t.Errorf("%d times, not %d", r.moved, tt.want)
				}
			})
		})
	}
}

func TestAFailingStoreIsTriedAgainEveryFiveSeconds(t *testing.T) {
	for _, method := range []string{"TakeDue", "NextDeadline", "Find", "Save"} {
		t.Run(method, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := run(t, newStore(t), &movable{}).arrive()
				r.fresh("m", time.Minute)
				synctest.Wait()
				var calls atomic.Int32
				r.store.failing(func(m string) error {
					if m == method {
						calls.Add(1)
						return errBroken
					}
					return nil
				})
				time.Sleep(2 * time.Minute)
				synctest.Wait()
				if n := calls.Load(); n < 12 || n > 2*2*60/5 {
					t.Errorf("%d calls in two minutes", n)
				}
				r.store.failing(nil)
				time.Sleep(5 * time.Second)
				synctest.Wait()
				if !r.store.match(t, "m").Result.Over() {
					t.Error("the scheduler has given up")
				}
				r.stop()
				if got := r.log.String(); strings.Count(got, errBroken.Error()) < 12 {
					t.Errorf("log:\n%s", got)
				}
			})
		})
	}
}

// poisoned is a store with one match that cannot be read.
type poisoned struct {
	*probed
	id match.ID
}

func (s poisoned) Find(ctx context.Context, id match.ID) (match.Found, error) {
	if id == s.id {
		return match.Found{}, errBroken
	}
	return s.probed.Find(ctx, id)
}

func TestAnUnreadableMatchDoesNotDelayOtherDeadlines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore(t)
		r := runOn(t, poisoned{s, "bad"}, s, &movable{}).arrive()
		r.fresh("bad", time.Second)
		r.fresh("good", 2*time.Second)
		r.expect(time.Minute, "good")
		if _, seen := s.saved(); time.Since(seen) > 5*time.Second {
			t.Error("presence is not recorded any more")
		}
		r.stop()
		if got := r.log.String(); !strings.Contains(got, "expire bad: "+errBroken.Error()) || strings.Count(got, "level=ERROR") > 15 {
			t.Error(got)
		}
	})
}

func TestAnInvalidMatch(t *testing.T) {
	begin := func(t *testing.T, hear func(context.Context, time.Time) time.Time) (*probed, *running) {
		s := newStore(t)
		r := run(t, s, &movable{})
		synctest.Wait() // wait for its first look, which finds nothing because the bot is away
		r.Referee.Store, r.Hear = senseless{s, "bad"}, hear
		r.arrive()
		r.fresh("bad", time.Second)
		return s, r
	}
	t.Run("is logged once", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			_, r := begin(t, hearAll)
			r.expect(time.Hour, "")
			r.stop()
			if got := r.log.String(); strings.Count(got, "level=ERROR") != 1 || !strings.Contains(got, "match=bad") {
				t.Error(got)
			}
		})
	})
	t.Run("does not delay the others", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			_, r := begin(t, hearAll)
			r.expect(11*time.Second, "")
			r.fresh("good", 1500*time.Millisecond)
			r.expect(1500*time.Millisecond, "good")
			r.stop()
		})
	})
	t.Run("does not probe the gateway while nothing else is due", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			asked := 0
			_, r := begin(t, func(_ context.Context, until time.Time) time.Time {
				asked++
				return until
			})
			r.expect(10*time.Minute, "")
			r.stop()
			if asked > 10*60/5+2*10 { // one call for every record, plus one for every retry of the unreadable match
				t.Errorf("asked %d times", asked)
			}
		})
	})
	t.Run("ends once it is repaired", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s, r := begin(t, hearAll)
			r.expect(10*time.Second, "")
			r.stop()
			r.Referee.Store = s
			clock := r.clock
			clock.move(2 * time.Minute)
			if err := r.Act(t.Context()); err != nil {
				t.Fatal(err)
			}
			r.expect(0, "bad")
		})
	})
}

// senseless is a store with one invalid match.
type senseless struct {
	*probed
	id match.ID
}

func (s senseless) Find(ctx context.Context, id match.ID) (match.Found, error) {
	if id == s.id {
		return match.Found{}, match.ErrUnreadable
	}
	return s.probed.Find(ctx, id)
}

func TestArriveFailsWithTheStore(t *testing.T) {
	t.Run("the first time", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := run(t, newStore(t), &movable{})
			r.store.failing(func(string) error { return errBroken })
			if err := r.Arrive(t.Context()); !errors.Is(err, errBroken) {
				t.Fatal(err)
			}
			r.store.failing(func(method string) error { return map[string]error{"Credit": errBroken}[method] })
			if err := r.Arrive(t.Context()); !errors.Is(err, errBroken) {
				t.Fatal(err)
			}
			r.store.failing(nil)
			r.fresh("m", time.Minute)
			r.expect(time.Hour, "") // the bot is still away
		})
	})
	t.Run("a second time", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := run(t, newStore(t), &movable{}).arrive()
			r.fresh("m", time.Minute)
			time.Sleep(30 * time.Second)
			r.leave()
			time.Sleep(time.Hour)
			r.store.failing(func(method string) error { return map[string]error{"Credit": errBroken}[method] })
			if err := r.Arrive(t.Context()); !errors.Is(err, errBroken) {
				t.Fatal(err)
			}
			r.store.failing(nil)
			r.expect(time.Hour, "") // the bot is still away
			r.arrive()
			r.expect(30*time.Second-instant, "")
			r.expect(instant, "m")
		})
	})
	t.Run("the store learns that the bot leaves, even after an earlier failure", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := run(t, newStore(t), &movable{}).arrive()
			synctest.Wait()
			ended, end := context.WithCancel(t.Context())
			end()
			saves := 0
			r.store.failing(func(m string) error {
				if m == "Save" {
					saves++
				}
				return nil
			})
			if err := r.Leave(ended); !errors.Is(err, context.Canceled) || saves != 1 {
				t.Errorf("%v, and the store was told %d times", err, saves)
			}
			r.store.failing(nil)
		})
	})
	t.Run("a change that was under way when Leave gave up", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := run(t, newStore(t), &movable{}).arrive()
			r.fresh("m", time.Minute)
			synctest.Wait()
			var saves atomic.Int32
			r.store.failing(func(m string) error {
				switch m {
				case "Find":
					time.Sleep(10 * time.Second)
				case "Save":
					saves.Add(1)
				}
				return nil
			})
			time.Sleep(time.Minute + time.Second) // the scheduler is acting on the deadline
			before := saves.Load()
			soon, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if err := r.Leave(soon); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
			told := saves.Load()
			time.Sleep(time.Minute)
			if told != before+1 || saves.Load() <= told {
				t.Errorf("the store was told %d times at once and %d times afterwards", told-before, saves.Load()-told)
			}
			r.store.failing(nil)
		})
	})
	t.Run("Leave waits, too, although the bot then counts as away", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := run(t, newStore(t), &movable{}).arrive()
			r.fresh("m", time.Minute)
			synctest.Wait()
			r.store.failing(func(m string) error {
				if m == "Save" {
					return errBroken
				}
				return nil
			})
			if err := r.Leave(t.Context()); !errors.Is(err, errBroken) {
				t.Error(err)
			}
			r.store.failing(nil)
			r.expect(time.Hour, "")
		})
	})
}

func TestRunEndsWithItsContext(t *testing.T) {
	// The test needs synctest, which reports a deadlock if a goroutine does not end.
	synctest.Test(t, func(t *testing.T) {
		for _, present := range []bool{false, true} {
			r := run(t, newStore(t), &movable{})
			if present {
				r.arrive()
			}
			r.fresh("m", time.Hour)
			synctest.Wait()
			r.stop()
			if got := r.log.String(); strings.Contains(got, "ERROR") {
				t.Error(got)
			}
		}
	})
}
