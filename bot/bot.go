// Package bot is the Discord runtime: it keeps gateway sessions alive or takes requests at an endpoint, hands interactions
// to handlers, sends what the handlers return, and talks to Discord's REST API. It knows no game.
//
// Package gateway is the client of the gateway; a supervisor keeps the session of each shard alive. The bot uses only the types of
// discordgo, because discordgo's gateway session and REST client have defects, which docs/gateway.md lists.
package bot

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
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
	// Commands returns the command tree. If Discord has a different one, the process that does the housekeeping of shard 0 registers this
	// one. If Commands is nil, Discord's commands stay as they are.
	Commands func() []*discordgo.ApplicationCommand
	// CommandIDs gets the ids of the commands when the bot learns them. It may be nil.
	CommandIDs *CommandIDs
	// Apology makes the private answer to an interaction that err has left without one: an error of the handler, a panic, a reply that
	// Discord refused, ErrBusy or ErrRateLimited. The log has a failure with the reference, which the user can quote. Interaction.Saved
	// tells whether the failure came after the request was saved.
	Apology func(in *Interaction, reference string, err error) Reply
	Limits  Limits
	// Gateway says which gateway sessions this process runs. If Endpoint is set, it runs none: Discord sends interactions to the endpoint
	// over HTTP, and there is only one shard, which all processes serve.
	Gateway  Gateway
	Endpoint *Endpoint
	// ForgetClaims deletes the claims that ended before a time. It may be nil if nothing is claimed.
	ForgetClaims func(ctx context.Context, before time.Time) error
	// Leases are shared by all processes of the bot. A lease says which process may start a session and, behind an endpoint, which one does
	// the housekeeping. With Shards.Any, leases also say which process runs which shard.
	Leases lease.Store
	// Clock dates interactions.
	Clock     Clock
	Telemetry Telemetry
}

// Clock tells the date.
type Clock interface {
	Now() time.Time
	// Woke returns, by the real clock, when this process last continued after being stopped, as by SIGSTOP, or zero if it was never
	// stopped. Interactions that waited during the stop are dated with that time.
	Woke() time.Time
	// After returns a channel that receives after the duration d. A bot behind an endpoint uses it to ask for its servers once a day. All
	// other waits use the real clock.
	After(d time.Duration) <-chan time.Time
}

// Errors for which Config.Apology gets no reference, because they are no failures.
var (
	// ErrBusy means that the bot has too much work at the moment.
	ErrBusy = errors.New("the bot has too much work")
	// ErrRateLimited means that the user exceeds Limits.UserRate.
	ErrRateLimited = errors.New("the user asks for too much at once")
)

// Limits bound how much users can ask of the bot.
type Limits struct {
	// UserRate is how many interactions a second one user may send in the long run, after a burst of four times as many; 0 means no
	// limit. Further interactions get an apology for ErrRateLimited and reach no handler.
	UserRate float64

	workers, queue int // 0 means the default; only tests set them
}

// Defaults of Limits.
const (
	// defaultWorkers is how many handlers run at once.
	defaultWorkers = 32
	// defaultQueue is how many interactions may be open beyond the running handlers: waiting for a worker, waiting for an earlier
	// interaction with the same message, or having their reply sent.
	defaultQueue = 480
)

// Gateway says which gateway sessions a process runs.
type Gateway struct {
	// Shards selects the sessions; the zero value is the single session of an unsharded bot.
	Shards gateway.Shards
	// Sessions stores the session of each shard, so that the next process can resume it. If Sessions is nil, the session ends with the
	// process.
	Sessions gateway.Sessions
	// Erased reports whether a user had all data deleted by a later interaction than the given one. It is asked about interactions that
	// Discord delivers again after a RESUME, and about interactions that waited for the lane of their message: an interaction from before the
	// deletion must not store data about the user again. If Erased is nil, the bot handles all of them.
	Erased func(ctx context.Context, user, interaction string) (bool, error)
}

// Telemetry is how an operator sees what the bot does.
type Telemetry struct {
	// Logger gets the bot's log. It never contains a token.
	Logger *slog.Logger
	// Describe returns what only the application knows about an interaction, such as its match, as attributes for the log line.
	Describe func(in *Interaction) []slog.Attr
	// Report is called once for each interaction, with its outcome. It must not block.
	Report func(Report)
}

// Hooks are the functions that the bot calls when its connection changes. All of them are required.
type Hooks struct {
	// Connected is called on every READY and RESUMED of a shard, and before an endpoint listens. Interactions of the new connection wait
	// until Connected has returned nil. After an error it is called again, with growing pauses, while the connection lasts. Its context
	// ends with the connection.
	Connected func(ctx context.Context, shard gateway.Shard) error
	// Disconnected is called when a connection ends, if Connected was called for that connection.
	Disconnected func(shard gateway.Shard)
	// Housekeeping does the work of a shard that only one process at a time may do. It is called after Connected, and its context ends with
	// the connection. Behind an endpoint only the process with the lease for housekeeping calls it, and calls it again when another process
	// has disappeared, which may have left work undone.
	Housekeeping func(ctx context.Context, shard gateway.Shard)
	// Guilds is called when the bot learns in which servers it is, joins or leaves one, or may have other permissions in one. Each shard
	// makes one call at a time. After an error it is called again, with growing pauses.
	Guilds func(ctx context.Context, news Guilds) error
}

// Bot is one application, on gateway sessions or behind one endpoint. Make it with New and start it with Run, once.
type Bot struct {
	config     Config
	hooks      Hooks // the hooks passed to Run
	log        *slog.Logger
	rest       *rest.Client
	dispatcher *dispatcher
	budget     *gateway.Budget
	webhook    *webhook    // nil if interactions come over the gateway
	registered atomic.Bool // the commands are registered, or Discord has refused them
	warn       sync.Once
	of         atomic.Int64 // the number of the bot's shards; 0 while unknown

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
	// UnderWay counts the accepted interactions that are not completely handled. TurnedAway counts the users who are being told to try
	// again.
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

// Run connects, stays connected, and blocks until ctx ends or the bot cannot go on. When ctx ends, the bot accepts no more interactions,
// answers the accepted ones within some seconds, and returns nil. Otherwise the error is a *gateway.FatalError if Discord refuses the bot
// for good, ErrWrongKey, or the error of listening at the endpoint.
func (b *Bot) Run(ctx context.Context, hooks Hooks) error {
	b.hooks = hooks
	defer b.rest.Close()
	ctx, cancel := context.WithCancel(ctx)
	b.dispatcher.start(context.WithoutCancel(ctx))
	err := b.connect(ctx)
	cancel()
	return errors.Join(err, b.dispatcher.drain())
}

// Session returns the gateway session with which another process could take over the shard now: Discord would repeat all events that are
// not handled yet. It is zero while the shard is not connected. Save it regularly, because a process that is killed cannot save it then.
// Whenever a session ends in another way, the bot itself calls [gateway.Sessions.Keep].
func (b *Bot) Session(shard int) session.Session {
	if c := b.connectionOf(shard); c != nil && c.ready.isSet() {
		return c.source.Resumable()
	}
	return session.Session{}
}
