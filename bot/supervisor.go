package bot

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"tictactoe/internal/session"
)

const (
	// openTimeout bounds an attempt to connect, from looking up the gateway to READY or RESUMED.
	openTimeout = 30 * time.Second
	// inheritTimeout bounds the attempt to resume the session of the process before. Discord answers a RESUME at once; some servers
	// that speak its language never do.
	inheritTimeout = 5 * time.Second
	// maxUnanswered is after how many unanswered RESUMEs in a row a session is given up.
	maxUnanswered = 2
	// stableAfter is how long a connection must last for the next loss to count as the first. One that stood for less counts as
	// number briefly at most: Discord took it, and nobody hears the players before it is resumed.
	stableAfter = 30 * time.Second
	briefly     = 2
)

var errSlow = errors.New("the gateway took too long to accept the session")

// supervisor keeps one gateway session alive. It re-opens the same discordgo.Session, which then resumes, until Discord
// ends the session; then it makes a new one, within the budget. discordgo's own reconnecting is off: it ignores fatal
// close codes and cannot be stopped.
//
// Session.Open is called without a watchdog: looking up the gateway and dialling honour the context, and once there is a
// wire, its end ends Open. What would lock Open up for ever does not get past the wire.
type supervisor struct {
	token       string
	shard       Shard
	transport   http.RoundTripper
	dial        func(ctx context.Context, network, addr string) (net.Conn, error)
	rest        *REST
	log         *slog.Logger
	budget      *budget
	clock       Clock                          // dates what is heard
	woke        func() time.Time               // see Config.Woke
	interaction taker                          // called on the read loop
	up          func(ctx, run context.Context) // called after READY and RESUMED; ctx is the connection's
	down        func()                         // called after the end of a connection that was up
	guilds      *guilds
	sessions    Sessions                   // nil: the session ends with the process
	handled     func(sequence int64) int64 // the latest event, up to that one, up to which all interactions are handled

	legacy    legacy
	inherited bool        // the session is one that discordgo does not know of yet
	unheeded  int         // RESUMEs in a row that the gateway has not answered
	kept      atomic.Bool // the session was, since READY or RESUMED
	replaying bool        // what comes was said before the connection; of the reading goroutine

	session *discordgo.Session   // nil: there is nothing to resume
	life    context.Context      // of run; discordgo passes none to what it calls
	opening context.Context      // of the attempt under way, for the same reason
	wire    atomic.Pointer[wire] // of the attempt under way or the connection
	ready   chan struct{}        // READY or RESUMED has come
	gone    chan struct{}        // discordgo has ended its part of a connection
}

