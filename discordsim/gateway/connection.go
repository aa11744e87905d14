package gateway

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

	"tictactoe/discordsim/faults"
	"tictactoe/discordsim/transcript"
	"tictactoe/discordsim/world"
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
	CloseUnknownError      = 4000
	CloseUnknownOpcode     = 4001
	CloseDecode            = 4002
	CloseNotAuthenticated  = 4003
	CloseAuthentication    = 4004
	CloseAlreadyIdentified = 4005
	CloseInvalidSeq        = 4007
	CloseRateLimited       = 4008
	CloseTimedOut          = 4009
	CloseInvalidShard      = 4010
	CloseShardingRequired  = 4011
	CloseInvalidVersion    = 4012
	CloseInvalidIntents    = 4013
	CloseDisallowedIntents = 4014
)

const (
	// maxPayload is the largest frame that a client may send, in bytes.
	maxPayload = 4096
	// maxRead is the size in bytes from which a frame is not read and the connection is cut.
	maxRead = 1 << 20
	// A client may send maxSends frames in sendWindow.
	maxSends   = 120
	sendWindow = time.Minute
	// outbox is how many frames may wait for a slow client before its connection is cut.
	outbox = 4096
	// writeWithin is how long one frame may take to be written.
	writeWithin = 10 * time.Second
	// lingerAfterClose is how long a client may take to disconnect after the close code.
	lingerAfterClose = time.Second
	// compressFrom is the size in bytes from which a frame is compressed for a client
	// that asked for compression. READY and GUILD_CREATE are always compressed.
	compressFrom = 8 << 10
	// invalidAfter is the pause before an IDENTIFY or a RESUME is refused by op 9.
	invalidAfter = 100 * time.Millisecond
	// answerBeat is how long a client may take to answer a heartbeat (op 1).
	answerBeat = 10 * time.Second
)

// payload is a gateway frame that a client sends.
type payload struct {
	Op int             `json:"op"`
	D  json.RawMessage `json:"d"`
}

// connection is a client's gateway connection. The goroutine that serves the
// request reads; a second goroutine writes.
type connection struct {
	gateway *Gateway
	ws      *websocket.Conn
	resumes string // the URL at which the client may resume
	version int
	stream  *stream // nil without stream compression; used only by the writer
	out     chan frame
	stop    chan struct{} // closed by the reader when it is done
	closing atomic.Bool   // set when the close code is sent
	sends   []time.Time   // times of the frames within sendWindow; used only by the reader
	beat    *time.Timer   // fires when a heartbeat is overdue

	app    atomic.Pointer[string]        // nil until the client has named its application
	faults atomic.Pointer[faults.Faults] // the faults that affect this client

	session  *session // guarded by the world's lock
	compress bool     // set before the session's first frame
}

// frame is an item of the write queue: a payload, or a close code that ends the connection.
type frame struct {
	text     []byte
	compress bool
	code     int
	reason   string
	written  chan<- struct{} // closed after the frame is on the wire; may be nil
}

// ServeHTTP serves one gateway connection from beginning to end.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ws, err := g.upgrade(w, r)
	if err != nil {
		return // the upgrader has sent the error
	}
	ws.SetReadLimit(maxRead)
	c := &connection{
		gateway: g, ws: ws, resumes: world.GatewayAt(r) + "/resume", version: 10,
		out: make(chan frame, outbox), stop: make(chan struct{}),
	}
	if !g.connect(c) {
		ws.Close()
		return
	}
	defer g.w.Serving.Done()
	code, refusal := c.accept(r)
	lacks := ""
	if r.URL.Query().Get("encoding") == "etf" {
		lacks = "encoding=etf on the gateway"
		g.w.NoteAbsence("", lacks) // the application is not known yet
	}
	g.transcript.Add(transcript.Entry{
		Kind: transcript.OverGateway, By: transcript.ByBot, Method: r.Method, Path: r.URL.RequestURI(), Absent: lacks,
	})
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
	g.transcript.Add(transcript.Entry{
		Kind: transcript.OverGateway, By: transcript.ByBot, Application: c.application(), Status: cmp.Or(code, websocket.CloseAbnormalClosure),
	})
	c.beat.Stop()
	g.disconnect(c, code)
	close(c.stop)
	<-written
	ws.Close()
}

// connect registers a connection unless the simulator is closed.
func (g *Gateway) connect(c *connection) bool {
	g.w.Lock()
	defer g.w.Unlock()
	if g.w.Closed() {
		return false
	}
	c.faults.Store(g.faults.Of(""))
	c.beat = time.AfterFunc(g.heartbeat*3/2, c.heartbeatOverdue)
	g.connections[c] = struct{}{}
	g.w.Serving.Add(1)
	return true
}

// accept checks the client's connection parameters and returns a close code and a
// reason if they are not supported.
func (c *connection) accept(r *http.Request) (code int, refusal string) {
	query := r.URL.Query()
	switch v := query.Get("v"); v {
	case "9", "10":
		c.version, _ = strconv.Atoi(v)
	case "":
	default:
		return CloseInvalidVersion, "Invalid API version."
	}
	if e := query.Get("encoding"); e != "" && e != "json" {
		return CloseDecode, "This gateway speaks encoding=json only."
	}
	if kind := query.Get("compress"); kind != "" {
		var err error
		if c.stream, err = newStream(kind); err != nil {
			return CloseDecode, fmt.Sprintf("Unknown compression %.20q.", kind)
		}
	}
	return 0, ""
}

