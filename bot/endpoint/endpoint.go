// Package endpoint receives interactions over HTTP. It passes on the requests that Discord has signed, and keeps strangers from
// exhausting the connections and memory that Discord's requests need.
package endpoint

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"fmt"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"golang.org/x/net/netutil"
	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"
)

const (
	// Path is the path of the interactions endpoint.
	Path = "/interactions"

	// maxInteraction is the maximum size of a request's body, in bytes. Clicks on the bot's messages have some thousands.
	maxInteraction = 256 << 10
	// usualInteraction is enough room, in bytes, for the body of a click on a board of 3x3, so that most bodies are read into one piece of
	// memory.
	usualInteraction = 8 << 10
	// freshFor is how much the signed time of a request may differ from this machine's clock. Discord signs each request when it is sent,
	// so this bounds the difference between the two clocks. doctor reports a greater difference as an error (wrongClock in
	// cmd/tictactoe/doctor.go).
	freshFor = time.Minute
	// maxConnections bounds the connections that are open at once. More wait until one is closed.
	maxConnections = 4096
	// maxUnverified bounds the memory, in bytes over all connections, for large bodies whose signatures are not verified yet. A body is
	// large if it has more than smallBody bytes, which a click on a board never has.
	maxUnverified = 16 << 20
	smallBody     = 16 << 10
	// headerTimeout and readTimeout bound the time in which the headers of a request, and the whole request, must arrive. Discord's
	// requests arrive within milliseconds. A stranger who fills all connections can keep Discord waiting for a second at most.
	headerTimeout = time.Second
	readTimeout   = 2 * time.Second
	// writeTimeout bounds a request from the end of its headers to the end of its response.
	writeTimeout = 5 * time.Second
	// idleTimeout is longer than usual proxies' idle time, so that no proxy uses a connection that is about to be closed.
	idleTimeout = 3 * time.Minute
	// adviseEvery is the minimum time between two log lines about requests with a wrong time.
	adviseEvery = 10 * time.Second
	// lastRequests is how long a stopping server waits for requests that are arriving.
	lastRequests = time.Second
)

// ParseKey reads an application's public key as the developer portal shows it: 64 hexadecimal digits.
func ParseKey(text string) (ed25519.PublicKey, error) {
	key, err := hex.DecodeString(text)
	if err != nil || len(key) != ed25519.PublicKeySize {
		return nil, fmt.Errorf("a public key has %d hexadecimal digits, not %q", 2*ed25519.PublicKeySize, text)
	}
	return key, nil
}

// Server receives interactions over HTTP. It passes on only requests that Discord has signed.
type Server struct {
	key    ed25519.PublicKey
	handle func(body []byte) (status int, content []byte)
	log    *slog.Logger

	server *http.Server
	large  *semaphore.Weighted // the bytes of large bodies whose signatures are not verified yet
	stale  atomic.Int64        // how many requests had a wrong time since the last log line about them
	advise rate.Sometimes
}

// New returns a server that calls handle with the body of each request that was signed with the key. handle must not block. It returns
// the status of the response and, if the response has content, JSON.
func New(key ed25519.PublicKey, log *slog.Logger, handle func(body []byte) (status int, content []byte)) *Server {
	s := &Server{
		key: key, handle: handle, log: log, large: semaphore.NewWeighted(maxUnverified), advise: rate.Sometimes{Interval: adviseEvery},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+Path, s.take)
	s.server = &http.Server{
		Handler: closing(mux), ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	return s
}

// Serve serves requests until ctx ends, which is not an error, or the listener fails. Before it returns, it closes all connections.
func (s *Server) Serve(ctx context.Context, listener net.Listener) (err error) {
	served := make(chan error, 1)
	go func() { served <- s.server.Serve(netutil.LimitListener(listener, maxConnections)) }()
	defer s.server.Close()
	select {
	case err = <-served:
	case <-ctx.Done():
		last, stop := context.WithTimeout(context.WithoutCancel(ctx), lastRequests)
		defer stop()
		_ = s.server.Shutdown(last)
	}
	return err
}

// closing makes the server close the connection after each response, by the header "Connection: close". The handler deletes this header for
// requests of Discord, whose connections stay open.
func closing(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		h.ServeHTTP(w, r)
	})
}

// take serves a request. It verifies the signature first, and answers a request without a valid signature with 401, whatever else is wrong
// with it.
func (s *Server) take(w http.ResponseWriter, r *http.Request) {
	body, ok := s.verify(w, r)
	if !ok {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	w.Header().Del("Connection")
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		w.WriteHeader(http.StatusUnsupportedMediaType)
		return
	}
	status, content := s.handle(body)
	if len(content) > 0 {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(status)
	_, _ = w.Write(content) // Discord, or a proxy before us, may have abandoned the request
}

// verify reads the body of a request and reports whether the holder of the key signed it recently. A body that is too large or incomplete
// counts as unsigned.
func (s *Server) verify(w http.ResponseWriter, r *http.Request) (body []byte, ok bool) {
	stamp, signature := r.Header.Get("X-Signature-Timestamp"), r.Header.Get("X-Signature-Ed25519")
	if len(signature) != 2*ed25519.SignatureSize {
		return nil, false
	}
	size := r.ContentLength
	if size < 0 || size > maxInteraction {
		size = maxInteraction
	}
	if size > smallBody {
		if s.large.Acquire(r.Context(), size) != nil {
			return nil, false
		}
		defer s.large.Release(size)
	}
	var message bytes.Buffer // the signed bytes: the time, immediately followed by the body
	message.Grow(usualInteraction)
	message.WriteString(stamp)
	if _, err := message.ReadFrom(http.MaxBytesReader(w, r.Body, maxInteraction)); err != nil {
		return nil, false
	}
	return message.Bytes()[len(stamp):], signed(s.key, signature, message.Bytes()) && s.fresh(stamp)
}

// signed reports whether a message was signed with the key.
func signed(key ed25519.PublicKey, signature string, message []byte) bool {
	raw, err := hex.DecodeString(signature)
	return err == nil && ed25519.Verify(key, message, raw)
}

// fresh reports whether the signed time of a request is within freshFor of this machine's clock. If not, it logs an error, because someone
// repeats an old request or a clock is wrong.
func (s *Server) fresh(stamp string) bool {
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil {
		return false
	}
	age := time.Since(time.Unix(seconds, 0))
	if age.Abs() <= freshFor {
		return true
	}
	s.stale.Add(1)
	s.advise.Do(func() {
		s.log.Error("requests refused: signature too old or from the future; check this machine's clock", "requests", s.stale.Swap(0), "age", age.Round(time.Second).String())
	})
	return false
}
