package soak

import (
	"os"
	"sync"
	"time"
)

// replicaClock is the clock of a replica, which the soak test can set.
type replicaClock struct {
	file string

	mu    sync.Mutex
	ahead time.Duration
}

// newReplicaClock returns a clock that shows the true time. The clock writes its offset to the given file.
func newReplicaClock(file string) (*replicaClock, error) {
	c := &replicaClock{file: file}
	return c, os.WriteFile(c.file, []byte("0s"), 0o600)
}

// now returns the clock's date.
func (c *replicaClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.ahead)
}

// move sets the clock forward by d. If set is not nil, move calls it with the clock's total offset before the clock can be set again.
func (c *replicaClock) move(d time.Duration, set func(ahead time.Duration)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	next := c.file + ".next" // replaces the file atomically, because a bot may read it at any time
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

// setting is a period in which a clock's offset was constant.
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

// settingTime is the maximum delay between the setting of a clock and its record in the history. followTime is how long after a
// clock was set a bot may still use earlier dates, because it first saves the work that it has begun.
const (
	settingTime = time.Second
	followTime  = 16 * time.Second
)

// when returns the earliest and the latest true time at which a clock with these settings can have shown a date. It returns false if the
// clock never showed it.
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