// run connects until ctx ends, which is not an error, or a *FatalError.
func (s *supervisor) run(ctx context.Context) error {
	s.life = ctx
	s.inherit(ctx)
	defer s.bequeath()
	var pauses pauses
	for wait := time.Duration(0); pause(ctx, wait) == nil; {
		lasted, err := s.connect(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if fatal := fatalError(err); fatal != nil {
			return fatal
		}
		wait = pauses.after(lasted, err)
		if endsSession(err) {
			s.forget()
		}
		s.log.Warn("gateway connection ended", "err", err, "lasted", lasted.String(), "wait", wait.String())
	}
	return nil
}

// forget makes the next connection begin a session.
func (s *supervisor) forget() {
	s.session, s.inherited, s.unheeded = nil, false, 0
	s.legacy.begin(session.Session{}, 0, nil)
}

// pauses are the waits between connections. They grow as long as connections fail.
type pauses struct {
	failed     int // connections in a row that came to nothing
	unaccepted int // sessions in a row that the gateway did not accept
}

// after is how long to wait after a connection that was up for so long and ended for that reason. A gateway that does not
// accept a session has answered: the pause is then the one that Discord asks for, whatever failed before.
func (p *pauses) after(lasted time.Duration, err error) time.Duration {
	if invalid := (*invalidSession)(nil); errors.As(err, &invalid) {
		asked := time.Second + rand.N(4*time.Second)
		p.failed, p.unaccepted = 0, p.unaccepted+1
		return max(asked, backoff(p.unaccepted-1))
	}
	p.failed++
	if lasted > stableAfter {
		*p = pauses{}
	} else if lasted > 0 && !endsSession(err) {
		p.failed = min(p.failed, briefly)
	}
	return backoff(p.failed)
}

// connect makes one connection and returns when it has ended: how long it was up, and why it ended.
func (s *supervisor) connect(ctx context.Context) (lasted time.Duration, err error) {
	if s.session == nil {
		if !s.inherited {
			if err := s.budget.wait(ctx); err != nil {
				return 0, err
			}
		}
		if s.session, err = s.newSession(); err != nil {
			return 0, err
		}
	}
	fresh, done := s.session.State.SessionID == "" && !s.inherited, func(bool) {}
	if fresh {
		if done, err = s.budget.begin(ctx, s.shard); err != nil {
			return 0, err
		}
	}
	patience, chances := openTimeout, maxUnanswered
	if s.inherited {
		patience, chances = inheritTimeout, 1
	}
	opened, err := s.open(ctx, patience)
	done(s.wire.Load() != nil)
	if opened {
		defer func() { <-s.gone }()
	}
	w := s.wire.Load()
	if errors.Is(err, errSlow) && w != nil {
		s.unheeded++
	} else {
		s.unheeded = 0
	}
	if err != nil {
		if w != nil && (fresh || s.unheeded >= chances) {
			s.forget() // it may have identified, so the next attempt asks the budget again; or nobody heeds what it asks for
		}
		return 0, err
	}
	s.log.Info("gateway connected", "resumed", !fresh)
	start := time.Now()
	s.up(w.ctx, ctx)
	<-w.ctx.Done()
	s.down()
	if ctx.Err() == nil {
		s.bequeath()
	}
	return time.Since(start), context.Cause(w.ctx)
}

// open returns nil when READY or RESUMED has come within its patience, else why it will not. opened says that discordgo now reads from the
// connection, and will report in s.gone that it has stopped.
func (s *supervisor) open(ctx context.Context, patience time.Duration) (opened bool, err error) {
	opening, cancel := context.WithTimeoutCause(ctx, patience, errSlow)
	defer cancel()
	s.opening, s.replaying = opening, s.inherited || s.session.State.SessionID != ""
	s.wire.Store(nil)
	select {
	case <-s.ready: // of an attempt that failed afterwards
	default:
	}
	stop := context.AfterFunc(opening, func() {
		if w := s.wire.Load(); w != nil {
			w.fail(context.Cause(opening))
		}
	})
	defer stop()
	if s.inherited {
		if err := s.prime(); err != nil {
			return false, err
		}
	}
	err = s.session.Open()
	w := s.wire.Load()
	if err != nil {
		if w != nil {
			w.fail(err)
			err = context.Cause(w.ctx)
		}
		return false, fmt.Errorf("open: %w", withoutURL(err))
	}
	select {
	case <-s.ready: // already there, unless the gateway wanted something else first
		return true, nil
	case <-w.ctx.Done():
		return true, context.Cause(w.ctx)
	}
}

// hear is [wire.hear] of the connection, zero while there is none.
func (s *supervisor) hear(ctx context.Context, until time.Time) time.Time {
	if w := s.wire.Load(); w != nil {
		return w.hear(ctx, until)
	}
	return time.Time{}
}

// newSession makes a Session that identifies when it is opened, does nothing by itself when it is closed, and says nothing:
// discordgo's log goes through a variable of the process and holds tokens, and the wire knows more.
func (s *supervisor) newSession() (*discordgo.Session, error) {
	session, err := discordgo.New("Bot " + s.token)
	if err != nil {
		return nil, fmt.Errorf("session: %w", err)
	}
	session.LogLevel = discordgo.LogError - 1
	session.StateEnabled = false
	session.SyncEvents = true // the order of events, and no goroutine for each
	session.ShouldReconnectOnError = false
	session.ShouldReconnectVoiceOnSessionError = false
	session.ShouldRetryOnRateLimit = false
	session.MaxRestRetries = 0
	session.Compress = false // the wire reads along
	session.ShardID, session.ShardCount = s.shard.ID, s.shard.Of
	session.Identify.Intents = discordgo.IntentsGuilds
	session.Client = &http.Client{Transport: lookup{s}}
	session.Dialer = &websocket.Dialer{
		NetDialContext:    s.dialPlain,
		NetDialTLSContext: s.dialTLS,
		HandshakeTimeout:  10 * time.Second,
	}
	session.AddHandler(func(_ *discordgo.Session, _ *discordgo.Disconnect) { signal(s.gone) })
	session.AddHandler(func(_ *discordgo.Session, event *discordgo.Event) { s.take(event) })
	return session, nil
}

// take runs on the read loop, in the first packets with the Session locked: it must neither block nor use the Session.
func (s *supervisor) take(event *discordgo.Event) {
	if s.inherited {
		return // it is the word of prime, and says nothing new
	}
	defer s.legacy.heard(event.Sequence)
	switch event.Type {
	case interactionCreate: // one that came in pieces; the wire takes the others
		in, err := decode(event.RawData)
		if in != nil {
			in.sequence = event.Sequence
		}
		s.interaction(in, err, s.wire.Load().date())
	case "READY":
		var ready struct {
			SessionID   string `json:"session_id"`
			Application struct {
				ID string `json:"id"`
			} `json:"application"`
			Guilds []guildState `json:"guilds"`
		}
		if err := json.Unmarshal(event.RawData, &ready); err != nil {
			s.log.Error("READY not understood", "err", err)
		} else {
			// Whoever is told of the servers finds the session that they belong to.
			s.legacy.begin(session.Session{ID: ready.SessionID, Sequence: event.Sequence}, 0, func() {
				s.kept.Store(false)
				s.guilds.all(ready.Guilds)
			})
		}
		s.rest.know(ready.Application.ID)
		s.replaying = false
		signal(s.ready)
	case "RESUMED":
		s.replaying = false
		s.kept.Store(false)
		s.guilds.again()
		signal(s.ready)
	default:
		s.guilds.event(event.Type, event.RawData)
	}
}

// dialPlain opens the gateway's connection without TLS.
func (s *supervisor) dialPlain(ctx context.Context, network, addr string) (net.Conn, error) {
	return s.connection(ctx, network, addr, func(_ context.Context, conn net.Conn) (net.Conn, error) { return conn, nil })
}

// dialTLS opens the gateway's connection with TLS, here and not in the Dialer, so that the wire is inside of it.
func (s *supervisor) dialTLS(ctx context.Context, network, addr string) (net.Conn, error) {
	return s.connection(ctx, network, addr, func(ctx context.Context, conn net.Conn) (net.Conn, error) {
		host, _, err := net.SplitHostPort(addr)
		if err != nil {
			return nil, err
		}
		secure := tls.Client(conn, &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12})
		return secure, secure.HandshakeContext(ctx)
	})
}

