package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"tictactoe/bot/backoff"
	"tictactoe/bot/rest"
	"tictactoe/internal/replica/session"
)

const (
	// openTimeout bounds an attempt to connect, from the request for the gateway's address to READY or RESUMED.
	openTimeout = 30 * time.Second
	// resumeTimeout bounds the wait for RESUMED. After it the bot drops the session. Discord answers a RESUME at once, but some servers
	// other than Discord never do.
	resumeTimeout = 10 * time.Second
	// minInvalidPause and maxInvalidPause bound the random pause that Discord asks for after an invalid session (op 9).
	minInvalidPause = time.Second
	maxInvalidPause = 5 * time.Second
)

// errSlow is the error of a connection whose RESUME is not answered in time. It ends the session; see EndsSession.
var errSlow = errors.New("the gateway took too long to accept the session")

// Supervisor keeps the gateway session of a shard alive. It connects, resumes the session on the next connection, and begins a new session,
// within the budget, if Discord has ended the old one.
type Supervisor struct {
	Shard    Shard
	REST     *rest.Client
	Budget   *Budget
	Sessions Sessions // nil if the session ends with the process
	Clock    Clock
	Receiver Receiver
	Log      *slog.Logger

	mu        sync.Mutex
	session   session.Session // the current session, with the number of the latest event; zero if there is none
	allowed   bool            // the budget's limiter has allowed a session that has not been started yet
	replaying bool            // the current events were missed by the resumed session; used by the reading goroutine

	life      context.Context      // the context of Run
	address   string               // the gateway's address; empty if unknown
	resumeURL string               // address at which Discord wants the session resumed; empty means address
	conn      atomic.Pointer[Conn] // the connection, or the current attempt
}

// Clock tells the time.
type Clock interface {
	Now() time.Time
	// Woke returns when this process last continued after being stopped, as by SIGSTOP, or zero if it was never stopped.
	Woke() time.Time
}

// Receiver gets the events of the shard that a supervisor keeps connected. The connection reads nothing during a call of any method except
// Up and Down.
type Receiver interface {
	// Event is called with every event except READY and RESUMED. replayed reports whether Discord sends the event again after a RESUME.
	Event(e Event, replayed bool)
	// Ready is called with the application's id and the servers in READY; it must not call the supervisor. Resumed is called on RESUMED.
	// Restored is called before the session of the previous process is resumed, with the servers known to that process.
	Ready(application string, guilds []string)
	Resumed()
	Restored(guilds []string)
	// Handled returns the highest sequence number, at most latest, up to which all events are handled. told reports whether all news about
	// servers has been passed on.
	Handled(latest int64) (upTo int64, told bool)
	// Up is called when a connection is established, and returns when events may be handled or when ctx ends. ctx ends with the connection.
	// Down is called after the last event of the connection.
	Up(ctx context.Context)
	Down()
}

