package gateway

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/gorilla/websocket"

	"tictactoe/discordsim/faults"
)

var upgrader = websocket.Upgrader{}

// upgrade upgrades a request to a websocket, or answers with the reason why it cannot.
func (g *Gateway) upgrade(w http.ResponseWriter, r *http.Request) (*websocket.Conn, error) {
	g.w.Lock()
	join := g.faults.Of("").Hello == faults.HelloWithUpgrade
	g.w.Unlock()
	if hijacker, is := w.(http.Hijacker); is && join {
		w = joiner{w, hijacker}
	}
	return upgrader.Upgrade(w, r, nil)
}

// greetInTime sends HELLO after the delay that the faults ask for. cancel stops a HELLO that was not sent yet.
func (c *connection) greetInTime() (cancel func() bool) {
	late := c.faults.Load().HelloDelayMS
	if late == 0 {
		c.greet()
		return func() bool { return false }
	}
	return time.AfterFunc(time.Duration(late)*time.Millisecond, c.greet).Stop
}

// greet sends HELLO, or its replacement according to the faults.
func (c *connection) greet() {
	c.expectHeartbeat()
	if c.faults.Load().Hello == faults.HelloReconnect {
		c.send(opReconnect, nil)
		return
	}
	text := fmt.Appendf(nil, `{"op":%d,"d":{"heartbeat_interval":%d},"s":null,"t":null}`, opHello, c.gateway.heartbeat.Milliseconds())
	c.hand(frame{text: text})
}

// joiner is a response writer whose hijacked connection joins its first two writes into one: the response to the
// upgrade, and the first frame.
type joiner struct {
	http.ResponseWriter
	hijacker http.Hijacker
}

// Hijack implements http.Hijacker.
func (j joiner) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := j.hijacker.Hijack()
	return &joined{Conn: conn}, buffered, err
}

// joined is the connection of a joiner. It holds the first write back and sends it together with the second.
type joined struct {
	net.Conn
	first  []byte // the bytes of the first write, until the second
	passed bool   // whether the first two writes have been sent
}

// Write implements net.Conn.
func (j *joined) Write(p []byte) (int, error) {
	switch {
	case j.passed:
		return j.Conn.Write(p)
	case j.first == nil:
		j.first = bytes.Clone(p)
		return len(p), nil
	}
	j.passed = true
	n, err := j.Conn.Write(append(j.first, p...))
	return max(0, n-len(j.first)), err
}
