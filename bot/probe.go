package bot

import (
	"context"
	"slices"
	"sync"
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
	heard := c.source.probe(ctx, until)
	if left, ok := b.dispatcher.handled(ctx, shard, until); !ok && left.Before(heard) {
		return left
	}
	return heard
}

// askEvery is how long a heartbeat may stay without an answer before another one is sent. Discord takes 120 messages a minute.
const askEvery = time.Second

// probe knows when the gateway was last heard on a connection. It sends a heartbeat when a sign of life is wanted before the
// next heartbeat is due.
//
// It also dates what is received. Messages that waited while this process was stopped, as by SIGSTOP, are read when it goes on,
// but may have come at any time before. They are dated by when the process went on, until the gateway has answered a heartbeat
// that was sent since.
type probe struct {
	woke func() time.Time // see [Clock.Woke]
	beat func()           // sends a heartbeat
	news chan struct{}    // capacity 1: something was received

	mu     sync.Mutex
	stands bool // the session has begun, so that heartbeats may be sent
	heard  time.Time
	// unanswered holds the send times of heartbeats without an answer, by the real clock. upTo is the send time of the latest
	// answered one: everything that Discord sent before it has been read.
	unanswered []time.Time
	upTo       time.Time
}

func newProbe(woke func() time.Time, beat func()) *probe {
	return &probe{woke: woke, beat: beat, news: make(chan struct{}, 1), upTo: time.Now()}
}

// begin notes that heartbeats may be sent.
func (p *probe) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stands = true
}

// received notes that the gateway is heard, and returns the time of receipt of what is read now. At the first message after this
// process was stopped it sends a heartbeat: once that is answered, messages are dated by the clock again.
func (p *probe) received() (at time.Time) {
	at, woke := time.Now(), p.woke()
	p.mu.Lock()
	waited := !p.upTo.After(woke) // it may have, while the process was stopped
	if waited {
		at = woke
	}
	p.heard = at
	ask := waited && p.stands && !slices.ContainsFunc(p.unanswered, func(sent time.Time) bool { return sent.After(woke) })
	p.mu.Unlock()
	signal(p.news)
	if ask {
		p.beat()
	}
	return at
}

// sending notes that a heartbeat is about to be sent.
func (p *probe) sending() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unanswered = append(p.unanswered, time.Now())
}

// answered notes that the gateway has answered the earliest unanswered heartbeat. Heartbeats without an answer for longer than
// window are forgotten first.
func (p *probe) answered(window time.Duration) {
	p.mu.Lock()
	p.unanswered = slices.DeleteFunc(p.unanswered, func(at time.Time) bool { return time.Since(at) > window })
	if len(p.unanswered) > 0 {
		p.upTo, p.unanswered = p.unanswered[0], p.unanswered[1:]
	}
	p.mu.Unlock()
	p.received()
}

// wait returns when the gateway was last heard. If it was before until, wait asks for a sign of life and waits for it, while ctx
// and the connection last. All messages before the sign of life are with the dispatcher by then.
func (p *probe) wait(ctx, connection context.Context, until time.Time) time.Time {
	for {
		p.mu.Lock()
		heard, patience := p.heard, time.Duration(0)
		if n := len(p.unanswered); n > 0 {
			patience = askEvery - time.Since(p.unanswered[n-1])
		}
		stands := p.stands
		p.mu.Unlock()
		if !heard.Before(until) || connection.Err() != nil {
			return heard
		}
		if patience <= 0 && stands {
			p.beat()
			continue
		}
		waiting, cancel := context.WithTimeout(ctx, max(patience, askEvery/10))
		select {
		case <-p.news:
		case <-waiting.Done():
		case <-connection.Done():
		}
		cancel()
		if ctx.Err() != nil {
			return heard
		}
	}
}
