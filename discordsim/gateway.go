package discordsim

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

// The gateway's opcodes.
const (
	opDispatch       = 0
	opHeartbeat      = 1
	opIdentify       = 2
	opPresence       = 3
	opVoiceState     = 4
	opResume         = 6
	opReconnect      = 7
	opRequestMembers = 8
	opInvalidSession = 9
	opHello          = 10
	opHeartbeatACK   = 11
	opSoundboard     = 31
	opChannelInfo    = 43
)

// The gateway's close codes.
const (
	closeUnknownError      = 4000
	closeUnknownOpcode     = 4001
	closeDecode            = 4002
	closeNotAuthenticated  = 4003
	closeAuthentication    = 4004
	closeAlreadyIdentified = 4005
	closeInvalidSeq        = 4007
	closeRateLimited       = 4008
	closeTimedOut          = 4009
	closeInvalidShard      = 4010
	closeShardingRequired  = 4011
	closeInvalidVersion    = 4012
	closeInvalidIntents    = 4013
	closeDisallowedIntents = 4014
)

const (
	// maxPayload is the largest frame that a client may send, in bytes.
	maxPayload = 4096
	// maxRead is the size in bytes of a frame from which the connection is cut
	// without reading it.
	maxRead = 1 << 20
	// A client may send maxSends frames in sendWindow.
	maxSends   = 120
	sendWindow = time.Minute
	// outbox is how many frames may wait for a slow client before it is cut off.
	outbox = 4096
	// writeWithin is how long one frame may take to be written.
	writeWithin = 10 * time.Second
	// lingerAfterClose is how long a client may take to hang up after the close code.
	lingerAfterClose = time.Second
	// compressFrom is the size in bytes from which a frame is compressed for a
	// client that asked for it. READY and GUILD_CREATE always are.
	compressFrom = 8 << 10
	// answerBeat is how long a client may take to answer a heartbeat (op 1).
	answerBeat = 10 * time.Second
)

// payload is one frame of the gateway, as a client sends it.
type payload struct {
	Op int             `json:"op"`
	D  json.RawMessage `json:"d"`
}

// connection is one client on the gateway. The goroutine that serves the
// request reads; one of its own writes.
type connection struct {
	sim     *Sim
	ws      *websocket.Conn
	resumes string // where the client may resume
	version int
	stream  *stream // nil: not compressed as a stream; the writer's
	out     chan frame
	stop    chan struct{} // closed by the reader when it is done
	closing atomic.Bool   // the close code is on its way
	sends   []time.Time   // of the last minute; the reader's
	beat    *time.Timer   // to the end of the wait for a heartbeat

	app    atomic.Pointer[string] // the application, once the client has named one
	faults atomic.Pointer[Faults] // that this client suffers

	session  *session // guarded by sim.mu
	compress bool     // set before the session's first frame
}

// frame is something to write: a payload, or the end with a close code.
type frame struct {
	text     []byte
	compress bool
	code     int
	reason   string
	written  chan<- struct{} // closed after the frame is on the wire; may be nil
}

// serveGateway is one connection from beginning to end.
func (s *Sim) serveGateway(w http.ResponseWriter, r *http.Request) {
	ws, err := s.upgrade(w, r)
	if err != nil {
		return // the upgrader has answered
	}
	ws.SetReadLimit(maxRead)
	c := &connection{
		sim: s, ws: ws, resumes: gatewayAt(r) + "/resume", version: 10,
		out: make(chan frame, outbox), stop: make(chan struct{}),
	}
	if !s.connect(c) {
		ws.Close()
		return
	}
	defer s.serving.Done()
	code, refusal := c.accept(r)
	lacks := ""
	if r.URL.Query().Get("encoding") == "etf" {
		lacks = "encoding=etf on the gateway"
		s.noteAbsence("", lacks) // nobody has said yet which application it is
	}
	s.transcript.add(said{kind: overGateway, by: byBot, method: r.Method, path: r.URL.RequestURI(), lacks: lacks})
	written := make(chan struct{})
	go func() {
		defer close(written)
		c.writeAll()
	}()
	if code != 0 {
		c.close(code, refusal)
	} else {
		defer c.greetInTime()()
	}
	code = c.serve()
	s.transcript.add(said{kind: overGateway, by: byBot, application: c.application(), status: cmp.Or(code, websocket.CloseAbnormalClosure)})
	c.beat.Stop()
	s.disconnect(c, code)
	close(c.stop)
	<-written
	ws.Close()
}

