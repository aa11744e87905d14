package bot

import (
	"context"
	"errors"
	"fmt"
	"sync"
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
	return fatalError(context.Cause(ctx))
}

// recommended asks Discord how many shards the bot should have, until it says so.
func (b *Bot) recommended(ctx context.Context) (shards int, err error) {
	err = retry(ctx, b.log, "number of shards unknown", func() error {
		gateway, err := b.budget.gateway(ctx)
		shards = max(gateway.Shards, 1)
		return err
	}, isFatal)
	return shards, err
}

// connect runs the shards of this process, or its endpoint, until ctx ends, which is not an error, or one of them cannot be run for
// good.
func (b *Bot) connect(ctx context.Context) (err error) {
	shards := b.config.Gateway.Shards
	if b.endpoint != nil {
		b.of.Store(1)
		return b.keep(ctx, Shard{0, 1})
	}
	if shards.Recommended {
		if shards.Of, err = b.recommended(ctx); err != nil {
			return fatalError(err)
		}
		b.log.Info("shards", "recommended", shards.Of)
	}
	shards.Of = max(shards.Of, 1)
	b.of.Store(int64(shards.Of))
	b.budget.spread(shards.Of)
	if shards.Any {
		return newReplica(b, shards.Of, b.keep).run(ctx)
	}
	err = b.keepAll(ctx, shards)
	if fatal, is := errors.AsType[*FatalError](err); is && shards.Recommended && fatal.Code == tooManyServers {
		return errors.New("the bot is in more servers than its shards have room for: start it again, and it gets more")
	}
	return err
}
