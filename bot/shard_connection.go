package bot

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"tictactoe/bot/backoff"
	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
	"tictactoe/internal/replica/session"
)

// source delivers the interactions of a shard. It is the supervisor of the shard's gateway session, or the webhook.
type source interface {
	Run(ctx context.Context) error                                 // delivers interactions until ctx ends
	Probe(ctx context.Context, cutoff time.Time) (heard time.Time) // see Bot.Probe
	Resumable() session.Session                                    // see Bot.Session
}

// shardConnection runs one shard of the bot: the source of the shard's interactions, and the work that depends on the connection.
type shardConnection struct {
	bot          *Bot
	shard        gateway.Shard
	source       source
	ready        *readiness
	guilds       *guilds
	log          *slog.Logger
	housekeeping sync.WaitGroup // ends with the connection
}

// newConnection adds a shard, not yet connected, to the bot.
func (b *Bot) newConnection(shard gateway.Shard) *shardConnection {
	c := &shardConnection{bot: b, shard: shard, ready: newReadiness(), guilds: newGuilds(), log: b.log}
	if b.webhook != nil {
		b.webhook.shardConnection, c.source = c, b.webhook
	} else {
		c.log = b.log.With("shard", shard.ID)
		c.source = &gateway.Supervisor{
			Shard: shard, REST: b.rest, Budget: b.budget, Sessions: b.config.Gateway.Sessions, Clock: b.config.Clock, Receiver: c, Log: c.log,
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.connections[shard.ID] = c
	return c
}

// connectionOf returns the connection of a shard, or nil if this process does not run the shard.
func (b *Bot) connectionOf(shard int) *shardConnection {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.connections[shard]
}

// keep runs a shard until ctx ends, which is not an error, or until the shard fails for good: with a *gateway.FatalError or, behind an
// endpoint, also with ErrWrongKey or an error of the listener. When keep returns, the session is closed and the housekeeping has ended.
func (b *Bot) keep(ctx context.Context, shard gateway.Shard) error {
	c := b.newConnection(shard)
	defer func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.connections, shard.ID)
	}()
	ctx, cancel := context.WithCancel(ctx)
	var telling sync.WaitGroup
	telling.Go(func() { c.tell(ctx) })
	err := c.source.Run(ctx)
	cancel()
	telling.Wait()
	return err
}

// tell passes news about servers to Hooks.Guilds until ctx ends. After an error of Hooks.Guilds it passes the same news again before any
// later news.
func (c *shardConnection) tell(ctx context.Context) {
	for {
		select {
		case <-c.guilds.news:
		case <-ctx.Done():
			return
		}
		news := c.guilds.take()
		news.Shard = c.shard
		if backoff.Retry(ctx, c.log, "servers not noted", func() error { return c.bot.hooks.Guilds(ctx, news) }, nil) != nil {
			return
		}
		c.guilds.handedOn()
		if s, ok := c.source.(*gateway.Supervisor); ok {
			s.Told()
		}
	}
}

// Event implements [gateway.Receiver].
func (c *shardConnection) Event(e gateway.Event, replayed bool) {
	if e.Type != "INTERACTION_CREATE" {
		c.guilds.event(e.Type, e.Data)
		return
	}
	in, err := decode(e.Data)
	if in != nil {
		in.sequence, in.replayed, in.Within = e.Sequence, replayed, c.guilds.has(in.GuildID)
	}
	c.bot.dispatcher.accept(c, in, err, e.Received)
}

// Ready implements [gateway.Receiver].
func (c *shardConnection) Ready(application string, guilds []string) {
	c.bot.rest.Know(application)
	c.guilds.setAll(guilds)
}

// Resumed implements [gateway.Receiver].
func (c *shardConnection) Resumed() { c.guilds.noteResumed() }

// Restored implements [gateway.Receiver].
func (c *shardConnection) Restored(guilds []string) { c.guilds.resume(guilds) }

// Handled implements [gateway.Receiver].
func (c *shardConnection) Handled(latest int64) (upTo int64, told bool) {
	return c.bot.dispatcher.handledUpTo(c.shard.ID, latest), !c.guilds.untold()
}

// Up calls Hooks.Connected and begins housekeeping. It returns when interactions may be handled or when ctx ends. ctx ends with the
// connection.
func (c *shardConnection) Up(ctx context.Context) {
	connected := func() error { return c.bot.hooks.Connected(ctx, c.shard) }
	if backoff.Retry(ctx, c.log, "connected, but not ready for interactions", connected, nil) == nil {
		c.ready.set()
		c.housekeeping.Go(func() { c.housekeep(ctx) })
	}
}

