// Package world holds the simulated Discord: servers, accounts, channels, messages, interactions and the clock, under
// one lock and recorded in a journal. It does not depend on the gateway, the REST API and the simulated people, who
// change it: they register with its Events and its Interactions.
package world

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// Config configures a World.
type Config struct {
	// State is the path of the state file. If it is empty, the state is kept in memory.
	State string
	// Start is the initial date of a new state's clock; now when zero.
	Start time.Time
	// BotName is the username of the first application's bot.
	BotName string
	// Empty leaves out the server and the people that a new state begins with.
	Empty bool
	// Settle is the time limit for the message after a deferral.
	Settle time.Duration
	// MaxConcurrency is how many shards may identify within 5 s.
	MaxConcurrency int
	// PrivilegedIntents lets bots identify with the privileged intents.
	PrivilegedIntents bool
	Logger            *slog.Logger
}

// World is the simulated Discord: servers, accounts, messages and interactions, their clock, and the one lock that
// guards them. The gateway, the REST API and the people change it by its methods, and its Events tell them about
// changes. Methods that take the lock say so; all others expect the caller to hold it.
type World struct {
	Accounts     *Accounts
	Guilds       *Guilds
	Messages     *Messages
	Threads      *Threads
	Interactions *Interactions
	Events       *Events

	Config    Config
	Clock     *Clock
	Serving   sync.WaitGroup  // gateway connections, event streams and calls of endpoints
	Life      context.Context // cancelled by Shut
	endLife   context.CancelFunc
	unlimited atomic.Bool // the rate limits are off
	reached   atomic.Pointer[string]
	lockFile  *os.File   // locks the state file; nil without a state file
	advancing sync.Mutex // held by Advance

	mu       sync.Mutex // guards the fields below
	State    *State
	fresh    bool // New created the state
	hooks    []func(context.Context) error
	absences map[string][]Absence // by application
	closed   bool
}

// New opens the state file if there is one, or creates a new state.
func New(config Config) (*World, error) {
	w := &World{Config: config, absences: map[string][]Absence{}}
	w.Accounts = &Accounts{w: w, starts: map[string]*starts{}, revoked: map[string]bool{}}
	w.Guilds = &Guilds{w}
	w.Messages = &Messages{w}
	w.Threads = &Threads{w}
	w.Interactions = newInteractions(w)
	w.Events = newEvents(w)
	w.Life, w.endLife = context.WithCancel(context.Background())
	if config.State != "" {
		var err error
		if w.lockFile, err = lockState(config.State); err != nil {
			return nil, err
		}
	}
	if err := w.restore(); err != nil {
		if w.lockFile != nil {
			os.Remove(w.lockFile.Name()) // a refused state file leaves no lock file behind
		}
		w.unlockFile()
		return nil, err
	}
	return w, nil
}

// restore reads the state file, or creates a new state if the file does not exist. Later changes are written to the
// file.
func (w *World) restore() (err error) {
	w.fresh = true
	w.State = newState()
	if w.Config.State != "" {
		if w.State, w.fresh, err = load(w.Config.State); err != nil {
			return err
		}
	}
	if err := w.startClock(w.fresh); err != nil {
		return err
	}
	if w.fresh && !w.Config.Empty {
		w.createInitial()
	}
	// Older versions define fewer default permissions.
	for _, g := range w.State.Guilds {
		if everyone := g.Role(g.ID); everyone != nil {
			everyone.Permissions |= everyonePermissions &^ g.Defaults
			g.Defaults = everyonePermissions
		}
	}
	if w.Config.State != "" {
		return w.State.keep(w.Config.State, w.Clock.Now)
	}
	return nil
}

func (w *World) unlockFile() {
	if w.lockFile != nil {
		unlockState(w.lockFile)
	}
}

