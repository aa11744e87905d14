package bot

import "sync"

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

// stands tells whether the gate is open.
func (g *gate) stands() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.isOpen
}

// pass is closed once what arrives now may be handled: at once if the gate is open, and then it stays so.
func (g *gate) pass() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.opened
}
