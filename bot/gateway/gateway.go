// Package gateway is a client of Discord's gateway. A Conn is one connection: it identifies or resumes, sends heartbeats, passes events
// on, and reports why it ended. Its caller decides when to connect, and with which session. The protocol is Discord's "Gateway".
package gateway

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// Opcodes of gateway messages.
const (
	opEvent          = 0
	opHeartbeat      = 1
	opIdentify       = 2
	opResume         = 6
	opReconnect      = 7
	opInvalidSession = 9
	opHello          = 10
	opHeartbeatACK   = 11
)

// CloseToResume is the close code with which the bot ends a connection whose session is to be resumed. Discord keeps the session after all
// codes except 1000 and 1001.
const CloseToResume = 4000

const (
	// helloTimeout bounds the wait for HELLO, and writeTimeout a write to a server that does not read.
	helloTimeout = 5 * time.Second
	writeTimeout = 10 * time.Second
	// missedHeartbeats is how many heartbeat intervals may pass without an acknowledgement, so that one heartbeat may be lost. silenceSlack
	// is added for a slow network.
	missedHeartbeats = 2
	silenceSlack     = 5 * time.Second
	// longestInterval bounds the heartbeat interval that a gateway may request. Discord requests 41 seconds.
	longestInterval = time.Hour
)

var (
	errReconnect = errors.New("the gateway asked to reconnect")
	errSilent    = errors.New("the gateway fell silent")
)

// InvalidSession is the error of a connection that ends because the gateway rejects its IDENTIFY or RESUME (op 9).
type InvalidSession struct{ Resumable bool }

// Error implements error.
func (e *InvalidSession) Error() string {
	return fmt.Sprintf("the gateway does not accept the session (resumable: %t)", e.Resumable)
}

// EndsSession reports whether err, with which a connection ended, means that its session cannot be resumed.
func EndsSession(err error) bool {
	if invalid, is := errors.AsType[*InvalidSession](err); is {
		return !invalid.Resumable
	}
	if errors.Is(err, errSlow) {
		return true
	}
	// The three close codes mean "not authenticated", "invalid sequence" and "session timed out"; see Discord's "Gateway Close Event
	// Codes".
	closed, is := errors.AsType[*websocket.CloseError](err)
	return is && slices.Contains([]int{4003, 4007, 4009}, closed.Code)
}

// Config says how a connection begins, and what handles its events.
type Config struct {
	Token    string // with the prefix "Bot "
	Intents  discordgo.Intent
	Shard    [2]int // the shard's id, and the number of the bot's shards
	Session  string // the session to resume; empty begins a new one
	Sequence int64  // the number of the latest event of that session
	// Handle gets each event, in order and from one goroutine. The connection reads nothing until Handle returns.
	Handle func(Event)
	// CloseCode is sent when the context of the connection ends.
	CloseCode int
	// Woke returns when this process last continued after being stopped, as by SIGSTOP, or zero if it was never stopped.
	Woke func() time.Time
	Log  *slog.Logger
}

// Event is an event of the gateway, such as INTERACTION_CREATE.
type Event struct {
	Type     string
	Sequence int64
	Data     json.RawMessage
	Received time.Time // see [Received]
}

// Conn is a connection to the gateway. It sends IDENTIFY or RESUME, and heartbeats. Heartbeats that Discord has not asked for are at least
// a second apart, because Discord accepts 120 messages a minute.
type Conn struct {
	Config
	ws       *websocket.Conn
	ctx      context.Context // ends with the connection
	end      context.CancelCauseFunc
	accepted chan struct{} // closed at READY or RESUMED
	accept   func()        // closes accepted
	running  sync.WaitGroup
	sequence atomic.Int64 // number of the latest event
	writing  sync.Mutex   // guards writes to ws
	greeted  bool         // HELLO was received; only the reading goroutine uses greeted and window
	window   time.Duration
	signs    signs
}

// New returns a Conn on a websocket connection made by dial. The Conn ends with ctx. The caller must call [Conn.Open] next.
func New(ctx context.Context, ws *websocket.Conn, config Config) *Conn {
	c := &Conn{Config: config, ws: ws, accepted: make(chan struct{}), signs: signs{news: make(chan struct{}, 1)}}
	c.accept = sync.OnceFunc(func() { close(c.accepted) })
	c.sequence.Store(config.Sequence)
	c.ctx, c.end = context.WithCancelCause(ctx)
	ws.SetCloseHandler(func(int, string) error { return nil }) // the default handler would answer with the same code
	c.hearWithin(helloTimeout)
	c.running.Add(1)
	context.AfterFunc(c.ctx, func() {
		defer c.running.Done()
		if ctx.Err() != nil {
			_ = ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(config.CloseCode, ""), time.Now().Add(time.Second))
		}
		conn := ws.NetConn()
		for secure, is := conn.(*tls.Conn); is; secure, is = conn.(*tls.Conn) { // a proxy may add a second layer of TLS
			conn = secure.NetConn() // closing the TLS layer would wait for the server to read an alert
		}
		_ = conn.Close()
	})
	return c
}

