package people

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"tictactoe/discordsim/world"
)

// Load describes many people using a bot at the same time.
type Load struct {
	// Users and Channels are the numbers of users and channels; 200 and 50 when zero. Missing users and channels are
	// created, the channels in a separate server.
	Users, Channels int
	// PerSecond is how many interactions begin per second, spread evenly over the
	// users. Each user waits for an answer before the next interaction. If it is
	// 0, the bot's answers set the pace.
	PerSecond int
	// For is the duration of the load; 10 s when zero.
	For time.Duration
	// Act performs a user's n-th action, counted from 0, in a channel. It must create exactly one interaction.
	Act func(ctx context.Context, u *User, channel string, n int) (world.Result, error)
}

// LoadReport is the result of a load. Durations are real time, from when an interaction
// was due until it was settled, so they include the delay when the bot falls behind.
type LoadReport struct {
	Interactions int                  `json:"interactions"`
	Statuses     map[world.Status]int `json:"statuses"`
	// PerSecond is how many interactions were settled per second.
	PerSecond    float64       `json:"per_second"`
	Median       time.Duration `json:"median_ns"`
	Percentile99 time.Duration `json:"percentile_99_ns"`
	Longest      time.Duration `json:"longest_ns"`
}

const (
	defaultLoadUsers    = 200
	defaultLoadChannels = 50
	maxLoad             = 5000
	maxLoadTime         = 10 * time.Minute
	loadServer          = "Load"
)

// RunLoad puts a load on the bots and returns a report at the end. It returns an
// error if it cannot begin, and if a person's action was invalid.
func RunLoad(ctx context.Context, w *world.World, l Load) (LoadReport, error) {
	if l.Users == 0 {
		l.Users = defaultLoadUsers
	}
	if l.Channels == 0 {
		l.Channels = defaultLoadChannels
	}
	if l.For == 0 {
		l.For = 10 * time.Second
	}
	if l.Users < 1 || l.Channels < 1 || l.Users > maxLoad || l.Channels > maxLoad || l.PerSecond < 0 || l.For < 0 || l.For > maxLoadTime {
		return LoadReport{}, fmt.Errorf("a load has 1 to %d users and channels, no negative rate, and lasts %v at most", maxLoad, maxLoadTime)
	}
	users, channels, err := crowd(w, l.Users, l.Channels)
	if err != nil {
		return LoadReport{}, err
	}
	run := &loadRun{Load: l, began: time.Now(), statuses: map[world.Status]int{}}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var working sync.WaitGroup
	for i, u := range users {
		working.Go(func() {
			if err := run.user(ctx, i, u, channels[i%len(channels)]); err != nil {
				run.fail(err)
				cancel()
			}
		})
	}
	working.Wait()
	return run.report()
}

// crowd finds or creates the people and channels of a load, and returns the channels' ids.
func crowd(w *world.World, users, channels int) ([]*User, []string, error) {
	people := make([]*User, users)
	for i := range people {
		name := fmt.Sprintf("load-%d", i+1)
		people[i] = NewUser(w, name)
		if people[i].ID() != "" {
			continue
		}
		if err := w.Accounts.Add(world.Person{Username: name}); err != nil {
			return nil, nil, err
		}
	}
	ids := loadChannels(w)
	if len(ids) < channels {
		names := make([]string, channels)
		for i := range names {
			names[i] = fmt.Sprintf("load-%d", i+1)
		}
		if _, err := w.Guilds.Add(world.Server{Name: loadServer, Channels: names}); err != nil {
			return nil, nil, err
		}
		ids = loadChannels(w)
	}
	return people, ids[len(ids)-channels:], nil
}

// loadChannels returns the channels created by earlier loads.
func loadChannels(w *world.World) (ids []string) {
	w.Lock()
	defer w.Unlock()
	for _, id := range w.State.ChannelOrder {
		if g := w.State.Guilds[w.State.Channels[id].GuildID]; g != nil && g.Name == loadServer {
			ids = append(ids, id)
		}
	}
	return ids
}

// loadRun is a load in progress.
type loadRun struct {
	Load
	began time.Time

	mu       sync.Mutex
	statuses map[world.Status]int
	took     []time.Duration
	problem  error
	ended    time.Time
}

// user repeats the action until the load ends.
func (r *loadRun) user(ctx context.Context, i int, u *User, channel string) error {
	pace := time.Duration(0)
	if r.PerSecond > 0 {
		pace = time.Duration(float64(time.Second) * float64(r.Users) / float64(r.PerSecond))
	}
	// The users start at different times.
	due := r.began.Add(pace * time.Duration(i) / time.Duration(r.Users))
	for n := 0; ; n++ {
		if pace == 0 {
			due = time.Now()
		}
		if due.Sub(r.began) >= r.For {
			return nil
		}
		if wait := time.Until(due); wait > 0 {
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		result, err := r.Act(ctx, u, channel, n)
		if err != nil {
			return err
		}
		r.note(result.Status, time.Since(due))
		due = due.Add(pace)
	}
}

func (r *loadRun) note(status world.Status, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.statuses[status]++
	r.took = append(r.took, took)
	r.ended = time.Now()
}

// fail keeps the first error, since later errors follow from it.
func (r *loadRun) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.problem == nil {
		r.problem = err
	}
}

func (r *loadRun) report() (LoadReport, error) {
	if len(r.took) == 0 {
		return LoadReport{}, errors.Join(r.problem, errors.New("the load made no interaction"))
	}
	slices.Sort(r.took)
	at := func(part float64) time.Duration { return r.took[int(part*float64(len(r.took)-1))] }
	return LoadReport{
		Interactions: len(r.took), Statuses: r.statuses,
		PerSecond: float64(len(r.took)) / max(r.ended.Sub(r.began).Seconds(), 1e-9),
		Median:    at(0.5), Percentile99: at(0.99), Longest: at(1),
	}, r.problem
}
