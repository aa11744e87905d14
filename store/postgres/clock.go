package postgres

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"tictactoe/internal/match/clock"
)

const (
	// lookEvery is how often the server is asked for the time.
	lookEvery = 2 * time.Second

	selectTime = `SELECT clock_timestamp()`
)

// Clock follows the server's clock, which all bots on a database use. It asks the server for the date every lookEvery, and in
// between measures the elapsed time with the machine's clock, whose date does not matter.
//
// The server reads its clock at an unknown moment between the request and the response. If the Clock showed the server's date at some
// moment between the two, it stays unchanged; so a slow response corrects little. Otherwise the Clock moves to the nearest possible
// date. Because Read never goes back, its date may then stand still. A difference of more than [clock.Leap] means that the server's
// clock was set, or that the server was replaced: then the date jumps, forward or back.
//
// While the server cannot be reached, the Clock runs on. It is safe for concurrent use.
type Clock struct {
	machine clock.Source
	server  func(context.Context) (time.Time, error)

	mu     sync.Mutex
	origin time.Time // the reading of the machine's clock at the start
	date   time.Time // the server's date at the origin, as far as is known; zero before the first answer
	shown  time.Time // the latest date that Read has returned; zero after the date has jumped
}

var _ clock.Source = (*Clock)(nil)

// Clock returns a clock that follows the server's, and takes only elapsed time from machine. The caller must call [Clock.Run]. The
// error wraps [match.ErrBusy] if the server does not answer for long.
func (s *Store) Clock(ctx context.Context, machine clock.Source) (*Clock, error) {
	c := newClock(machine, func(ctx context.Context) (date time.Time, err error) {
		err = s.pool.QueryRow(ctx, selectTime).Scan(&date)
		return date, err
	})
	if err := patiently(ctx, c.look); err != nil {
		return nil, fmt.Errorf("ask the server for its time: %w", err)
	}
	return c, nil
}

// Ahead returns the difference between the server's clock and this machine's, which is positive if the server's clock is ahead, within
// half of the round-trip time. The errors are the errors of [Open].
func Ahead(ctx context.Context, address string) (ahead time.Duration, err error) {
	err = connected(ctx, address, func(conn *pgx.Conn) error {
		var date time.Time
		asked := time.Now()
		err := conn.QueryRow(ctx, selectTime, pgx.QueryExecModeSimpleProtocol).Scan(&date) // takes one round trip
		ahead = date.Sub(asked.Add(time.Since(asked) / 2))
		return err
	})
	return ahead, err
}

func newClock(machine clock.Source, server func(context.Context) (time.Time, error)) *Clock {
	_, origin := machine.Read()
	return &Clock{machine: machine, server: server, origin: origin}
}

// Read returns the server's date, and the elapsed time by the machine's clock.
func (c *Clock) Read() (date, ran time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ran = c.machine.Read()
	if now := c.date.Add(ran.Sub(c.origin)); now.After(c.shown) {
		c.shown = now
	}
	return c.shown.UTC(), ran
}

// After waits by the machine's clock.
func (c *Clock) After(d time.Duration) <-chan time.Time { return c.machine.After(d) }

// Run asks the server for the time until the context ends.
func (c *Clock) Run(ctx context.Context) {
	for {
		select {
		case <-c.machine.After(lookEvery):
		case <-ctx.Done():
			return
		}
		once, cancel := context.WithTimeout(ctx, connectTime)
		_ = c.look(once) // a failed request leaves the clock unchanged
		cancel()
	}
}

// look asks the server for the time once. Only one goroutine at a time may call it.
func (c *Clock) look(ctx context.Context) error {
	asked := c.elapsed()
	date, err := c.server(ctx)
	if err == nil {
		c.learn(asked, date, c.elapsed())
	}
	return err
}

// elapsed returns the time since the origin.
func (c *Clock) elapsed() time.Duration {
	_, ran := c.machine.Read()
	return ran.Sub(c.origin)
}

// learn corrects the clock, given that the server's clock showed date at some time between asked and answered.
func (c *Clock) learn(asked time.Duration, date time.Time, answered time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	earliest, latest := date.Add(-answered), date.Add(-asked)
	off := time.Duration(0)
	switch {
	case c.date.IsZero():
		c.date = earliest.Add((answered - asked) / 2)
	case c.date.Before(earliest):
		off = earliest.Sub(c.date)
	case c.date.After(latest):
		off = latest.Sub(c.date)
	}
	c.date = c.date.Add(off)
	if off.Abs() > clock.Leap {
		c.shown = time.Time{}
	}
}
