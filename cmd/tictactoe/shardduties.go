package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/gateway"
	"tictactoe/internal/arena"
	"tictactoe/internal/boards"
	"tictactoe/internal/match"
	"tictactoe/internal/match/background"
	"tictactoe/internal/server/venue"
)

// duty is the work that the bot does for the servers of one shard, in the process that is connected to the shard.
type duty struct {
	scheduler *match.Scheduler
	arenas    *arena.Runner
	known     chan struct{} // closed once the list of the shard's servers is recorded
	knownOnce sync.Once
}

// partitionOf returns the partition of the stored data that belongs to a shard.
func partitionOf(shard gateway.Shard) match.Partition {
	return match.Partition{Index: shard.ID, Of: shard.Of}
}

// dutyOf returns the duty for a shard. A duty begins when the shard first connects, and runs until the program ends. While another process
// is connected to the shard, the duty does nothing.
func (a *app) dutyOf(shard gateway.Shard) *duty {
	a.mu.Lock()
	defer a.mu.Unlock()
	if d := a.duties[shard.ID]; d != nil {
		return d
	}
	part := partitionOf(shard)
	config := match.Config{
		Referee: a.referee, Clock: a.clock, Partition: part, Log: a.log,
		Changed: a.redrawer.Enqueue, Moved: func() { a.redrawer.CatchUp(part) },
		Hear: func(ctx context.Context, until time.Time) time.Time { return a.bot.Probe(ctx, shard.ID, until) },
	}
	if a.resumes {
		config.Beside = a.sessionBeside(shard)
	}
	d := &duty{scheduler: match.NewScheduler(config), known: make(chan struct{})}
	d.arenas = &arena.Runner{
		Store: a.store, Partition: part, Clock: a.clock, Hours: d.scheduler, Saved: a.schedulers.Saved, Stakes: a.referee.Stakes, Log: a.log,
		Changed: func(changed arena.Arena, games []match.Match) {
			a.metrics.paired.Add(float64(len(games)))
			for _, m := range games {
				a.redrawer.Enqueue(m.ID)
			}
			a.redrawer.Enqueue(changed.ID)
		},
	}
	a.schedulers.Add(d.scheduler)
	a.duties[shard.ID] = d
	a.work.Go(func() { d.scheduler.Run(a.background) })
	a.work.Go(func() { d.arenas.Run(a.background) })
	return d
}

// allDuties returns the duties for all shards that this process has run.
func (a *app) allDuties() []*duty {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Collect(maps.Values(a.duties))
}

// arrive is called when a shard is connected, before the bot handles interactions of the shard's players.
func (a *app) arrive(ctx context.Context, shard gateway.Shard) error {
	d := a.dutyOf(shard)
	if err := d.scheduler.Arrive(ctx); err != nil {
		return err
	}
	a.metrics.connections.WithLabelValues(strconv.Itoa(shard.ID)).Inc()
	a.arriveOnce.Do(func() { close(a.arrived) })
	return nil
}

// leaveTime bounds the time to record a disconnect, because a stopping bot waits for the record. If recording fails, the
// players get back the time since the shard was last recorded as heard, which is at most five seconds too much.
const leaveTime = 500 * time.Millisecond

// leave is called when a shard is disconnected, and records the time.
func (a *app) leave(shard gateway.Shard) {
	ctx, cancel := context.WithTimeout(context.Background(), leaveTime)
	defer cancel()
	if err := a.dutyOf(shard).scheduler.Leave(ctx); err != nil {
		a.log.Error("record the time of the disconnect", "shard", shard.ID, "err", err)
	}
}

// connectPatience is how long a clock change waits for the first connection of the bot.
const connectPatience = 3 * time.Second

// settle enforces all due deadlines, runs arenas, ends seasons, makes the due posts and redraws the affected boards. A test or a playground that moves
// the clock waits until settle returns.
func (a *app) settle(ctx context.Context) error {
	select {
	case <-a.arrived:
	case <-time.After(connectPatience): // no deadline passes while the bot is not connected
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := a.schedulers.Act(ctx); err != nil {
		return fmt.Errorf("act on deadlines: %w", err)
	}
	for _, d := range a.allDuties() {
		if err := d.arenas.Act(ctx); err != nil {
			return fmt.Errorf("run arenas: %w", err)
		}
	}
	if err := a.endSeasons(ctx); err != nil {
		return err
	}
	for _, p := range a.posters {
		if err := p.Act(ctx); err != nil {
			return fmt.Errorf("post the %s: %w", p.Kind, err)
		}
	}
	if err := a.roles.Act(ctx); err != nil {
		a.log.Warn("give roles for ranks", "err", err) // Discord may refuse it; the clock moves on
	}
	for _, d := range a.allDuties() {
		for more := true; more; {
			var err error
			if more, err = a.redrawer.Tidy(ctx, d.scheduler.Partition); err != nil {
				return fmt.Errorf("shrink boards: %w", err)
			}
		}
	}
	a.redrawer.Flush(ctx)
	return nil
}

// housekeeping does the work for the servers of a shard that only one process at a time may do.
func (a *app) housekeeping(ctx context.Context, shard gateway.Shard) {
	d := a.dutyOf(shard)
	a.redrawer.CatchUp(d.scheduler.Partition)
	var keeping sync.WaitGroup
	defer keeping.Wait()
	keeping.Go(func() {
		background.Repeat(ctx, a.clock, a.log, "shrink boards", func(ctx context.Context) (bool, error) {
			return a.redrawer.Tidy(ctx, d.scheduler.Partition)
		})
	})
	if shard.ID == 0 && a.emoji.Known != nil {
		keeping.Go(func() { a.emoji.Keep(ctx) })
	}
	select {
	case <-d.known: // before the list is known, the bot could delete the data of a server that it has joined again
		(&venue.Pruner{Store: a.store, Partition: d.scheduler.Partition, Clock: a.clock, Log: a.log}).Run(ctx)
	case <-ctx.Done():
	}
}

// note records news about the servers that the bot is in, and tells the redrawer where boards can be drawn again.
func (a *app) note(ctx context.Context, news bot.Guilds) error {
	venues := func(ids []string) (all []match.Venue) {
		for _, id := range ids {
			all = append(all, match.Venue(id))
		}
		return all
	}
	if news.All || len(news.Present)+len(news.Gone) > 0 {
		err := a.store.Note(ctx, venue.News{
			Partition: partitionOf(news.Shard), All: news.All, Present: venues(news.Present), Gone: venues(news.Gone),
		}, a.clock.Now())
		if err != nil {
			return err
		}
	}
	if news.All || news.Resumed {
		d := a.dutyOf(news.Shard)
		d.knownOnce.Do(func() { close(d.known) })
	}
	a.roles.Changed(slices.Concat(news.Present, news.Changed))
	return a.redrawer.Guilds(ctx, partitionOf(news.Shard), boards.Guilds{Present: news.Present, Gone: news.Gone, Changed: news.Changed})
}
