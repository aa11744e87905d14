package bot_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
)

// TestProxyWithTLS tests that the bot reaches the API and the gateway through a proxy that is reached by TLS, and that it verifies
// Discord's certificate behind the proxy.
func TestProxyWithTLS(t *testing.T) {
	discord := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Proxy-Authorization") != "" {
			t.Error("Discord was told the proxy's password")
		}
		if r.URL.Path != "/ws/" {
			io.WriteString(w, `{"url":"wss://example.com/ws"}`)
			return
		}
		conn, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		conn.WriteJSON(map[string]any{"op": 10, "d": map[string]any{"heartbeat_interval": 40000}})
		conn.ReadMessage() // waits for the end of the connection
	}))
	defer discord.Close()

	refuse, asked := 0, []string{}
	proxy := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Method+" "+r.Host+" "+r.Header.Get("Proxy-Authorization"))
		if refuse != 0 {
			w.WriteHeader(refuse)
			return
		}
		client, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer client.Close()
		server, err := net.Dial("tcp", discord.Listener.Addr().String())
		if err != nil {
			t.Error(err)
			return
		}
		io.WriteString(client, "HTTP/1.1 200 OK\r\n\r\n")
		go func() {
			io.Copy(server, client)
			server.Close()
		}()
		io.Copy(client, server)
	}))
	defer proxy.Close()

	through := url.URL{Scheme: "https", Host: proxy.Listener.Addr().String(), User: url.UserPassword("me", "p@ss")}
	client, err := rest.New(rest.Config{Token: secret, BaseURL: "https://example.com", Proxy: http.ProxyURL(&through)})
	if err != nil {
		t.Fatal(err)
	}
	if err := gateway.Greet(context.Background(), client); err != nil {
		t.Fatal(err)
	}
	const want = "CONNECT example.com:443 Basic bWU6cEBzcw=="
	if got := strings.Join(asked, ", "); got != want+", "+want {
		t.Errorf("the proxy was asked for %s", got)
	}

	t.Run("a refusal names the proxy, without its password", func(t *testing.T) {
		refuse = http.StatusProxyAuthRequired
		again, err := rest.New(rest.Config{Token: secret, BaseURL: "https://example.com", Proxy: http.ProxyURL(&through)})
		if err != nil {
			t.Fatal(err)
		}
		err = gateway.Greet(context.Background(), again)
		if refused, is := errors.AsType[*rest.ProxyError](err); !is || refused.Status != refuse || rest.IsAnswer(err) {
			t.Fatalf("the error is %v", err)
		}
		if !strings.Contains(err.Error(), "the proxy https://127.0.0.1:") || strings.Contains(err.Error(), "ss@") || strings.Contains(err.Error(), "p@") {
			t.Errorf("the error is %v", err)
		}
	})
}
