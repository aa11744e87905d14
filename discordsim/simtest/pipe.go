// Package simtest connects a simulator and a bot in memory, so that a test can run both in one testing/synctest
// bubble. A goroutine that waits for a socket would keep the bubble's clock from advancing.
package simtest

import (
	"context"
	"net"
	"sync"
)

// Pipe returns a listener and a function that dials it, whatever the address. Each connection is a net.Pipe, so a
// write waits until the data is read.
func Pipe() (net.Listener, func(ctx context.Context, network, address string) (net.Conn, error)) {
	l := &listener{dialled: make(chan net.Conn), closed: make(chan struct{})}
	return l, l.dial
}

type listener struct {
	dialled chan net.Conn
	closed  chan struct{}
	once    sync.Once
}

func (l *listener) dial(ctx context.Context, network, address string) (net.Conn, error) {
	client, server := net.Pipe()
	var err error
	select {
	case l.dialled <- server:
		return client, nil
	case <-l.closed:
		err = net.ErrClosed
	case <-ctx.Done():
		err = ctx.Err()
	}
	client.Close()
	server.Close()
	return nil, &net.OpError{Op: "dial", Net: network, Addr: l.Addr(), Err: err}
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.dialled:
		return conn, nil
	case <-l.closed:
		return nil, &net.OpError{Op: "accept", Net: "pipe", Addr: l.Addr(), Err: net.ErrClosed}
	}
}

func (l *listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *listener) Addr() net.Addr { return address{} }

type address struct{}

func (address) Network() string { return "pipe" }
func (address) String() string  { return "pipe" }
