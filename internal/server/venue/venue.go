// Package venue records which servers the bot is in, and deletes the data of servers that it has left for good.
package venue

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
)

// Keep is how long the data of a server is kept after the bot has left it, in case the bot comes back.
const Keep = 30 * 24 * time.Hour

// interval is the pause between two deletions.
const interval = 24 * time.Hour

// News says which servers the bot is in, and which it was removed from.
type News struct {
	Partition match.Partition // the partition that All refers to
	All       bool            // Present lists all servers of the partition that the bot is in, so it has left all others
	Present   []match.Venue   // servers that the bot is in
	Gone      []match.Venue   // servers that the bot was removed from
}

// Store records which servers the bot is in, and deletes their data.
type Store interface {
	// Note records news. The data of a server that is present again is kept. If a server was left several times without
	// being present in between, the first time counts. Note ignores gone servers that were never present.
	Note(ctx context.Context, news News, at time.Time) error
	// Prune deletes the ended matches of the servers of the partition that the bot left by the first given time, and the back-offs
	// that ended by the second given time. It returns how many matches it deleted.
	Prune(ctx context.Context, p match.Partition, before, forgotten time.Time) (int, error)
	// ForgetErasures forgets the deletions of users' data that happened at the given time or earlier.
	ForgetErasures(ctx context.Context, before time.Time) error
}

// Pruner deletes the data of servers that were left, once a day.
type Pruner struct {
	Store     Store
	Partition match.Partition // the partition of the servers whose data it deletes
	Clock     *clock.Clock
	Log       *slog.Logger
}

// Run calls Act now and once a day, until the context ends.
func (p *Pruner) Run(ctx context.Context) {
	for {
		if err := p.Act(ctx); err != nil && ctx.Err() == nil {
			p.Log.Error("delete the data of servers that the bot has left", "err", err)
		}
		select {
		case <-p.Clock.After(interval):
		case <-ctx.Done():
			return
		}
	}
}

// Act deletes the data that is due now.
func (p *Pruner) Act(ctx context.Context) error {
	now := p.Clock.Now()
	n, err := p.Store.Prune(ctx, p.Partition, now.Add(-Keep), now.Add(-match.BackOffMemory))
	if n > 0 {
		p.Log.Info("deleted the matches of servers that the bot has left", "matches", n)
	}
	return errors.Join(err, p.Store.ForgetErasures(ctx, now.Add(-match.ErasureMemory)))
}
