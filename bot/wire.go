package bot

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

// Why a connection ended; a *websocket.CloseError is the other usual reason.
var (
	errSilent    = errors.New("the gateway fell silent")
	errReconnect = errors.New("the gateway asked to reconnect")
)

// invalidSession is the gateway's answer to an IDENTIFY or RESUME that it does not accept now.
type invalidSession struct{ resumable bool }

// Error implements error.
func (e *invalidSession) Error() string {
	return fmt.Sprintf("the gateway does not accept the session (resumable: %t)", e.resumable)
}

// Gateway opcodes that the wire looks for.
const (
	opReconnect      = 7
	opInvalidSession = 9
	opHello          = 10
	opHeartbeatACK   = 11
)

const (
	// helloTimeout is how long the first message may take.
	helloTimeout = 20 * time.Second
	// silenceSlack is added to two heartbeat intervals: one heartbeat may be lost, and the network may be slow.
	silenceSlack = 5 * time.Second
	// settleTime is how long the end of a connection is kept from discordgo.
	settleTime = 7 * time.Millisecond
	// writeTimeout bounds a write to a peer that does not read.
	writeTimeout = 10 * time.Second
	// askEvery is how long a heartbeat that was asked for may stay without an answer before another one is sent. Discord
	// takes 120 messages a minute.
	askEvery = time.Second
	// maxControl is the size up to which a text message is looked into for the opcodes above, which are far smaller.
	maxControl = 1024
	// maxEvent is the size up to which it is looked into for an interaction.
	maxEvent = 1 << 20
)

// wire is the gateway's connection as discordgo sees it. discordgo v0.29.0 mistreats several things that a gateway may
// legally do, and hides why a connection ended, so the wire reads along and keeps these from it:
//
//   - RECONNECT and INVALID SESSION end the connection here. In the first two messages the former would lock discordgo up
//     for ever, and on the latter it would identify at once, whatever our budget says.
//   - A heartbeat's acknowledgement among the first two messages is left out; it would lock discordgo up as well.
//   - Without an acknowledgement for two heartbeats the connection ends. discordgo would wait for five, and before the first
//     message for ever.
//   - After the end, writes succeed and do nothing. So only discordgo's reader learns of it, and its one way of closing is
//     taken once; and the close code 1000, which would make Discord drop the session, never leaves.
//   - Its closing sleeps for a second. When the bot stops, that is cut short.
//
// Interactions it takes for itself: discordgo would read each five times over, on the one goroutine that reads everything,
// and lose those with components that it does not know. It gets an empty event with the same number in their place.
//
// It also notes when the gateway was last heard, and can ask for a sign of life before the next heartbeat is due.
//
// The reason of the end is context.Cause(ctx), which is how a close code gets to the supervisor without discordgo's
// process-wide Logger.
type wire struct {
	net.Conn
	ctx  context.Context // ends with the connection
	fail context.CancelCauseFunc
	run  context.Context // of the bot
	last func()          // called when run has ended and discordgo with it

	// Of the reading goroutine:
	reader   *bufio.Reader
	greeted  bool // the first line of the handshake's answer has come
	upgraded bool
	messages int           // delivered so far
	window   time.Duration // how long an acknowledgement may take
	alive    time.Time     // when the last one came
	body     []byte        // of the latest message, used again for the next
	out      []byte        // to be delivered
	rest     uint64        // bytes to be delivered after out, as they come
	closing  bool          // out ends with a close frame

	framed atomic.Bool // upgraded, for the writing goroutines

	interaction taker

	clock     Clock
	woke      func() time.Time // see Config.Woke
	news      chan struct{}    // capacity 1: a frame has come
	mu        sync.Mutex
	heard     time.Time // by clock, when the latest frame began to arrive
	heartbeat []byte    // discordgo's latest, as it was sent
	asked     time.Time // by the real clock, when that was last sent again
	// sent are the heartbeats that have not been answered, and answered is when the latest was sent of those that have been:
	// all that was sent to us before has been read. By the real clock.
	sent     []time.Time
	answered time.Time
}

// taker takes an interaction as decode returned it, and when it was received.
type taker func(in *Interaction, broken error, received time.Time)

