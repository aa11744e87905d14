// Package venue keeps book of the servers that the bot is in, and deletes what belongs to one that it has left for good.
package venue

import (
	"context"
	"log/slog"
	"time"

	"tictactoe/internal/match"
)

// Keep is how long after the bot has left a server the data of it is kept, in case it comes back.
const Keep = 30 * 24 * time.Hour

// interval is the time between two looks for what is to be deleted.
const interval = 24 * time.Hour

// News is what is known of the servers that the bot is in.
type News struct {
	Partition match.Partition // of which All is said
	All       bool            // Present are all of the partition: those of it that are known and not among them were left
	Present   []match.Venue
	Gone      []match.Venue
}

// Store keeps book and deletes.
type Store interface {
	// Note records news. Who is present again is not to be deleted; when one was left first is what counts. A server that the
	// bot was never in cannot be left.
	Note(ctx context.Context, news News, at time.Time) error
	// Prune deletes what was played in servers of the partition that were left at before or earlier, except for what goes on there, and all
	// traces of back-offs that are over and forgotten by then. It reports how many matches it deleted.
	Prune(ctx context.Context, p match.Partition, before, forgotten time.Time) (int, error)
}

// Pruner deletes once a day what is due.
type Pruner struct {
	Store     Store
	Partition match.Partition // which servers it is about
	Clock     match.Clock
	Log       *slog.Logger
}

// Run works until the context ends, from now on.
func (p *Pruner) Run(ctx context.Context) {
	for {
		if err := p.Act(ctx); err != nil && ctx.Err() == nil {
			p.Log.Error("delete what servers have left behind", "err", err)
		}
		select {
		case <-p.Clock.After(interval):
		case <-ctx.Done():
			return
		}
	}
}

// Act deletes what is due now.
func (p *Pruner) Act(ctx context.Context) error {
	now := p.Clock.Now()
	n, err := p.Store.Prune(ctx, p.Partition, now.Add(-Keep), now.Add(-match.BackOffMemory))
	if n > 0 {
		p.Log.Info("deleted what was played in servers that the bot has left", "matches", n)
	}
	return err
}
