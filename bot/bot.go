// Package bot is the Discord runtime: it keeps a gateway session alive or takes requests at an endpoint, hands interactions
// to handlers, sends what the handlers return, and talks to Discord's REST API. It knows no game.
//
// The gateway is discordgo's Session behind a connection shim: the files gateway_*.go say what each part guards against, and
// docs/gateway.md explains all of it. A supervisor keeps the session of each shard alive. REST requests are our own (REST), because
// discordgo's rate limiter waits without regard for the context, keeps one bucket for every interaction for ever, and locks all
// edits by token behind each other.
package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/internal/lease"
)

// Config is what a Bot is made of. REST, Router and Texts are required.
type Config struct {
	// REST is how the bot speaks to Discord, and Lanes are the queues that its replies go through. Whoever edits messages
	// outside of interactions shares them with the bot. Nil Lanes: nobody does.
	REST  *REST
	Lanes *Lanes
	// Router finds the handler of an interaction.
	Router *Router
	// Commands is the command tree, registered by the process that does the housekeeping of shard 0 if Discord has another
	// one; nil leaves Discord's commands alone.
	Commands []*discordgo.ApplicationCommand
	Texts    Texts
	Limits   Limits
	// Gateway says which sessions with the gateway this process runs. With an Endpoint it runs none: interactions come in
	// there, over HTTP, and there is one shard, of which every process gets all.
	Gateway  Gateway
	Endpoint *Endpoint
	// Leases are shared with the other processes of the bot: they say whose turn it is to start a session, with Shards.Any
	// which process has which shard, and behind an endpoint which one does the housekeeping. Nil: there are no others.
	Leases lease.Store
	// Clock dates what is received; nil means the machine's. Waiting is always done by the real clock.
	Clock Clock
	// Woke, if set, is when this process went on after it was last stopped, as by SIGSTOP, by the real clock; zero if it never
	// was. What waited meanwhile is dated by that.
	Woke      func() time.Time
	Telemetry Telemetry
}

// Texts word the answers that the bot gives by itself. All are required, so that every interaction has an answer, and all are
// shown privately.
type Texts struct {
	// Apology words a failure that nobody expected: an unlisted error, a panic, a reply that Discord refused. It was
	// logged with the reference, which the person may quote. Interaction.Saved tells whether the failure came after what was
	// asked for had been saved.
	Apology func(in *Interaction, reference string, err error) Reply
	// Busy words the answer to an interaction for which the queue had no room.
	Busy func(in *Interaction) Reply
	// RateLimited words the answer to a user who asks for more than Limits.UserRate.
	RateLimited func(in *Interaction) Reply
}

func (t Texts) check() error {
	if t.Apology == nil || t.Busy == nil || t.RateLimited == nil {
		return errors.New("bot: Texts must be complete, so that every interaction has an answer")
	}
	return nil
}

// Limits bound what is done for people.
type Limits struct {
	// UserRate is how many interactions a second one user may ask for in the long run, after a start of four times as many;
	// 0 is no limit. What is more is answered by Texts.RateLimited and reaches no handler.
	UserRate float64

	workers, queue int // 0: the defaults; set by tests
}

// Defaults of Limits.
const (
	// defaultWorkers is how many handlers run at once.
	defaultWorkers = 32
	// defaultQueue is how many more interactions may be under way: waiting for a worker or for another one of their message,
	// or being answered.
	defaultQueue = 480
)

// orDefault fills in what is not set.
func (l Limits) orDefault() (Limits, error) {
	if l.UserRate < 0 {
		return l, fmt.Errorf("bot: a user rate of %v makes no sense", l.UserRate)
	}
	l.workers, l.queue = cmp.Or(l.workers, defaultWorkers), cmp.Or(l.queue, defaultQueue)
	return l, nil
}

// Gateway says which sessions with the gateway a process runs.
type Gateway struct {
	// Shards are those sessions; the zero value is the one of a bot that has one.
	Shards Shards
	// Sessions keeps the session of each shard, so that the process after this one resumes it. Nil: the session ends with the
	// process.
	Sessions Sessions
}

// Telemetry is how an operator sees what the bot does. Nothing in it is required.
type Telemetry struct {
	// Logger gets what happens; nil means nobody listens. No token is ever among it.
	Logger *slog.Logger
	// Describe adds to the log line of an interaction what only the application knows, such as a match.
	Describe func(in *Interaction) []slog.Attr
	// Report is told once of each interaction how it went. It must not block.
	Report func(Report)
}

func (t Telemetry) orDefault() Telemetry {
	if t.Logger == nil {
		t.Logger = slog.New(slog.DiscardHandler)
	}
	if t.Describe == nil {
		t.Describe = func(*Interaction) []slog.Attr { return nil }
	}
	if t.Report == nil {
		t.Report = func(Report) {}
	}
	return t
}

// orDefault checks the configuration and fills in what is not set.
func (c Config) orDefault() (_ Config, err error) {
	if c.REST == nil || c.Router == nil {
		return c, errors.New("bot: REST and Router must be given")
	}
	if c.Lanes == nil {
		c.Lanes = new(Lanes)
	}
	if c.Leases == nil {
		c.Leases = &lease.Memory{}
	}
	if c.Clock == nil {
		c.Clock = machineClock{}
	}
	if c.Woke == nil {
		c.Woke = func() time.Time { return time.Time{} }
	}
	c.Telemetry = c.Telemetry.orDefault()
	var wrong error
	c.Limits, wrong = c.Limits.orDefault()
	return c, errors.Join(c.Texts.check(), wrong, c.Gateway.Shards.check(), c.Endpoint.check())
}