// Down is called once for each Up, when the connection has ended.
func (c *shardConnection) Down() {
	c.ready.unset()
	c.bot.hooks.Disconnected(c.shard)
	c.housekeeping.Wait()
}

// housekeep does the housekeeping of a shard until ctx ends with the connection. Only one process at a time may do it. On the gateway, that
// is the process that runs the shard. Behind an endpoint all processes run the only shard, so they compete for a lease as replicas do for
// shards of the gateway.
func (c *shardConnection) housekeep(ctx context.Context) {
	if c.bot.webhook == nil {
		c.keepHouse(ctx)
		return
	}
	r := newReplica(c.bot, c.shard.Of, func(ctx context.Context, _ gateway.Shard) error {
		c.keepHouse(ctx)
		return nil
	})
	r.restarts = true
	_ = r.run(ctx) // keepHouse never fails, so it returns when ctx ends
}

// keepHouse calls Hooks.Housekeeping and the bot's own housekeeping until ctx ends.
func (c *shardConnection) keepHouse(ctx context.Context) {
	b := c.bot
	var work sync.WaitGroup
	defer work.Wait()
	if b.config.Commands != nil && c.shard.ID == 0 && !b.registered.Load() {
		work.Go(func() { b.registered.Store(b.keepRegistering(ctx)) })
	}
	if b.webhook != nil {
		work.Go(func() { b.webhook.look(ctx) })
	} else if c.shard.ID == 0 {
		work.Go(func() { b.warn.Do(func() { b.warnOfEndpoint(ctx) }) })
	}
	if b.config.ForgetClaims != nil && c.shard.ID == 0 {
		work.Go(func() { b.forgetClaims(ctx) })
	}
	work.Go(func() { b.hooks.Housekeeping(ctx, c.shard) })
}

// keepRegistering tries to register the commands until Discord accepts them, Discord refuses them for good, or ctx ends. It returns false
// if ctx ended.
func (b *Bot) keepRegistering(ctx context.Context) bool {
	err := backoff.Retry(ctx, b.log, "commands not registered", func() error {
		commands, changed, err := b.rest.Register(ctx, b.config.Commands())
		if err == nil {
			b.config.CommandIDs.Registered(commands)
			b.log.Info(map[bool]string{true: "commands registered", false: "commands unchanged"}[changed], "commands", len(commands))
		}
		return err
	}, rest.RefusedForGood)
	if rest.RefusedForGood(err) {
		b.log.Error("commands not registered, and refused for good", "err", err)
		return true
	}
	return err == nil
}

// warnOfEndpoint asks Discord whether interactions are sent to a URL, and logs an error if they are, because then none arrive over the
// gateway. If Discord does not answer, it logs nothing.
func (b *Bot) warnOfEndpoint(ctx context.Context) {
	if own, err := b.rest.OwnApplication(ctx); err == nil && own.Endpoint != "" {
		b.log.Error("no interaction will come: Discord sends them to a URL; remove the Interactions Endpoint URL in the developer portal (General Information), or serve with --http",
			"endpoint", own.Endpoint)
	}
}

// forgetEvery is the time between two deletions of old claims.
const forgetEvery = time.Minute

// forgetClaims deletes old claims every forgetEvery until ctx ends.
func (b *Bot) forgetClaims(ctx context.Context) {
	for backoff.Pause(ctx, forgetEvery) == nil {
		if err := b.config.ForgetClaims(ctx, b.config.Clock.Now()); err != nil && ctx.Err() == nil {
			b.log.Error("old claims not forgotten", "err", err)
		}
	}
}

// readiness says whether interactions of a shard may be handled: from the moment when Hooks.Connected returns nil until the
// connection ends.
type readiness struct {
	mu   sync.Mutex
	when chan struct{} // closed while interactions may be handled; unset replaces it with the channel of the next connection
}

func newReadiness() *readiness { return &readiness{when: make(chan struct{})} }

func (r *readiness) set() { close(r.passed()) }

func (r *readiness) unset() {
	if r.isSet() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.when = make(chan struct{})
	}
}

func (r *readiness) isSet() bool {
	select {
	case <-r.passed():
		return true
	default:
		return false
	}
}

// passed returns a channel that is closed as soon as interactions that arrive now may be handled. The channel stays closed after the end of
// the connection.
func (r *readiness) passed() chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.when
}
