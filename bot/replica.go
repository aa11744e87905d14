package bot

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"tictactoe/internal/lease"
)

const (
	// tenureTime is how long a shard stays a replica's that is not heard of. Then others may take it.
	tenureTime = 30 * time.Second
	// tenureLapse is how long a replica keeps what it could not renew. The rest of tenureTime is for the closing.
	tenureLapse = 20 * time.Second
	// roundEvery is the time between two looks at who has what.
	roundEvery = 2 * time.Second
)

// replica is this process among those that share the shards of a bot. A lease stands for each shard and one for each
// replica. Every round it renews what it has, closes what it has lost, takes what is free, one shard after the other and
// no more than its share, and gives one up to a replica that has less.
type replica struct {
	bot  *Bot
	id   string // its holder
	of   int
	keep func(ctx context.Context, shard Shard) error // what having a shard is for; until ctx ends
	anew bool                                         // what is kept begins anew when another replica has gone

	tenures  map[int]*tenure // by shard
	peers    []string        // the replicas there were, sorted
	running  sync.WaitGroup
	cancel   context.CancelCauseFunc
	renewed  time.Time // when it was last asked for, and given
	troubled bool      // the log was told
}

// tenure is a shard while it is this replica's.
type tenure struct {
	stop  context.CancelFunc
	ended chan struct{} // closed when its session is
}

func newReplica(b *Bot, of int, keep func(context.Context, Shard) error) *replica {
	return &replica{bot: b, id: newHolder(), of: of, keep: keep, tenures: make(map[int]*tenure)}
}

func (r *replica) shard(id int) string { return fmt.Sprintf("shard %d/%d", id, r.of) }
func (r *replica) self() string        { return r.prefix() + r.id }
func (r *replica) prefix() string      { return fmt.Sprintf("replica of %d: ", r.of) }

// run takes part until ctx ends or a shard cannot be run for good. What it had is given up when it returns.
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
		if r.stale() >= tenureLapse && len(r.tenures) > 0 {
			r.bot.log.Error("shards are given up: others may take them soon", "shards", len(r.tenures))
			r.stop(r.mine()...)
		}
		_ = pause(ctx, roundEvery)
	}
	r.stop(r.mine()...)
	r.running.Wait()
	end, cancel := context.WithTimeout(context.WithoutCancel(outer), leaseTime)
	defer cancel()
	names := []string{r.self()}
	for id := range r.of {
		names = append(names, r.shard(id))
	}
	if err := r.bot.config.Leases.Release(end, r.id, names...); err != nil {
		r.bot.log.Error("shards not given up, others will wait for them", "err", err)
	}
	if fatal := fatalError(context.Cause(ctx)); fatal != nil {
		return fatal
	}
	return nil
}

// stale is how long ago the leases were renewed, by whichever clock says more: one stands still while the machine sleeps.
func (r *replica) stale() time.Duration {
	now := time.Now()
	return max(now.Sub(r.renewed), now.Round(0).Sub(r.renewed.Round(0)))
}