// Run keeps the shard connected until ctx ends, which is not an error, or until connecting fails with a *FatalError.
func (s *Supervisor) Run(ctx context.Context) error {
	s.life = ctx
	s.takeOver(ctx)
	defer func() {
		if ctx.Err() != nil { // after a fatal error there is nothing to resume
			s.Keep()
		}
	}()
	failed, refused := 0, false // consecutive failures of one kind: the gateway refused the session (op 9), or anything else
	for wait := time.Duration(0); backoff.Pause(ctx, wait) == nil; {
		lasted, err := s.connect(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if fatal := Fatal(err); fatal != nil {
			return fatal
		}
		_, refuses := errors.AsType[*InvalidSession](err)
		if lasted > 0 || refuses != refused {
			failed = 0
		}
		failed, refused = failed+1, refuses
		wait = backoff.After(failed, err)
		if refuses {
			wait = max(wait, minInvalidPause+rand.N(maxInvalidPause-minInvalidPause))
		}
		if EndsSession(err) {
			s.begin(session.Session{})
		}
		s.Log.Warn("gateway connection ended", "err", err, "lasted", lasted.String(), "wait", wait.String())
	}
	return nil
}

// connect makes one connection and returns when that connection has ended. lasted is how long the connection could be used, and err is why
// it ended.
func (s *Supervisor) connect(ctx context.Context) (lasted time.Duration, err error) {
	latest := s.latest()
	done := func(bool) {}
	if latest.ID == "" {
		if !s.allowed {
			if err := s.Budget.limiter.Wait(ctx); err != nil {
				return 0, err
			}
			s.allowed = true
		}
		if done, err = s.Budget.begin(ctx, s.Shard); err != nil {
			return 0, err
		}
	}
	conn, err := s.open(ctx, latest)
	done(conn != nil)
	if conn != nil {
		s.allowed = false
		defer conn.Wait()
	}
	if err != nil {
		return 0, err
	}
	s.Log.Info("gateway connected", "resumed", latest.ID != "")
	start := time.Now()
	s.Receiver.Up(conn.Context())
	conn.Wait() // events that are read while the connection closes must still be handled
	s.Receiver.Down()
	if ctx.Err() == nil {
		s.keep(session.Session{}) // no other process may take the session while this one is about to resume it
	}
	return time.Since(start), context.Cause(conn.Context())
}

// open connects and waits for READY or RESUMED. If it fails before a connection is made, conn is nil.
func (s *Supervisor) open(ctx context.Context, latest session.Session) (conn *Conn, err error) {
	opening, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	s.replaying = latest.ID != ""
	ws, err := s.dial(opening)
	if err != nil {
		return nil, fmt.Errorf("open: %w", err)
	}
	farewell := websocket.CloseNormalClosure
	if s.Sessions != nil {
		farewell = CloseToResume
	}
	conn = New(ctx, ws, Config{
		Token: s.REST.Token(), Intents: discordgo.IntentsGuilds, Shard: [2]int{s.Shard.ID, s.Shard.Of},
		Session: latest.ID, Sequence: latest.Sequence, Handle: s.event, CloseCode: farewell, Woke: s.Clock.Woke, Log: s.Log,
	})
	s.conn.Store(conn)
	if s.replaying { // the wait for RESUMED has a time limit of its own, after which the session ends
		opening, cancel = context.WithTimeoutCause(ctx, resumeTimeout, errSlow)
		defer cancel()
	}
	if err := conn.Open(opening); err != nil {
		return conn, fmt.Errorf("open: %w", err)
	}
	return conn, nil
}

// dial connects to the gateway. To resume a session, it uses the URL from READY. Otherwise it uses the gateway's address, for which it asks
// Discord at the first use, and again after a failure.
func (s *Supervisor) dial(ctx context.Context) (ws *websocket.Conn, err error) {
	address := s.resumeURL
	if !s.replaying || address == "" {
		if s.address == "" {
			if s.address, err = s.REST.GatewayAddress(ctx); err != nil {
				return nil, err
			}
		}
		address = s.address
	}
	if ws, err = dial(ctx, s.REST, address); err != nil {
		s.address, s.resumeURL = "", ""
	}
	return ws, err
}

// Probe calls [Conn.Heard] of the latest connection. It returns zero if there was no connection yet.
func (s *Supervisor) Probe(ctx context.Context, cutoff time.Time) time.Time {
	if conn := s.conn.Load(); conn != nil {
		return conn.Heard(ctx, cutoff)
	}
	return time.Time{}
}

// event handles an event of the connection.
func (s *Supervisor) event(e Event) {
	defer s.heard(e.Sequence)
	switch e.Type {
	case "READY":
		s.takeReady(e.Sequence, e.Data)
	case "RESUMED":
		s.replaying = false
		s.Receiver.Resumed()
	default:
		s.Receiver.Event(e, s.replaying)
	}
}

// takeReady records the session that READY begins, and its servers.
func (s *Supervisor) takeReady(sequence int64, data json.RawMessage) {
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
		s.Log.Error("READY not understood", "err", err)
	} else {
		guilds := make([]string, len(ready.Guilds))
		for i, guild := range ready.Guilds {
			guilds[i] = guild.ID
		}
		s.mu.Lock()
		defer s.mu.Unlock() // the lock covers both changes, so that Told never finds servers without their session, and Keep no session without its servers
		s.Receiver.Ready(ready.Application.ID, guilds)
		s.session = session.Session{ID: ready.SessionID, Sequence: sequence}
	}
	s.replaying, s.resumeURL = false, ready.ResumeURL
}
