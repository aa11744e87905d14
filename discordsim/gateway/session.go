package gateway

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/gorilla/websocket"

	"tictactoe/discordsim/faults"
	"tictactoe/discordsim/world"
)

// resetToken revokes a token and ends all sessions begun with it, as Discord does
// when an application identifies too often.
func (g *Gateway) resetToken(app, token string) {
	g.w.Accounts.Revoke(token)
	for _, se := range g.sessions {
		if se.app != app {
			continue
		}
		if c := se.connection; c != nil {
			g.detach(se)
			c.close(CloseAuthentication, "Authentication failed.")
		}
		g.end(se)
	}
	g.w.Events.PublishState()
}

const (
	privilegedIntents = world.IntentGuildMembers | world.IntentPresences | world.IntentMessageContent
	// knownIntents are bits 0 to 16, 20, 21, 24 and 25.
	knownIntents = 1<<17 - 1 | 1<<20 | 1<<21 | 1<<24 | 1<<25
)

const (
	// sessionKept is how long a disconnected session can be resumed, in real time.
	sessionKept = 5 * time.Minute
	// maxGuilds is the maximum number of servers on one shard.
	maxGuilds = 2500
)

// session is a bot's logical connection, which outlives its socket. It is
// guarded by the world's lock.
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

// shardID returns the id of the session's shard, or 0 for a session without shards.
func (se *session) shardID() int {
	if se.shard == nil {
		return 0
	}
	return se.shard[0]
}

// resumedEvent is the beginning of the RESUMED event, which ends a replay.
var resumedEvent = fmt.Appendf(nil, `{"op":%d,"t":"RESUMED"`, opDispatch)

// dispatch numbers an event, stores it for a resume and sends it if the bot is connected. d is the event's object, or
// the object's JSON if several sessions receive the event. If the channel written is not nil, it is closed once the
// event is on the wire.
func (se *session) dispatch(kind string, d any, written chan<- struct{}) {
	se.seq++
	body, raw := d.(json.RawMessage)
	if !raw {
		body = world.MustJSON(d)
	}
	text := make([]byte, 0, len(body)+len(kind)+48)
	text = fmt.Appendf(text, `{"op":%d,"t":%q,"s":%d,"d":`, opDispatch, kind, se.seq)
	text = append(append(text, body...), '}')
	se.kept = append(se.kept, text)
	if len(se.kept) > faults.MaxReplay {
		se.kept = append([][]byte(nil), se.kept[faults.MaxReplay/2:]...)
	}
	if c := se.connection; c != nil {
		c.queue(frame{
			text: text, written: written,
			compress: c.compress && (kind == "READY" || kind == "GUILD_CREATE" || len(text) >= compressFrom),
		})
	}
}

// identify handles op 2, which begins a session.
func (c *connection) identify(d json.RawMessage) {
	var in struct {
		Token      string         `json:"token"`
		Properties map[string]any `json:"properties"`
		Intents    *int           `json:"intents"`
		Compress   bool           `json:"compress"`
		Shard      []int          `json:"shard"`
	}
	if json.Unmarshal(d, &in) != nil || in.Intents == nil || in.Properties == nil {
		c.close(CloseDecode, "Error while decoding payload.")
		return
	}
	app, valid := world.ApplicationOf(in.Token)
	code, reason := 0, ""
	switch {
	case c.identified():
		code, reason = CloseAlreadyIdentified, "Already authenticated."
	case !valid || c.gateway.w.Accounts.IsRevoked(in.Token):
		code, reason = CloseAuthentication, "Authentication failed."
	case in.Shard != nil && (len(in.Shard) != 2 || in.Shard[0] < 0 || in.Shard[0] >= in.Shard[1]):
		code, reason = CloseInvalidShard, "Invalid shard."
	case *in.Intents&^knownIntents != 0:
		code, reason = CloseInvalidIntents, "Invalid intent(s)."
	case *in.Intents&privilegedIntents != 0 && !c.gateway.w.Config.PrivilegedIntents:
		code, reason = CloseDisallowedIntents, "Disallowed intent(s)."
	}
	if code != 0 {
		c.close(code, reason)
		return
	}
	c.compress = in.Compress // has no effect if the connection is a compressed stream
	err := c.gateway.w.Locked(func() error {
		var shard *[2]int
		if in.Shard != nil {
			shard = (*[2]int)(in.Shard)
		}
		c.gateway.start(c, app, in.Token, *in.Intents, shard)
		return nil
	})
	if err != nil {
		c.close(CloseUnknownError, "Unknown error.")
	}
}

