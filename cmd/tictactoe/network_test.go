package main

import (
	"bytes"
	"context"
	"net"
	"sync"
	"sync/atomic"
)

// network is the connection of a scenario's bot to Discord. Its gateway connections can be silenced, as if a router had dropped
// them without notice.
type network struct {
	dial func(ctx context.Context, network, addr string) (net.Conn, error)

	mu    sync.Mutex
	lines []*line
}

// Dial opens a connection.
func (n *network) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	conn, err := n.dial(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	l := &line{Conn: conn}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines = append(n.lines, l)
	return l, nil
}

// silence drops all further data of the open gateway connections, in both directions.
func (n *network) silence() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, l := range n.lines {
		l.silent.Store(l.gateway.Load())
	}
}

// line is one connection.
type line struct {
	net.Conn
	gateway, silent atomic.Bool
}

// Read implements io.Reader.
func (l *line) Read(p []byte) (int, error) {
	for {
		n, err := l.Conn.Read(p)
		if err != nil || !l.silent.Load() {
			return n, err
		}
	}
}

// Write implements io.Writer.
func (l *line) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte("Upgrade: websocket")) {
		l.gateway.Store(true)
	}
	if l.silent.Load() {
		return len(p), nil
	}
	return l.Conn.Write(p)
}
