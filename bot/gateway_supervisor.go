package bot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"tictactoe/internal/replica/session"
)

const (
	// openTimeout bounds an attempt to connect, from looking up the gateway to READY or RESUMED.
	openTimeout = 30 * time.Second
	// takeOverTimeout bounds the attempt to resume the session of the previous process. Discord answers a RESUME at once; some
	// servers in Discord's place never do.
	takeOverTimeout = 5 * time.Second
	// maxUnanswered is after how many unanswered RESUMEs in a row the bot gives a session up.
	maxUnanswered = 2
	// After an invalid session (op 9) Discord asks for a pause of random length between these two.
	minInvalidPause = time.Second
	maxInvalidPause = 5 * time.Second
	// stableAfter is how long a connection must last for the next failure to count as the first in a row. After a shorter connection
	// the pause is at most that of failure number briefly, because Discord accepted the connection, and nobody hears the players
	// until the session is resumed.
	stableAfter = 30 * time.Second
	briefly     = 2
	// handshakeTimeout bounds the dialling of the gateway and both handshakes.
	handshakeTimeout = 10 * time.Second
	// readAtOnce is how much is read of the gateway's connection at once, in bytes: some clicks.
	readAtOnce = 16 << 10
)

var errSlow = errors.New("the gateway took too long to accept the session")

// supervisor keeps the gateway session of a shard alive. It connects, resumes the session on the next connection, and begins a
// new session, within the budget, once Discord has ended the old one.
type supervisor struct {
	*shardConnection

	session    current
	allowed    bool        // the limiter of the budget has counted a session for which no attempt has identified yet
	takenOver  bool        // the session is that of the previous process, and no connection has resumed it yet
	unanswered int         // RESUMEs in a row that the gateway has not answered
	kept       atomic.Bool // the session was kept, since READY or RESUMED
	replaying  bool        // events are those that the resumed session has missed; used by the reading goroutine

	life    context.Context      // of run
	address string               // of the gateway; empty: not known
	shim    atomic.Pointer[shim] // of the attempt under way or the connection
}

