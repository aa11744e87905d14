package bot

import "sync"

// readiness tells whether interactions of a connection may be handled: from when Hooks.Connected has returned nil until the
// connection ends.
type readiness struct {
	mu    sync.Mutex
	ready bool
	when  chan struct{} // closed when ready becomes true; kept while it is false, so that whoever waits is not forgotten
}

func newReadiness() *readiness { return &readiness{when: make(chan struct{})} }

func (r *readiness) set() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ready {
		r.ready = true
		close(r.when)
	}
}

func (r *readiness) unset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ready {
		r.ready = false
		r.when = make(chan struct{})
	}
}

func (r *readiness) isSet() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ready
}

// passed returns a channel that is closed once what arrives now may be handled. It stays closed when the connection ends.
func (r *readiness) passed() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.when
}
