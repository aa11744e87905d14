package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"
)

// Shard is one of the gateway sessions among which Discord deals out what a bot hears.
type Shard struct {
	ID int // from 0
	Of int // how many there are
}

// String is Discord's way to write it, from 0.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.ID, s.Of) }

// Shards says which sessions a process runs.
type Shards struct {
	// Of is how many the bot has in all of its processes, which have to agree on it; 0 is one.
	Of int
	// Recommended asks Discord how many; this process then runs all of them. Of and IDs are not looked at.
	Recommended bool
	// IDs are those that this process runs; nil: all.
	IDs []int
	// Any shares them with other processes by Config.Leases: each takes what is free, up to its share, and what another
	// one leaves.
	Any bool
}

// all are the ids that this process runs by itself.
func (s Shards) all() []int {
	if s.IDs != nil {
		return s.IDs
	}
	ids := make([]int, s.Of)
	for i := range ids {
		ids[i] = i
	}
	return ids
}

func (s Shards) check() error {
	if s.Of < 0 {
		return fmt.Errorf("bot: %d shards make no sense", s.Of)
	}
	for i, id := range s.IDs {
		if id < 0 || id >= max(s.Of, 1) {
			return fmt.Errorf("bot: there is no shard %d of %d", id, max(s.Of, 1))
		}
		if slices.Contains(s.IDs[:i], id) {
			return fmt.Errorf("bot: shard %d is given twice", id)
		}
	}
	if s.IDs != nil && (len(s.IDs) == 0 || s.Any || s.Recommended) || s.Any && s.Recommended {
		return errors.New("bot: which shards to run is said in more than one way, or not at all")
	}
	return nil
}

// source is where the interactions of a shard come from: its gateway session, or an endpoint.
type source interface {
	run(ctx context.Context) error                                // until ctx ends
	probe(ctx context.Context, until time.Time) (heard time.Time) // see Bot.Probe
}

// shardConnection is what the bot has of one shard: where it hears it, and what follows from that.
type shardConnection struct {
	shard        Shard
	ready        *readiness
	guilds       *guilds
	source       source
	log          *slog.Logger
	told         func()         // called whenever what is known of servers was handed on
	housekeeping sync.WaitGroup // ends with the connection
}

// newConnection is one that has not connected yet; the bot knows it from then on.
func (b *Bot) newConnection(shard Shard) *shardConnection {
	l := &shardConnection{shard: shard, ready: newReadiness(), guilds: newGuilds(), log: b.log, told: func() {}}
	up, down := func(ctx, run context.Context) { b.up(ctx, run, l) }, func() { b.down(l) }
	if e := b.endpoint; e != nil {
		e.rest, e.log, e.clock, e.woke, e.up, e.down, e.guilds = b.rest, l.log, b.config.Clock, b.config.Woke, up, down, l.guilds
		e.accept = func(in *Interaction, broken error, received time.Time, response *response) int {
			return b.dispatcher.accept(l, in, broken, received, response)
		}
		l.source = e
	} else {
		l.log = b.log.With("shard", shard.ID)
		s := &supervisor{
			token: b.rest.token, shard: shard, dial: b.rest.dial, rest: b.rest, budget: b.budget, closing: &b.closing,
			clock: b.config.Clock, woke: b.config.Woke, log: l.log, guilds: l.guilds, up: up, down: down,
			sessions: b.config.Gateway.Sessions, handled: func(sequence int64) int64 { return b.dispatcher.handledUpTo(shard.ID, sequence) },
			accept: func(in *Interaction, broken error, received time.Time) {
				b.dispatcher.accept(l, in, broken, received, nil)
			},
		}
		l.source, l.told = s, s.keepSoon
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.connections[shard.ID] = l
	return l
}

// connectionOf is nil if the process does not run that shard.
func (b *Bot) connectionOf(shard int) *shardConnection {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.connections[shard]
}

// keep runs a shard until ctx ends, which is not an error, or a *FatalError. When it returns the session is closed, and nobody
// keeps house for the shard here.
func (b *Bot) keep(ctx context.Context, shard Shard) error {
	l := b.newConnection(shard)
	defer func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.connections, shard.ID)
	}()
	ctx, cancel := context.WithCancel(ctx)
	var telling sync.WaitGroup
	telling.Go(func() {
		l.guilds.tell(ctx, func(ctx context.Context, news Guilds) error {
			news.Shard = shard
			return b.hooks.Guilds(ctx, news)
		}, l.told, l.log)
	})
	err := l.source.run(ctx)
	cancel()
	telling.Wait()
	return err
}