// connect registers a connection unless the simulator is closed.
func (s *Sim) connect(c *connection) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	c.faults.Store(s.faultsOf(""))
	c.beat = time.AfterFunc(s.config.Heartbeat*3/2, c.fellSilent)
	s.connections[c] = struct{}{}
	s.serving.Add(1)
	return true
}

// accept looks at what the client asks for and returns why it cannot have it.
func (c *connection) accept(r *http.Request) (code int, refusal string) {
	query := r.URL.Query()
	switch v := query.Get("v"); v {
	case "9", "10":
		c.version, _ = strconv.Atoi(v)
	case "":
	default:
		return closeInvalidVersion, "Invalid API version."
	}
	if e := query.Get("encoding"); e != "" && e != "json" {
		return closeDecode, "This gateway speaks encoding=json only."
	}
	if kind := query.Get("compress"); kind != "" {
		var err error
		if c.stream, err = newStream(kind); err != nil {
			return closeDecode, fmt.Sprintf("Unknown compression %.20q.", kind)
		}
	}
	return 0, ""
}

// serve reads until the end and returns the code that the client closed with.
func (c *connection) serve() (code int) {
	// A session that the client ends by closing must be gone when the client gets
	// the answer to its close frame.
	answerClose := c.ws.CloseHandler()
	c.ws.SetCloseHandler(func(code int, text string) error {
		if c.closing.Load() {
			c.sim.disconnect(c, 0) // we closed; whatever code comes back does not end the session
		} else {
			c.sim.disconnect(c, code)
		}
		return answerClose(code, text)
	})
	for {
		_, text, err := c.ws.ReadMessage()
		if err != nil {
			var closed *websocket.CloseError
			if errors.As(err, &closed) {
				return closed.Code
			}
			return 0
		}
		if !c.closing.Load() {
			c.receive(text)
		}
	}
}

// fellSilent ends a connection whose heartbeats have stopped. The session can
// still be resumed, since only the connection is dead.
func (c *connection) fellSilent() { c.close(closeUnknownError, "No heartbeat came in time.") }

// expectHeartbeat gives the client one and a half intervals until the next
// heartbeat.
func (c *connection) expectHeartbeat() { c.beat.Reset(c.sim.config.Heartbeat * 3 / 2) }

// askForHeartbeat sends op 1, which a client answers at once.
func (c *connection) askForHeartbeat() {
	c.send(opHeartbeat, nil)
	c.beat.Reset(answerBeat)
}

// application returns the id of the client's application, or "" as long as it has named none.
func (c *connection) application() string {
	if app := c.app.Load(); app != nil {
		return *app
	}
	return ""
}

// introduce notes which application an IDENTIFY or RESUME is of, be it accepted or not.
func (c *connection) introduce(d json.RawMessage) {
	var in struct {
		Token string `json:"token"`
	}
	if json.Unmarshal(d, &in) != nil {
		return
	}
	c.sim.transcript.hide(in.Token)
	app, valid := applicationOf(in.Token)
	if !valid {
		return
	}
	c.sim.mu.Lock()
	defer c.sim.mu.Unlock()
	c.app.Store(&app)
	c.faults.Store(c.sim.faultsOf(app))
}

