package discordsim

import (
	"encoding/json"
	"net/http"
	"time"
)

// Gateway serves the bots' gateway connections and sends them the world's events.
type Gateway struct {
	w          *World
	faults     *Table
	transcript *transcript
	heartbeat  time.Duration

	// The world's lock guards the fields below.
	arrivals    map[string]map[int]arrivals // by application and shard
	sessions    map[string]*session
	connections map[*connection]struct{}
}

// NewGateway returns the gateway to which a world sends its events.
func NewGateway(w *World, faults *Table, transcript *transcript, heartbeat time.Duration) *Gateway {
	g := &Gateway{
		w: w, faults: faults, transcript: transcript, heartbeat: heartbeat,
		arrivals: map[string]map[int]arrivals{}, sessions: map[string]*session{}, connections: map[*connection]struct{}{},
	}
	w.events.Bots = g.dispatch
	faults.Gateway = g.deliver
	faults.Changed = g.faultsChanged
	return g
}

// AddRoutes adds the paths of the gateway.
func (g *Gateway) AddRoutes(mux *http.ServeMux) {
	for _, path := range [...]string{"/ws", "/ws/{$}", "/ws/resume", "/ws/resume/{$}"} {
		mux.Handle(path, g)
	}
}

// Stop cuts all connections. The caller holds the lock.
func (g *Gateway) Stop() {
	for _, se := range g.sessions {
		se.stopTimer()
	}
	for c := range g.connections {
		c.drop()
	}
}

// dispatch sends an event to the sessions that get it.
func (g *Gateway) dispatch(e Event) {
	for _, se := range g.sessions {
		if se.intents&e.Intents == 0 || !se.concerns(e.GuildID) {
			continue
		}
		if body := e.Body(se.app, se.intents); body != nil {
			se.dispatch(e.Name, body, nil)
		}
	}
}

// deliver sends an interaction to the sessions of its bot.
func (g *Gateway) deliver(in *interaction, event json.RawMessage, times int) {
	for _, se := range g.sessions {
		if se.app != in.app || !se.concerns(in.channel.GuildID) {
			continue
		}
		for i := range times {
			var written chan struct{}
			if i == 1 && in.onWire == nil && se.connection != nil {
				written = make(chan struct{})
				in.onWire = written
			}
			se.dispatch("INTERACTION_CREATE", event, written)
		}
	}
}

// faultsChanged applies the current faults to every connection.
func (g *Gateway) faultsChanged() {
	for c := range g.connections {
		c.faults.Store(g.faults.Of(c.application()))
	}
}
