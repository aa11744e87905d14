// Package endpoint receives interactions over HTTP. It passes on the requests that Discord has signed, and keeps strangers from
// exhausting the connections and memory that Discord's requests need.
package endpoint

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/netutil"
	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"
)

const (
	// Path is the path of the interactions endpoint.
	Path = "/interactions"

	// maxInteraction bounds the body of a request, in bytes. Interactions with the bot's own messages have some thousands.
	maxInteraction = 256 << 10
	// usualInteraction is the room for a click on a board of 3x3, so that most requests are read into one piece of memory.
	usualInteraction = 8 << 10
	// freshFor is how far the signed time of a request may be from this machine's clock. Discord signs each request when it sends it, so
	// freshFor is how far the two clocks may differ. doctor reports the same difference as an error (wrongClock in
	// cmd/tictactoe/doctor.go).
	freshFor = time.Minute
	// maxConnections bounds the connections that are open at once. More wait until one is closed.
	maxConnections = 4096
	// maxUnverified bounds the bytes of large bodies whose signatures are not verified yet, over all connections. A body is large beyond
	// smallBody bytes; a click on any board stays below.
	maxUnverified = 16 << 20
	smallBody     = 16 << 10
	// headerTimeout and readTimeout bound how long the headers of a request, and all of it, may take to come in. Discord's requests are
	// complete within milliseconds, so strangers who fill all connections keep it waiting for a second.
	headerTimeout = time.Second
	readTimeout   = 2 * time.Second
	// ResponseTimeout is how long Discord waits for the response.
	ResponseTimeout = 3 * time.Second
	// endpointTimeout bounds a request from its first line to the end of its response.
	endpointTimeout = 10 * time.Second
	// idleTimeout is longer than usual proxies' idle time, so that no proxy uses a connection that is about to be closed.
	idleTimeout = 3 * time.Minute
	// adviseEvery is how often the log reports requests with a wrong time.
	adviseEvery = 10 * time.Second
	// lastRequests is how long a request that is arriving when the bot stops may take.
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

// Server receives interactions over HTTP.
type Server struct {
	key    ed25519.PublicKey
	handle func(body []byte, response *Response) (status int)
	log    *slog.Logger

	server *http.Server
	large  *semaphore.Weighted // bytes of large bodies that are not verified
	stale  atomic.Int64        // requests that were too old since the last log line about them
	advise rate.Sometimes
}

// New returns a server that passes on the bodies of requests that were signed with the key, each with its response. handle returns the
// status with which the server answers at once, or 0 if the response will be written or the request may time out.
func New(key ed25519.PublicKey, log *slog.Logger, handle func(body []byte, response *Response) (status int)) *Server {
	s := &Server{
		key: key, handle: handle, log: log, large: semaphore.NewWeighted(maxUnverified), advise: rate.Sometimes{Interval: adviseEvery},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+Path, s.take)
	s.server = &http.Server{
		Handler: closing(mux), ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: endpointTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	return s
}

// Serve serves until ctx ends, which is not an error, or the listener fails. Open requests may still be answered, until Close.
func (s *Server) Serve(ctx context.Context, listener net.Listener) (err error) {
	served := make(chan error, 1)
	go func() { served <- s.server.Serve(netutil.LimitListener(drainingListener{listener}, maxConnections)) }()
	select {
	case err = <-served:
	case <-ctx.Done():
		if l, ok := listener.(deadliner); ok && l.SetDeadline(time.Now()) == nil {
			select {
			case <-served:
			case <-time.After(lastRequests):
			}
		}
	}
	last, stop := context.WithTimeout(context.WithoutCancel(ctx), lastRequests)
	defer stop()
	_ = s.server.Shutdown(last) // requests that it does not wait for are answered until Close
	return err
}

// Close closes all connections.
func (s *Server) Close() { _ = s.server.Close() }

// deadliner is a listener with a deadline, such as a [net.TCPListener].
type deadliner interface {
	SetDeadline(time.Time) error
}

// drainingListener accepts the connections in the backlog when its listener's deadline has passed, before it reports that it is closed.
// Closing the listener at once would cut off clients that are connected but not accepted yet.
type drainingListener struct{ net.Listener }

// The backlog is empty when Accept has waited for lastLook in vain. If that wait ended later than promptly allows, it is repeated,
// because clients may have connected meanwhile.
const (
	lastLook = 10 * time.Millisecond
	promptly = time.Millisecond
)

// Accept implements net.Listener.
func (l drainingListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	for errors.Is(err, os.ErrDeadlineExceeded) {
		due := time.Now().Add(lastLook)
		if err := l.Listener.(deadliner).SetDeadline(due); err != nil {
			return nil, err
		}
		conn, err = l.Listener.Accept()
		if errors.Is(err, os.ErrDeadlineExceeded) && time.Since(due) < promptly {
			return nil, net.ErrClosed
		}
	}
	return conn, err
}

// closing closes the connection after each response, unless the handler deletes that header: only Discord's connections are kept open.
func closing(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		h.ServeHTTP(w, r)
	})
}

// take serves a request. It verifies the signature before it checks anything else: a request without a valid signature is answered with
// 401, whatever other faults it has.
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
	response := &Response{w: w, over: make(chan struct{})}
	if status := s.handle(body, response); status != 0 {
		response.Write(status, "", nil)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), ResponseTimeout)
	defer cancel()
	select {
	case <-response.over:
	case <-ctx.Done():
		response.Write(http.StatusServiceUnavailable, "", nil) // from now on only the callback route is left
	}
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

// fresh reports whether a request was signed within freshFor of now by this machine's clock, and logs if it was not: either a sender
// replays an old request, or a clock is wrong.
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

// Response is the response to a request that brought an interaction. Only the first call of Write writes it.
type Response struct {
	over chan struct{} // closed when the response is written

	mu sync.Mutex
	w  http.ResponseWriter // nil once the response is written
}

// Write writes the response unless it is written already, and reports whether it did so and the response was sent. An empty kind means no
// content. On a nil response it does nothing.
func (r *Response) Write(status int, kind string, content []byte) bool {
	if r == nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.w == nil {
		return false
	}
	w := r.w
	r.w = nil
	defer close(r.over)
	if kind != "" {
		w.Header().Set("Content-Type", kind)
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(content)))
	w.WriteHeader(status)
	if _, err := w.Write(content); err != nil {
		return false
	}
	return http.NewResponseController(w).Flush() == nil
}
