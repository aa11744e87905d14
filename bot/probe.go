package bot

import (
	"context"
	"time"
)

// probeTimeout bounds a call of Probe. If the gateway does not answer in time, the caller probes again later.
const probeTimeout = 3 * time.Second

// Probe waits, at most three seconds, until everything that Discord sent to a shard before cutoff is received and handled. If the gateway
// was not heard since cutoff, Probe sends a heartbeat.
//
// It returns, by the machine's clock, the time up to which everything is handled: when the gateway was last heard, or when the earliest
// unhandled interaction before cutoff arrived. If the process was stopped and has not read all messages that waited meanwhile, the time is
// at most the end of the stop (see [Clock.Woke]). Probe does not wait for an interaction that has been open for sixteen seconds. If cutoff
// is zero, Probe returns at once. For a shard that another process runs, it returns zero.
func (b *Bot) Probe(ctx context.Context, shard int, cutoff time.Time) time.Time {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	c := b.connectionOf(shard)
	if c == nil {
		return time.Time{}
	}
	heard := c.source.Probe(ctx, cutoff)
	if earliest, ok := b.dispatcher.handled(ctx, shard, cutoff); !ok && earliest.Before(heard) {
		return earliest
	}
	return heard
}
