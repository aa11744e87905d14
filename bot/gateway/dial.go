package gateway

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"tictactoe/bot/rest"
)

const (
	// handshakeTimeout bounds dialling and both handshakes.
	handshakeTimeout = 10 * time.Second
	// readBuffer is the size of the connection's read buffer in bytes. It holds a few clicks.
	readBuffer = 16 << 10
)

// dial connects to the gateway at an address, through the proxy of r if there is one. If the server answers with status 429, the error
// wraps a *messages.LimitError.
func dial(ctx context.Context, r *rest.Client, address string) (*websocket.Conn, error) {
	scheme, _, _ := strings.Cut(address, ":")
	open := r.DialFor("http" + strings.TrimPrefix(scheme, "ws"))
	stop := func() bool { return true }
	dialer := websocket.Dialer{
		HandshakeTimeout: handshakeTimeout,
		NetDialContext: func(dialing context.Context, network, addr string) (net.Conn, error) {
			conn, err := open(dialing, network, addr)
			if err == nil {
				stop = context.AfterFunc(ctx, func() { conn.Close() }) // closes conn when ctx ends, because the handshakes do not heed ctx
			}
			return conn, err
		},
		ReadBufferSize: readBuffer,
	}
	ws, resp, err := dialer.DialContext(ctx, strings.TrimSuffix(address, "/")+"/?v="+discordgo.APIVersion+"&encoding=json", nil)
	stop()
	if err != nil && resp != nil {
		err = fmt.Errorf("%w: HTTP %d", err, resp.StatusCode)
		if resp.StatusCode == http.StatusTooManyRequests {
			err = fmt.Errorf("%w: %w", err, rest.LimitOf(resp.Header))
		}
	}
	return ws, err
}

// Greet checks that the gateway can be reached: it connects, waits for HELLO and disconnects. It starts no session.
func Greet(ctx context.Context, r *rest.Client) error {
	address, err := r.GatewayAddress(ctx)
	if err != nil {
		return err
	}
	ws, err := dial(ctx, r, address)
	if err != nil {
		return fmt.Errorf("gateway %s: %w", address, err)
	}
	defer ws.Close()
	_ = ws.SetReadDeadline(time.Now().Add(helloTimeout))
	var hello message
	if err := ws.ReadJSON(&hello); err != nil {
		return fmt.Errorf("gateway %s: %w", address, err)
	}
	if hello.Op != opHello {
		return fmt.Errorf("gateway %s greets with op %d", address, hello.Op)
	}
	return nil
}
