package postgres_test

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgtest"
	"tictactoe/store/sqlite"
)

// bench simulates a machine and a database server whose clocks a test sets. The date of the machine's clock is arbitrary.
type bench struct {
	passed    time.Duration
	server    time.Duration // how far the server's clock is ahead of the true time
	way, back time.Duration // how long a request and its response take
	err       error
}

func (b *bench) Read() (date, ran time.Time) { return time.Unix(1, 0), time.Unix(0, 0).Add(b.passed) }

func (b *bench) After(time.Duration) <-chan time.Time { return nil }

func (b *bench) truth() time.Time { return noon().Add(b.passed) }

func (b *bench) ask(context.Context) (time.Time, error) {
	b.passed += b.way
	date := b.truth().Add(b.server)
	b.passed += b.back
	return date, b.err
}

// look asks the server for the time. The request and the response take the given times.
func (b *bench) look(t *testing.T, c *postgres.Clock, way, back time.Duration) {
	t.Helper()
	b.way, b.back = way, back
	if err := c.Look(t.Context()); !errors.Is(err, b.err) {
		t.Fatal(err)
	}
}

// off returns how far the clock is ahead of the server's clock.
func (b *bench) off(c *postgres.Clock) time.Duration { return date(c).Sub(b.truth().Add(b.server)) }

func date(c *postgres.Clock) time.Time { d, _ := c.Read(); return d }

func read(c *postgres.Clock) clock.Reading { return clock.New(c).Read() }

const ms = time.Millisecond

func TestClock(t *testing.T) {
	t.Parallel()
	start := func(t *testing.T, way, back time.Duration) (*bench, *postgres.Clock) {
		b := &bench{server: 20 * time.Hour}
		c := postgres.NewClock(b, b.ask)
		b.look(t, c, way, back)
		return b, c
	}
	want := func(t *testing.T, what string, got, want time.Duration) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	t.Run("the clock shows the server's date, corrected by half of the round trip", func(t *testing.T) {
		b, c := start(t, 40*ms, 40*ms)
		want(t, "ahead", b.off(c), 0)
		b.passed += time.Hour
		want(t, "ahead an hour later", b.off(c), 0)
	})
	t.Run("a quick response corrects the error of a slow response", func(t *testing.T) {
		b, c := start(t, 0, 800*ms)
		want(t, "ahead", b.off(c), -400*ms)
		b.look(t, c, ms, ms)
		want(t, "ahead", b.off(c), -ms)
		b.look(t, c, 0, 0)
		want(t, "ahead", b.off(c), 0)
	})
	t.Run("a slow response does not override a quick response", func(t *testing.T) {
		b, c := start(t, 0, 0)
		b.look(t, c, 0, 9*time.Second)
		want(t, "ahead", b.off(c), 0)
		b.look(t, c, 9*time.Second, 0)
		want(t, "ahead", b.off(c), 0)
	})
	t.Run("a clock that runs a little faster is followed", func(t *testing.T) {
		b, c := start(t, 0, 0)
		for range 1000 {
			b.passed += 2 * time.Second
			b.server += 50 * time.Microsecond
			b.look(t, c, 0, 0)
			want(t, "ahead", b.off(c), 0)
		}
	})
	t.Run("the clock stands still instead of going back", func(t *testing.T) {
		b, c := start(t, 0, 0)
		before := date(c)
		b.server -= 500 * ms
		b.look(t, c, 0, 0)
		want(t, "on", date(c).Sub(before), 0)
		b.passed += 400 * ms
		want(t, "on after 400 ms", date(c).Sub(before), 0)
		b.passed += 200 * ms
		want(t, "on after 600 ms", date(c).Sub(before), 100*ms)
		want(t, "ahead", b.off(c), 0)
	})
	for name, set := range map[string]time.Duration{"forward": 3 * time.Hour, "back": -3 * time.Hour, "forward by a little": 2001 * ms} {
		t.Run("when the server's clock is set "+name+" the date moves and no time passes", func(t *testing.T) {
			b, c := start(t, 0, 0)
			before := read(c)
			b.server += set
			b.passed += time.Second
			unaware := read(c)
			b.look(t, c, 0, 0)
			b.passed += time.Second
			after := read(c)
			want(t, "ahead", b.off(c), 0)
			want(t, "on", after.Date.Sub(before.Date), 2*time.Second+set)
			want(t, "ran", after.Since(before), 2*time.Second)
			want(t, "on before it was noticed", unaware.Date.Sub(before.Date), time.Second)
			b.server -= set
			b.look(t, c, 0, 0)
			want(t, "on, once it is right again", date(c).Sub(before.Date), 2*time.Second)
		})
	}
	t.Run("the clock runs on while the server cannot be reached", func(t *testing.T) {
		b, c := start(t, 0, 0)
		b.err = errors.New("gone")
		b.passed += time.Hour
		b.look(t, c, time.Second, time.Second)
		want(t, "ahead", b.off(c), 0)
	})
}