// Hooks are what an application does when the bot connects. Nothing in it is required.
type Hooks struct {
	// Connected is called on every READY and RESUMED of a shard, and before an endpoint listens; interactions
	// of that connection wait until it has returned nil. After an error it is called again, with growing pauses, while the
	// connection lasts; its context ends with the connection.
	Connected func(ctx context.Context, shard Shard) error
	// Disconnected is called when a connection is lost or given up for which Connected was called.
	Disconnected func(shard Shard)
	// Housekeeping does what is to be done for a shard by one process at a time. It is called after Connected, and its
	// context ends with the connection. Behind an endpoint it is called where the lease for it is, and anew when another
	// process has gone, which may have left something undone.
	Housekeeping func(ctx context.Context, shard Shard)
	// Guilds is told which servers the bot is in, as soon as that is known or changes, and where something changed
	// that may change what the bot may do; for each shard one call at a time. After an error it is called again, with
	// growing pauses.
	Guilds func(ctx context.Context, news Guilds) error
}

func (h Hooks) orDefault() Hooks {
	if h.Connected == nil {
		h.Connected = func(context.Context, Shard) error { return nil }
	}
	if h.Disconnected == nil {
		h.Disconnected = func(Shard) {}
	}
	if h.Housekeeping == nil {
		h.Housekeeping = func(context.Context, Shard) {}
	}
	if h.Guilds == nil {
		h.Guilds = func(context.Context, Guilds) error { return nil }
	}
	return h
}

// Bot is one application, on gateway sessions or behind one endpoint. Make it with New and start it with Run, once.
type Bot struct {
	config     Config
	hooks      Hooks // of Run
	log        *slog.Logger
	rest       *REST
	dispatcher *dispatcher
	budget     *budget
	endpoint   *endpoint   // nil: the gateway
	registered atomic.Bool // the commands are, or Discord has refused them
	warn       sync.Once
	background sync.WaitGroup
	closing    sync.WaitGroup // of what belongs to connections to the gateway that have ended

	mu          sync.Mutex
	of          int                      // how many shards the bot has; 0 while that is not known
	connections map[int]*shardConnection // those that this process runs, by shard
}

// New checks the configuration and makes a bot that has not spoken to anybody yet.
func New(config Config) (*Bot, error) {
	config, err := config.orDefault()
	if err != nil {
		return nil, err
	}
	b := &Bot{config: config, log: config.Telemetry.Logger, rest: config.REST, connections: make(map[int]*shardConnection)}
	b.dispatcher = newDispatcher(config)
	b.budget = newBudget(config.Leases, b.rest, b.log)
	if config.Endpoint != nil {
		b.endpoint = newEndpoint(*config.Endpoint)
	}
	return b, nil
}

// State is what a Bot is doing at a moment.
type State struct {
	// Connected: interactions are delivered and may be handled, those of every shard that this process runs. One that shares
	// the shards with others and has none at the moment is connected.
	Connected bool
	// Of is how many shards the bot has, 0 while that is not known. Shards are those that this process runs, by their ids,
	// and whether each is connected.
	Of     int
	Shards map[int]bool
	// UnderWay counts the interactions that are accepted and not yet handled to the end, TurnedAway those that are being
	// told to try again.
	UnderWay, TurnedAway int
	// Refused counts the requests of the last ten minutes that Discord answered with 401, 403 or 429. At 5,000 the bot
	// keeps still, but for answers to people.
	Refused int
}

// State may be asked for at any time.
func (b *Bot) State() State {
	s := State{Refused: b.rest.limits.refused(), Shards: make(map[int]bool)}
	b.mu.Lock()
	s.Of, s.Connected = b.of, b.of > 0 && (b.config.Gateway.Shards.Any || len(b.connections) > 0)
	for id, l := range b.connections {
		s.Shards[id] = l.ready.isSet()
		s.Connected = s.Connected && s.Shards[id]
	}
	b.mu.Unlock()
	s.UnderWay, s.TurnedAway = b.dispatcher.load()
	return s
}

// Run connects, stays connected, and blocks until ctx ends or Discord refuses this bot for good, which is a *FatalError.
// When ctx ends nothing new is taken in, what was received gets five seconds to be answered, and Run returns nil.
func (b *Bot) Run(ctx context.Context, hooks Hooks) error {
	b.hooks = hooks.orDefault()
	defer b.rest.pool.CloseIdleConnections()
	ctx, cancel := context.WithCancel(ctx)
	b.dispatcher.start(context.WithoutCancel(ctx))
	if b.endpoint != nil {
		defer b.endpoint.end() // when everything is answered
	}
	err := b.connect(ctx)
	cancel()
	b.background.Wait()
	err = errors.Join(err, b.dispatcher.drain())
	b.closing.Wait()
	return err
}

// up does what a new connection asks for. It returns when interactions may be handled or ctx, the connection, has ended.
func (b *Bot) up(ctx, run context.Context, l *shardConnection) {
	if b.endpoint == nil {
		b.warn.Do(func() { b.background.Go(func() { b.warnOfEndpoint(run) }) })
	}
	connected := func() error { return b.hooks.Connected(ctx, l.shard) }
	if retry(ctx, l.log, "connected, but not ready for interactions", connected, nil) != nil {
		return
	}
	l.ready.set()
	l.housekeeping.Go(func() { b.housekeep(ctx, l) })
}

// down is called once for each up, when the connection has ended.
func (b *Bot) down(l *shardConnection) {
	l.ready.unset()
	b.hooks.Disconnected(l.shard)
	l.housekeeping.Wait()
}
