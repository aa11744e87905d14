package bot

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

	"tictactoe/internal/replica/claim"
	"tictactoe/internal/replica/session"
)

const (
	// EndpointPath is the path of the interactions endpoint.
	EndpointPath = "/interactions"

	// maxInteraction bounds the body of a request, in bytes. Those that the bot's own messages lead to have some thousands.
	maxInteraction = 256 << 10
	// usualInteraction is the room for a click on a board of 3x3, so that most requests are read into one piece of memory.
	usualInteraction = 8 << 10
	// freshFor is how far the signed time of a request may be from this machine's clock. Discord's requests are new, so this is
	// how much the clocks may differ. doctor reports the same difference as an error (wrongClock in cmd/tictactoe/doctor.go).
	freshFor = time.Minute
	// maxConnections bounds the connections that are open at once. More wait until one is closed.
	maxConnections = 4096
	// maxUnverified bounds the bytes of large bodies whose signature is not verified yet, over all connections. A body is large beyond
	// smallBody bytes, which a click on any board has not.
	maxUnverified = 16 << 20
	smallBody     = 16 << 10
	// headerTimeout and readTimeout bound how long the headers of a request, and all of it, may take to come in. Discord's requests are
	// complete within milliseconds, so strangers who fill all connections keep it waiting for a second.
	headerTimeout = time.Second
	readTimeout   = 2 * time.Second
	// responseTimeout is how long Discord waits for the response.
	responseTimeout = 3 * time.Second
	// endpointTimeout bounds a request from its first line to the end of its response.
	endpointTimeout = 10 * time.Second
	// idleTimeout is longer than that of usual proxies, so that none uses a connection that is about to be closed.
	idleTimeout = 3 * time.Minute
	// lastRequests is how long requests that are coming in when the bot stops may take.
	lastRequests = time.Second
	// waitedTime is how long it may take to read the requests that have waited while the process was stopped.
	waitedTime = time.Second
	// listEvery is how often Discord is asked for the servers that the bot is in.
	listEvery = 24 * time.Hour
)

// ErrWrongKey: Discord signs for this application with another key.
var ErrWrongKey = errors.New("the public key is not that of this application; copy it from the developer portal (General Information, Public Key)")

// Endpoint is where interactions come in over HTTP. All fields are required.
type Endpoint struct {
	// Listen begins to listen for requests, without TLS, for the path EndpointPath. It is called when they can be answered, and
	// not before: a proxy tries another process where nobody listens. Run closes what it returns.
	Listen func() (net.Listener, error)
	// Key is the application's public key, by which requests are known to be Discord's. See ParseKey.
	Key ed25519.PublicKey
	// Claim saves that this instance handles an interaction. The error wraps [claim.ErrTaken] if another one has claimed it
	// before: then nothing is answered.
	Claim func(context.Context, claim.Claim) error
}

// ParseKey reads an application's public key as the developer portal shows it: 64 hexadecimal digits.
func ParseKey(text string) (ed25519.PublicKey, error) {
	key, err := hex.DecodeString(text)
	if err != nil || len(key) != ed25519.PublicKeySize {
		return nil, fmt.Errorf("bot: a public key has %d hexadecimal digits, not %q", 2*ed25519.PublicKeySize, text)
	}
	return key, nil
}

// endpoint is the source of interactions that come over HTTP.
type endpoint struct {
	Endpoint
	*shardConnection

	server *http.Server
	large  *semaphore.Weighted // bytes of large bodies that are not verified
	served chan error          // capacity 1: why no more requests are taken
	stale  atomic.Int64        // requests that were too old since the log last told of it
	advise rate.Sometimes
}

func newEndpoint(given Endpoint) *endpoint {
	e := &endpoint{
		Endpoint: given, large: semaphore.NewWeighted(maxUnverified), served: make(chan error, 1), advise: rate.Sometimes{Interval: complainEvery},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+EndpointPath, e.take)
	e.server = &http.Server{
		Handler: closing(mux), ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: endpointTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: 16 << 10,
	}
	return e
}

