package discordsim

import (
	"context"
	"net/http"
)

// Faults is what goes wrong on purpose. The zero value is a healthy Discord.
type Faults struct {
	// Twice delivers every interaction twice. No callback to it is accepted
	// before both are on the wire.
	Twice bool
	// BeforeCallback is called with an interaction's id when a callback to it
	// has arrived, before it is judged. It holds the callback back for as long
	// as it takes; ctx ends with the request.
	BeforeCallback func(ctx context.Context, interaction string)
	// REST is called with every REST request before it is served. It may take
	// its time. A status other than 0 is answered instead of serving.
	REST func(*http.Request) (status int)
}

// SetFaults replaces the faults.
func (s *Sim) SetFaults(f Faults) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = f
}

func (s *Sim) currentFaults() Faults {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.faults
}

func (s *Sim) faultyREST(r *http.Request) (status int) {
	if hook := s.currentFaults().REST; hook != nil {
		return hook(r)
	}
	return 0
}

// DropGateway cuts every gateway connection without a word. The sessions can be
// resumed.
func (s *Sim) DropGateway() {
	s.eachConnection(func(c *connection) { c.drop() })
}

// CloseGateway closes every gateway connection with a close code.
func (s *Sim) CloseGateway(code int, reason string) {
	s.eachConnection(func(c *connection) { c.close(code, reason) })
}

// Reconnect asks every bot to connect anew and resume (op 7).
func (s *Sim) Reconnect() {
	s.eachConnection(func(c *connection) { c.send(opReconnect, nil) })
}

// InvalidateSessions tells every bot on the gateway that its session is over
// (op 9). With resumable it may still resume it, else it has to identify anew.
func (s *Sim) InvalidateSessions(resumable bool) {
	s.eachConnection(func(c *connection) {
		if se := c.session; se != nil {
			s.detach(se)
			if !resumable {
				s.end(se)
			}
		}
		c.send(opInvalidSession, resumable)
	})
}

func (s *Sim) eachConnection(do func(*connection)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.connections {
		do(c)
	}
}
