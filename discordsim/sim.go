// Package discordsim simulates Discord on a single machine: the gateway and the
// REST API, to which an unmodified bot connects, people who use commands and
// press buttons, a clock that can be moved and faults that can be switched on.
//
// A Sim serves everything by its Handler and is driven by its methods, or from
// outside by JSON over HTTP under /sim/, which docs/simulator.md describes.
package discordsim

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"tictactoe/discordsim/check"
)

// Config configures a simulator. The zero value is ready for use.
type Config struct {
	// State is the path of the file that keeps people, channels, messages, commands
	// and the clock over a restart. If it is empty, they are kept in memory.
	State string
	// Start is the initial date of a new simulator's clock; now when zero.
	Start time.Time
	// Spec is the path of Discord's OpenAPI description, whose schemas then also
	// check request bodies. If it is empty, only the hand-written rules do.
	Spec string
	// BotName is the username of the first application's bot; tictactoe when empty.
	BotName string
	// Settle is the time limit for the message after a deferral; 10 s when zero.
	Settle time.Duration
	// Heartbeat is the heartbeat interval of the gateway; 41.25 s when zero.
	Heartbeat time.Duration
	// PrivilegedIntents lets bots identify with the privileged intents, as if
	// they were enabled in Discord's developer portal.
	PrivilegedIntents bool
	// MaxConcurrency is how many shards may identify within 5 s; 1 when zero.
	MaxConcurrency int
	// Client calls the interactions endpoints of applications; a plain client
	// when nil. Redirects are not followed.
	Client *http.Client
	// UserAgents makes the simulator refuse REST requests without a User-Agent,
	// as Discord's proxy does (40333).
	UserAgents bool
	// NoRateLimits switches the rate limits off from the start, like SetRateLimits(false).
	NoRateLimits bool
	// Record is called with every REST exchange, in the order of the responses,
	// before the response is sent. It must not call the simulator.
	Record func(Exchange)
	// Logger logs problems of the simulator itself; nothing is logged when nil.
	Logger *slog.Logger
}

// Sim is a simulated Discord. Its methods are safe for concurrent use.
type Sim struct {
	config     Config
	clock      *Clock
	checker    *check.Checker
	handler    http.Handler
	limiter    *limiter
	unlimited  atomic.Bool // the rate limits are off
	transcript *transcript
	client     *http.Client
	lock       *os.File        // of the state file; nil without a state file
	life       context.Context // cancelled by Close
	endLife    context.CancelFunc
	done       <-chan struct{} // life.Done()
	serving    sync.WaitGroup  // gateway connections, event streams and calls of endpoints
	reached    atomic.Pointer[string]

	advancing sync.Mutex // held by Advance
	recording sync.Mutex // orders Config.Record

	mu          sync.Mutex // guards the fields below
	state       *state
	hooks       []func(context.Context) error
	faults      faultTable
	starts      map[string]*starts          // by application
	revoked     map[string]bool             // tokens that were reset
	overtaken   map[string]*overtaken       // by application
	calls       map[string]int              // by application: the number of calls to its endpoint
	arrivals    map[string]map[int]arrivals // gateway connections, by application and shard
	sessions    map[string]*session
	connections map[*connection]struct{}
	inFlight    map[string]*interaction
	deferred    map[string][]*interaction // interactions acknowledged by a deferral, by the message that shows the answer
	settledLog  settledLog
	absences    map[string][]absence // by application
	oldEdits    oldEdits
	watchers    map[*watcher]struct{}
	closed      bool
}

