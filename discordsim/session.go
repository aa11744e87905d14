package discordsim

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/gorilla/websocket"
)

const (
	// sessionKept is how long a disconnected session can be resumed, in real time.
	sessionKept = 5 * time.Minute
	// maxReplay is the maximum number of events that a session keeps for a resume; when there are more, it drops the older half.
	maxReplay = 2000
	// maxGuilds is the maximum number of servers on one shard.
	maxGuilds = 2500
	// guildsAShard is the number of servers per shard at the recommended number of shards.
	guildsAShard = 1000
)

// session is a bot's logical connection, which outlives its socket. It is
// guarded by Sim.mu.
type session struct {
	id         string
	app        string
	intents    int
	shard      *[2]int
	seq        int64
	kept       [][]byte    // the newest events; the last one has sequence number seq
	connection *connection // nil while disconnected
	expiry     *time.Timer // runs while disconnected
}

func (se *session) stopTimer() {
	if se.expiry != nil {
		se.expiry.Stop()
	}
}

// concerns reports whether the session's shard receives the events of a guild.
// Events without a guild go to shard 0.
func (se *session) concerns(guildID string) bool {
	if se.shard == nil {
		return true
	}
	id, _ := strconv.ParseUint(guildID, 10, 64)
	return int((id>>22)%uint64(se.shard[1])) == se.shard[0]
}

// shardID returns 0 without shards.
func (se *session) shardID() int {
	if se.shard == nil {
		return 0
	}
	return se.shard[0]
}

// resumedEvent is the beginning of the event that ends a replay.
var resumedEvent = fmt.Appendf(nil, `{"op":%d,"t":"RESUMED"`, opDispatch)

// mustJSON encodes a value as JSON. The value is of a type of this package, so
// encoding cannot fail.
func mustJSON(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("discordsim: %T cannot be written: %v", v, err))
	}
	return text
}

// dispatch numbers an event, keeps it and sends it if the bot is connected. d is
// the event's object or, if several sessions receive it, its JSON. The channel
// written, which may be nil, is closed once the event is on the wire.
func (se *session) dispatch(kind string, d any, written chan<- struct{}) {
	se.seq++
	body, raw := d.(json.RawMessage)
	if !raw {
		body = mustJSON(d)
	}
	text := make([]byte, 0, len(body)+len(kind)+48)
	text = fmt.Appendf(text, `{"op":%d,"t":%q,"s":%d,"d":`, opDispatch, kind, se.seq)
	text = append(append(text, body...), '}')
	se.kept = append(se.kept, text)
	if len(se.kept) > maxReplay {
		se.kept = append([][]byte(nil), se.kept[maxReplay/2:]...)
	}
	if c := se.connection; c != nil {
		c.queue(frame{
			text: text, written: written,
			compress: c.compress && (kind == "READY" || kind == "GUILD_CREATE" || len(text) >= compressFrom),
		})
	}
}

// identify handles op 2: it begins a session.
func (c *connection) identify(d json.RawMessage) {
	var in struct {
		Token      string         `json:"token"`
		Properties map[string]any `json:"properties"`
		Intents    *int           `json:"intents"`
		Compress   bool           `json:"compress"`
		Shard      []int          `json:"shard"`
	}
	if json.Unmarshal(d, &in) != nil || in.Intents == nil || in.Properties == nil {
		c.close(closeDecode, "Error while decoding payload.")
		return
	}
	app, valid := applicationOf(in.Token)
	code, reason := 0, ""
	switch {
	case c.identified():
		code, reason = closeAlreadyIdentified, "Already authenticated."
	case !valid || c.gateway.w.accounts.IsRevoked(in.Token):
		code, reason = closeAuthentication, "Authentication failed."
	case in.Shard != nil && (len(in.Shard) != 2 || in.Shard[0] < 0 || in.Shard[0] >= in.Shard[1]):
		code, reason = closeInvalidShard, "Invalid shard."
	case *in.Intents&^knownIntents != 0:
		code, reason = closeInvalidIntents, "Invalid intent(s)."
	case *in.Intents&privilegedIntents != 0 && !c.gateway.w.config.PrivilegedIntents:
		code, reason = closeDisallowedIntents, "Disallowed intent(s)."
	}
	if code != 0 {
		c.close(code, reason)
		return
	}
	c.compress = in.Compress // ignored if the connection is already a compressed stream
	err := c.gateway.w.Locked(func() error {
		var shard *[2]int
		if in.Shard != nil {
			shard = (*[2]int)(in.Shard)
		}
		c.gateway.start(c, app, in.Token, *in.Intents, shard)
		return nil
	})
	if err != nil {
		c.close(closeUnknownError, "Unknown error.")
	}
}

// start begins a session, if the application may begin one now and no fault prevents it.
func (g *Gateway) start(c *connection, app, token string, intents int, shard *[2]int) {
	if g.guildsOf(app, shard) > maxGuilds {
		c.close(closeShardingRequired, "Sharding required.")
		return
	}
	key := int64(0)
	if shard != nil {
		key = int64(shard[0] % g.w.config.MaxConcurrency)
	}
	switch g.w.accounts.MayStart(app, key) {
	case tooSoon:
		c.send(opInvalidSession, false)
		return
	case exhausted:
		c.close(closeAuthentication, "Authentication failed.")
		g.resetToken(app, token)
		return
	}
	switch f := c.faults.Load(); {
	case f.AfterIdentify == AfterIdentifyReconnect:
		c.send(opReconnect, nil)
		return
	case f.AfterIdentify != "":
		c.send(opInvalidSession, f.AfterIdentify == AfterIdentifyInvalidResumable)
		return
	case f.Hello == HelloACK:
		c.send(opHeartbeatACK, nil)
	}
	g.begin(c, app, intents, shard)
}

