package gateway

import (
	"context"
	"slices"
	"sync"
	"time"
)

// askEvery is how long a heartbeat may stay unacknowledged before [Conn.Heard] sends another one.
const askEvery = time.Second

// signs records when the gateway was heard on a connection. It also dates messages. A message that waited while this process was stopped,
// as by SIGSTOP, is read when the process goes on, but may have arrived at any time during the stop. Until the gateway acknowledges a
// heartbeat sent after the stop, messages are dated with the end of the stop.
type signs struct {
	news chan struct{} // capacity 1: a message was received

	mu    sync.Mutex
	heard time.Time
	// unanswered holds the send times of unacknowledged heartbeats, by the real clock. upTo is the send time of the latest acknowledged
	// one: everything that Discord sent before it has been read.
	unanswered []time.Time
	upTo       time.Time
}

func newSigns() *signs { return &signs{news: make(chan struct{}, 1), upTo: time.Now()} }

// received records that the gateway was heard, and returns the time of receipt of the current message. At the first message after a stop
// of this process it sends a heartbeat; once that is acknowledged, messages are dated by the clock again.
func (c *Conn) received() (at time.Time) {
	at, woke := time.Now(), c.Woke()
	s := c.signs
	s.mu.Lock()
	waited := !s.upTo.After(woke) // the message may have waited while the process was stopped
	if waited {
		at = woke
	}
	s.heard = at
	ask := waited && c.isAccepted() && !slices.ContainsFunc(s.unanswered, func(sent time.Time) bool { return sent.After(woke) })
	s.mu.Unlock()
	select {
	case s.news <- struct{}{}:
	default:
	}
	if ask {
		c.beat()
	}
	return at
}

func (c *Conn) isAccepted() bool {
	select {
	case <-c.accepted:
		return true
	default:
		return false
	}
}

// beat sends a heartbeat.
func (c *Conn) beat() {
	c.signs.mu.Lock()
	c.signs.unanswered = append(c.signs.unanswered, time.Now())
	c.signs.mu.Unlock()
	c.send(opHeartbeat, c.sequence.Load())
}

// answered records that the gateway has acknowledged the earliest unanswered heartbeat. It first drops heartbeats that have been
// unanswered for longer than window.
func (c *Conn) answered(window time.Duration) {
	s := c.signs
	s.mu.Lock()
	s.unanswered = slices.DeleteFunc(s.unanswered, func(at time.Time) bool { return time.Since(at) > window })
	if len(s.unanswered) > 0 {
		s.upTo, s.unanswered = s.unanswered[0], s.unanswered[1:]
	}
	s.mu.Unlock()
	c.received()
}

// Heard returns when the gateway was last heard. If that was before until, Heard sends a heartbeat and waits for its acknowledgement,
// until ctx or the connection ends. All events before the acknowledgement have then been passed on.
func (c *Conn) Heard(ctx context.Context, until time.Time) time.Time {
	s := c.signs
	for {
		s.mu.Lock()
		heard, patience := s.heard, time.Duration(0)
		if n := len(s.unanswered); n > 0 {
			patience = askEvery - time.Since(s.unanswered[n-1])
		}
		s.mu.Unlock()
		if !heard.Before(until) || c.ctx.Err() != nil {
			return heard
		}
		if patience <= 0 && c.isAccepted() {
			c.beat()
			continue
		}
		waiting, cancel := context.WithTimeout(ctx, max(patience, askEvery/10))
		select {
		case <-s.news:
		case <-waiting.Done():
		case <-c.ctx.Done():
		}
		cancel()
		if ctx.Err() != nil {
			return heard
		}
	}
}
