// Package discordsim is a Discord on one's own machine: the gateway and the REST
// API that an unmodified bot connects to, people who use commands and press
// buttons, a clock that can be moved and faults that can be switched on.
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
	// State is the file that keeps people, channels, messages, commands and the
	// clock over a restart. Empty: they are kept in memory.
	State string
	// Start is the date at which a new simulator's clock starts. Zero: now.
	Start time.Time
	// Spec is Discord's OpenAPI description, a file, by whose schemas request
	// bodies are checked too. Empty: by the hand-written rules alone.
	Spec string
	// BotName is the username of the first application's bot; tictactoe when
	// empty.
	BotName string
	// Settle is how long a deferred interaction is awaited; 10 s when zero.
	Settle time.Duration
	// Heartbeat is the interval that the gateway asks for; 41.25 s when zero.
	Heartbeat time.Duration
	// PrivilegedIntents lets bots identify with the privileged intents, as if
	// they were switched on in Discord's developer portal.
	PrivilegedIntents bool
	// MaxConcurrency is how many shards may identify within 5 s; 1 when zero.
	MaxConcurrency int
	// Client calls the interactions endpoints that applications set; a plain
	// one when nil. Redirects are not followed.
	Client *http.Client
	// UserAgents refuses REST requests without a User-Agent, as Discord's proxy
	// does (40333).
	UserAgents bool
	// NoRateLimits begins with the rate limits off, as SetRateLimits(false) does.
	NoRateLimits bool
	// Record is called with every REST exchange, in the order of the answers,
	// before the answer is sent. It must not call the simulator.
	Record func(Exchange)
	// Logger gets what goes wrong with the simulator itself; none when nil.
	Logger *slog.Logger
}

// Sim is a simulated Discord. Its methods may be called by several goroutines.
type Sim struct {
	config     Config
	clock      *Clock
	checker    *check.Checker
	handler    http.Handler
	limiter    *limiter
	unlimited  atomic.Bool // the rate limits are off
	transcript *transcript
	client     *http.Client
	lock       *os.File        // on the state file; nil without one
	life       context.Context // ends with Close
	endLife    context.CancelFunc
	done       <-chan struct{} // that of life
	serving    sync.WaitGroup  // gateway connections, event streams and calls of endpoints
	reached    atomic.Pointer[string]

	advancing sync.Mutex // held by Advance
	recording sync.Mutex // orders Config.Record

	mu          sync.Mutex // guards what follows
	state       *state
	hooks       []func(context.Context) error
	faults      faultTable
	starts      map[string]*starts          // by application
	revoked     map[string]bool             // tokens that were reset
	overtaken   map[string]*overtaken       // by application
	calls       map[string]int              // to the endpoints of applications
	arrivals    map[string]map[int]arrivals // on the gateway, by application and shard
	sessions    map[string]*session
	connections map[*connection]struct{}
	inFlight    map[string]*interaction
	deferred    map[string][]*interaction // acknowledged by a deferral, by the message that shows the answer
	settledLog  settledLog
	absences    map[string][]absence // by application
	oldEdits    oldEdits
	watchers    map[*watcher]struct{}
	closed      bool
}

// New starts a simulator, from its state file if there is one.
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
			os.Remove(s.lock.Name()) // what is refused is left as it was
		}
		s.unlock()
		return nil, err
	}
	s.handler = s.routes()
	return s, nil
}

// restore reads the state file, or begins a new state if there is none, and writes
// later changes to the file.
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
	// A program of before may have known fewer of the permissions that everybody has from the start.
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

// startClock starts the clock with the saved offset. If the machine's clock has gone
// back, it starts the clock at the date of the newest id.
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

// createInitial makes the server and the people that every simulator starts with.
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

// Clock returns the clock of this Discord.
func (s *Sim) Clock() *Clock { return s.clock }

// Close ends every gateway connection and event stream and closes the state
// file. What was answered before is kept.
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

// locked runs f on the state and writes its changes through.
func (s *Sim) locked(f func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	err := f()
	if lost := s.state.flush(); lost != nil {
		s.config.Logger.Error("state not kept", "error", lost)
		return lost
	}
	return err
}

// put makes a change, which the next flush writes to the journal.
func (s *Sim) put(c change) {
	s.state.apply(c)
	s.state.pending = append(s.state.pending, c)
}

func (s *Sim) nextID() string { return s.state.mint.next(s.clock.Now()) }
