// Package gateway serves Discord's gateway: connections, sessions, intents, shards and compression.
package gateway

import (
	"encoding/json"
	"net/http"
	"time"

	"tictactoe/discordsim/faults"
	"tictactoe/discordsim/transcript"
	"tictactoe/discordsim/world"
)

// Gateway serves the bots' gateway connections and sends them the world's events.
type Gateway struct {
	w          *world.World
	faults     *faults.Table
	transcript *transcript.Transcript
	heartbeat  time.Duration

	// The world's lock guards the fields below.
	arrivals    map[string]map[int]arrivals // the bots' connections, by application and shard
	sessions    map[string]*session
	connections map[*connection]struct{}
}

// New returns a gateway that sends bots the events of a world.
func New(w *world.World, faults *faults.Table, transcript *transcript.Transcript, heartbeat time.Duration) *Gateway {
	g := &Gateway{
		w: w, faults: faults, transcript: transcript, heartbeat: heartbeat,
		arrivals: map[string]map[int]arrivals{}, sessions: map[string]*session{}, connections: map[*connection]struct{}{},
	}
	w.Events.Bots = g.dispatch
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

// dispatch sends an event to the sessions that should receive it.
func (g *Gateway) dispatch(e world.Event) {
	for _, se := range g.sessions {
		if e.Intents != 0 && se.intents&e.Intents == 0 || !se.concerns(e.GuildID) {
			continue
		}
		if body := e.Body(se.app, se.intents); body != nil {
			se.dispatch(e.Name, body, nil)
		}
	}
}

// deliver sends an interaction to the sessions of its bot.
func (g *Gateway) deliver(in *world.Interaction, event json.RawMessage, times int) {
	for _, se := range g.sessions {
		if se.app != in.ApplicationID || !se.concerns(in.Channel.GuildID) {
			continue
		}
		for i := range times {
			var written chan struct{}
			if i == 1 && in.OnWire == nil && se.connection != nil {
				written = make(chan struct{})
				in.OnWire = written
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
