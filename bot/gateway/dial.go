package gateway

import (
	"context"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

const (
	// handshakeTimeout bounds dialling and both handshakes.
	handshakeTimeout = 10 * time.Second
	// readBuffer is how many bytes are read from the connection at once: a few clicks.
	readBuffer = 16 << 10
)

// Dial connects to the gateway at an address. dial opens the network connection.
func Dial(
	ctx context.Context, dial func(ctx context.Context, network, addr string) (net.Conn, error), address string,
) (*websocket.Conn, error) {
	stop := func() bool { return true }
	dialer := websocket.Dialer{
		HandshakeTimeout: handshakeTimeout,
		NetDialContext: func(dialing context.Context, network, addr string) (net.Conn, error) {
			conn, err := dial(dialing, network, addr)
			if err == nil {
				stop = context.AfterFunc(ctx, func() { conn.Close() }) // stops when ctx ends, which the handshakes ignore
			}
			return conn, err
		},
		ReadBufferSize: readBuffer,
	}
	ws, resp, err := dialer.DialContext(ctx, strings.TrimSuffix(address, "/")+"/?v="+discordgo.APIVersion+"&encoding=json", nil)
	stop()
	if err != nil && resp != nil {
		err = fmt.Errorf("%w: HTTP %d", err, resp.StatusCode)
	}
	return ws, err
}

// greeting checks that the gateway sends HELLO, and closes the connection. It begins no session.
func greeting(ws *websocket.Conn) error {
	defer ws.Close()
	_ = ws.SetReadDeadline(time.Now().Add(helloTimeout))
	var hello message
	if err := ws.ReadJSON(&hello); err != nil {
		return err
	}
	if hello.Op != opHello {
		return fmt.Errorf("greets with op %d", hello.Op)
	}
	return nil
}