// newWire takes over the connection, hands on interactions, and dates what comes by the clock and by when this process last went
// on. When run ends it says goodbye with the close code farewell, which tells Discord whether to end the session at once. Then
// last is called, instead of discordgo's own report that it has closed.
func newWire(
	run context.Context, conn net.Conn, interaction taker, clock Clock, woke func() time.Time, farewell int, last func(),
) *wire {
	w := &wire{
		run: run, last: last, Conn: conn, reader: bufio.NewReaderSize(conn, 16<<10), window: helloTimeout,
		interaction: interaction, clock: clock, woke: woke, news: make(chan struct{}, 1), answered: time.Now(),
	}
	w.ctx, w.fail = context.WithCancelCause(run)
	context.AfterFunc(w.ctx, func() {
		if run.Err() != nil && w.framed.Load() {
			// A close frame with the code and, as every client's frame, a mask; the mask is zero.
			_ = conn.SetWriteDeadline(time.Now().Add(time.Second))
			_, _ = conn.Write(binary.BigEndian.AppendUint16([]byte{0x88, 0x82, 0, 0, 0, 0}, uint16(farewell)))
		}
		_ = bare(conn).Close()
	})
	return w
}

// bare is the connection without its TLS, whose Close would first wait for the peer to read a farewell.
func bare(conn net.Conn) net.Conn {
	if secure, ok := conn.(*tls.Conn); ok {
		return secure.NetConn()
	}
	return conn
}

// Read implements io.Reader.
func (w *wire) Read(p []byte) (int, error) {
	for len(w.out) == 0 && w.rest == 0 {
		if err := w.advance(); err != nil {
			if errors.Is(err, os.ErrDeadlineExceeded) {
				err = errSilent
			}
			w.fail(err)
			w.settle()
			return 0, err
		}
	}
	if len(w.out) == 0 {
		n, err := w.reader.Read(p[:min(uint64(len(p)), w.rest)])
		w.rest -= uint64(n)
		if err != nil {
			w.fail(err)
			w.settle()
		}
		return n, err
	}
	if w.closing {
		w.settle()
	}
	n := copy(p, w.out)
	w.out = w.out[n:]
	return n, nil
}

// settle lets discordgo's heartbeat finish what it is doing. Its Close sleeps for a second with the Session locked, and a
// heartbeat takes the same lock, so the reader should not call Close in the middle of one.
func (w *wire) settle() {
	if w.messages >= 2 {
		time.Sleep(settleTime)
	}
}

// Write implements io.Writer.
func (w *wire) Write(p []byte) (int, error) {
	if !w.framed.Load() {
		return w.Conn.Write(p)
	}
	if isClose(p) && w.run.Err() != nil {
		w.leave()
	}
	if isHeartbeat(p) {
		w.mu.Lock()
		w.heartbeat = bytes.Clone(p)
		w.sent = append(w.sent, time.Now())
		w.mu.Unlock()
	}
	w.send(p)
	return len(p), nil
}

// date is when what is read now was received. After this process was stopped that is when it went on, until the gateway has
// answered a heartbeat that was sent since: what comes before that answer may have waited here all the while.
func (w *wire) date() time.Time {
	w.mu.Lock()
	answered := w.answered
	w.mu.Unlock()
	if woke := w.woke(); !answered.After(woke) {
		return since(w.clock, woke)
	}
	return w.clock.Now()
}

// hearing notes that the gateway is heard. With the first that comes after this process was stopped it asks for a sign of life:
// the sooner that is there, the sooner dates are those of the clock.
func (w *wire) hearing() {
	heard, woke := w.date(), w.woke()
	w.mu.Lock()
	w.heard = heard
	var ask []byte
	if !w.answered.After(woke) && !slices.ContainsFunc(w.sent, func(at time.Time) bool { return at.After(woke) }) {
		ask = w.heartbeat
	}
	if ask != nil {
		w.asked = time.Now()
		w.sent = append(w.sent, w.asked)
	}
	w.mu.Unlock()
	signal(w.news)
	if ask != nil {
		w.send(ask)
	}
}