// start begins a session, if the application may begin one now and no fault prevents it.
func (g *Gateway) start(c *connection, app, token string, intents int, shard *[2]int) {
	if g.guildsOf(app, shard) > maxGuilds {
		c.close(CloseShardingRequired, "Sharding required.")
		return
	}
	key := int64(0)
	if shard != nil {
		key = int64(shard[0] % g.w.Config.MaxConcurrency)
	}
	switch g.w.Accounts.MayStart(app, key) {
	case world.TooSoon:
		c.sendInvalidSession(false)
		return
	case world.Exhausted:
		c.close(CloseAuthentication, "Authentication failed.")
		g.resetToken(app, token)
		return
	}
	switch f := c.faults.Load(); {
	case f.AfterIdentify == faults.AfterIdentifyReconnect:
		c.send(opReconnect, nil)
		return
	case f.AfterIdentify != "":
		c.sendInvalidSession(f.AfterIdentify == faults.AfterIdentifyInvalidResumable)
		return
	case f.Hello == faults.HelloACK:
		c.send(opHeartbeatACK, nil)
	}
	g.begin(c, app, intents, shard)
}

// guildsOf counts the servers whose events a session of the application would receive.
func (g *Gateway) guildsOf(app string, shard *[2]int) (n int) {
	se := session{shard: shard}
	for id := range g.w.State.Guilds {
		if g.w.State.Installed(app, id) && se.concerns(id) {
			n++
		}
	}
	return n
}

// begin creates a session, sends READY and then a GUILD_CREATE for each server.
func (g *Gateway) begin(c *connection, app string, intents int, shard *[2]int) {
	g.w.Accounts.Enrol(app)
	se := &session{id: rand.Text(), app: app, intents: intents, shard: shard, connection: c}
	g.sessions[se.id], c.session = se, se
	type unavailable struct {
		ID          string `json:"id"`
		Unavailable bool   `json:"unavailable"`
	}
	guilds := []unavailable{}
	var known []*world.Guild
	for _, id := range g.w.State.GuildOrder {
		if g.w.State.Installed(app, id) && se.concerns(id) {
			guilds = append(guilds, unavailable{id, true})
			known = append(known, g.w.State.Guilds[id])
		}
	}
	ready := map[string]any{
		"v": c.version, "user": g.w.State.Self(app), "guilds": guilds, "private_channels": []any{}, "relationships": []any{},
		"session_id": se.id, "session_type": "normal", "resume_gateway_url": c.resumes,
		"application": map[string]any{"id": app, "flags": 0},
	}
	if shard != nil {
		ready["shard"] = shard
	}
	se.dispatch("READY", ready, nil)
	g.noteArrival(se)
	if intents&world.IntentGuilds != 0 {
		for _, guild := range known {
			se.dispatch("GUILD_CREATE", g.w.State.GuildCreate(guild, app), nil)
		}
	}
	g.w.Events.PublishState()
}

// resume handles op 6, which resumes a session after the last event that the client received.
func (c *connection) resume(d json.RawMessage) {
	var in struct {
		Token   string `json:"token"`
		Session string `json:"session_id"`
		Seq     int64  `json:"seq"`
	}
	if json.Unmarshal(d, &in) != nil {
		c.close(CloseDecode, "Error while decoding payload.")
		return
	}
	g := c.gateway
	app, valid := world.ApplicationOf(in.Token)
	if !valid || g.w.Accounts.IsRevoked(in.Token) {
		c.close(CloseAuthentication, "Authentication failed.")
		return
	}
	g.w.Lock()
	defer g.w.Unlock()
	se := g.sessions[in.Session]
	switch {
	case c.session != nil:
		c.close(CloseAlreadyIdentified, "Already authenticated.")
	case se == nil || se.app != app || in.Seq < se.seq-int64(len(se.kept)):
		c.sendInvalidSession(false)
	case in.Seq > se.seq:
		c.close(CloseInvalidSeq, "Invalid seq.")
	default:
		if old := se.connection; old != nil {
			g.detach(se)
			old.close(CloseUnknownError, "The session was resumed elsewhere.")
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
		g.w.Events.PublishState()
	}
}

// disconnect removes a connection. Its session can still be resumed, unless the client ended it by closing with 1000
// or 1001.
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
	g.w.Events.PublishState()
}

// detach separates a session from its connection and keeps it for sessionKept.
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

// Connected reports whether a bot is connected to the gateway.
func (g *Gateway) Connected(app string) bool {
	for _, se := range g.sessions {
		if se.app == app && se.connection != nil {
			return true
		}
	}
	return false
}
