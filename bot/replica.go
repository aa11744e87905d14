package bot

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"tictactoe/bot/backoff"
	"tictactoe/bot/gateway"
	"tictactoe/internal/replica/lease"
)

const (
	// shardLeaseTime is how long a shard's lease lasts after each renewal. When it has expired, other replicas may take the shard.
	shardLeaseTime = 30 * time.Second
	// shardLeaseLapse is how long a replica keeps a shard while it cannot renew the lease. It is less than shardLeaseTime, so that the
	// replica closes the shard before another one can take it.
	shardLeaseLapse = 20 * time.Second
	// leaseCallTimeout bounds one call of lease.Store; it is not the duration of a lease.
	leaseCallTimeout = 2 * time.Second
	// roundEvery is the pause between two rounds, in which a replica renews its leases and takes or gives up shards.
	roundEvery = 2 * time.Second
	// spareTime is how long a replica counts as ready for a shard after each announcement: two pauses and the longest call.
	spareTime = 2*roundEvery + leaseCallTimeout
	// provenTime is how long a replica must have been ready for a shard before another replica gives a shard up to it.
	provenTime = 20 * time.Second
)

// replica is this process as one of several that share the shards of a bot. There is a lease for each shard, and a "spare" lease for each
// replica, by which it announces that it is ready for a shard. In every round a replica renews its leases, closes the shards whose leases
// it has lost, takes free shards up to its share, and gives a shard up to a replica that has fewer.
//
// A process can die right after its start, again and again. So a replica counts only if it has a shard, or has announced within the last
// seconds that it is ready for one. From its second round on, it announces this while it has room for one. A shard is given up only to a
// replica that is ready now and was ready provenTime ago.
type replica struct {
	bot      *Bot
	id       string // the holder's name in leases
	of       int
	keep     func(ctx context.Context, shard gateway.Shard) error // does the work for a shard that this replica has, until ctx ends
	restarts bool                                                 // start keep again when another replica has disappeared

	held     map[int]func()       // by shard: closes the shard's session and waits until it is closed
	known    map[string]time.Time // when this replica first saw each other replica ready for a shard
	rounds   int                  // successful rounds so far
	cancel   context.CancelCauseFunc
	renewed  time.Time // start of the last request that renewed the leases
	troubled bool      // the failure is already logged
}

func newReplica(b *Bot, of int, keep func(context.Context, gateway.Shard) error) *replica {
	return &replica{bot: b, id: rand.Text(), of: of, keep: keep, held: make(map[int]func()), known: make(map[string]time.Time)}
}

func (r *replica) shard(id int) string { return fmt.Sprintf("shard %d/%d", id, r.of) }

// spare returns the lease by which a replica announces that it is ready for a shard. Its holder has a different name, so that Renew
// does not prolong it.
func (r *replica) spare(id string) (name, holder string) {
	return fmt.Sprintf("ready for shards of %d: %s", r.of, id), id + " is ready"
}

// run takes, keeps and gives up shards until ctx ends or a shard fails with a *gateway.FatalError, which it returns. Before it returns, it
// gives up all shards.
func (r *replica) run(ctx context.Context) error {
	outer := ctx
	ctx, r.cancel = context.WithCancelCause(ctx)
	defer r.cancel(nil)
	for r.renewed = time.Now(); ctx.Err() == nil; {
		switch err := r.round(ctx); {
		case err == nil:
			r.troubled = false
		case ctx.Err() == nil && !r.troubled:
			r.troubled = true
			r.bot.log.Error("shards cannot be agreed upon", "err", err)
		}
		if r.stale() >= shardLeaseLapse && len(r.held) > 0 {
			r.bot.log.Error("shards are given up: others may take them soon", "shards", len(r.held))
			r.stop(r.mine()...)
		}
		_ = backoff.Pause(ctx, roundEvery)
	}
	r.stop(r.mine()...)
	end, cancel := context.WithTimeout(context.WithoutCancel(outer), leaseCallTimeout)
	defer cancel()
	var names []string
	for id := range r.of {
		names = append(names, r.shard(id))
	}
	spare, holder := r.spare(r.id)
	leases := r.bot.config.Leases
	if err := errors.Join(leases.Release(end, r.id, names...), leases.Release(end, holder, spare)); err != nil {
		r.bot.log.Error("shards not given up, others will wait for them", "err", err)
	}
	return gateway.Fatal(context.Cause(ctx))
}

// stale returns the time since the leases were last renewed. It is the longer of the times by the monotonic and by the wall clock, because
// the monotonic one stands still while the machine sleeps.
func (r *replica) stale() time.Duration {
	now := time.Now()
	return max(now.Sub(r.renewed), now.Round(0).Sub(r.renewed.Round(0)))
}

// mine returns the shards that run in this process.
func (r *replica) mine() []int { return slices.Sorted(maps.Keys(r.held)) }

