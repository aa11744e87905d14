package bot

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"tictactoe/bot/backoff"
	"tictactoe/bot/gateway"
)

// keepAll runs the shards until ctx ends or one of them fails with a *gateway.FatalError. It returns that error.
func (b *Bot) keepAll(ctx context.Context, shards gateway.Shards) error {
	running, ctx := errgroup.WithContext(ctx)
	for _, id := range shards.All() {
		running.Go(func() error { return b.keep(ctx, gateway.Shard{ID: id, Of: shards.Of}) })
	}
	return running.Wait()
}

// recommended asks Discord for the recommended number of shards, again and again until Discord answers.
func (b *Bot) recommended(ctx context.Context) (shards int, err error) {
	err = backoff.Retry(ctx, b.log, "number of shards unknown", func() error {
		info, err := b.budget.Info(ctx)
		shards = max(info.Shards, 1)
		return err
	}, func(err error) bool { return gateway.Fatal(err) != nil })
	return shards, err
}

// connect runs the shards of this process, or its endpoint, until ctx ends, which is not an error, or one of them fails for good.
func (b *Bot) connect(ctx context.Context) error {
	shards := b.config.Gateway.Shards
	if b.webhook != nil {
		b.of.Store(1)
		return b.keep(ctx, gateway.Shard{ID: 0, Of: 1})
	}
	if shards.Recommended || shards.Of > 1 {
		recommended, err := b.recommended(ctx) // this call also tells the budget how many shards may identify at once
		if err != nil {
			return gateway.Fatal(err)
		}
		if shards.Recommended {
			shards.Of, shards.IDs = recommended, nil
			b.log.Info("shards", "recommended", shards.Of)
		}
	}
	shards.Of = max(shards.Of, 1)
	b.of.Store(int64(shards.Of))
	b.budget.Spread(shards.Of)
	if shards.Any {
		return newReplica(b, shards.Of, b.keep).run(ctx)
	}
	err := b.keepAll(ctx, shards)
	if fatal, is := errors.AsType[*gateway.FatalError](err); is && shards.Recommended && fatal.Code == gateway.TooManyServers {
		return errors.New("the bot is in more servers than its shards have room for; restart it, and it asks Discord for the number of shards again")
	}
	return err
}