// keepAll runs these shards until ctx ends or one of them cannot be run for good.
func (b *Bot) keepAll(ctx context.Context, shards Shards) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var running sync.WaitGroup
	for _, id := range shards.all() {
		running.Go(func() {
			if err := b.keep(ctx, Shard{id, shards.Of}); err != nil {
				cancel(err)
			}
		})
	}
	running.Wait()
	if fatal := fatalError(context.Cause(ctx)); fatal != nil {
		return fatal
	}
	return nil
}

// recommended asks Discord how many shards the bot should have, until it says so.
func (b *Bot) recommended(ctx context.Context) (int, error) {
	for attempt := 1; ; attempt++ {
		gateway, err := b.budget.gateway(ctx)
		switch {
		case unauthorized(err):
			return 0, &FatalError{Code: 401}
		case err == nil:
			return max(gateway.Shards, 1), nil
		case ctx.Err() != nil:
			return 0, nil
		}
		wait := backoff(attempt)
		b.log.Warn("number of shards unknown", "err", err, "wait", wait.String())
		if pause(ctx, wait) != nil {
			return 0, nil
		}
	}
}

func (b *Bot) setOf(shards int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.of = shards
}

// connect runs the shards of this process, or its endpoint, until ctx ends or one of them cannot be run for good.
func (b *Bot) connect(ctx context.Context) error {
	shards := b.config.Gateway.Shards
	if b.endpoint != nil {
		b.setOf(1)
		return b.keep(ctx, Shard{0, 1})
	}
	if shards.Recommended {
		of, err := b.recommended(ctx)
		if err != nil || of == 0 {
			return err
		}
		shards = Shards{Of: of}
		b.log.Info("shards", "recommended", of)
	}
	shards.Of = max(shards.Of, 1)
	b.setOf(shards.Of)
	b.budget.spread(shards.Of)
	if shards.Any {
		return newReplica(b, shards.Of, b.keep).run(ctx)
	}
	err := b.keepAll(ctx, shards)
	var fatal *FatalError
	if b.config.Gateway.Shards.Recommended && errors.As(err, &fatal) && fatal.Code == tooManyServers {
		return errors.New("the bot is in more servers than its shards have room for: start it again, and it gets more")
	}
	return err
}

// housekeep does what one process at a time does for a shard, until ctx, the connection, ends. On the gateway that is who hears
// it. Behind an endpoint all do, so they share the one shard as replicas share those of the gateway: by its lease.
func (b *Bot) housekeep(ctx context.Context, l *shardConnection) {
	if b.endpoint == nil {
		b.keepHouse(ctx, l)
		return
	}
	r := newReplica(b, l.shard.Of, func(ctx context.Context, _ Shard) error {
		b.keepHouse(ctx, l)
		return nil
	})
	r.anew = true
	_ = r.run(ctx) // nothing that it keeps fails
}

// keepHouse is what housekeep sees to.
func (b *Bot) keepHouse(ctx context.Context, l *shardConnection) {
	var work sync.WaitGroup
	defer work.Wait()
	if b.config.Commands != nil && l.shard.ID == 0 && !b.registered.Load() {
		work.Go(func() { b.registered.Store(b.keepRegistering(ctx)) })
	}
	if b.endpoint != nil {
		work.Go(func() { b.endpoint.look(ctx) })
		work.Go(func() { b.endpoint.forget(ctx) })
	}
	work.Go(func() { b.hooks.Housekeeping(ctx, l.shard) })
}