// round renews the leases, closes shards whose leases were lost, and takes or gives up shards.
func (r *replica) round(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, leaseCallTimeout)
	defer cancel()
	leases, asked := r.bot.config.Leases, time.Now()
	kept, err := leases.Renew(ctx, r.id, shardLeaseTime)
	if err != nil {
		return err
	}
	r.renewed = asked
	var lost []int
	for id := range r.of {
		switch runs, has := r.held[id] != nil, slices.Contains(kept, r.shard(id)); {
		case runs && !has:
			lost = append(lost, id)
		case has && !runs: // the response to acquiring or releasing the lease was lost
			r.start(id)
		}
	}
	if len(lost) > 0 {
		r.bot.log.Error("shards lost: the leases were not renewed in time", "shards", lost)
		r.stop(lost...)
	}
	if err := r.announce(ctx); err != nil {
		return err
	}
	all, err := leases.Leases(ctx)
	if err != nil {
		return err
	}
	v, gone := r.look(all)
	if r.restarts && gone {
		mine := r.mine()
		r.stop(mine...)
		for _, id := range mine {
			r.start(id)
		}
	}
	err = r.settle(ctx, v)
	if err == nil {
		r.rounds++
	}
	return err
}

// announce acquires the spare lease if this replica is ready for a shard. If the bot has a single shard, which is never given up, every
// replica is always ready.
func (r *replica) announce(ctx context.Context) error {
	holds := spareTime
	if r.of == 1 {
		holds = shardLeaseTime
	} else if r.rounds == 0 || !r.hasRoom() {
		return nil
	}
	name, holder := r.spare(r.id)
	_, err := r.bot.config.Leases.Acquire(ctx, name, holder, holds)
	return err
}

// hasRoom reports whether this replica could connect another shard now.
func (r *replica) hasRoom() bool { return r.connecting() < max(r.bot.budget.Keys(), 1) }

// view says which replica has which shards.
type view struct {
	count map[string]int // number of shards by replica: of this one, and of others that have a shard or are ready for one
	spare []string       // the other replicas that are ready for a shard
	free  []int
}

// look derives the view from all leases. gone reports whether another replica has disappeared since the last round.
func (r *replica) look(all []lease.Lease) (v view, gone bool) {
	v.count = map[string]int{r.id: 0}
	holders := map[string]string{}
	prefix, _ := r.spare("")
	for _, l := range all {
		holders[l.Name] = l.Holder
		if id, is := strings.CutPrefix(l.Name, prefix); is && id != r.id {
			v.count[id] += 0
			v.spare = append(v.spare, id)
			if r.known[id].IsZero() {
				r.known[id] = r.renewed
			}
		}
	}
	for id := range r.of {
		if holder := holders[r.shard(id)]; holder != "" {
			v.count[holder]++
		} else {
			v.free = append(v.free, id)
		}
	}
	for id := range r.known {
		if _, is := v.count[id]; !is {
			delete(r.known, id)
			gone = true
		}
	}
	return v, gone
}

// settle takes free shards up to this replica's share or, if no shard is free, gives one up to a replica with fewer.
func (r *replica) settle(ctx context.Context, v view) error {
	if len(v.free) == 0 {
		if r.hasTooMany(v) {
			return r.giveUp(ctx)
		}
		return nil
	}
	if r.rounds == 0 && len(v.free) < r.of {
		return nil // in its first round a new replica leaves single free shards to the others
	}
	share := (r.of + len(v.count) - 1) / len(v.count)
	for _, id := range v.free {
		// Leave a shard that cannot identify yet to other replicas.
		if len(r.held) >= share || !r.hasRoom() {
			return nil
		}
		ok, err := r.bot.config.Leases.Acquire(ctx, r.shard(id), r.id, shardLeaseTime)
		if err != nil {
			return err
		}
		if ok {
			r.start(id)
		}
	}
	return nil
}

// hasTooMany reports whether this replica must give a shard up: it has the most shards (and the lowest id among equals), and another
// replica with at least two shards fewer has been ready for a shard for provenTime.
func (r *replica) hasTooMany(v view) bool {
	most, first := 0, ""
	for id, n := range v.count {
		if n > most || n == most && id < first {
			most, first = n, id
		}
	}
	if first != r.id {
		return false
	}
	return slices.ContainsFunc(v.spare, func(id string) bool {
		return most-v.count[id] >= 2 && r.renewed.Sub(r.known[id]) >= provenTime
	})
}

// giveUp closes the shard with the highest id in this process and releases its lease.
func (r *replica) giveUp(ctx context.Context) error {
	mine := r.mine()
	if len(mine) == 0 {
		return nil
	}
	last := mine[len(mine)-1]
	r.bot.log.Info("a shard is left to a replica that has fewer", "shard", last)
	r.stop(last)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaseCallTimeout) // closing the shard may have used up the time of the round
	defer cancel()
	return r.bot.config.Leases.Release(ctx, r.id, r.shard(last))
}

// connecting returns the number of shards that are not connected.
func (r *replica) connecting() (n int) {
	for id := range r.held {
		if c := r.bot.connectionOf(id); c == nil || !c.ready.isSet() {
			n++
		}
	}
	return n
}

// start begins to run a shard whose lease this replica has acquired.
func (r *replica) start(id int) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	r.held[id] = func() { cancel(); running.Wait() }
	r.bot.log.Info("shard taken", "shard", id)
	running.Go(func() {
		if err := r.keep(ctx, gateway.Shard{ID: id, Of: r.of}); err != nil {
			r.cancel(err)
		}
	})
}

// stop closes the sessions of these shards, all at once, and returns when they are closed.
func (r *replica) stop(ids ...int) {
	var closing sync.WaitGroup
	for _, id := range ids {
		closing.Go(r.held[id])
		delete(r.held, id)
	}
	closing.Wait()
}
