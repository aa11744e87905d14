package bot

import (
	"context"
	"time"
)

// probeTimeout bounds Probe. If the gateway does not answer in time, the caller probes again later.
const probeTimeout = 3 * time.Second

// Probe tries to receive and handle everything that Discord sent to a shard before until. If the gateway was not heard since until, Probe
// sends it a heartbeat, and waits for the handlers of interactions that arrived before, for three seconds in all.
//
// It returns the time up to which the bot has heard, by the machine's clock: the time of the latest message from the gateway, or the time
// of receipt of the earliest unhandled interaction that was received before until. If the process was stopped, and has not read all
// messages that waited meanwhile, the time is at most the end of the stop (see [Clock.Woke]). Probe does not wait for an interaction that
// has been open for sixteen seconds. With a zero until it returns at once. It knows nothing about the shards of other processes.
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
