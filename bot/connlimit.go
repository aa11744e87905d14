package bot

import (
	"container/list"
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

const (
	// maxConnections bounds the connections to the endpoint that are open at once.
	maxConnections = 4096
	// maxUnverified bounds the bytes received of requests whose signature is not verified yet, over all connections. Discord's
	// own requests are complete within milliseconds and have some thousands of bytes each.
	maxUnverified = 16 << 20
	// The listener closes once Accept has seen no new connection for lastLook. If that wait ended late, by promptly or more, it is
	// repeated: clients may have connected meanwhile.
	lastLook = 10 * time.Millisecond
	promptly = time.Millisecond
)

// connLimiter is the listener of the endpoint. Anybody can connect, so it bounds how many connections are open and how many bytes
// they have sent without a verified signature. At a bound it closes the connection that has been without a verified request for
// the longest time. So a new connection is always accepted, and one that Discord uses is among the last to be closed.
type connLimiter struct {
	net.Listener

	mu      sync.Mutex
	open    int
	bytes   int       // of requests that waiting connections are sending
	waiting list.List // of *limitedConn: those without a verified request, in the order in which they began to wait
}

// Accept implements net.Listener.
func (l *connLimiter) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	for errors.Is(err, os.ErrDeadlineExceeded) { // set by leave
		due := time.Now().Add(lastLook)
		if err := l.Listener.(timed).SetDeadline(due); err != nil {
			break
		}
		conn, err = l.Listener.Accept()
		if errors.Is(err, os.ErrDeadlineExceeded) && time.Since(due) < promptly {
			err = net.ErrClosed
		}
	}
	if err != nil {
		return nil, err
	}
	c := &limitedConn{Conn: conn, of: l}
	l.mu.Lock()
	l.open++
	l.wait(c)
	l.mu.Unlock()
	l.makeRoom()
	return c, nil
}

// timed is a listener with a deadline, such as that of TCP.
type timed interface {
	SetDeadline(time.Time) error
}

// leave makes Accept return an error once the backlog is empty. Closing the listener at once would cut off connections that are
// established but not accepted.
func (l *connLimiter) leave() {
	if listener, ok := l.Listener.(timed); !ok || listener.SetDeadline(time.Now()) != nil {
		l.Close()
	}
}

// wait appends a connection to those that wait for a verified request. The caller holds mu.
func (l *connLimiter) wait(c *limitedConn) {
	if c.place == nil && !c.gone {
		c.place = l.waiting.PushBack(c)
	}
}

// admit removes a connection from those that wait, and the bytes that it has sent from the count. The caller holds mu.
func (l *connLimiter) admit(c *limitedConn) {
	if c.place != nil {
		l.waiting.Remove(c.place)
		c.place = nil
	}
	l.bytes -= c.bytes
	c.bytes = 0
}

// makeRoom closes connections until the bounds hold, beginning with the longest without a verified request.
func (l *connLimiter) makeRoom() {
	for {
		l.mu.Lock()
		first := l.waiting.Front()
		if first == nil || l.open <= maxConnections && l.bytes <= maxUnverified {
			l.mu.Unlock()
			return
		}
		c := first.Value.(*limitedConn)
		l.forget(c)
		l.mu.Unlock()
		c.Conn.Close()
	}
}

// forget removes a connection from all counts, once. The caller holds mu.
func (l *connLimiter) forget(c *limitedConn) {
	if !c.gone {
		c.gone = true
		l.open--
		l.admit(c)
	}
}

// observe is the ConnState hook of http.Server: a connection whose request has been answered waits again. It keeps its place if that request
// was not verified.
func (l *connLimiter) observe(conn net.Conn, state http.ConnState) {
	c, ok := conn.(*limitedConn)
	if !ok || state != http.StateIdle {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.bytes -= c.bytes
	c.bytes = 0
	l.wait(c)
}

// connKey is the key of the connection in the context of a request. net/http gives a handler no other access to it.
type connKey struct{}

// attach puts a connection into the context of its requests, for trust.
func (l *connLimiter) attach(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, conn)
}

// trust notes that the request with this context is Discord's. Its connection is not closed to make room until it is answered.
func trust(ctx context.Context) {
	if c, ok := ctx.Value(connKey{}).(*limitedConn); ok {
		c.of.mu.Lock()
		defer c.of.mu.Unlock()
		c.of.admit(c)
	}
}

// limitedConn is a connection to the endpoint.
type limitedConn struct {
	net.Conn
	of *connLimiter

	// Guarded by of.mu.
	place *list.Element // among those that wait; nil while a verified request is being answered
	bytes int           // of the request that it is sending, while it waits
	gone  bool
}

// Read implements net.Conn.
func (c *limitedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.of.mu.Lock()
	if c.place != nil {
		c.bytes += n
		c.of.bytes += n
	}
	full := c.of.bytes > maxUnverified
	c.of.mu.Unlock()
	if full {
		c.of.makeRoom()
	}
	return n, err
}

// Close implements net.Conn.
func (c *limitedConn) Close() error {
	c.of.mu.Lock()
	c.of.forget(c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}
