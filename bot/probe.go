package bot

import (
	"context"
	"time"
)

// probeTimeout bounds a call of Probe. If the gateway does not answer in time, the caller probes again later.
const probeTimeout = 3 * time.Second

// Probe waits, at most three seconds, until everything that Discord sent to a shard before the time until is received and handled. If the
// gateway was not heard since then, Probe sends a heartbeat.
//
// It returns, by the machine's clock, the time up to which everything is handled: when the gateway was last heard, or when the earliest
// unhandled interaction before until arrived. If the process was stopped and has not read all messages that waited meanwhile, the time is
// at most the end of the stop (see [Clock.Woke]). Probe does not wait for an interaction that has been open for sixteen seconds. If until
// is zero, it returns at once. It knows nothing about shards of other processes.
func (b *Bot) Probe(ctx context.Context, shard int, until time.Time) time.Time {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	c := b.connectionOf(shard)
	if c == nil {
		return time.Time{}
	}
	heard := c.source.Probe(ctx, until)
	if left, ok := b.dispatcher.handled(ctx, shard, until); !ok && left.Before(heard) {
		return left
	}
	return heard
}