// run connects until ctx ends, which is not an error, or a *FatalError.
func (s *supervisor) run(ctx context.Context) error {
	s.life = ctx
	s.takeOver(ctx)
	defer s.leaveSession()
	var pauses pauses
	for wait := time.Duration(0); Pause(ctx, wait) == nil; {
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
	s.takenOver, s.unanswered = false, 0
	s.session.begin(session.Session{}, 0)
}

// pauses are the waits between connections. They grow as long as connections fail.
type pauses struct {
	failed     int // connections in a row that came to nothing
	unaccepted int // sessions in a row that the gateway did not accept
}

// after returns the pause after a connection that was up for lasted and ended with err. A gateway that does not accept a session
// (op 9) has answered: the pause is then the one that Discord asks for, whatever failed before, and grows while sessions are not
// accepted.
func (p *pauses) after(lasted time.Duration, err error) time.Duration {
	if _, is := errors.AsType[*invalidSession](err); is {
		asked := minInvalidPause + rand.N(maxInvalidPause-minInvalidPause)
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

// connect makes one connection and returns when it has ended. lasted is how long it was up, and err is why it ended.
func (s *supervisor) connect(ctx context.Context) (lasted time.Duration, err error) {
	latest := s.session.get()
	resume := resumption{Token: "Bot " + s.bot.rest.token, ID: latest.ID, Sequence: latest.Sequence}
	done := func(bool) {}
	if resume.ID == "" {
		if !s.allowed {
			if err := s.bot.budget.limiter.Wait(ctx); err != nil {
				return 0, err
			}
			s.allowed = true
		}
		if done, err = s.bot.budget.begin(ctx, s.shard); err != nil {
			return 0, err
		}
	}
	patience, chances := openTimeout, maxUnanswered
	if s.takenOver {
		patience, chances = takeOverTimeout, 1
	}
	err = s.open(ctx, resume, patience)
	shim := s.shim.Load()
	done(shim != nil)
	if shim != nil {
		s.allowed = false
		defer shim.serving.Wait()
	}
	if err != nil {
		if shim != nil && errors.Is(err, errSlow) {
			s.unanswered++
		} else {
			s.unanswered = 0
		}
		if s.unanswered >= chances {
			s.forget()
		}
		return 0, err
	}
	s.takenOver, s.unanswered = false, 0
	s.log.Info("gateway connected", "resumed", resume.ID != "")
	start := time.Now()
	s.up(shim.ctx)
	<-shim.ctx.Done()
	shim.serving.Wait() // what is read while the connection closes came by a connection that was ready
	s.down()
	if ctx.Err() == nil {
		s.leaveSession()
	}
	return time.Since(start), context.Cause(shim.ctx)
}

// open connects and waits for READY or RESUMED, for patience at most. After an error s.shim is nil if no connection was made.
func (s *supervisor) open(ctx context.Context, resume resumption, patience time.Duration) error {
	opening, cancel := context.WithTimeoutCause(ctx, patience, errSlow)
	defer cancel()
	s.replaying = resume.ID != ""
	s.shim.Store(nil)
	conn, err := s.dial(opening)
	if err != nil {
		return fmt.Errorf("open: %w", withoutURL(err))
	}
	farewell := websocket.CloseNormalClosure
	if s.bot.config.Gateway.Sessions != nil {
		farewell = closeToResume
	}
	shim := &shim{discord: conn, supervisor: s, resume: resume, log: s.log}
	shim.probe = newProbe(s.bot.config.Clock.Woke, shim.beat)
	local := shim.start(ctx, farewell)
	s.shim.Store(shim)
	defer context.AfterFunc(opening, func() { shim.end(context.Cause(opening)) })()
	session, ended, err := newDiscordgo(s.bot.rest.token, s.shard, local)
	if err != nil {
		shim.end(err)
		return err
	}
	shim.serving.Go(shim.serve)
	if err := session.Open(); err != nil {
		shim.end(err)
		return fmt.Errorf("open: %w", context.Cause(shim.ctx))
	}
	s.bot.closing.Go(func() { <-ended })
	return context.Cause(shim.ctx)
}

// dial connects to the gateway. It asks Discord for the gateway's address at first, and after a failure.
func (s *supervisor) dial(ctx context.Context) (conn *websocket.Conn, err error) {
	if s.address == "" {
		if s.address, err = s.bot.rest.gatewayAddress(ctx); err != nil {
			return nil, err
		}
	}
	conn, err = s.bot.rest.dialGateway(ctx, s.address)
	if err != nil {
		s.address = ""
	}
	return conn, err
}

// dialGateway connects to the gateway at address.
func (r *REST) dialGateway(ctx context.Context, address string) (*websocket.Conn, error) {
	scheme, _, _ := strings.Cut(address, ":")
	dial := r.dialFor("http" + strings.TrimPrefix(scheme, "ws"))
	stop := func() bool { return true }
	dialer := websocket.Dialer{
		HandshakeTimeout: handshakeTimeout,
		NetDialContext: func(dialing context.Context, network, addr string) (net.Conn, error) {
			conn, err := dial(dialing, network, addr)
			if err == nil {
				stop = context.AfterFunc(ctx, func() { conn.Close() }) // the handshakes do not end with ctx
			}
			return conn, err
		},
		ReadBufferSize: readAtOnce,
	}
	conn, resp, err := dialer.DialContext(ctx, strings.TrimSuffix(address, "/")+"/?v="+discordgo.APIVersion+"&encoding=json", nil)
	stop()
	if err != nil && resp != nil {
		err = fmt.Errorf("%w: HTTP %d", err, resp.StatusCode)
	}
	return conn, err
}

// probe calls [probe.wait] of the connection; it returns zero while there is none.
func (s *supervisor) probe(ctx context.Context, until time.Time) time.Time {
	if shim := s.shim.Load(); shim != nil {
		return shim.probe.wait(ctx, shim.ctx, until)
	}
	return time.Time{}
}

// interaction passes an interaction that the shim has read to the dispatcher.
func (s *supervisor) interaction(in *Interaction, sequence int64, broken error, received time.Time) {
	defer s.session.heard(sequence)
	if in != nil {
		in.sequence, in.replayed, in.Within = sequence, s.replaying, s.guilds.has(in.GuildID)
	}
	s.bot.dispatcher.accept(s.shardConnection, in, broken, received, nil)
}

// event handles any other event that the shim has read.
func (s *supervisor) event(kind string, sequence int64, data json.RawMessage) {
	defer s.session.heard(sequence)
	switch kind {
	case "READY":
		s.takeReady(sequence, data)
	case "RESUMED":
		s.replaying = false
		s.kept.Store(false)
		s.guilds.noteResumed()
	default:
		s.guilds.event(kind, data)
	}
}

// takeReady notes the session that READY begins, and its servers.
func (s *supervisor) takeReady(sequence int64, data json.RawMessage) {
	var ready struct {
		SessionID   string `json:"session_id"`
		Application struct {
			ID string `json:"id"`
		} `json:"application"`
		Guilds []struct {
			ID string `json:"id"`
		} `json:"guilds"`
	}
	if err := json.Unmarshal(data, &ready); err != nil {
		s.log.Error("READY not understood", "err", err)
	} else {
		guilds := make([]string, len(ready.Guilds))
		for i, guild := range ready.Guilds {
			guilds[i] = guild.ID
		}
		s.session.mu.Lock() // so that whoever is told of the servers finds their session
		s.session.latest, s.session.safe = session.Session{ID: ready.SessionID, Sequence: sequence}, 0
		s.kept.Store(false)
		s.guilds.all(guilds)
		s.session.mu.Unlock()
	}
	s.bot.rest.know(ready.Application.ID)
	s.replaying = false
}

// signal sends a signal without blocking. A signal that nobody has received yet is enough.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// fatalError returns err as a *FatalError if it is one or has a close code after which the bot must not reconnect, else nil.
func fatalError(err error) error {
	if fatal, is := errors.AsType[*FatalError](err); is {
		return fatal
	}
	if closed, is := errors.AsType[*websocket.CloseError](err); is && fatalReasons[closed.Code] != "" {
		return &FatalError{Code: closed.Code}
	}
	return nil
}

func isFatal(err error) bool { return fatalError(err) != nil }

// endsSession reports whether there is nothing left to resume.
func endsSession(err error) bool {
	if invalid, is := errors.AsType[*invalidSession](err); is {
		return !invalid.resumable
	}
	// Not authenticated, invalid sequence, session timed out: Discord's "Gateway Close Event Codes".
	closed, is := errors.AsType[*websocket.CloseError](err)
	return is && slices.Contains([]int{4003, 4007, 4009}, closed.Code)
}