// New starts a simulator, from its state file if the file exists.
func New(config Config) (*Sim, error) {
	if config.BotName == "" {
		config.BotName = "tictactoe"
	}
	if config.Settle == 0 {
		config.Settle = 10 * time.Second
	}
	if config.Heartbeat == 0 {
		config.Heartbeat = 41250 * time.Millisecond
	}
	if config.MaxConcurrency == 0 {
		config.MaxConcurrency = 1
	}
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	checker, err := check.New(config.Spec)
	if err != nil {
		return nil, fmt.Errorf("reading Discord's schemas: %w", err)
	}
	s := &Sim{
		config: config, checker: checker, limiter: newLimiter(),
		transcript: newTranscript(), client: endpointClient(config.Client),
		faults: newFaultTable(), starts: map[string]*starts{}, revoked: map[string]bool{}, overtaken: map[string]*overtaken{},
		calls: map[string]int{}, arrivals: map[string]map[int]arrivals{},
		sessions: map[string]*session{}, connections: map[*connection]struct{}{},
		inFlight: map[string]*interaction{}, deferred: map[string][]*interaction{}, watchers: map[*watcher]struct{}{}, oldEdits: oldEdits{}, absences: map[string][]absence{},
	}
	s.SetRateLimits(!config.NoRateLimits)
	s.life, s.endLife = context.WithCancel(context.Background())
	s.done = s.life.Done()
	if config.State != "" {
		if s.lock, err = lockState(config.State); err != nil {
			return nil, err
		}
	}
	if err := s.restore(); err != nil {
		if s.lock != nil {
			os.Remove(s.lock.Name()) // a refused state file leaves no lock file behind
		}
		s.unlock()
		return nil, err
	}
	s.handler = s.routes()
	return s, nil
}

// restore reads the state file, or creates a new state if the file does not
// exist, and writes later changes to the file.
func (s *Sim) restore() (err error) {
	fresh := true
	s.state = newState()
	if s.config.State != "" {
		if s.state, fresh, err = load(s.config.State); err != nil {
			return err
		}
	}
	if err := s.startClock(fresh); err != nil {
		return err
	}
	if fresh {
		s.createInitial()
	}
	// Older versions define fewer default permissions.
	for _, g := range s.state.guilds {
		if everyone := g.role(g.ID); everyone != nil {
			everyone.Permissions |= everyonePermissions &^ g.Defaults
			g.Defaults = everyonePermissions
		}
	}
	if s.config.State != "" {
		return s.state.keep(s.config.State, s.clock.Now)
	}
	return nil
}

func (s *Sim) unlock() {
	if s.lock != nil {
		unlockState(s.lock)
	}
}

// startClock starts the clock with the saved offset. If the machine's clock has
// gone back, the clock starts at the date of the newest id.
func (s *Sim) startClock(fresh bool) error {
	now := time.Now()
	if fresh && !s.config.Start.IsZero() {
		s.state.offset = s.config.Start.Sub(now)
	}
	if newest := s.state.mint.time(); !fresh && newest.After(now.Add(s.state.offset)) {
		s.state.offset = newest.Sub(now)
	}
	s.clock = newClock(s.state.offset)
	s.transcript.clock = s.clock
	if date := s.clock.Now(); date.UnixMilli() <= discordEpoch {
		return fmt.Errorf("the clock says %s, before Discord's first id: set Config.Start", date.Format(time.DateOnly))
	}
	return nil
}

// createInitial creates the server and the people of a new simulator.
func (s *Sim) createInitial() {
	made := 0
	nextID := func() string { made++; return foundingID(made) }
	for _, p := range founders {
		s.put(change{Account: newAccount(nextID(), p)})
	}
	s.addServer(nextID(), Server{Name: "Playground"}, nextID)
}

// Handler serves the gateway under /ws, the REST API under /api/v9, /api/v10
// and /api, and the calls under /sim/.
func (s *Sim) Handler() http.Handler { return s.handler }

// Clock returns the simulator's clock.
func (s *Sim) Clock() *Clock { return s.clock }

// Close ends every gateway connection and event stream and closes the state file.
// The effects of answered requests are kept.
func (s *Sim) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	s.endLife()
	for _, in := range s.inFlight {
		in.timer.Stop()
	}
	for _, se := range s.sessions {
		se.stopTimer()
	}
	for c := range s.connections {
		c.drop()
	}
	err := s.state.flush()
	s.mu.Unlock()
	s.serving.Wait()
	defer s.unlock()
	if s.state.journal != nil {
		if closing := s.state.journal.close(); err == nil {
			err = closing
		}
	}
	return err
}

// locked calls f with the state locked and writes its changes to the journal.
func (s *Sim) locked(f func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	err := f()
	if lost := s.state.flush(); lost != nil {
		s.config.Logger.Error("state could not be written", "error", lost)
		return lost
	}
	return err
}

// put applies a change, which the next flush writes to the journal.
func (s *Sim) put(c change) {
	s.state.apply(c)
	s.state.pending = append(s.state.pending, c)
}

func (s *Sim) nextID() string { return s.state.mint.next(s.clock.Now()) }
