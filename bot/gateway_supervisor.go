package bot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"tictactoe/bot/gateway"
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

	life      context.Context              // of run
	address   string                       // of the gateway; empty: not known
	resumeURL string                       // where Discord wants the session resumed; empty: at address
	conn      atomic.Pointer[gateway.Conn] // the connection, or the attempt under way
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
		if gateway.EndsSession(err) {
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
	if _, is := errors.AsType[*gateway.InvalidSession](err); is {
		asked := minInvalidPause + rand.N(maxInvalidPause-minInvalidPause)
		p.failed, p.unaccepted = 0, p.unaccepted+1
		return max(asked, backoff(p.unaccepted-1))
	}
	p.failed++
	if lasted > stableAfter {
		*p = pauses{}
	} else if lasted > 0 && !gateway.EndsSession(err) {
		p.failed = min(p.failed, briefly)
	}
	return backoff(p.failed)
}

// connect makes one connection and returns when it has ended. lasted is how long it was up, and err is why it ended.
func (s *supervisor) connect(ctx context.Context) (lasted time.Duration, err error) {
	latest := s.session.get()
	done := func(bool) {}
	if latest.ID == "" {
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
	conn, err := s.open(ctx, latest, patience)
	done(conn != nil)
	if conn != nil {
		s.allowed = false
		defer conn.Wait()
	}
	if err != nil {
		if conn != nil && errors.Is(err, errSlow) {
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
	s.log.Info("gateway connected", "resumed", latest.ID != "")
	start := time.Now()
	s.up(conn.Context())
	conn.Wait() // events that are read while the connection closes came by a connection that was ready
	s.down()
	if ctx.Err() == nil {
		s.leaveSession()
	}
	return time.Since(start), context.Cause(conn.Context())
}

// open connects and waits for READY or RESUMED, for patience at most. After an error conn is nil if no connection was made.
func (s *supervisor) open(ctx context.Context, latest session.Session, patience time.Duration) (conn *gateway.Conn, err error) {
	opening, cancel := context.WithTimeoutCause(ctx, patience, errSlow)
	defer cancel()
	s.replaying = latest.ID != ""
	ws, err := s.dial(opening)
	if err != nil {
		return nil, fmt.Errorf("open: %w", withoutURL(err))
	}
	farewell := websocket.CloseNormalClosure
	if s.bot.config.Gateway.Sessions != nil {
		farewell = gateway.CloseToResume
	}
	conn = gateway.New(ctx, ws, gateway.Config{
		Token: "Bot " + s.bot.rest.token, Intents: discordgo.IntentsGuilds, Shard: [2]int{s.shard.ID, s.shard.Of},
		Session: latest.ID, Sequence: latest.Sequence, Handle: s.event, CloseCode: farewell, Woke: s.bot.config.Clock.Woke, Log: s.log,
	})
	s.conn.Store(conn)
	if err := conn.Open(opening); err != nil {
		return conn, fmt.Errorf("open: %w", err)
	}
	return conn, nil
}

// dial connects to the gateway: to resume, where READY said. It asks Discord for the gateway's address at first, and after a failure.
func (s *supervisor) dial(ctx context.Context) (ws *websocket.Conn, err error) {
	address := s.resumeURL
	if !s.replaying || address == "" {
		if s.address == "" {
			if s.address, err = s.bot.rest.gatewayAddress(ctx); err != nil {
				return nil, err
			}
		}
		address = s.address
	}
	ws, err = s.bot.rest.dialGateway(ctx, address)
	if err != nil {
		s.address, s.resumeURL = "", ""
	}
	return ws, err
}

// dialGateway connects to the gateway at address.
func (r *REST) dialGateway(ctx context.Context, address string) (*websocket.Conn, error) {
	scheme, _, _ := strings.Cut(address, ":")
	return gateway.Dial(ctx, r.dialFor("http"+strings.TrimPrefix(scheme, "ws")), address)
}

// probe calls [gateway.Conn.Heard] of the connection; it returns zero before the first.
func (s *supervisor) probe(ctx context.Context, until time.Time) time.Time {
	if conn := s.conn.Load(); conn != nil {
		return conn.Heard(ctx, until)
	}
	return time.Time{}
}

// event handles an event of the connection.
func (s *supervisor) event(e gateway.Event) {
	defer s.session.heard(e.Sequence)
	switch e.Type {
	case "INTERACTION_CREATE":
		in, err := decode(e.Data)
		if in != nil {
			in.sequence, in.replayed, in.Within = e.Sequence, s.replaying, s.guilds.has(in.GuildID)
		}
		s.bot.dispatcher.accept(s.shardConnection, in, err, e.Received, nil)
	case "READY":
		s.takeReady(e.Sequence, e.Data)
	case "RESUMED":
		s.replaying = false
		s.kept.Store(false)
		s.guilds.noteResumed()
	default:
		s.guilds.event(e.Type, e.Data)
	}
}

// takeReady notes the session that READY begins, and its servers.
func (s *supervisor) takeReady(sequence int64, data json.RawMessage) {
	var ready struct {
		SessionID   string `json:"session_id"`
		ResumeURL   string `json:"resume_gateway_url"`
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
	s.replaying, s.resumeURL = false, ready.ResumeURL
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