// mine are the shards that run here.
func (r *replica) mine() []int {
	var ids []int
	for id := range r.tenures {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// round renews, then changes what has to change.
func (r *replica) round(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, leaseTime)
	defer cancel()
	leases, asked := r.bot.config.Leases, time.Now()
	kept, err := leases.Renew(ctx, r.id, tenureTime)
	if err != nil {
		return err
	}
	r.renewed = asked
	var lost []int
	var strays []string // from attempts whose answer was lost, and what was given up while the store was
	for id := range r.of {
		switch runs, has := r.tenures[id] != nil, slices.Contains(kept, r.shard(id)); {
		case runs && !has:
			lost = append(lost, id)
		case has && !runs:
			strays = append(strays, r.shard(id))
		}
	}
	if len(lost) > 0 {
		r.bot.log.Error("shards lost: this process was not heard of for too long", "shards", lost)
		r.stop(lost...)
	}
	if !slices.Contains(kept, r.self()) {
		if _, err := leases.Acquire(ctx, r.self(), r.id, tenureTime); err != nil {
			return err
		}
	}
	if len(strays) > 0 {
		if err := leases.Release(ctx, r.id, strays...); err != nil {
			return err
		}
	}
	held, err := leases.Leases(ctx)
	if err != nil {
		return err
	}
	v := r.look(held)
	if r.anew && r.bereaved(v) {
		mine := r.mine()
		r.stop(mine...)
		for _, id := range mine {
			r.start(id)
		}
	}
	return r.settle(ctx, v)
}

// bereaved tells whether a replica has gone since the last round.
func (r *replica) bereaved(v view) bool {
	before := r.peers
	r.peers = slices.Sorted(maps.Keys(v.count))
	return slices.ContainsFunc(before, func(id string) bool { return !slices.Contains(r.peers, id) })
}

// view is who has what.
type view struct {
	count map[string]int // of shards, by replica; those without one too
	free  []int
}

// look reads the leases.
func (r *replica) look(held []lease.Lease) view {
	v := view{count: map[string]int{r.id: 0}}
	holders := map[string]string{}
	for _, l := range held {
		holders[l.Name] = l.Holder
		if strings.HasPrefix(l.Name, r.prefix()) {
			v.count[l.Holder] += 0
		}
	}
	for id := range r.of {
		if holder := holders[r.shard(id)]; holder != "" {
			v.count[holder]++
		} else {
			v.free = append(v.free, id)
		}
	}
	return v
}

// settle takes shards that are free or gives one up.
func (r *replica) settle(ctx context.Context, v view) error {
	if len(v.free) == 0 {
		if r.hasTooMany(v) {
			return r.give(ctx)
		}
		return nil
	}
	share := (r.of + len(v.count) - 1) / len(v.count)
	for _, id := range v.free {
		// What cannot identify yet is left to whoever can.
		if len(r.tenures) >= share || r.connecting() >= max(r.bot.budget.keys(), 1) {
			return nil
		}
		ok, err := r.bot.config.Leases.Acquire(ctx, r.shard(id), r.id, tenureTime)
		if err != nil {
			return err
		}
		if ok {
			r.start(id)
		}
	}
	return nil
}

// hasTooMany tells whether it is this replica that has to give one up: it has two more than another, and is the first of
// those that have most.
func (r *replica) hasTooMany(v view) bool {
	most, least, first := 0, r.of, ""
	for id, n := range v.count {
		if n > most || n == most && id < first {
			most, first = n, id
		}
		least = min(least, n)
	}
	return first == r.id && most-least >= 2
}

// give closes the last shard and lets go of it.
func (r *replica) give(ctx context.Context) error {
	mine := r.mine()
	if len(mine) == 0 {
		return nil
	}
	last := mine[len(mine)-1]
	r.bot.log.Info("a shard is left to a replica that has fewer", "shard", last)
	r.stop(last)
	return r.bot.config.Leases.Release(ctx, r.id, r.shard(last))
}

// connecting counts the shards that are not connected.
func (r *replica) connecting() (n int) {
	for id := range r.tenures {
		if l := r.bot.lineOf(id); l == nil || !l.gate.stands() {
			n++
		}
	}
	return n
}

// start runs a shard that was taken.
func (r *replica) start(id int) {
	ctx, stop := context.WithCancel(context.Background())
	t := &tenure{stop: stop, ended: make(chan struct{})}
	r.tenures[id] = t
	r.bot.log.Info("shard taken", "shard", id)
	r.running.Go(func() {
		defer close(t.ended)
		if err := r.keep(ctx, Shard{id, r.of}); err != nil {
			r.cancel(err)
		}
	})
}

// stop closes the sessions of these shards, all at once, and returns when they are.
func (r *replica) stop(ids ...int) {
	for _, id := range ids {
		r.tenures[id].stop()
	}
	for _, id := range ids {
		<-r.tenures[id].ended
		delete(r.tenures, id)
	}
}