// startClock starts the clock with the saved offset. If the machine's clock has
// gone back, the clock starts at the date of the newest id.
func (w *World) startClock(fresh bool) error {
	now := time.Now()
	if fresh && !w.Config.Start.IsZero() {
		w.State.offset = w.Config.Start.Sub(now)
	}
	if newest := w.State.mint.time(); !fresh && newest.After(now.Add(w.State.offset)) {
		w.State.offset = newest.Sub(now)
	}
	w.Clock = newClock(w.State.offset)
	if date := w.Clock.Now(); date.UnixMilli() <= discordEpoch {
		return fmt.Errorf("the clock says %s, before Discord's first id: set Config.Start", date.Format(time.DateOnly))
	}
	return nil
}

// createInitial creates the server and the people of a new simulator.
func (w *World) createInitial() {
	made := 0
	nextID := func() string { made++; return FoundingID(made) }
	for _, p := range Founders {
		w.Put(Change{Account: newAccount(nextID(), p)})
	}
	w.Guilds.add(nextID(), Server{Name: "Playground", Channels: []string{"general"}}, nextID)
}

// Shut marks the world as closed, cancels Life and calls hangUp with the lock held. It reports whether the world was
// open.
func (w *World) Shut(hangUp func()) (wasOpen bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return false, nil
	}
	w.closed = true
	w.endLife()
	w.Interactions.stop()
	hangUp()
	return true, w.State.flush()
}

// Close waits until Serving is done, then closes the state file. Shut must have been called.
func (w *World) Close() error {
	w.Serving.Wait()
	defer w.unlockFile()
	if w.State.journal != nil {
		return w.State.journal.close()
	}
	return nil
}

// Lock takes the lock.
func (w *World) Lock() { w.mu.Lock() }

// Unlock releases the lock.
func (w *World) Unlock() { w.mu.Unlock() }

// Locked takes the lock, calls f and writes its changes to the journal.
func (w *World) Locked(f func() error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return ErrClosed
	}
	err := f()
	if lost := w.State.flush(); lost != nil {
		w.Config.Logger.Error("state could not be written", "error", lost)
		return lost
	}
	return err
}

// Put applies a change, which the next flush writes to the journal.
func (w *World) Put(c Change) {
	w.State.apply(c)
	w.State.pending = append(w.State.pending, c)
}

// NextID returns a new snowflake.
func (w *World) NextID() string { return w.State.mint.next(w.Clock.Now()) }

// Later calls f under the lock after a delay, unless the simulator has been closed by then.
func (w *World) Later(d time.Duration, f func()) *time.Timer {
	return time.AfterFunc(d, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if !w.closed {
			f()
		}
	})
}

// SetRateLimits switches Discord's rate limits on or off.
func (w *World) SetRateLimits(on bool) { w.unlimited.Store(!on) }

// Unlimited reports whether the rate limits are off.
func (w *World) Unlimited() bool { return w.unlimited.Load() }

// Closed reports whether Shut was called.
func (w *World) Closed() bool { return w.closed }

// Accounts adds and changes people and bots, and records the session starts and the revoked tokens of applications.
type Accounts struct {
	w       *World
	starts  map[string]*starts // by application
	revoked map[string]bool    // tokens that were reset
}

// Guilds changes servers, their members, roles and channels.
type Guilds struct{ w *World }

// Messages posts and changes messages.
type Messages struct{ w *World }

// MustJSON encodes a value as JSON. The value is of a type of this package, so
// encoding cannot fail.
func MustJSON(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("discordsim: %T cannot be written: %v", v, err))
	}
	return text
}

// The errors of a person's action, apart from errors for invalid calls.
var (
	// ErrNotFound means that there is no such user, channel, message, command or
	// interaction, or that the acting person cannot see it.
	ErrNotFound = errors.New("not found")
	// ErrUnavailable means that a button or select is disabled or does not exist.
	ErrUnavailable = errors.New("not available")
	// ErrClosed means that the simulator has been closed.
	ErrClosed = errors.New("the simulator is closed")
)

// NotFoundMessage returns ErrNotFound for a message.
func NotFoundMessage(id string) error { return fmt.Errorf("%w: no message %q", ErrNotFound, id) }
