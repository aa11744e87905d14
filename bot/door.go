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

// door is the listener of the endpoint. Anybody can connect, so it bounds how many connections are open and how many bytes
// they have sent without a good signature. Where a bound is reached the connection is closed that has been without a verified
// request for the longest time. A new connection is therefore always taken, and one that Discord uses is among the last to go.
type door struct {
	net.Listener
	maxOpen, maxBytes int

	mu      sync.Mutex
	open    int
	bytes   int       // that waiting connections have sent
	waiting list.List // of *guest: those without a verified request, in the order in which they began to wait
}

func newDoor(l net.Listener, maxOpen, maxBytes int) *door {
	return &door{Listener: l, maxOpen: maxOpen, maxBytes: maxBytes}
}

// Accept implements net.Listener.
func (d *door) Accept() (net.Conn, error) {
	conn, err := d.Listener.Accept()
	for errors.Is(err, os.ErrDeadlineExceeded) { // set by leave
		due := time.Now().Add(lastLook)
		if err := d.Listener.(timed).SetDeadline(due); err != nil {
			break
		}
		conn, err = d.Listener.Accept()
		if errors.Is(err, os.ErrDeadlineExceeded) && time.Since(due) < promptly {
			err = net.ErrClosed
		}
	}
	if err != nil {
		return nil, err
	}
	g := &guest{Conn: conn, door: d}
	d.mu.Lock()
	d.open++
	d.wait(g)
	d.mu.Unlock()
	d.makeRoom()
	return g, nil
}

// timed is a listener with a deadline, such as that of TCP.
type timed interface {
	SetDeadline(time.Time) error
}

// leave has Accept fail once nobody waits to be accepted. Who is connected and not accepted when a listener is closed is cut
// off, and on a busy machine there are some.
func (d *door) leave() {
	if l, ok := d.Listener.(timed); !ok || l.SetDeadline(time.Now()) != nil {
		d.Close()
	}
}

// wait puts a connection at the end of those that wait. The caller holds mu.
func (d *door) wait(g *guest) {
	if g.place == nil && !g.gone {
		g.place = d.waiting.PushBack(g)
	}
}

// admit takes a connection from those that wait, and what it has sent out of the count. The caller holds mu.
func (d *door) admit(g *guest) {
	if g.place != nil {
		d.waiting.Remove(g.place)
		g.place = nil
	}
	d.bytes -= g.bytes
	g.bytes = 0
}

// makeRoom closes connections until the bounds hold, the longest without a verified request first.
func (d *door) makeRoom() {
	for {
		d.mu.Lock()
		first := d.waiting.Front()
		if first == nil || d.open <= d.maxOpen && d.bytes <= d.maxBytes {
			d.mu.Unlock()
			return
		}
		g := first.Value.(*guest)
		d.forget(g)
		d.mu.Unlock()
		g.Conn.Close()
	}
}

// forget takes a connection out of all counts, once. The caller holds mu.
func (d *door) forget(g *guest) {
	if !g.gone {
		g.gone = true
		d.open--
		d.admit(g)
	}
}

// observe follows the states of connections as http.Server tells of them: one that has had its answer waits again.
func (d *door) observe(conn net.Conn, state http.ConnState) {
	g, ok := conn.(*guest)
	if !ok || state != http.StateIdle {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.admit(g)
	d.wait(g)
}

// guestKey is under what the context of a request has its connection: net/http offers no other way to a handler.
type guestKey struct{}

// attach gives the requests of a connection access to it, for trust.
func (d *door) attach(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, guestKey{}, conn)
}

// trust notes that the request with this context is Discord's: its connection is not closed for others until it is answered.
func trust(ctx context.Context) {
	if g, ok := ctx.Value(guestKey{}).(*guest); ok {
		g.door.mu.Lock()
		defer g.door.mu.Unlock()
		g.door.admit(g)
	}
}

// guest is a connection to the endpoint.
type guest struct {
	net.Conn
	door *door

	// Guarded by door.mu.
	place *list.Element // among those that wait; nil while a verified request is being answered
	bytes int           // sent since it waits
	gone  bool
}

// Read implements net.Conn.
func (g *guest) Read(p []byte) (int, error) {
	n, err := g.Conn.Read(p)
	g.door.mu.Lock()
	if g.place != nil {
		g.bytes += n
		g.door.bytes += n
	}
	full := g.door.bytes > g.door.maxBytes
	g.door.mu.Unlock()
	if full {
		g.door.makeRoom()
	}
	return n, err
}

// Close implements net.Conn.
func (g *guest) Close() error {
	g.door.mu.Lock()
	g.door.forget(g)
	g.door.mu.Unlock()
	return g.Conn.Close()
}
