package bot

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// newDiscordgo makes the discordgo.Session of one connection, which identifies on Open and sends heartbeats. Whatever else it
// would do by itself is off: reconnecting, because that ignores fatal close codes and cannot be stopped; the log, because it goes
// through a variable of the process and holds tokens; and the state. ended is closed once the Session has closed after an Open
// that succeeded.
//
// Test: TestConnecting for the intents; discordgo's default asks for every message.
func newDiscordgo(token string, shard Shard, conn net.Conn) (session *discordgo.Session, ended <-chan struct{}, err error) {
	session, err = discordgo.New("Bot " + token)
	if err != nil {
		return nil, nil, fmt.Errorf("session: %w", err)
	}
	session.LogLevel = discordgo.LogError - 1
	session.StateEnabled = false
	session.SyncEvents = true
	session.ShouldReconnectOnError = false
	session.Compress = false
	session.ShardID, session.ShardCount = shard.ID, shard.Of
	session.Identify.Intents = discordgo.IntentsGuilds
	session.Client = &http.Client{Transport: shimAddress{}}
	session.Dialer = &websocket.Dialer{NetDialContext: func(context.Context, string, string) (net.Conn, error) { return conn, nil }}
	closed := make(chan struct{})
	once := sync.OnceFunc(func() { close(closed) })
	session.AddHandler(func(*discordgo.Session, *discordgo.Disconnect) { once() })
	return session, closed, nil
}

// shimAddress answers the one request that a Session makes, which is where the gateway is.
type shimAddress struct{}

// RoundTrip implements http.RoundTripper.
func (shimAddress) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(`{"url":"ws://shim"}`)), Request: req,
	}, nil
}