// answer notes that the gateway has answered the first of the heartbeats that it had not. One that stays without an answer
// while others get theirs is forgotten.
func (w *wire) answer() {
	w.mu.Lock()
	w.sent = slices.DeleteFunc(w.sent, func(at time.Time) bool { return time.Since(at) > w.window })
	if len(w.sent) > 0 {
		w.answered, w.sent = w.sent[0], w.sent[1:]
	}
	w.mu.Unlock()
}

// leave ends discordgo's reading goroutine, which has begun to close the Session: it has told its heartbeat to end, and
// after this frame it would sleep for a second, to close a connection that is closed. The Session stays locked, and nobody
// uses it any more.
func (w *wire) leave() {
	w.last()
	runtime.Goexit()
}

// isClose tells whether a frame closes the connection (RFC 6455, section 5.2).
func isClose(frame []byte) bool { return len(frame) > 0 && frame[0] == 0x80|websocket.CloseMessage }

// send writes one whole frame; discordgo's are small enough to come in one piece, so frames do not mix.
func (w *wire) send(frame []byte) {
	if w.ctx.Err() != nil {
		return
	}
	_ = w.Conn.SetWriteDeadline(time.Now().Add(writeTimeout))
	if _, err := w.Conn.Write(frame); err != nil {
		w.fail(fmt.Errorf("write: %w", err))
	}
}

// hear returns when the gateway was last heard. If that was before until, it asks for a sign of life and waits for it,
// while ctx and the connection last. Everything that came before that sign is with the dispatcher by then: discordgo hands
// on one message before it reads the next.
func (w *wire) hear(ctx context.Context, until time.Time) time.Time {
	for {
		w.mu.Lock()
		heard, ask := w.heard, w.heartbeat
		if !before(w.clock, heard, until) || w.ctx.Err() != nil {
			w.mu.Unlock()
			return heard
		}
		now := time.Now()
		if now.Sub(w.asked) < askEvery {
			ask = nil
		} else if ask != nil {
			w.asked = now
			w.sent = append(w.sent, now)
		}
		patience := time.NewTimer(max(askEvery-now.Sub(w.asked), askEvery/10))
		w.mu.Unlock()
		if ask != nil {
			w.send(ask) // again: discordgo keeps the number of the latest event to itself, and this is one it has said
		}
		select {
		case <-w.news:
		case <-patience.C:
		case <-w.ctx.Done():
		case <-ctx.Done():
			patience.Stop()
			return heard
		}
		patience.Stop()
	}
}

// isHeartbeat reads one frame of a client, whose text is masked (RFC 6455, section 5.3).
func isHeartbeat(frame []byte) bool {
	const head = `{"op":1,`
	if len(frame) < 6+len(head) || frame[0] != 0x81 || frame[1] > 0x80|125 {
		return false
	}
	mask, text := frame[2:6], frame[6:]
	for i := range len(head) {
		if text[i]^mask[i%4] != head[i] {
			return false
		}
	}
	return true
}

// advance reads the next piece and says in out and rest what of it to deliver, which may be nothing.
func (w *wire) advance() error {
	if !w.upgraded {
		return w.upgrade()
	}
	if w.alive.IsZero() {
		w.alive = time.Now()
	}
	if err := w.Conn.SetReadDeadline(w.alive.Add(w.window)); err != nil {
		return err
	}
	frame, err := readFrame(w.reader)
	if err != nil {
		return err
	}
	w.hearing()
	switch {
	case frame.opcode == websocket.CloseMessage && frame.size <= 125:
		body, err := frame.payload(w.reader)
		if err != nil {
			return err
		}
		w.fail(closeError(body))
		w.out, w.closing = append(frame.header, body...), true
		return nil
	case frame.opcode == websocket.TextMessage && frame.final && frame.size <= maxEvent:
		w.body = slices.Grow(w.body[:0], int(frame.size))[:frame.size]
		if _, err := io.ReadFull(w.reader, w.body); err != nil {
			return err
		}
		if stub := w.take(w.body); stub != nil {
			w.out = stub
			break
		}
		if frame.size <= maxControl {
			if deliver, err := w.inspect(w.body); err != nil || !deliver {
				return err
			}
		}
		w.out = append(append(w.out[:0], frame.header...), w.body...)
	default:
		w.out, w.rest = frame.header, frame.size
	}
	if frame.final && frame.opcode <= websocket.BinaryMessage {
		w.messages++
	}
	return nil
}

