package bot

import (
	"context"
	"sync"
)

// gate holds handlers back while there is no connection that Config.Connected has seen.
type gate struct {
	mu     sync.Mutex
	isOpen bool
	opened chan struct{} // closed when the gate opens; kept while it stays shut, so that those who wait are not forgotten
}

func newGate() *gate { return &gate{opened: make(chan struct{})} }

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.isOpen {
		g.isOpen = true
		close(g.opened)
	}
}

func (g *gate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.isOpen {
		g.isOpen = false
		g.opened = make(chan struct{})
	}
}

// wait returns nil when the gate is open, or why ctx ended before.
func (g *gate) wait(ctx context.Context) error {
	g.mu.Lock()
	opened := g.opened
	g.mu.Unlock()
	select {
	case <-opened:
		return nil
	default:
	}
	select {
	case <-opened:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
