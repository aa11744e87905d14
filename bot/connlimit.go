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
	// maxUnverified bounds what the requests that are not known to be Discord's have sent so far, in bytes, of all connections
	// together. Discord's own requests are complete within milliseconds and have some thousands of bytes each.
	maxUnverified = 16 << 20
	// lastLook is how long nobody has connected when the listener is closed, and promptly how late that may be noticed: more
	// may have connected since.
	lastLook = 10 * time.Millisecond
	promptly = time.Millisecond
)

// connLimiter is the listener of the endpoint. Anybody can connect, so it bounds how many connections are open and how many bytes
// they have sent without a good signature. Where a bound is reached the connection is closed that has been without a verified
// request for the longest time. A new connection is therefore always taken, and one that Discord uses is among the last to go.
type connLimiter struct {
	net.Listener
	maxOpen, maxBytes int

	mu      sync.Mutex
	open    int
	bytes   int       // that waiting connections have sent
	waiting list.List // of *limitedConn: those without a verified request, in the order in which they began to wait
}

func limitConnections(listener net.Listener, maxOpen, maxBytes int) *connLimiter {
	return &connLimiter{Listener: listener, maxOpen: maxOpen, maxBytes: maxBytes}
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

// leave has Accept fail once nobody waits to be accepted. Who is connected and not accepted when a listener is closed is cut
// off, and on a busy machine there are some.
func (l *connLimiter) leave() {
	if listener, ok := l.Listener.(timed); !ok || listener.SetDeadline(time.Now()) != nil {
		l.Close()
	}
}

// wait puts a connection at the end of those that wait. The caller holds mu.
func (l *connLimiter) wait(c *limitedConn) {
	if c.place == nil && !c.gone {
		c.place = l.waiting.PushBack(c)
	}
}

// admit takes a connection from those that wait, and what it has sent out of the count. The caller holds mu.
func (l *connLimiter) admit(c *limitedConn) {
	if c.place != nil {
		l.waiting.Remove(c.place)
		c.place = nil
	}
	l.bytes -= c.bytes
	c.bytes = 0
}

// makeRoom closes connections until the bounds hold, the longest without a verified request first.
func (l *connLimiter) makeRoom() {
	for {
		l.mu.Lock()
		first := l.waiting.Front()
		if first == nil || l.open <= l.maxOpen && l.bytes <= l.maxBytes {
			l.mu.Unlock()
			return
		}
		c := first.Value.(*limitedConn)
		l.forget(c)
		l.mu.Unlock()
		c.Conn.Close()
	}
}

// forget takes a connection out of all counts, once. The caller holds mu.
func (l *connLimiter) forget(c *limitedConn) {
	if !c.gone {
		c.gone = true
		l.open--
		l.admit(c)
	}
}

// observe follows the states of connections as http.Server tells of them: one that has had its answer waits again.
func (l *connLimiter) observe(conn net.Conn, state http.ConnState) {
	c, ok := conn.(*limitedConn)
	if !ok || state != http.StateIdle {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.admit(c)
	l.wait(c)
}

// connKey is under what the context of a request has its connection: net/http offers no other way to a handler.
type connKey struct{}

// attach gives the requests of a connection access to it, for trust.
func (l *connLimiter) attach(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, conn)
}

// trust notes that the request with this context is Discord's: its connection is not closed for others until it is answered.
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
	bytes int           // sent since it waits
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
	full := c.of.bytes > c.of.maxBytes
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
