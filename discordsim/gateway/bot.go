package gateway

import (
	"time"

	"github.com/gorilla/websocket"
)

// Arrivals returns how often a bot has connected to the gateway, counting the
// READY and RESUMED events sent to it. It takes the lock, as do the methods below.
func (g *Gateway) Arrivals(app string) (n int) {
	g.w.Lock()
	defer g.w.Unlock()
	for _, arrived := range g.arrivals[app] {
		n += arrived.n
	}
	return n
}

// arrivals records how often a bot has connected to a shard, and when it last did.
type arrivals struct {
	n  int
	at time.Time
}

// Attendance describes whether a bot is connected to a shard, how often it has
// connected, and when it last did.
type Attendance struct {
	Arrivals int       // how often the bot has connected, counted like Gateway.Arrivals
	Last     time.Time // the time of the last connection, in real time
	There    bool      // whether a session of the shard is connected now
}

// Attendance returns whether and how often a bot has connected to a shard. A bot without shards has shard 0.
func (g *Gateway) Attendance(app string, shard int) Attendance {
	g.w.Lock()
	defer g.w.Unlock()
	arrived := g.arrivals[app][shard]
	a := Attendance{Arrivals: arrived.n, Last: arrived.at}
	for _, se := range g.sessions {
		a.There = a.There || se.app == app && se.shardID() == shard && se.connection != nil
	}
	return a
}

// Drop cuts the connections of a bot without a close code, or the connections of all bots if app is empty, and
// returns their number. The sessions can be resumed.
func (g *Gateway) Drop(app string) int {
	return g.eachConnection(app, (*connection).drop)
}

// Close closes connections with a close code. A session cannot be resumed if Discord documents that its client needs
// a new session after that code.
func (g *Gateway) Close(app string, code int, reason string) int {
	return g.eachConnection(app, func(c *connection) {
		if se := c.session; se != nil && endsSession(code) {
			g.detach(se)
			g.end(se)
		}
		c.close(code, reason)
	})
}

// Reconnect asks clients to reconnect and resume (op 7).
func (g *Gateway) Reconnect(app string) int {
	return g.eachConnection(app, func(c *connection) { c.send(opReconnect, nil) })
}

// AskForHeartbeat asks clients for a heartbeat (op 1). A connection without a heartbeat within 10 s is cut.
func (g *Gateway) AskForHeartbeat(app string) int {
	return g.eachConnection(app, (*connection).askForHeartbeat)
}

// InvalidateSessions tells bots that their sessions are invalid (op 9). If resumable is set, they may still resume
// the sessions; otherwise they must identify again.
func (g *Gateway) InvalidateSessions(app string, resumable bool) int {
	return g.eachConnection(app, func(c *connection) {
		if se := c.session; se != nil {
			g.detach(se)
			if !resumable {
				g.end(se)
			}
		}
		c.send(opInvalidSession, resumable)
	})
}

// endsSession reports whether a client must begin a new session after a close code.
func endsSession(code int) bool {
	switch code {
	case websocket.CloseNormalClosure, websocket.CloseGoingAway, CloseAuthentication, CloseInvalidSeq, CloseTimedOut,
		CloseInvalidShard, CloseShardingRequired, CloseInvalidVersion, CloseInvalidIntents, CloseDisallowedIntents:
		return true
	}
	return false
}

// eachConnection calls f for each connection of an application or, if app is empty, for all connections, and returns
// their number.
func (g *Gateway) eachConnection(app string, f func(*connection)) (n int) {
	g.w.Lock()
	defer g.w.Unlock()
	for c := range g.connections {
		if app == "" || c.application() == app {
			f(c)
			n++
		}
	}
	return n
}