// serve reads until the connection ends and returns the client's close code.
func (c *connection) serve() (code int) {
	// A client that closes its connection may end its session. The session must be gone before the client gets the
	// response to its close frame.
	answerClose := c.ws.CloseHandler()
	c.ws.SetCloseHandler(func(code int, text string) error {
		if c.closing.Load() {
			c.gateway.disconnect(c, 0) // the simulator closed the connection, so the client's code does not end the session
		} else {
			c.gateway.disconnect(c, code)
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

// heartbeatOverdue ends a connection whose heartbeats have stopped. The session can still be resumed, since only the
// connection is dead.
func (c *connection) heartbeatOverdue() { c.close(CloseUnknownError, "No heartbeat came in time.") }

// expectHeartbeat gives the client one and a half intervals to send the next heartbeat.
func (c *connection) expectHeartbeat() { c.beat.Reset(c.gateway.heartbeat * 3 / 2) }

// askForHeartbeat sends op 1, which a client must answer at once.
func (c *connection) askForHeartbeat() {
	c.send(opHeartbeat, nil)
	c.beat.Reset(answerBeat)
}

// application returns the id of the client's application, or "" if it has not named one yet.
func (c *connection) application() string {
	if app := c.app.Load(); app != nil {
		return *app
	}
	return ""
}

// introduce records the application named by an IDENTIFY or RESUME, even if the request is then refused.
func (c *connection) introduce(d json.RawMessage) {
	var in struct {
		Token string `json:"token"`
	}
	if json.Unmarshal(d, &in) != nil {
		return
	}
	c.gateway.transcript.Hide(in.Token)
	app, valid := world.ApplicationOf(in.Token)
	if !valid {
		return
	}
	c.gateway.w.Lock()
	defer c.gateway.w.Unlock()
	c.app.Store(&app)
	c.faults.Store(c.gateway.faults.Of(app))
}

func (c *connection) receive(text []byte) {
	now := time.Now()
	c.sends = append(slices.DeleteFunc(c.sends, func(t time.Time) bool { return now.Sub(t) >= sendWindow }), now)
	if len(c.sends) > maxSends && !c.gateway.w.Unlimited() {
		c.close(CloseRateLimited, "You are being rate limited.")
		return
	}
	var p payload
	bad := len(text) > maxPayload || json.Unmarshal(text, &p) != nil
	if !bad && (p.Op == opIdentify || p.Op == opResume) {
		c.introduce(p.D)
	}
	lacks := absentOpcodes[p.Op]
	c.gateway.transcript.Add(transcript.Entry{
		Kind: transcript.OverGateway, By: transcript.ByBot, Application: c.application(), Body: text, Absent: lacks,
	})
	if bad {
		c.close(CloseDecode, "Error while decoding payload.")
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
			c.close(CloseNotAuthenticated, "Not authenticated.")
		case lacks != "":
			c.gateway.w.NoteAbsence(c.application(), lacks)
		case p.Op == opRequestMembers:
			c.requestMembers(p.D)
		case p.Op == opPresence && !isPresence(p.D):
			c.close(CloseDecode, "Error while decoding payload.")
		}
	default:
		c.close(CloseUnknownOpcode, "Unknown opcode.")
	}
}

// absentOpcodes are the opcodes of Discord that are not simulated.
var absentOpcodes = map[int]string{
	opVoiceState: "Update Voice State (op 4)", opSoundboard: "Request Soundboard Sounds (op 31)",
	opChannelInfo: "Request Channel Info (op 43)",
}

func (c *connection) identified() bool {
	c.gateway.w.Lock()
	defer c.gateway.w.Unlock()
	return c.session != nil
}

// send queues a payload that is not an event.
func (c *connection) send(op int, d any) {
	c.queue(frame{text: world.MustJSON(map[string]any{"op": op, "d": d, "s": nil, "t": nil})})
}

// sendInvalidSession sends op 9 after a pause. Discord never sends it within a millisecond of the request, and a
// client that is not ready for it so early would fail only with the simulator.
func (c *connection) sendInvalidSession(resumable bool) {
	c.gateway.w.Later(invalidAfter, func() { c.send(opInvalidSession, resumable) })
}

// sendClose sends the close code. The reader then discards input for a moment: closing a socket with unread data
// resets the connection, and the client might never see the code.
func (c *connection) sendClose(code int, reason string) {
	c.closing.Store(true)
	err := c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason), time.Now().Add(writeWithin))
	if err != nil {
		c.drop()
		return
	}
	c.ws.NetConn().SetReadDeadline(time.Now().Add(lingerAfterClose))
}

// queue gives a frame to the writer, unless the fault Silent is set.
func (c *connection) queue(f frame) {
	if c.faults.Load().Silent && f.code == 0 {
		return
	}
	c.hand(f)
}

// hand gives a frame to the writer. It cuts the connection of a client that has let the queue fill up.
func (c *connection) hand(f frame) {
	select {
	case c.out <- f:
	default:
		c.drop()
	}
}

// close ends the connection with a close code after the frames already queued.
func (c *connection) close(code int, reason string) { c.queue(frame{code: code, reason: reason}) }

// drop cuts the connection without a close frame.
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
		note := transcript.Entry{Kind: transcript.OverGateway, By: transcript.BySim, Application: c.application(), Body: f.text}
		if f.code != 0 {
			note.Status, note.Body = f.code, []byte(f.reason)
			c.gateway.transcript.Add(note)
			c.sendClose(f.code, f.reason)
			return
		}
		c.gateway.transcript.Add(note)
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
