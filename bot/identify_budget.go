package bot

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"tictactoe/internal/lease"
)

const (
	// identifyEvery is the time between two sessions with the same rate limit key: Discord's 5 s, and a little more.
	identifyEvery = 5*time.Second + 500*time.Millisecond
	// leaseCallTimeout bounds one call of lease.Store, and says nothing of how long a lease holds. askTimeout bounds one request
	// for the number of sessions that are left.
	leaseCallTimeout = 2 * time.Second
	askTimeout       = 10 * time.Second
	// turnTime is how long a turn may take, from the question what is left to READY, and the 5 s after it.
	turnTime = askTimeout + openTimeout + identifyEvery
	// turnLong is when waiting for it is worth a word: longer than anybody who identifies keeps it.
	turnLong = 10 * time.Second
	// turnEvery is how often a process asks whether it is its turn.
	turnEvery = 250 * time.Millisecond
)

// budget bounds how often a session is started. Discord resets the token of a bot that identifies more than 1000 times a
// day; 20 at once and 30 an hour stay far below. It also lets only so many shards identify within 5 s, over all processes
// of the bot: who may is agreed upon by leases.
type budget struct {
	limiter *rate.Limiter // made by spread
	leases  lease.Store
	rest    *REST
	log     *slog.Logger
	lacking sync.Once // the log was told that the server sets no limits

	mu          sync.Mutex
	concurrency int                   // Discord's max_concurrency, as last told; 0 before
	turns       map[int]chan struct{} // by key; one of capacity 1, full while a shard of this process has or wants the lease
}

func newBudget(leases lease.Store, rest *REST, log *slog.Logger) *budget {
	return &budget{leases: leases, rest: rest, log: log, turns: make(map[int]chan struct{})}
}

// spread makes room for the first sessions of so many shards, and one more of each. It is called before the first of them.
func (b *budget) spread(shards int) {
	b.limiter = rate.NewLimiter(rate.Every(2*time.Minute), 20+2*(shards-1))
}

// wait returns when this process may begin a session, by its own count.
func (b *budget) wait(ctx context.Context) error { return b.limiter.Wait(ctx) }

// begin returns when a shard may identify. Nobody else with its key may before done was called, with whether it has come
// as far as to identify, and the 5 s after that. It returns a *FatalError if Discord does not know the token, and
// otherwise only fails with ctx.
//
// Discord says how many sessions are left, without those that other shards are just about to begin: one for each key at most. So
// a shard waits until at least as many are left as there are keys. That holds over all processes, because each asks while it
// holds the lease of its key.
func (b *budget) begin(ctx context.Context, shard Shard) (done func(identified bool), err error) {
	if shard.Of > 1 && b.keys() == 0 { // else there is one key, whatever Discord says
		learn := func() error { _, err := b.left(ctx); return err }
		if err := retry(ctx, b.log, "session limits unknown", learn, isFatal); err != nil {
			return nil, err
		}
	}
	for attempt := 1; ; attempt++ {
		keys := max(b.keys(), 1)
		done, err := b.turn(ctx, shard.ID%keys)
		if err != nil {
			return nil, err
		}
		left, err := b.left(ctx)
		wait := backoff(attempt)
		switch {
		case isFatal(err):
			done(false)
			return nil, err
		case err != nil:
			b.log.Warn("session limits unknown", "err", err)
			if shard.Of == 1 && ctx.Err() == nil {
				return done, nil // our own count holds
			}
		case shard.Of > 1 && b.keys() != keys:
			wait = 0 // it was another key's turn
		case left.Remaining >= min(keys, shard.Of):
			return done, nil
		default:
			wait = max(time.Duration(left.ResetAfter)*time.Millisecond, time.Minute)
			b.log.Error("no sessions left for today, waiting", "wait", wait.String())
		}
		done(false)
		if err := pause(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// left asks Discord what is left, and learns how many keys there are.
func (b *budget) left(ctx context.Context) (startLimit, error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	gateway, err := b.gateway(ctx)
	if err == nil {
		b.mu.Lock()
		b.concurrency = max(gateway.Limit.MaxConcurrency, 1)
		b.mu.Unlock()
	}
	return gateway.Limit, err
}

// gateway is what Discord says to the bot about the gateway. A server that has no such route, as others than Discord may be,
// recommends one shard and sets no limits; the log is told so once. A token that Discord does not know is a *FatalError.
func (b *budget) gateway(ctx context.Context) (gatewayInfo, error) {
	info, err := b.rest.gateway(ctx)
	if unauthorized(err) {
		return info, &FatalError{Code: http.StatusUnauthorized}
	}
	if missing(err) {
		b.lacking.Do(func() {
			b.log.Warn("the server recommends no number of shards and names no session limits; --shards auto is one", "err", err)
		})
		return gatewayInfo{Shards: 1, Limit: startLimit{Remaining: 1, MaxConcurrency: 1}}, nil
	}
	return info, err
}

// keys is how many shards may identify at once; 0 while that is not known.
func (b *budget) keys() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.concurrency
}

// turn waits for the lease of a key, first behind the other shards of this process.
func (b *budget) turn(ctx context.Context, key int) (done func(identified bool), err error) {
	b.mu.Lock()
	mine := b.turns[key]
	if mine == nil {
		mine = make(chan struct{}, 1)
		b.turns[key] = mine
	}
	b.mu.Unlock()
	select {
	case mine <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	name, holder := fmt.Sprintf("identify %d", key), rand.Text()
	end := func(identified bool) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaseCallTimeout)
		defer cancel()
		var err error
		if identified {
			_, err = b.leases.Acquire(ctx, name, holder, identifyEvery)
		} else {
			err = b.leases.Release(ctx, holder, name)
		}
		if err != nil {
			b.log.Warn("the turn to identify ends by itself", "err", err)
		}
		<-mine
	}
	long := time.AfterFunc(turnLong, func() {
		b.log.Info("waiting for the turn to identify", "key", key, "longest", turnTime.String())
	})
	defer long.Stop()
	for {
		var ok bool
		acquire := func() (err error) { ok, err = b.leases.Acquire(ctx, name, holder, turnTime); return err }
		err := retry(ctx, b.log, "no turn to identify", acquire, nil)
		if err == nil && ok {
			return end, nil
		}
		if err != nil || pause(ctx, turnEvery) != nil {
			end(false) // an attempt whose answer was lost may have got it
			return nil, ctx.Err()
		}
	}
}
