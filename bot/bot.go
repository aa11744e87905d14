// Package bot is the Discord runtime: it keeps a gateway session alive or takes requests at an endpoint, hands interactions
// to handlers, sends what the handlers return, and talks to Discord's REST API. It knows no game.
//
// The gateway is discordgo's Session, guarded: its connection is watched on the wire (wire), it is re-opened by a supervisor
// of ours, and its handlers only enqueue. REST requests are our own (REST), because discordgo's rate limiter waits without
// regard for the context, keeps one bucket for every interaction for ever, and locks all edits by token behind each other.
package bot

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/internal/lease"
)

// Defaults of Config.
const (
	defaultWorkers = 32
	defaultQueue   = 480
)

// Config is what a Bot is made of. Token, Router, Apology and Busy are required.
type Config struct {
	// Token is the bot's secret, with or without "Bot " before it. It is never logged.
	Token string
	// BaseURL is the scheme and host that plays Discord's part, as "http://127.0.0.1:8080"; empty means Discord itself.
	BaseURL string
	// Dial opens every connection, of HTTP and of the gateway; nil means a net.Dialer. No HTTP proxy is used.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// Router finds the handler of an interaction.
	Router *Router
	// Clock dates what is received; nil means the machine's. Waiting is always done by the real clock.
	Clock Clock
	// Woke, if set, is when this process went on after it was last stopped, as by SIGSTOP, by the real clock; zero if it never
	// was. What waited meanwhile is dated by that.
	Woke func() time.Time
	// Logger gets what happens; nil means nobody listens. No token is ever among it.
	Logger *slog.Logger
	// Workers is how many handlers run at once (0: 32), Queue how many more interactions may be under way (0: 480): waiting
	// for a worker or for another one of their message, or being answered.
	Workers, Queue int
	// Apology words a failure that nobody expected: an unlisted error, a panic, a reply that Discord refused. It was
	// logged with the reference, which the person may quote. The result is shown privately. Interaction.Saved tells whether
	// the failure came after what was asked for had been saved.
	Apology func(in *Interaction, reference string, err error) Reply
	// Busy words the answer to an interaction for which the queue had no room. The result is shown privately.
	Busy func(in *Interaction) Reply
	// Describe, if set, adds to the log line of an interaction what only the application knows, such as a match.
	Describe func(in *Interaction) []slog.Attr
	// Report, if set, is told once of each interaction how it went. It must not block.
	Report func(Report)
	// Shards says which gateway sessions this process runs; the zero value is the one of a bot that has one. Without the
	// gateway there is one shard, of which every process hears all.
	Shards Shards
	// Leases are shared with the other processes of the bot: they say whose turn it is to start a session, with Shards.Any
	// who has which shard, and behind an endpoint who tends to it. Nil: there are no others.
	Leases lease.Store
	// Sessions keeps the gateway session of each shard, so that the process after this one resumes it. Nil: the session ends
	// with the process.
	Sessions Sessions
	// Connected, if set, is called on every READY and RESUMED of a shard, and before an endpoint listens; interactions
	// of that connection wait until it has returned nil. After an error it is called again, with growing pauses, while the
	// connection lasts; its context ends with the connection.
	Connected func(ctx context.Context, shard Shard) error
	// Disconnected, if set, is called when a connection is lost or given up for which Connected was called.
	Disconnected func(shard Shard)
	// Tend, if set, does what is to be done for a shard by one process at a time. It is called after Connected, and its
	// context ends with the connection. Behind an endpoint it is called where the lease for it is, and anew when another
	// process has gone, which may have left something undone.
	Tend func(ctx context.Context, shard Shard)
	// Guilds, if set, is told which servers the bot is in, as soon as that is known or changes, and where something changed
	// that may change what the bot may do; for each shard one call at a time. After an error it is called again, with
	// growing pauses.
	Guilds func(ctx context.Context, news Guilds) error
	// Rate is how many interactions a second one person may ask for in the long run, after a start of four times as many;
	// 0 is no limit. Who asks for more is answered by Hasty and by no handler.
	Rate float64
	// Hasty words the answer to a person who asks for more than Rate. The result is shown privately. Required with Rate.
	Hasty func(in *Interaction) Reply
	// Endpoint, if set, is where interactions come in, over HTTP, in place of the gateway.
	Endpoint *Endpoint
	// Commands is the command tree, registered by who tends to shard 0 if Discord has another one; nil leaves
	// Discord's commands alone.
	Commands []*discordgo.ApplicationCommand
}

// Bot is one application, on gateway sessions or behind one endpoint. Make it with New and start it with Run, once.
type Bot struct {
	config     Config
	log        *slog.Logger
	rest       *REST
	transport  *http.Transport
	through    http.RoundTripper // transport, to the host that plays Discord's part
	dispatcher *dispatcher
	budget     *budget
	endpoint   *endpoint   // nil: the gateway
	registered atomic.Bool // the commands are, or Discord has refused them
	warn       sync.Once
	background sync.WaitGroup

	mu    sync.Mutex
	of    int           // how many shards the bot has; 0 while that is not known
	lines map[int]*line // those that this process runs, by shard
}

