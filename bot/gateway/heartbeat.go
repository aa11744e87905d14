package gateway

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"
)

const (
	// askEvery is how long a heartbeat may stay unacknowledged before [Conn.Heard] sends another one.
	askEvery = time.Second
	// waitedTime is the time after a stop of this process in which a message that is read may have arrived during the stop.
	waitedTime = time.Second
)

// Received returns the time of receipt, by the real clock, of a message that is read now. woke is the end of the latest stop of this
// process, as by SIGSTOP. A message that is read within waitedTime after the stop may have waited during it, so it is dated with woke.
func Received(woke time.Time) time.Time {
	if time.Since(woke) < waitedTime {
		return woke
	}
	return time.Now()
}

// signs records when the gateway was last heard on a connection, and when it was last asked for a sign of life.
type signs struct {
	news chan struct{} // capacity 1: a message was received

	mu    sync.Mutex
	heard time.Time
	// asked is when the latest heartbeat was sent. It is zero once a heartbeat is acknowledged, except by an acknowledgement that may have
	// waited during a stop of the process.
	asked time.Time
}

// received records that a message was read, and returns the message's time of receipt.
func (s *signs) received(woke time.Time, acknowledgement bool) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = Received(woke)
	if acknowledgement && !s.heard.Equal(woke) {
		s.asked = time.Time{}
	}
	select {
	case s.news <- struct{}{}:
	default:
	}
	return s.heard
}

// heartbeats sends heartbeats until the connection ends. The first comes at a random time within the interval, as Discord asks.
func (c *Conn) heartbeats(interval time.Duration) {
	timer := time.NewTimer(rand.N(interval))
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
			c.beat()
			timer.Reset(interval)
		case <-c.ctx.Done():
			return
		}
	}
}

// hearWithin sets the time within which a heartbeat must be acknowledged; otherwise the connection ends. Other messages do not count,
// because the bot may still receive messages over a connection on which it can no longer send.
func (c *Conn) hearWithin(window time.Duration) {
	c.window = window
	_ = c.ws.SetReadDeadline(time.Now().Add(window)) // if this fails, the next read fails too
}

// beat sends a heartbeat.
func (c *Conn) beat() {
	c.signs.mu.Lock()
	c.signs.asked = time.Now()
	c.signs.mu.Unlock()
	c.send(opHeartbeat, c.sequence.Load())
}

// Heard returns when the gateway was last heard. If that was before cutoff, Heard first sends a heartbeat and waits for a message
// from the gateway, or for the end of ctx or of the connection. All events that came before that message have then been passed on.
func (c *Conn) Heard(ctx context.Context, cutoff time.Time) time.Time {
	for {
		c.signs.mu.Lock()
		heard, asked := c.signs.heard, c.signs.asked
		c.signs.mu.Unlock()
		if !heard.Before(cutoff) || c.ctx.Err() != nil || ctx.Err() != nil {
			return heard
		}
		if time.Since(asked) >= askEvery {
			c.beat()
			continue
		}
		waiting, cancel := context.WithTimeout(ctx, askEvery-time.Since(asked))
		select {
		case <-c.signs.news:
		case <-waiting.Done():
		case <-c.ctx.Done():
		}
		cancel()
	}
}