// run takes requests until ctx ends, which is not an error, until listening fails, or until Discord refuses this bot for good.
// Requests that are then under way are still answered.
func (e *endpoint) run(ctx context.Context) error {
	own, err := e.introduce(ctx)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	listening, cancel := context.WithCancel(ctx)
	defer cancel()
	if e.up(listening); ctx.Err() == nil {
		err = e.listen(ctx, own)
	}
	cancel()
	e.down()
	return err
}

// listen takes requests until ctx ends or the listener fails.
func (e *endpoint) listen(ctx context.Context, own ownApplication) error {
	listener, err := e.Listen()
	if err != nil {
		return err
	}
	e.server.ErrorLog = slog.NewLogLogger(e.log.Handler(), slog.LevelDebug)
	go func() { e.served <- e.server.Serve(netutil.LimitListener(drainingListener{listener}, maxConnections)) }()
	e.log.Info("taking interactions", "address", listener.Addr().String(), "path", EndpointPath, "endpoint", own.Endpoint)
	if own.Endpoint == "" {
		e.log.Warn("Discord sends no interactions here before the Interactions Endpoint URL is set in the developer portal (General Information)")
	}
	select {
	case err = <-e.served:
	case <-ctx.Done():
		if l, ok := listener.(deadliner); ok && l.SetDeadline(time.Now()) == nil {
			select {
			case <-e.served:
			case <-time.After(lastRequests):
			}
		}
	}
	last, stop := context.WithTimeout(context.WithoutCancel(ctx), lastRequests)
	defer stop()
	_ = e.server.Shutdown(last) // what it does not wait for, drain does
	return err
}

// deadliner is a listener with a deadline, such as a [net.TCPListener].
type deadliner interface {
	SetDeadline(time.Time) error
}

// drainingListener accepts the connections in the backlog when its listener's deadline has passed, before it reports that it is closed.
// Closing the listener at once would cut off clients that are connected but not accepted yet.
type drainingListener struct{ net.Listener }

// The backlog is empty when Accept has waited for lastLook in vain. If that wait ended late, by promptly or more, it is repeated: clients
// may have connected meanwhile.
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

// probe returns the time up to which the bot has heard: what has arrived is accepted, and what has not is late.
func (e *endpoint) probe(context.Context, time.Time) time.Time { return e.date() }

// date returns the time of receipt of a request that is read now. It cannot tell which requests waited while this process was
// stopped, so for a moment after that it dates all of them with the time when the process went on.
func (e *endpoint) date() time.Time {
	if woke := e.bot.config.Clock.Woke(); time.Since(woke) < waitedTime {
		return woke
	}
	return time.Now()
}

// resumable is no session, and told has nothing to do: there is nothing to resume.
func (e *endpoint) resumable() session.Session { return session.Session{} }
func (e *endpoint) told()                      {}

// introduce asks Discord who the bot is until there is an answer, or an error that is final.
func (e *endpoint) introduce(ctx context.Context) (own ownApplication, err error) {
	err = retry(ctx, e.log, "Discord does not say who the bot is", func() (err error) {
		own, err = e.bot.rest.ownApplication(ctx)
		if unauthorized(err) {
			return &FatalError{Code: http.StatusUnauthorized}
		}
		if key, unreadable := ParseKey(own.Key); err == nil && unreadable == nil && !key.Equal(e.Key) {
			return ErrWrongKey
		}
		return err
	}, func(err error) bool { return fatalError(err) != nil || errors.Is(err, ErrWrongKey) })
	return own, err
}

// look asks for the servers that the bot is in, at once and then once a day, because without a gateway nothing reports changes.
func (e *endpoint) look(ctx context.Context) {
	var servers []string
	ask := func() (err error) { servers, err = e.bot.rest.allGuilds(ctx); return err }
	for retry(ctx, e.log, "servers not listed", ask, nil) == nil {
		e.guilds.all(servers)
		select {
		case <-e.bot.config.Clock.After(listEvery):
		case <-ctx.Done():
		}
	}
}

