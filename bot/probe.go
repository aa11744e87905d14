package bot

import (
	"context"
	"time"
)

// probeTimeout bounds Probe. If the gateway does not answer in time, the caller asks again later.
const probeTimeout = 3 * time.Second

// Probe tries to hear and handle all that Discord sent to a shard before until. If the gateway was not heard since until, Probe
// asks it for a sign of life, and waits for the handlers of interactions that arrived before, for three seconds in all.
//
// It returns the time up to which the bot has heard, by the machine's clock: when the latest message came from the gateway, or
// when the earliest interaction before until was received that is not handled yet. If the process was stopped, and has not read
// all messages that waited meanwhile, the time is no later than when the process went on (see [Clock.Woke]). Probe does not wait
// for an interaction that has been under way for sixteen seconds. With a zero until it returns at once. It knows nothing of
// what other processes hear.
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