func (c *connection) receive(text []byte) {
	now := time.Now()
	c.sends = append(slices.DeleteFunc(c.sends, func(t time.Time) bool { return now.Sub(t) >= sendWindow }), now)
	if len(c.sends) > maxSends && !c.sim.unlimited.Load() {
		c.close(closeRateLimited, "You are being rate limited.")
		return
	}
	var p payload
	bad := len(text) > maxPayload || json.Unmarshal(text, &p) != nil
	if !bad && (p.Op == opIdentify || p.Op == opResume) {
		c.introduce(p.D)
	}
	lacks := absentOpcodes[p.Op]
	c.sim.transcript.add(said{kind: overGateway, by: byBot, application: c.application(), body: text, lacks: lacks})
	if bad {
		c.close(closeDecode, "Error while decoding payload.")
		return
	}
	switch p.Op {
	case opHeartbeat:
		c.expectHeartbeat()
		if !c.faults.Load().NoACKs {
			c.send(opHeartbeatACK, nil)
		}
	case opIdentify:
		c.identify(p.D)
	case opResume:
		c.resume(p.D)
	case opPresence, opVoiceState, opRequestMembers, opSoundboard, opChannelInfo:
		switch {
		case !c.identified():
			c.close(closeNotAuthenticated, "Not authenticated.")
		case lacks != "":
			c.sim.noteAbsence(c.application(), lacks)
		case p.Op == opRequestMembers:
			c.requestMembers(p.D)
		case p.Op == opPresence && !isPresence(p.D):
			c.close(closeDecode, "Error while decoding payload.")
		}
	default:
		c.close(closeUnknownOpcode, "Unknown opcode.")
	}
}

// absentOpcodes are the opcodes of Discord's that are not simulated.
var absentOpcodes = map[int]string{
	opVoiceState: "Update Voice State (op 4)", opSoundboard: "Request Soundboard Sounds (op 31)",
	opChannelInfo: "Request Channel Info (op 43)",
}

func (c *connection) identified() bool {
	c.sim.mu.Lock()
	defer c.sim.mu.Unlock()
	return c.session != nil
}

// send queues a payload that is not an event.
func (c *connection) send(op int, d any) {
	c.queue(frame{text: mustJSON(map[string]any{"op": op, "d": d, "s": nil, "t": nil})})
}

// sayGoodbye sends the close code. The reader goes on for a moment and ignores
// what comes: a socket closed with something unread is reset, and the client
// might never see the code.
func (c *connection) sayGoodbye(code int, reason string) {
	c.closing.Store(true)
	err := c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason), time.Now().Add(writeWithin))
	if err != nil {
		c.drop()
		return
	}
	c.ws.NetConn().SetReadDeadline(time.Now().Add(lingerAfterClose))
}

// queue hands a frame to the writer, unless the gateway has fallen silent.
func (c *connection) queue(f frame) {
	if c.faults.Load().Silent && f.code == 0 {
		return
	}
	c.hand(f)
}

// hand gives a frame to the writer. A client that has let the queue fill is cut off.
func (c *connection) hand(f frame) {
	select {
	case c.out <- f:
	default:
		c.drop()
	}
}

// close ends the connection with a code once what was queued before is written.
func (c *connection) close(code int, reason string) { c.queue(frame{code: code, reason: reason}) }

// drop cuts the connection without a word.
func (c *connection) drop() { c.ws.NetConn().Close() }

// writeAll writes the queued frames until the connection ends.
func (c *connection) writeAll() {
	var single deflater
	for {
		var f frame
		select {
		case f = <-c.out:
		case <-c.stop:
			return
		}
		c.ws.SetWriteDeadline(time.Now().Add(writeWithin))
		note := said{kind: overGateway, by: bySim, application: c.application(), body: f.text}
		if f.code != 0 {
			note.status, note.body = f.code, []byte(f.reason)
			c.sim.transcript.add(note)
			c.sayGoodbye(f.code, f.reason)
			return
		}
		c.sim.transcript.add(note)
		kind, text := websocket.TextMessage, f.text
		switch {
		case c.stream != nil:
			kind, text = websocket.BinaryMessage, c.stream.pack(text)
		case f.compress:
			kind, text = websocket.BinaryMessage, single.pack(text)
		}
		if err := c.ws.WriteMessage(kind, text); err != nil {
			c.drop()
			return
		}
		if f.written != nil {
			close(f.written)
		}
	}
}
