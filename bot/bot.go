// Package bot is the Discord runtime: it keeps a gateway session alive or takes requests at an endpoint, hands interactions
// to handlers, sends what the handlers return, and talks to Discord's REST API. It knows no game.
//
// Package gateway is the client of the gateway; a supervisor keeps the session of each shard alive. discordgo lends its types: its
// own gateway session and REST client have defects, which docs/gateway.md lists.
package bot

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
	"tictactoe/internal/replica/lease"
	"tictactoe/internal/replica/session"
)

// Config is what a Bot is made of. All of it is required but Commands, CommandIDs, Limits, Gateway, Endpoint and ForgetClaims.
type Config struct {
	// REST is how the bot speaks to Discord, and Lanes are the queues that its replies go through. Whoever edits messages
	// outside of interactions shares them with the bot.
	REST  *rest.Client
	Lanes *Lanes
	// Router finds the handler of an interaction.
	Router *Router
	// Commands returns the command tree, registered by the process that does the housekeeping of shard 0 if Discord has another
	// one; nil leaves Discord's commands alone.
	Commands func() []*discordgo.ApplicationCommand
	// CommandIDs learns the ids of commands; nil if nobody wants to know them.
	CommandIDs *CommandIDs
	Texts      Texts
	Limits     Limits
	// Gateway says which gateway sessions this process runs. With an Endpoint it runs none: interactions arrive there over HTTP, and
	// there is only one shard, which all processes serve.
	Gateway  Gateway
	Endpoint *Endpoint
	// ForgetClaims forgets the claims that need not be remembered after before. It may be nil where nothing is claimed: without an
	// Endpoint and without a route of [Router.ClaimingCommand].
	ForgetClaims func(ctx context.Context, before time.Time) error
	// Leases are shared with the other processes of the bot. They say which process may start a session; with Shards.Any, which
	// process has which shard; and behind an endpoint, which process does the housekeeping.
	Leases lease.Store
	// Clock dates interactions.
	Clock     Clock
	Telemetry Telemetry
}

func (c Config) check() error {
	if c.REST == nil || c.Lanes == nil || c.Router == nil || c.Leases == nil || c.Clock == nil {
		return errors.New("bot: REST, Lanes, Router, Leases and Clock must be given")
	}
	if c.Texts.Apology == nil || c.Texts.Busy == nil || c.Texts.RateLimited == nil {
		return errors.New("bot: Texts must be complete, so that every interaction has an answer")
	}
	if c.Telemetry.Logger == nil || c.Telemetry.Describe == nil || c.Telemetry.Report == nil {
		return errors.New("bot: Telemetry must be complete")
	}
	if e := c.Endpoint; e != nil && (e.Listen == nil || e.Claim == nil || len(e.Key) != ed25519.PublicKeySize) {
		return errors.New("bot: an endpoint needs Listen, Key and Claim")
	}
	return nil
}

// Clock tells the date.
type Clock interface {
	Now() time.Time
	// Woke returns when, by the real clock, this process went on after it was last stopped, as by SIGSTOP; zero if it never was.
	// What waited meanwhile is dated with that time.
	Woke() time.Time
	// After dates the daily look at the servers that the bot is in, behind an endpoint. All other waiting is done by the real
	// clock.
	After(d time.Duration) <-chan time.Time
}

// Texts word the answers that the bot gives by itself. All are required, so that every interaction has an answer, and all are
// shown privately.
type Texts struct {
	// Apology words a failure that nobody expected: an unlisted error, a panic, a reply that Discord refused. It was
	// logged with the reference, which the person may quote. Interaction.Saved tells whether the failure came after the
	// request had been saved.
	Apology func(in *Interaction, reference string, err error) Reply
	// Busy words the answer to an interaction for which the queue had no room.
	Busy func(in *Interaction) Reply
	// RateLimited words the answer to a user who asks for more than Limits.UserRate.
	RateLimited func(in *Interaction) Reply
}

// Limits bound the work for users.
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

// Gateway says which sessions with the gateway a process runs.
type Gateway struct {
	// Shards are those sessions; the zero value is the one of a bot that has one.
	Shards gateway.Shards
	// Sessions keeps the session of each shard, so that the process after this one resumes it. Nil: the session ends with the
	// process.
	Sessions gateway.Sessions
}

// Telemetry is how an operator sees what the bot does.
type Telemetry struct {
	// Logger gets what happens. No token is ever among it.
	Logger *slog.Logger
	// Describe adds to the log line of an interaction what only the application knows, such as a match.
	Describe func(in *Interaction) []slog.Attr
	// Report is told once of each interaction how it went. It must not block.
	Report func(Report)
}

