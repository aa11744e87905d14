// Package bot is the Discord runtime: it keeps a gateway session alive or takes requests at an endpoint, hands interactions
// to handlers, sends what the handlers return, and talks to Discord's REST API. It knows no game.
//
// Package gateway is the client of the gateway; a supervisor keeps the session of each shard alive. discordgo lends its types: its
// own gateway session and REST client have defects, which docs/gateway.md lists.
package bot

import (
	"cmp"
	"context"
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

// Config configures a Bot. All fields are required except Commands, CommandIDs, Limits, Gateway, Endpoint and ForgetClaims.
type Config struct {
	// REST is the client of Discord's API, and Lanes are the queues of the bot's replies. Code that edits messages outside of
	// interactions must use the same Lanes.
	REST  *rest.Client
	Lanes *Lanes
	// Router finds the handler of an interaction.
	Router *Router
	// Commands returns the command tree, registered by the process that does the housekeeping of shard 0 if Discord has another
	// one; nil leaves Discord's commands alone.
	Commands func() []*discordgo.ApplicationCommand
	// CommandIDs learns the ids of commands; it may be nil.
	CommandIDs *CommandIDs
	Texts      Texts
	Limits     Limits
	// Gateway says which gateway sessions this process runs. With an Endpoint it runs none: interactions arrive there over HTTP, and
	// there is only one shard, which all processes serve.
	Gateway  Gateway
	Endpoint *Endpoint
	// ForgetClaims forgets the claims made until before. It may be nil if nothing is claimed: without an Endpoint and without a command
	// among the routes of [Router.Claiming].
	ForgetClaims func(ctx context.Context, before time.Time) error
	// Leases are shared with the other processes of the bot. They say which process may start a session; with Shards.Any, which
	// process has which shard; and behind an endpoint, which process does the housekeeping.
	Leases lease.Store
	// Clock dates interactions.
	Clock     Clock
	Telemetry Telemetry
}

// Clock tells the date.
type Clock interface {
	Now() time.Time
	// Woke returns when, by the real clock, this process last went on after a stop, as by SIGSTOP; zero if it was never stopped.
	// Interactions that waited during the stop are dated with that time.
	Woke() time.Time
	// After times the daily request for the bot's servers behind an endpoint. All other waits use the real clock.
	After(d time.Duration) <-chan time.Time
}

// Texts words the bot's own answers. All fields are required, so that every interaction has an answer. All these answers are private.
type Texts struct {
	// Apology words an unexpected failure: an unlisted error, a panic, a reply that Discord refused. The failure was logged with the
	// reference, which the user may quote. Interaction.Saved tells whether the failure came after the request was saved.
	Apology func(in *Interaction, reference string, err error) Reply
	// Busy words the answer to an interaction for which the queue had no room.
	Busy func(in *Interaction) Reply
	// RateLimited words the answer to a user who exceeds Limits.UserRate.
	RateLimited func(in *Interaction) Reply
}

// Limits bound the work for users.
type Limits struct {
	// UserRate is how many interactions a second one user may send in the long run, after a burst of four times as many; 0 means no
	// limit. Further interactions are answered with Texts.RateLimited and reach no handler.
	UserRate float64

	workers, queue int // 0: the defaults; set by tests
}

// Defaults of Limits.
const (
	// defaultWorkers is how many handlers run at once.
	defaultWorkers = 32
	// defaultQueue is how many more interactions may be open: waiting for a worker or for an earlier interaction with their message, or
	// being answered.
	defaultQueue = 480
)

// Gateway says which gateway sessions a process runs.
type Gateway struct {
	// Shards selects the sessions; the zero value is the single session of an unsharded bot.
	Shards gateway.Shards
	// Sessions keeps the session of each shard, so that the next process resumes it. If it is nil, the session ends with the process.
	Sessions gateway.Sessions
}

// Telemetry is how an operator sees what the bot does.
type Telemetry struct {
	// Logger gets the bot's log. It never contains a token.
	Logger *slog.Logger
	// Describe adds attributes to the log line of an interaction that only the application knows, such as a match.
	Describe func(in *Interaction) []slog.Attr
	// Report is called once for each interaction, with its outcome. It must not block.
	Report func(Report)
}

// Hooks are the functions that the bot calls when its connection changes. All of them are required.
type Hooks struct {
	// Connected is called on every READY and RESUMED of a shard, and before an endpoint listens; interactions
	// of that connection wait until it has returned nil. After an error it is called again, with growing pauses, while the
	// connection lasts; its context ends with the connection.
	Connected func(ctx context.Context, shard gateway.Shard) error
	// Disconnected is called when a connection is lost or given up for which Connected was called.
	Disconnected func(shard gateway.Shard)
	// Housekeeping does the work for a shard that only one process at a time may do. It is called after Connected, and its context ends
	// with the connection. Behind an endpoint it is called in the process that has the lease for it, and again when another process is
	// gone, which may have left work undone.
	Housekeeping func(ctx context.Context, shard gateway.Shard)
	// Guilds is called with the servers that the bot is in when they become known or change, and with the servers in which a change may
	// affect the bot's permissions. Each shard has one call at a time. After an error it is called again, with growing pauses.
	Guilds func(ctx context.Context, news Guilds) error
}

// Bot is one application, on gateway sessions or behind one endpoint. Make it with New and start it with Run, once.
type Bot struct {
	config     Config
	hooks      Hooks // as passed to Run
	log        *slog.Logger
	rest       *rest.Client
	dispatcher *dispatcher
	budget     *gateway.Budget
	webhook    *webhook    // nil: the gateway
	registered atomic.Bool // the commands are registered, or Discord has refused them
	warn       sync.Once
	of         atomic.Int64 // how many shards the bot has; 0 while unknown

	mu          sync.Mutex
	connections map[int]*shardConnection // by shard, for the shards that this process runs
}

// New makes a bot. It makes no request yet.
func New(config Config) *Bot {
	config.Limits.workers = cmp.Or(config.Limits.workers, defaultWorkers)
	config.Limits.queue = cmp.Or(config.Limits.queue, defaultQueue)
	b := &Bot{config: config, log: config.Telemetry.Logger, rest: config.REST, connections: make(map[int]*shardConnection)}
	b.dispatcher = newDispatcher(config)
	b.budget = &gateway.Budget{Leases: config.Leases, REST: b.rest, Log: b.log}
	if config.Endpoint != nil {
		b.webhook = newWebhook(*config.Endpoint, b)
	}
	return b
}

// State describes a Bot at one moment.
type State struct {
	// Connected reports whether the interactions of every shard that this process runs are delivered and may be handled. A process
	// that shares the shards with others is connected even while it runs none.
	Connected bool
	// Of is how many shards the bot has, 0 while unknown. Shards says for each shard of this process whether it is connected.
	Of     int
	Shards map[int]bool
	// UnderWay counts the accepted interactions that are not completely handled, TurnedAway the users who are being told to try again.
	UnderWay, TurnedAway int
	// Refused counts the requests of the last ten minutes that Discord answered with 401, 403 or 429. From 5,000 on the bot makes no
	// requests except callbacks.
	Refused int
}

// State returns the bot's state. It may be called at any time.
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
// *gateway.FatalError, or the endpoint has the wrong key or cannot listen. When ctx ends, the bot accepts no more interactions, answers
// the accepted ones within some seconds, and returns nil.
func (b *Bot) Run(ctx context.Context, hooks Hooks) error {
	b.hooks = hooks
	defer b.rest.Close()
	ctx, cancel := context.WithCancel(ctx)
	b.dispatcher.start(context.WithoutCancel(ctx))
	if b.webhook != nil {
		defer b.webhook.server.Close() // when every request is answered
	}
	err := b.connect(ctx)
	cancel()
	return errors.Join(err, b.dispatcher.drain())
}

// Session returns the session of a shard as another process could resume it if this one ended now: Discord would send all events again
// that are not handled yet. It is zero while the shard is not connected. A caller that saves it regularly is prepared for a kill of the
// process; in all other cases the bot itself calls [gateway.Sessions.Keep].
func (b *Bot) Session(shard int) session.Session {
	if c := b.connectionOf(shard); c != nil && c.ready.isSet() {
		return c.source.Resumable()
	}
	return session.Session{}
}

// KeepSessions records the sessions of all shards that this process runs, as [Bot.Session] returns them. If the process is then killed,
// Discord sends none of the events again that are already handled.
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