// upgrade delivers the next line of the answer to the websocket's handshake. If that fails, no frames follow.
func (w *wire) upgrade() error {
	line, err := w.reader.ReadSlice('\n')
	if err != nil {
		return err
	}
	if !w.greeted && !bytes.Contains(line, []byte(" 101 ")) {
		w.rest = math.MaxUint64 // refused: what follows is a page
	}
	w.greeted = true
	w.out = append(w.out[:0], line...)
	if len(line) <= 2 {
		w.upgraded = true
		w.framed.Store(true)
	}
	return nil
}

// take hands on an interaction and returns the frame that discordgo gets in its place, nil if the message is none.
func (w *wire) take(body []byte) []byte {
	if !bytes.Contains(body, []byte(`"`+interactionCreate+`"`)) {
		return nil
	}
	in, sequence, err := decodeEvent(body)
	if errors.Is(err, errOtherEvent) {
		return nil
	}
	if in != nil {
		in.sequence = sequence
	}
	w.interaction(in, err, w.date())
	stub := fmt.Appendf([]byte{0x81, 0}, `{"op":0,"s":%d,"t":"INTERACTION_TAKEN","d":null}`, sequence)
	stub[1] = byte(len(stub) - 2) // below 126
	return stub
}

// inspect reports whether discordgo may see the message, or why the connection ends.
func (w *wire) inspect(body []byte) (deliver bool, err error) {
	var message struct {
		Op   int             `json:"op"`
		Data json.RawMessage `json:"d"`
	}
	if json.Unmarshal(body, &message) != nil {
		return true, nil // discordgo will say the same
	}
	switch message.Op {
	case opReconnect:
		return false, errReconnect
	case opInvalidSession:
		return false, &invalidSession{resumable: string(message.Data) == "true"}
	case opHello:
		var hello struct {
			Interval float64 `json:"heartbeat_interval"` // milliseconds
		}
		if json.Unmarshal(message.Data, &hello) == nil && hello.Interval > 0 {
			w.window = 2*time.Duration(hello.Interval)*time.Millisecond + silenceSlack
		}
		w.alive = time.Now()
	case opHeartbeatACK:
		w.alive = time.Now()
		w.answer()
		w.hearing()
		return w.messages >= 2, nil
	}
	return true, nil
}

// frame is the header of a websocket frame (RFC 6455, section 5.2).
type frame struct {
	header []byte
	final  bool
	opcode int
	size   uint64 // of what follows the header
}

func readFrame(r io.Reader) (frame, error) {
	header := make([]byte, 2, 16)
	if _, err := io.ReadFull(r, header); err != nil {
		return frame{}, err
	}
	more := 0
	size := uint64(header[1] & 0x7f)
	switch size {
	case 126:
		more = 2
	case 127:
		more = 8
	}
	header = header[:2+more]
	if _, err := io.ReadFull(r, header[2:]); err != nil {
		return frame{}, err
	}
	switch more {
	case 2:
		size = uint64(binary.BigEndian.Uint16(header[2:]))
	case 8:
		size = binary.BigEndian.Uint64(header[2:])
	}
	if header[1]&0x80 != 0 {
		return frame{}, errors.New("masked frame from a server")
	}
	return frame{header: header, final: header[0]&0x80 != 0, opcode: int(header[0] & 0x0f), size: size}, nil
}

func (f frame) payload(r io.Reader) ([]byte, error) {
	body := make([]byte, f.size)
	_, err := io.ReadFull(r, body)
	return body, err
}

// closeError reads the body of a close frame.
func closeError(body []byte) *websocket.CloseError {
	if len(body) < 2 {
		return &websocket.CloseError{Code: websocket.CloseNoStatusReceived}
	}
	return &websocket.CloseError{Code: int(binary.BigEndian.Uint16(body)), Text: string(body[2:])}
}