// Hooks are what an application does when the bot connects. All of them are required.
type Hooks struct {
	// Connected is called on every READY and RESUMED of a shard, and before an endpoint listens; interactions
	// of that connection wait until it has returned nil. After an error it is called again, with growing pauses, while the
	// connection lasts; its context ends with the connection.
	Connected func(ctx context.Context, shard gateway.Shard) error
	// Disconnected is called when a connection is lost or given up for which Connected was called.
	Disconnected func(shard gateway.Shard)
	// Housekeeping does the work for a shard that one process at a time has to do. It is called after Connected, and its context
	// ends with the connection. Behind an endpoint it is called in the process that has the lease for it, and again when another
	// process has gone, which may have left something undone.
	Housekeeping func(ctx context.Context, shard gateway.Shard)
	// Guilds is called with the servers that the bot is in as soon as they are known or change, and with the servers in which
	// something has changed that may change what the bot may do. There is one call at a time for each shard. After an error it is
	// called again, with growing pauses.
	Guilds func(ctx context.Context, news Guilds) error
}

// Bot is one application, on gateway sessions or behind one endpoint. Make it with New and start it with Run, once.
type Bot struct {
	config     Config
	hooks      Hooks // of Run
	log        *slog.Logger
	rest       *rest.Client
	dispatcher *dispatcher
	budget     *gateway.Budget
	webhook    *webhook    // nil: the gateway
	registered atomic.Bool // the commands are, or Discord has refused them
	warn       sync.Once
	of         atomic.Int64 // how many shards the bot has; 0 while that is not known

	mu          sync.Mutex
	connections map[int]*shardConnection // of the shards that this process runs, by shard
}

// New checks the configuration and makes a bot that has not spoken to anybody yet.
func New(config Config) (*Bot, error) {
	if err := config.check(); err != nil {
		return nil, err
	}
	config.Limits.workers = cmp.Or(config.Limits.workers, defaultWorkers)
	config.Limits.queue = cmp.Or(config.Limits.queue, defaultQueue)
	b := &Bot{config: config, log: config.Telemetry.Logger, rest: config.REST, connections: make(map[int]*shardConnection)}
	b.dispatcher = newDispatcher(config)
	b.budget = &gateway.Budget{Leases: config.Leases, REST: b.rest, Log: b.log}
	if config.Endpoint != nil {
		b.webhook = newWebhook(*config.Endpoint, b)
	}
	return b, nil
}

// State is what a Bot is doing at a moment.
type State struct {
	// Connected reports whether the interactions of every shard that this process runs are delivered and may be handled. A process
	// that shares the shards with others is connected even while it runs none.
	Connected bool
	// Of is how many shards the bot has, 0 while that is not known. Shards tells of each shard that this process runs
	// whether it is connected.
	Of     int
	Shards map[int]bool
	// UnderWay counts accepted interactions that are not handled to the end, TurnedAway the users who are being told to try
	// again.
	UnderWay, TurnedAway int
	// Refused counts the requests of the last ten minutes that Discord answered with 401, 403 or 429. From 5,000 on the bot makes no
	// requests but callbacks.
	Refused int
}

// State may be asked for at any time.
func (b *Bot) State() State {
	s := State{Refused: b.rest.InvalidRequests(), Shards: make(map[int]bool)}
	s.Of = int(b.of.Load())
	b.mu.Lock()
	s.Connected = s.Of > 0 && (b.config.Gateway.Shards.Any || len(b.connections) > 0)
	for id, c := range b.connections {
		s.Shards[id] = c.ready.isSet()
		s.Connected = s.Connected && s.Shards[id]
	}
	b.mu.Unlock()
	s.UnderWay, s.TurnedAway = b.dispatcher.load()
	return s
}

// Run connects, stays connected, and blocks until ctx ends or the bot cannot go on: Discord refuses it for good, which is a
// *gateway.FatalError, or the endpoint has the wrong key or cannot listen. When ctx ends, the bot takes nothing new, answers what it has
// received within some seconds, and returns nil.
func (b *Bot) Run(ctx context.Context, hooks Hooks) error {
	b.hooks = hooks
	defer b.rest.Close()
	ctx, cancel := context.WithCancel(ctx)
	b.dispatcher.start(context.WithoutCancel(ctx))
	if b.webhook != nil {
		defer b.webhook.server.Close() // when everything is answered
	}
	err := b.connect(ctx)
	cancel()
	return errors.Join(err, b.dispatcher.drain())
}

// Session returns the session of a shard as another process could resume it if this one ended now: Discord would send again the
// events that are not handled yet. It is zero while the shard is not connected. A caller that saves it from time to time covers
// the case that the process is killed; in all other cases the bot itself calls [gateway.Sessions.Keep].
func (b *Bot) Session(shard int) session.Session {
	if c := b.connectionOf(shard); c != nil && c.ready.isSet() {
		return c.source.Resumable()
	}
	return session.Session{}
}

// KeepSessions records the sessions of all shards that this process runs, as [Bot.Session] returns them. If the process is killed then,
// Discord sends none of the events again that are handled now.
func (b *Bot) KeepSessions() {
	b.mu.Lock()
	connections := slices.Collect(maps.Values(b.connections))
	b.mu.Unlock()
	for _, c := range connections {
		if s, ok := c.source.(*gateway.Supervisor); ok && c.ready.isSet() {
			s.Keep()
		}
	}
}