func TestTheClockAsksTheServerRepeatedly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		var hangs atomic.Bool
		var ahead atomic.Int64
		ahead.Store(int64(time.Hour))
		c := postgres.NewClock(clock.Machine{}, func(ctx context.Context) (time.Time, error) {
			if hangs.Load() {
				<-ctx.Done()
				return time.Time{}, ctx.Err()
			}
			asked.Add(1)
			return time.Now().Add(time.Duration(ahead.Load())), nil
		})
		if err := c.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		go c.Run(ctx)
		time.Sleep(time.Minute)
		synctest.Wait()
		if n := asked.Load(); n < 20 || n > 60 {
			t.Errorf("asked the server %d times in a minute", n)
		}
		hangs.Store(true)
		time.Sleep(time.Minute)
		hangs.Store(false)
		ahead.Store(int64(2 * time.Hour))
		time.Sleep(5 * time.Second) // the time limit of a request, and a little more
		if off := time.Until(date(c)); off != 2*time.Hour {
			t.Errorf("%s ahead", off)
		}
		cancel()
	})
}

// Neither the date of a machine's clock nor a change of it matters, because all replicas follow the server's clock.
func TestReplicasOnMachinesWithAbsurdClocksAgree(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "shared.db"))
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		var aheads [3]atomic.Int64 // the offsets of replicas 1 and 2
		set := func(n int, ahead string) {
			t.Helper()
			d, err := time.ParseDuration(ahead)
			if err != nil {
				t.Fatal(err)
			}
			aheads[n].Store(int64(d))
		}
		lost := make(chan time.Time, 2)
		replica := func(n int, ahead string) (*match.Referee, *postgres.Clock, *match.Scheduler) {
			set(n, ahead)
			server := postgres.NewClock(clock.Machine{Ahead: func() time.Duration { return time.Duration(aheads[n].Load()) }}, func(context.Context) (time.Time, error) {
				return time.Now().Add(time.Hour), nil // the server's clock is wrong, too
			})
			if err := server.Look(t.Context()); err != nil {
				t.Fatal(err)
			}
			c := clock.New(server)
			schedulers := &match.Schedulers{Clock: c}
			referee := &match.Referee{
				Store: store, Coin: func() bool { return true }, Limits: match.DefaultLimits(),
				Time: schedulers,
			}
			scheduler := match.NewScheduler(match.Config{
				Referee: referee, Clock: c, Log: slog.New(slog.DiscardHandler),
				Changed: func(match.ID) { lost <- time.Now() },
				Moved:   func() {},
				Hear:    func(context.Context, time.Time) time.Time { return time.Now() },
			})
			schedulers.Add(scheduler)
			if err := scheduler.Arrive(t.Context()); err != nil {
				t.Fatal(err)
			}
			return referee, server, scheduler
		}
		begins, began, _ := replica(1, "-26h")
		_, judges, scheduler := replica(2, "313h")
		ctx, cancel := context.WithCancel(t.Context())
		var runs sync.WaitGroup
		defer runs.Wait()
		defer cancel()
		runs.Go(func() { judges.Run(ctx) })
		runs.Go(func() { scheduler.Run(ctx) })

		m := begin("m", "alice", "bob")
		m.Deadline = date(began).Add(time.Minute)
		if err := store.Save(t.Context(), match.Save{Matches: []match.MatchChange{{To: m}}}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(30 * time.Second)
		set(1, "1h")
		set(2, "-5000h")
		req := match.Request{ID: "1", By: "alice", Venue: "home", At: date(began)}
		if m, err = begins.Play(t.Context(), req, "m", 0, "b2"); err != nil {
			t.Fatal(err)
		}
		played := time.Now()
		time.Sleep(30 * time.Second)
		set(2, "0s")
		if got := (<-lost).Sub(played); got.Truncate(ms) != m.TurnTime {
			t.Errorf("the match was lost after %s of %s", got, m.TurnTime)
		}
	})
}

func TestTheClockIsTheServers(t *testing.T) {
	t.Parallel()
	address := pgtest.Migrated(t)
	s := open(t, address)
	b := &bench{} // a machine whose clock stands still
	c, err := s.Clock(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	first := date(c)
	if d := time.Since(first).Abs(); d > time.Minute {
		t.Errorf("the clock of the local server is off by %s", d)
	}
}