// New checks the configuration and makes a bot that has not spoken to anybody yet.
func New(config Config) (*Bot, error) {
	words := strings.Fields(config.Token)
	if len(words) > 0 && words[0] == "Bot" {
		words = words[1:]
	}
	switch {
	case len(words) != 1:
		return nil, errors.New("bot: the token must be one word")
	case config.Router == nil:
		return nil, errors.New("bot: no router given")
	case config.Apology == nil || config.Busy == nil:
		return nil, errors.New("bot: Apology and Busy must be given, so that every interaction has an answer")
	case config.Rate < 0 || config.Rate > 0 && config.Hasty == nil:
		return nil, errors.New("bot: Rate must not be negative, and needs Hasty")
	case config.Endpoint != nil && (config.Endpoint.Listen == nil || config.Endpoint.Claim == nil || config.Endpoint.Forget == nil || len(config.Endpoint.Key) != ed25519.PublicKeySize):
		return nil, errors.New("bot: an endpoint needs Listen, Key, Claim and Forget")
	case config.Workers < 0 || config.Queue < 0:
		return nil, fmt.Errorf("bot: %d workers and a queue of %d make no sense", config.Workers, config.Queue)
	}
	config.Token = words[0]
	if config.Dial == nil {
		config.Dial = (&net.Dialer{Timeout: 10 * time.Second}).DialContext
	}
	if config.Clock == nil {
		config.Clock = machineClock{}
	}
	if config.Woke == nil {
		config.Woke = func() time.Time { return time.Time{} }
	}
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	if config.Describe == nil {
		config.Describe = func(*Interaction) []slog.Attr { return nil }
	}
	if config.Report == nil {
		config.Report = func(Report) {}
	}
	if config.Workers == 0 {
		config.Workers = defaultWorkers
	}
	if config.Queue == 0 {
		config.Queue = defaultQueue
	}
	if err := config.Shards.check(); err != nil {
		return nil, err
	}
	if config.Leases == nil {
		config.Leases = &lease.Memory{}
	}
	host, err := ParseBaseURL(config.BaseURL)
	if err != nil {
		return nil, err
	}

	pool := newPool(config.Dial)
	var transport http.RoundTripper = pool
	if host != nil {
		transport = redirect{to: host, through: pool}
	}
	b := &Bot{config: config, log: config.Logger, transport: pool, through: transport, lines: make(map[int]*line)}
	b.rest = newREST(config.Token, transport)
	b.dispatcher = newDispatcher(config, b.rest)
	b.budget = newBudget(config.Leases, b.rest, b.log)
	if config.Endpoint != nil {
		b.endpoint = newEndpoint(*config.Endpoint)
		b.dispatcher.claim = config.Endpoint.Claim
	}
	return b, nil
}

// REST is for work outside of interactions. It is usable from the first call of Config.Connected on.
func (b *Bot) REST() *REST { return b.rest }

// Lanes are the queues of messages that the bot's own replies go through. Edits outside of interactions go through them too.
func (b *Bot) Lanes() *Lanes { return b.dispatcher.lanes }

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
	s.Of, s.Connected = b.of, b.of > 0 && (b.config.Shards.Any || len(b.lines) > 0)
	for id, l := range b.lines {
		s.Shards[id] = l.gate.stands()
		s.Connected = s.Connected && s.Shards[id]
	}
	b.mu.Unlock()
	b.dispatcher.mu.Lock()
	defer b.dispatcher.mu.Unlock()
	s.UnderWay, s.TurnedAway = len(b.dispatcher.open), b.dispatcher.turned
	return s
}

// hearTimeout bounds Hear: a gateway that is not heard is asked again, not waited for.
const hearTimeout = 3 * time.Second

// Hear tries to hear and handle all that Discord had sent to a shard before until: if the gateway was not heard since, it is
// asked for a sign of life, and handlers of what had arrived by then get time to end, three seconds in all. It returns the
// time, by Config.Clock, up to which the bot has heard: when the latest message came from the gateway, or when the earliest
// interaction was received that should have been handled and is not. After Config.Woke that is no later than then, until all
// that had waited was heard. An interaction that has been under way for sixteen
// seconds is not waited for any more. With a zero until it returns at once. What another process runs is not heard here.
func (b *Bot) Hear(ctx context.Context, shard int, until time.Time) time.Time {
	ctx, cancel := context.WithTimeout(ctx, hearTimeout)
	defer cancel()
	l := b.lineOf(shard)
	if l == nil {
		return time.Time{}
	}
	heard := l.source.hear(ctx, until)
	if left, ok := b.dispatcher.handled(ctx, shard, until); !ok && before(b.config.Clock, left, heard) {
		return left
	}
	return heard
}

// Run connects, stays connected, and blocks until ctx ends or Discord refuses this bot for good, which is a *FatalError.
// When ctx ends nothing new is taken in, what was received gets five seconds to be answered, and Run returns nil.
func (b *Bot) Run(ctx context.Context) error {
	defer b.transport.CloseIdleConnections()
	ctx, cancel := context.WithCancel(ctx)
	b.dispatcher.start(context.WithoutCancel(ctx))
	if b.endpoint != nil {
		defer b.endpoint.end() // when everything is answered
	}
	err := b.connect(ctx)
	cancel()
	b.background.Wait()
	return errors.Join(err, b.dispatcher.drain())
}

// up does what a new connection asks for. It returns when interactions may be handled or ctx, the connection, has ended.
func (b *Bot) up(ctx, run context.Context, l *line) {
	if b.endpoint == nil {
		b.warn.Do(func() { b.background.Go(func() { b.warnOfEndpoint(run) }) })
	}
	if b.config.Connected != nil {
		for attempt := 0; ; attempt++ {
			err := b.config.Connected(ctx, l.shard)
			if err == nil {
				break
			}
			l.log.Error("connected, but not ready for interactions", "err", err)
			if pause(ctx, backoff(attempt+1)) != nil {
				return
			}
		}
	}
	l.gate.open()
	l.tending.Go(func() { b.tend(ctx, l) })
}

// down is called once for each up, when the connection has ended.
func (b *Bot) down(l *line) {
	l.gate.shut()
	if b.config.Disconnected != nil {
		b.config.Disconnected(l.shard)
	}
	l.tending.Wait()
}