func (s *supervisor) connection(
	ctx context.Context, network, addr string, secure func(context.Context, net.Conn) (net.Conn, error),
) (net.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.opening, cancel)()
	raw, err := s.dial(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	conn, err := secure(ctx, raw)
	if err != nil {
		raw.Close()
		return nil, err
	}
	farewell := websocket.CloseNormalClosure
	if s.sessions != nil {
		farewell = closeToResume
	}
	w := newWire(s.life, conn, s.interaction, s.clock, s.woke, farewell, func() { signal(s.gone) })
	s.wire.Store(w)
	if err := s.opening.Err(); err != nil { // it may have ended before it could see this wire
		w.fail(err)
		return nil, err
	}
	return w, nil
}

// lookup is the transport of a Session, which asks for nothing but the gateway's address.
type lookup struct{ s *supervisor }

// RoundTrip implements http.RoundTripper.
func (l lookup) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := l.s.transport.RoundTrip(req.WithContext(l.s.opening))
	if err != nil {
		return nil, err
	}
	// discordgo would wait for these without end; our backoff is enough for one request.
	for _, header := range []string{"X-RateLimit-Remaining", "X-RateLimit-Reset", "X-RateLimit-Reset-After", "X-RateLimit-Global"} {
		resp.Header.Del(header)
	}
	return resp, nil
}

// signal never blocks: one signal that nobody has taken yet is enough.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// fatalError returns the error as a *FatalError if it is one or holds a close code after which one must not come back.
func fatalError(err error) *FatalError {
	var fatal *FatalError
	if errors.As(err, &fatal) {
		return fatal
	}
	var closed *websocket.CloseError
	if errors.As(err, &closed) {
		if _, ok := fatalReasons[closed.Code]; ok {
			return &FatalError{Code: closed.Code}
		}
	}
	return nil
}

// endsSession reports whether there is nothing left to resume.
func endsSession(err error) bool {
	var invalid *invalidSession
	if errors.As(err, &invalid) {
		return !invalid.resumable
	}
	var closed *websocket.CloseError
	// Not authenticated, invalid sequence, session timed out: Discord's "Gateway Close Event Codes".
	return errors.As(err, &closed) && slices.Contains([]int{4003, 4007, 4009}, closed.Code)
}