// meet notes the server that an interaction comes from, if the bot is in it. So if the bot leaves before the servers are next
// listed, what was played there is deleted too.
func (e *endpoint) meet(in *Interaction) {
	if in != nil && in.GuildID != "" && in.BotMember() {
		e.guilds.meet(in.GuildID)
	}
}

// closing closes the connection after each response, unless the handler deletes that header: only Discord's connections are kept open.
func closing(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		h.ServeHTTP(w, r)
	})
}

// take serves a request. It looks at nothing before it knows that the request is Discord's: a request without a good signature is
// answered with 401, whatever else may be wrong with it.
func (e *endpoint) take(w http.ResponseWriter, r *http.Request) {
	body, ok := e.verify(w, r)
	if !ok {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	w.Header().Del("Connection")
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		w.WriteHeader(http.StatusUnsupportedMediaType)
		return
	}
	in, err := decode(body)
	response := &response{w: w, over: make(chan struct{})}
	if errors.Is(err, errPing) {
		response.write(http.StatusOK, "application/json", []byte(`{"type":1}`)) // there is an endpoint
		return
	}
	e.meet(in)
	if status := e.bot.dispatcher.accept(e.shardConnection, in, err, e.date(), response); status != 0 {
		response.write(status, "", nil)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), responseTimeout)
	defer cancel()
	select {
	case <-response.over:
	case <-ctx.Done():
		response.write(http.StatusServiceUnavailable, "", nil) // from now on there is only the callback route
	}
}

// verify reads the body of a request and reports whether the holder of the key signed it a short time ago. A body that is too
// large or incomplete counts as not signed.
func (e *endpoint) verify(w http.ResponseWriter, r *http.Request) (body []byte, ok bool) {
	stamp, signature := r.Header.Get("X-Signature-Timestamp"), r.Header.Get("X-Signature-Ed25519")
	if len(signature) != 2*ed25519.SignatureSize {
		return nil, false
	}
	size := r.ContentLength
	if size < 0 || size > maxInteraction {
		size = maxInteraction
	}
	if size > smallBody {
		if e.large.Acquire(r.Context(), size) != nil {
			return nil, false
		}
		defer e.large.Release(size)
	}
	var message bytes.Buffer // what is signed: the time, and right after it the body
	message.Grow(usualInteraction)
	message.WriteString(stamp)
	if _, err := message.ReadFrom(http.MaxBytesReader(w, r.Body, maxInteraction)); err != nil {
		return nil, false
	}
	return message.Bytes()[len(stamp):], signed(e.Key, signature, message.Bytes()) && e.fresh(stamp)
}

// signed reports whether a message was signed by who has the key.
func signed(key ed25519.PublicKey, signature string, message []byte) bool {
	raw, err := hex.DecodeString(signature)
	return err == nil && ed25519.Verify(key, message, raw)
}

// fresh reports whether a request was signed within freshFor of now, and logs if it was not: either somebody sends an old request
// again, or a clock is wrong. It compares with the machine's clock, not with Config.Clock.
func (e *endpoint) fresh(stamp string) bool {
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil {
		return false
	}
	age := time.Since(time.Unix(seconds, 0))
	if age.Abs() <= freshFor {
		return true
	}
	e.stale.Add(1)
	e.advise.Do(func() {
		e.log.Error("requests refused: signature too old or from the future; check this machine's clock", "requests", e.stale.Swap(0), "age", age.Round(time.Second).String())
	})
	return false
}

// response is the response to a request that brought an interaction. Only the first call of write writes it.
type response struct {
	over chan struct{} // closed when it is written

	mu sync.Mutex
	w  http.ResponseWriter // nil once it is written
}

// write writes the response, unless it is written already, and reports whether it did and the response has left. An empty kind
// is for no content. On a nil response it does nothing.
func (r *response) write(status int, kind string, content []byte) bool {
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
