package soak

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

// SetClock is the machine's clock after somebody has set it: a file says by how much it is ahead. A bot that is tried with
// the fault [Clock] lives by it.
//
// By how much it was ahead is the name of a reading's zone, so that Passed knows it. All zones are UTC.
type SetClock struct{ File string }

// Now is the date as the clock shows it. It panics if the file cannot be read: a bot by another clock would be judged wrongly.
func (c SetClock) Now() time.Time {
	text, err := os.ReadFile(c.File)
	if err != nil {
		panic(err)
	}
	ahead, err := time.ParseDuration(strings.TrimSpace(string(text)))
	if err != nil {
		panic(fmt.Errorf("%s: %w", c.File, err))
	}
	return time.Now().Add(ahead).In(time.FixedZone(ahead.String(), 0))
}

// Passed is the time between two readings without that by which the clock was set.
func (SetClock) Passed(from, to time.Time) time.Duration {
	ahead := func(reading time.Time) time.Duration {
		d, _ := time.ParseDuration(reading.Location().String()) // of what is no reading, as the zero time, none
		return d
	}
	return to.Sub(from) - (ahead(to) - ahead(from))
}

// After is [time.After]: timers do not heed the date.
func (SetClock) After(d time.Duration) <-chan time.Time { return time.After(d) }

// clockface sets the clock of a replica.
type clockface struct {
	file string

	mu    sync.Mutex
	ahead time.Duration
}

// newClockface is a clock that is right, in a file of that name.
func newClockface(file string) (*clockface, error) {
	c := &clockface{file: file}
	return c, os.WriteFile(c.file, []byte("0s"), 0o600)
}

// now is the date as the bot has it.
func (c *clockface) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.ahead)
}

// move sets the clock by d and calls set, if that is not nil and before anybody else can set it, with how far it is ahead then.
func (c *clockface) move(d time.Duration, set func(ahead time.Duration)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	next := c.file + ".next" // a bot reads the file at any instant
	if err := os.WriteFile(next, []byte((c.ahead + d).String()), 0o600); err != nil {
		return err
	}
	if err := os.Rename(next, c.file); err != nil {
		return err
	}
	c.ahead += d
	if set != nil {
		set(c.ahead)
	}
	return nil
}

// setting is the time during which a clock was ahead by as much.
type setting struct {
	from, to time.Time
	ahead    time.Duration
}

// settings are those of the bot's clock, the oldest first.
func (h History) settings() []setting {
	if len(h) == 0 {
		return nil
	}
	all := []setting{{from: h[0].At, to: h[len(h)-1].At}}
	for _, e := range h {
		if e.Fault == Clock && (e.Kind == Began || e.Kind == Over) && e.Ahead != all[len(all)-1].ahead {
			all[len(all)-1].to = e.At
			all = append(all, setting{e.At, h[len(h)-1].At, e.Ahead})
		}
	}
	return all
}

// settingTime is how long it may take from setting a clock to writing that down. followTime is for how long a bot may go on
// dating by the clock as it was: what was under way is saved first.
const (
	settingTime = time.Second
	followTime  = 16 * time.Second
)

// when is the earliest and the latest time that a bot by a clock with these settings can have dated so; false if there is none.
func when(settings []setting, date time.Time) (earliest, latest time.Time, shown bool) {
	for _, s := range settings {
		at := date.Add(-s.ahead)
		if at.Before(s.from.Add(-settingTime)) || at.After(s.to.Add(followTime)) {
			continue
		}
		if !shown || at.Before(earliest) {
			earliest = at
		}
		if !shown || at.After(latest) {
			latest = at
		}
		shown = true
	}
	return earliest, latest, shown
}
