package bot

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"
)

// Shard is one of the gateway sessions among which Discord divides a bot's servers.
type Shard struct {
	ID int // from 0
	Of int // how many there are
}

// String returns the shard as Discord writes it, counted from 0.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.ID, s.Of) }

// Shards says which sessions a process runs.
type Shards struct {
	// Of is how many shards the bot has in all of its processes, which have to agree on it; 0 means 1.
	Of int
	// Recommended makes this process run as many shards as Discord recommends. Of and IDs are ignored.
	Recommended bool
	// IDs are the shards that this process runs; nil: all.
	IDs []int
	// Any shares the shards with other processes by Config.Leases: each process takes free shards, up to its share, and those
	// that another process leaves.
	Any bool
}

// all returns the ids of the shards that this process runs by itself.
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

// keepAll runs the shards until ctx ends or one of them fails with a *FatalError, which it returns.
func (b *Bot) keepAll(ctx context.Context, shards Shards) error {
	running, ctx := errgroup.WithContext(ctx)
	for _, id := range shards.all() {
		running.Go(func() error { return b.keep(ctx, Shard{id, shards.Of}) })
	}
	return running.Wait()
}

// recommended asks Discord how many shards the bot should have, until Discord answers.
func (b *Bot) recommended(ctx context.Context) (shards int, err error) {
	err = retry(ctx, b.log, "number of shards unknown", func() error {
		gateway, err := b.budget.gateway(ctx)
		shards = max(gateway.Shards, 1)
		return err
	}, isFatal)
	return shards, err
}

// connect runs the shards of this process, or its endpoint, until ctx ends, which is not an error, or one of them cannot go on.
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
		shards.IDs = nil
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
		return errors.New("the bot is in more servers than its shards have room for; restart it, and it asks Discord for the number of shards again")
	}
	return err
}
