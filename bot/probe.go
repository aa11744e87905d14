package bot

import (
	"context"
	"slices"
	"sync"
	"time"
)

// probeTimeout bounds Probe: a gateway that is not heard is asked again, not waited for.
const probeTimeout = 3 * time.Second

// Probe tries to hear and handle all that Discord had sent to a shard before until. If the gateway was not heard since then, it is
// asked for a sign of life, and handlers of what had arrived by then get time to end, three seconds in all.
//
// It returns the moment up to which the bot has heard, by the machine's clock: when the latest message came from the gateway, or
// when the earliest interaction was received that should have been handled and is not. If the process was stopped, and not all
// that had waited has been read since, that is no later than the moment at which it went on (Config.Woke). An interaction that has been
// under way for sixteen seconds is not waited for any more. With a zero until Probe returns at once. It knows nothing of what
// another process hears.
func (b *Bot) Probe(ctx context.Context, shard int, until time.Time) time.Time {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	l := b.connectionOf(shard)
	if l == nil {
		return time.Time{}
	}
	heard := l.source.probe(ctx, until)
	if left, ok := b.dispatcher.handled(ctx, shard, until); !ok && left.Before(heard) {
		return left
	}
	return heard
}

// askEvery is how long a heartbeat may stay without an answer before another one is sent. Discord takes 120 messages a minute.
const askEvery = time.Second

// probe knows when the gateway was last heard on a connection, and sends a heartbeat when a sign of life is wanted before the
// next is due.
//
// It also dates what is received. What waited while this process was stopped, as by SIGSTOP, is read when it goes on, but may have
// come at any time before. It is dated by when the process went on, until the gateway has answered a heartbeat that was sent since.
type probe struct {
	woke func() time.Time // see Config.Woke
	beat func()           // sends a heartbeat
	news chan struct{}    // capacity 1: something was received

	mu     sync.Mutex
	stands bool // the session does, so that heartbeats may be sent
	heard  time.Time
	// unanswered are when the heartbeats were sent that have no answer yet, and upTo is when the latest was sent that has one: all
	// that was sent to us before has been read. By the real clock.
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

// date is when what is read now was received.
func (p *probe) date() time.Time {
	woke := p.woke()
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.upTo.After(woke) {
		return woke
	}
	return time.Now()
}

// received notes that the gateway is heard. With the first message after this process was stopped it asks for a sign of life: the
// sooner that is there, the sooner dates are those of the clock.
func (p *probe) received() {
	heard, woke := p.date(), p.woke()
	p.mu.Lock()
	p.heard = heard
	ask := p.stands && !p.upTo.After(woke) && !slices.ContainsFunc(p.unanswered, func(at time.Time) bool { return at.After(woke) })
	p.mu.Unlock()
	signal(p.news)
	if ask {
		p.beat()
	}
}

// sending notes that a heartbeat is about to be sent.
func (p *probe) sending() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unanswered = append(p.unanswered, time.Now())
}

// answered notes that the gateway has answered the first of the heartbeats that it had not. One that stays without an answer for
// a window, while others get theirs, is forgotten.
func (p *probe) answered(window time.Duration) {
	p.mu.Lock()
	p.unanswered = slices.DeleteFunc(p.unanswered, func(at time.Time) bool { return time.Since(at) > window })
	if len(p.unanswered) > 0 {
		p.upTo, p.unanswered = p.unanswered[0], p.unanswered[1:]
	}
	p.mu.Unlock()
	p.received()
}

// wait returns when the gateway was last heard. If that was before until, it asks for a sign of life and waits for it, while ctx
// and the connection last. All that came before that sign is with the dispatcher by then.
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
