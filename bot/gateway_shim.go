package bot

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

const (
	// writeTimeout bounds a write to a peer that does not read.
	writeTimeout = 10 * time.Second
	// partingTime is how long the end of a connection is kept from discordgo. Its Close sleeps for a second with the Session locked. A
	// heartbeat that is due at that moment would wait for the lock, and in a synctest bubble for ever, because no time passes there while
	// anybody waits for a lock. Any short time lets the heartbeat go first.
	partingTime = 7 * time.Millisecond
)

// shim is the connection shim: it stands between Discord's gateway and a discordgo.Session, with a websocket to each. To
// discordgo it is a gateway that does nothing unusual.
//
// Defect: discordgo v0.29.0 does not say why a connection ended; its Close tells Discord to drop the session, by code 1000, and
// keeps the Session locked for a second; and an event of an unusual form panics on a goroutine of its own.
//
// Cure: the shim reads what Discord sends and handles the events. discordgo learns when to identify, how often to send a
// heartbeat, that its session stands, and which heartbeats were answered. When the connection ends the cause of ctx says why,
// discordgo only sees an end, and no close frame leaves unless the bot stops. Each connection has a Session of its own, so nobody
// waits for the one before.
//
// Cost: a websocket in memory for each connection. discordgo sleeps for a second after each, which the end of Run waits for.
//
// Test: TestFatalCodes, TestConnecting, TestStopping, TestDefectsOfDiscordgo.
type shim struct {
	ctx     context.Context // ends with the connection
	end     context.CancelCauseFunc
	log     *slog.Logger
	discord *websocket.Conn
	local   net.Conn // the shim's end of the connection to discordgo
	resume  resumption
	probe   *probe
	window  time.Duration // within which the gateway has to answer; see hearWithin
	// supervisor handles what Discord sends, in the order of the messages: all comes from one goroutine.
	supervisor *supervisor

	client   *websocket.Conn // to discordgo, over local
	accepted bool            // Discord has sent READY or RESUMED; of the reading goroutine

	writing sync.Mutex     // of discord
	serving sync.WaitGroup // of serve
}

// start takes over the connection to Discord and returns the connection that discordgo gets. The shim ends with run, and then closes the
// connection with the code farewell, by which Discord keeps the session or drops it.
func (s *shim) start(run context.Context, farewell int) net.Conn {
	local, forDiscordgo := net.Pipe()
	s.local = local
	s.hearWithin(helloTimeout)
	s.ctx, s.end = context.WithCancelCause(run)
	s.discord.SetCloseHandler(func(int, string) error { return nil }) // it would answer with the same code
	context.AfterFunc(s.ctx, func() {
		if run.Err() != nil {
			_ = s.discord.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(farewell, ""), time.Now().Add(time.Second))
		}
		_ = withoutTLS(s.discord.NetConn()).Close()
		time.AfterFunc(partingTime, func() { _ = local.Close() })
	})
	return forDiscordgo
}

// withoutTLS is the connection below TLS, whose Close would first wait for the peer to read a farewell.
func withoutTLS(conn net.Conn) net.Conn {
	if secure, ok := conn.(*tls.Conn); ok {
		return secure.NetConn()
	}
	return conn
}

// serve hands messages on until the connection ends.
func (s *shim) serve() {
	var err error
	if s.client, err = accept(s.local); err != nil {
		s.end(fmt.Errorf("discordgo: %w", err))
		return
	}
	var ended sync.WaitGroup
	ended.Go(func() { s.end(s.fromDiscordgo()) })
	s.end(s.fromDiscord())
	ended.Wait()
}

// accept answers the websocket's handshake of a client.
func accept(conn net.Conn) (*websocket.Conn, error) {
	request, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return nil, err
	}
	return (&websocket.Upgrader{}).Upgrade(&hijacked{conn: conn}, request, nil)
}

// hijacked is a response whose connection is taken over before anything is written.
type hijacked struct {
	http.ResponseWriter
	conn net.Conn
}

// Hijack implements http.Hijacker.
func (h *hijacked) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return h.conn, bufio.NewReadWriter(bufio.NewReader(h.conn), bufio.NewWriter(h.conn)), nil
}

// message is one of the gateway's.
type message struct {
	envelope
	Data json.RawMessage `json:"d"`
}

// envelope is what every message of the gateway has beside its data.
type envelope struct {
	Op       int    `json:"op"`
	Sequence int64  `json:"s"`
	Type     string `json:"t"`
}

// fromDiscord handles what Discord sends until that ends, and returns why it did.
func (s *shim) fromDiscord() error {
	var body bytes.Buffer
	for {
		_, r, err := s.discord.NextReader()
		if err == nil {
			body.Reset()
			_, err = body.ReadFrom(r)
		}
		if err == nil {
			err = s.handle(body.Bytes())
		}
		if err != nil {
			return silent(err)
		}
	}
}

// handle handles a message. The error ends the connection. A panic does not: the message would come again.
func (s *shim) handle(body []byte) error {
	defer func() {
		if v := recover(); v != nil {
			s.log.Error("a message of the gateway was not handled", "err", fmt.Sprintf("panic: %v\n%s", v, debug.Stack()))
		}
	}()
	at := s.probe.received()
	if s.takeInteraction(body, at) {
		return nil
	}
	var m message
	if err := json.Unmarshal(body, &m); err != nil {
		s.log.Warn("a message of the gateway was not understood", "err", err)
		return nil
	}
	if m.Op != opEvent {
		return s.control(m)
	}
	s.supervisor.event(m.Type, m.Sequence, m.Data)
	if m.Type != "READY" && m.Type != "RESUMED" {
		return nil
	}
	s.accepted = true
	s.probe.begin()
	return s.tell(`{"op":0,"s":%d,"t":"RESUMED","d":{}}`, m.Sequence)
}

// tell sends a message to discordgo.
func (s *shim) tell(format string, args ...any) error {
	_ = s.local.SetWriteDeadline(time.Now().Add(writeTimeout))
	if err := s.client.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, format, args...)); err != nil {
		return fmt.Errorf("discordgo: %w", err)
	}
	return nil
}

// fromDiscordgo sends on what discordgo sends until the connection ends, and returns why it did.
func (s *shim) fromDiscordgo() (err error) {
	defer Recovered(&err)
	for {
		_, body, err := s.client.ReadMessage()
		if err != nil {
			return fmt.Errorf("discordgo: %w", err)
		}
		var m message
		if err := json.Unmarshal(body, &m); err != nil {
			return fmt.Errorf("discordgo: %w", err)
		}
		switch m.Op {
		case opHeartbeat:
			s.beat()
		case opIdentify:
			s.send(s.resume.inPlaceOf(body))
		default:
			s.send(body)
		}
	}
}

// beat sends a heartbeat.
func (s *shim) beat() {
	s.probe.sending()
	s.send(fmt.Appendf(nil, `{"op":%d,"d":%d}`, opHeartbeat, s.supervisor.session.get().Sequence))
}

// send sends a message to Discord. A failure ends the connection.
func (s *shim) send(body []byte) {
	s.writing.Lock()
	defer s.writing.Unlock()
	_ = s.discord.SetWriteDeadline(time.Now().Add(writeTimeout))
	if err := s.discord.WriteMessage(websocket.TextMessage, body); err != nil {
		s.end(fmt.Errorf("write: %w", err))
	}
}
