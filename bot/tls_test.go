package bot_test

import (
	"context"
	"crypto/tls"
	"encoding/pem"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"

	"tictactoe/bot"
	"tictactoe/bot/rest"
)

// TestMain makes the process trust the certificate of httptest. It replaces the system's root certificates before their first use.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "roots")
	if err != nil {
		panic(err)
	}
	roots := filepath.Join(dir, "roots.pem")
	if err := os.WriteFile(roots, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate().Certificate[0]}), 0o600); err != nil {
		panic(err)
	}
	os.Setenv("SSL_CERT_FILE", roots)
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) { os.RemoveAll(dir); os.Exit(code) }))
}

func certificate() tls.Certificate {
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	return server.TLS.Certificates[0]
}

// TestTLS tests that the bot sees the gateway's close code through TLS.
func TestTLS(t *testing.T) {
	own := certificate()
	synctest.Test(t, func(t *testing.T) {
		listener := &pipes{accept: make(chan net.Conn), closed: make(chan struct{})}
		server := &http.Server{
			ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
			Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/ws/" {
					io.WriteString(w, `{"url":"wss://example.com/ws"}`)
					return
				}
				conn, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
				if err != nil {
					t.Error(err)
					return
				}
				g := &socket{conn: conn}
				g.hello()
				g.read()
				g.close(4014)
			}),
		}
		served := make(chan struct{})
		go func() {
			server.Serve(tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{own}}))
			close(served)
		}()
		defer func() { server.Close(); <-served }()

		client, err := rest.New(rest.Config{Token: secret, BaseURL: "https://example.com", Dial: listener.dial})
		if err != nil {
			t.Fatal(err)
		}
		wantFatal(t, bot.New(complete(client)).Run(context.Background(), hooks()), 4014)
	})
}