// Open returns nil once Discord has accepted the session by READY or RESUMED. If ctx ends first, Open ends the connection.
func (c *Conn) Open(ctx context.Context) error {
	c.running.Go(c.read)
	select {
	case <-c.accepted:
	case <-c.ctx.Done():
	case <-ctx.Done():
		c.end(context.Cause(ctx))
	}
	return context.Cause(c.ctx)
}

// Context returns a context that ends with the connection. Its cause says why: *websocket.CloseError, *InvalidSession or another error.
func (c *Conn) Context() context.Context { return c.ctx }

// Wait blocks until the connection is closed and its last event is handled.
func (c *Conn) Wait() { c.running.Wait() }

// message is the form of all messages that the gateway sends.
type message struct {
	Op       int             `json:"op"`
	Sequence int64           `json:"s"`
	Type     string          `json:"t"`
	Data     json.RawMessage `json:"d"`
}

// read handles messages until the connection ends.
func (c *Conn) read() {
	for {
		_, body, err := c.ws.ReadMessage()
		if err == nil {
			err = c.handle(body)
		}
		if timeout, is := errors.AsType[net.Error](err); is && timeout.Timeout() {
			err = errSilent
		}
		if err != nil {
			c.end(err)
			return
		}
	}
}

// handle handles a message. If it returns an error, the connection ends. A panic is only logged, because after a reconnection the same
// message would come again.
func (c *Conn) handle(body []byte) error {
	defer func() {
		if v := recover(); v != nil {
			c.Log.Error("a message of the gateway was not handled", "err", fmt.Sprintf("panic: %v\n%s", v, debug.Stack()))
		}
	}()
	var m message
	if err := json.Unmarshal(body, &m); err != nil {
		c.Log.Warn("a message of the gateway was not understood", "err", err)
		return nil
	}
	at := c.signs.received(c.Woke(), m.Op == opHeartbeatACK)
	switch m.Op {
	case opEvent:
		c.sequence.Store(max(c.sequence.Load(), m.Sequence))
		c.Handle(Event{m.Type, m.Sequence, m.Data, at})
		if m.Type == "READY" || m.Type == "RESUMED" {
			c.accept()
		}
	case opHeartbeat:
		c.beat()
	case opReconnect:
		return errReconnect
	case opInvalidSession:
		return &InvalidSession{Resumable: string(m.Data) == "true"}
	case opHello:
		return c.hello(m.Data)
	case opHeartbeatACK:
		c.hearWithin(c.window)
	}
	return nil
}

// hello answers HELLO with RESUME or IDENTIFY, and starts the heartbeats.
func (c *Conn) hello(data json.RawMessage) error {
	var hello struct {
		Interval float64 `json:"heartbeat_interval"` // milliseconds
	}
	if err := json.Unmarshal(data, &hello); err != nil {
		return fmt.Errorf("read HELLO: %w", err)
	}
	if hello.Interval < 1 || hello.Interval > float64(longestInterval.Milliseconds()) {
		return fmt.Errorf("the gateway asks for a heartbeat every %v ms, which makes no sense", hello.Interval)
	}
	if c.greeted {
		return nil
	}
	c.greeted = true
	interval := time.Duration(hello.Interval) * time.Millisecond
	c.hearWithin(missedHeartbeats*interval + silenceSlack)
	if c.Session != "" {
		c.send(opResume, map[string]any{"token": c.Token, "session_id": c.Session, "seq": c.Sequence})
	} else {
		properties := map[string]string{"os": runtime.GOOS, "browser": "tictactoe", "device": "tictactoe"}
		c.send(opIdentify, map[string]any{"token": c.Token, "intents": c.Intents, "shard": c.Shard, "properties": properties})
	}
	c.running.Go(func() { c.heartbeats(interval) })
	return nil
}

// send sends a message. If that fails, the connection ends.
func (c *Conn) send(op int, data any) {
	body, err := json.Marshal(map[string]any{"op": op, "d": data})
	c.writing.Lock()
	defer c.writing.Unlock()
	_ = c.ws.SetWriteDeadline(time.Now().Add(writeTimeout))
	if err = errors.Join(err, c.ws.WriteMessage(websocket.TextMessage, body)); err != nil {
		c.end(fmt.Errorf("write: %w", err))
	}
}