// guildsOf counts the servers whose events a session of the application would receive.
func (g *Gateway) guildsOf(app string, shard *[2]int) (n int) {
	se := session{shard: shard}
	for id := range g.w.state.guilds {
		if g.w.state.installed(app, id) && se.concerns(id) {
			n++
		}
	}
	return n
}

// begin creates a session, sends READY and then its guilds.
func (g *Gateway) begin(c *connection, app string, intents int, shard *[2]int) {
	g.w.accounts.Enrol(app)
	se := &session{id: rand.Text(), app: app, intents: intents, shard: shard, connection: c}
	g.sessions[se.id], c.session = se, se
	type unavailable struct {
		ID          string `json:"id"`
		Unavailable bool   `json:"unavailable"`
	}
	guilds := []unavailable{}
	var known []*Guild
	for _, id := range g.w.state.guildOrder {
		if g.w.state.installed(app, id) && se.concerns(id) {
			guilds = append(guilds, unavailable{id, true})
			known = append(known, g.w.state.guilds[id])
		}
	}
	ready := map[string]any{
		"v": c.version, "user": g.w.state.self(app), "guilds": guilds, "private_channels": []any{}, "relationships": []any{},
		"session_id": se.id, "session_type": "normal", "resume_gateway_url": c.resumes,
		"application": map[string]any{"id": app, "flags": 0},
	}
	if shard != nil {
		ready["shard"] = shard
	}
	se.dispatch("READY", ready, nil)
	g.noteArrival(se)
	if intents&intentGuilds != 0 {
		for _, guild := range known {
			se.dispatch("GUILD_CREATE", g.w.state.guildCreate(guild, app), nil)
		}
	}
	g.w.events.PublishState()
}

// resume handles op 6: it resumes a session after the last event that the client received.
func (c *connection) resume(d json.RawMessage) {
	var in struct {
		Token   string `json:"token"`
		Session string `json:"session_id"`
		Seq     int64  `json:"seq"`
	}
	if json.Unmarshal(d, &in) != nil {
		c.close(closeDecode, "Error while decoding payload.")
		return
	}
	g := c.gateway
	app, valid := applicationOf(in.Token)
	if !valid || g.w.accounts.IsRevoked(in.Token) {
		c.close(closeAuthentication, "Authentication failed.")
		return
	}
	g.w.Lock()
	defer g.w.Unlock()
	se := g.sessions[in.Session]
	switch {
	case c.session != nil:
		c.close(closeAlreadyIdentified, "Already authenticated.")
	case se == nil || se.app != app || in.Seq < se.seq-int64(len(se.kept)):
		c.send(opInvalidSession, false)
	case in.Seq > se.seq:
		c.close(closeInvalidSeq, "Invalid seq.")
	default:
		if old := se.connection; old != nil {
			g.detach(se)
			old.close(closeUnknownError, "The session was resumed elsewhere.")
		}
		se.stopTimer()
		missed := se.kept[int64(len(se.kept))-(se.seq-in.Seq):]
		missed = missed[:max(0, len(missed)-c.faults.Load().TruncateReplay)]
		se.connection, c.session = c, se
		for _, text := range missed {
			if !bytes.HasPrefix(text, resumedEvent) { // an earlier RESUMED would end the replay too soon
				c.queue(frame{text: text})
			}
		}
		se.dispatch("RESUMED", map[string]any{}, nil)
		g.noteArrival(se)
		g.w.events.PublishState()
	}
}

// disconnect removes a connection. Its session is kept for a while, unless the
// client ended it by closing with 1000 or 1001.
func (g *Gateway) disconnect(c *connection, code int) {
	g.w.Lock()
	defer g.w.Unlock()
	delete(g.connections, c)
	se := c.session
	if se == nil {
		return
	}
	g.detach(se)
	if code == websocket.CloseNormalClosure || code == websocket.CloseGoingAway {
		g.end(se)
	}
	g.w.events.PublishState()
}

// detach separates a session from its connection and keeps it for a while.
func (g *Gateway) detach(se *session) {
	se.connection.session, se.connection = nil, nil
	if g.w.Closed() {
		return
	}
	se.expiry = time.AfterFunc(sessionKept, func() {
		g.w.Lock()
		defer g.w.Unlock()
		if se.connection == nil {
			g.end(se)
		}
	})
}

// end removes a session that has no connection.
func (g *Gateway) end(se *session) {
	se.stopTimer()
	delete(g.sessions, se.id)
}

// noteArrival records that a bot has connected to a shard.
func (g *Gateway) noteArrival(se *session) {
	shards := g.arrivals[se.app]
	if shards == nil {
		shards = map[int]arrivals{}
		g.arrivals[se.app] = shards
	}
	shards[se.shardID()] = arrivals{shards[se.shardID()].n + 1, time.Now()}
}

// Connected reports whether a bot is Connected to the gateway.
func (g *Gateway) Connected(app string) bool {
	for _, se := range g.sessions {
		if se.app == app && se.connection != nil {
			return true
		}
	}
	return false
}
