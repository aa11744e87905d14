package gateway

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"tictactoe/bot/backoff"
	"tictactoe/bot/rest"
	"tictactoe/internal/replica/lease"

	"golang.org/x/time/rate"
)

const (
	// identifyEvery is the time between the starts of two sessions with the same rate limit key: Discord's 5 s and a little more.
	identifyEvery = 5*time.Second + 500*time.Millisecond
	// callTimeout bounds a call of Leases or Sessions. askTimeout bounds a request to Discord for the number of remaining sessions.
	callTimeout = 2 * time.Second
	askTimeout  = 10 * time.Second
	// turnTime is the duration of the lease for identifying. It covers the request for the number of remaining sessions, the connection up
	// to READY, and 5 s more.
	turnTime = askTimeout + openTimeout + identifyEvery
	// turnLong is how long a shard waits for the lease before it logs that it waits. Identifying usually takes less.
	turnLong = 10 * time.Second
	// turnEvery is how often a waiting shard tries to acquire the lease.
	turnEvery = 250 * time.Millisecond
)

// Budget limits how often sessions are started. Discord resets the token of a bot that identifies more than 1000 times a day. So the bot
// asks for the number of remaining sessions before each start, and starts at most 20 sessions at once and 30 an hour. Discord also limits
// how many shards of all processes together may identify within 5 s, so shards take turns by leases.
type Budget struct {
	limiter *rate.Limiter // set by Spread
	Leases  lease.Store
	REST    *rest.Client
	Log     *slog.Logger
	lacking sync.Once // guards the log line that the server sets no limits

	concurrency atomic.Int64 // Discord's latest max_concurrency; 0 before the first
}

// Spread raises the limit of 20 sessions at once so that each of the shards can start two. It must be called before the first session
// starts.
func (b *Budget) Spread(shards int) {
	b.limiter = rate.NewLimiter(rate.Every(2*time.Minute), 20+2*(shards-1))
}

// begin waits until the shard may identify. Until the caller calls done, no other shard with the same rate limit key may identify, and for
// another 5 s if identified is true. begin returns a *FatalError if Discord rejects the token; any other error means that ctx has ended.
//
// Discord's number of remaining sessions still includes the sessions that other shards are about to start, at most one for each key. So a
// shard waits until there are at least as many remaining sessions as keys, or as shards if there are fewer shards. This works over all
// processes, because each shard asks while it holds the lease of its key.
func (b *Budget) begin(ctx context.Context, shard Shard) (done func(identified bool), err error) {
	for attempt := 1; ; attempt++ {
		keys := max(b.Keys(), 1)
		done, err := b.turn(ctx, shard.ID%keys)
		if err != nil {
			return nil, err
		}
		asking, cancel := context.WithTimeout(ctx, askTimeout)
		info, err := b.Info(asking)
		cancel()
		wait := backoff.After(attempt, err)
		switch {
		case Fatal(err) != nil:
			done(false)
			return nil, err
		case err != nil:
			b.Log.Warn("session limits unknown", "err", err)
		case shard.Of > 1 && b.Keys() != keys:
			wait = 0 // the number of keys has changed, and with it the shard's key
		case info.Limit.Remaining >= min(keys, shard.Of):
			return done, nil
		default:
			wait = max(time.Duration(info.Limit.ResetAfter)*time.Millisecond, time.Minute)
			b.Log.Error("no sessions left for today, waiting", "wait", wait.String())
		}
		done(false)
		if err := backoff.Pause(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// Info asks Discord for the recommended number of shards and the session limits, and records the number of keys. A server without this
// route, which is not Discord, counts as recommending one shard and setting no limits; this is logged once. If Discord rejects the token,
// the error is a *FatalError.
func (b *Budget) Info(ctx context.Context) (rest.GatewayInfo, error) {
	info, err := b.REST.Gateway(ctx)
	if rest.Unauthorized(err) {
		return info, &FatalError{Code: http.StatusUnauthorized}
	}
	if rest.Missing(err) {
		b.lacking.Do(func() {
			b.Log.Warn("the server recommends no number of shards and names no session limits; --shards auto is one", "err", err)
		})
		info, err = rest.GatewayInfo{Shards: 1, Limit: rest.StartLimit{Remaining: 1}}, nil
	}
	if err == nil {
		b.concurrency.Store(int64(max(info.Limit.MaxConcurrency, 1)))
	}
	return info, err
}

// Keys returns the number of rate limit keys, which is how many shards may identify at once. It is 0 until Discord has sent the number.
func (b *Budget) Keys() int { return int(b.concurrency.Load()) }

// turn waits for the lease of a rate limit key. done gives the lease back, after another 5 s if identified is true.
func (b *Budget) turn(ctx context.Context, key int) (done func(identified bool), err error) {
	name, holder := fmt.Sprintf("identify %d", key), rand.Text()
	end := func(identified bool) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), callTimeout)
		defer cancel()
		var err error
		if identified {
			_, err = b.Leases.Acquire(ctx, name, holder, identifyEvery)
		} else {
			err = b.Leases.Release(ctx, holder, name)
		}
		if err != nil {
			b.Log.Warn("lease for identifying not released; it will expire", "err", err)
		}
	}
	long := time.AfterFunc(turnLong, func() {
		b.Log.Info("waiting for the lease for identifying", "key", key, "longest", turnTime.String())
	})
	defer long.Stop()
	for {
		var ok bool
		acquire := func() (err error) { ok, err = b.Leases.Acquire(ctx, name, holder, turnTime); return err }
		err := backoff.Retry(ctx, b.Log, "lease for identifying not acquired", acquire, nil)
		if err == nil && ok {
			return end, nil
		}
		if err != nil || backoff.Pause(ctx, turnEvery) != nil {
			end(false) // the lease may have been acquired by an attempt whose response was lost
			return nil, ctx.Err()
		}
	}
}
