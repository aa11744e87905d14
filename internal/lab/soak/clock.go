package soak

import (
	"os"
	"sync"
	"time"
)

// replicaClock is the clock of a replica, as the soak sets it.
type replicaClock struct {
	file string

	mu    sync.Mutex
	ahead time.Duration
}

// newReplicaClock returns a clock that is right, in a file of that name.
func newReplicaClock(file string) (*replicaClock, error) {
	c := &replicaClock{file: file}
	return c, os.WriteFile(c.file, []byte("0s"), 0o600)
}

// now returns the date that the clock shows.
func (c *replicaClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.ahead)
}

// move sets the clock by d. If set is not nil, move calls it with how far the clock is ahead then, before anybody else can set it.
func (c *replicaClock) move(d time.Duration, set func(ahead time.Duration)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	next := c.file + ".next" // the file is replaced as a whole, since a bot may read it at any instant
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

// setting is a time during which a clock was ahead by the same amount.
type setting struct {
	from, to time.Time
	ahead    time.Duration
}

// settings returns the settings of the bot's clock, the oldest first.
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

// settingTime is how long after a clock was set the history may say so. followTime is how long a bot may go on using dates from before
// the clock was set, because it saves what was under way first.
const (
	settingTime = time.Second
	followTime  = 16 * time.Second
)

// when returns the earliest and the latest true time at which a clock with these settings can have shown a date. It reports false if it
// never did.
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
