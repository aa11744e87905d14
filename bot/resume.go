package bot

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"tictactoe/internal/session"
)

const (
	// resumableFor is how old a session may be for it to be tried to resume it. Discord keeps one for "a few minutes"; to ask
	// for one that it has forgotten costs the one to five seconds that it wants to have waited before another is begun.
	resumableFor = 3 * time.Minute
	// keepTime bounds the saving of a session. A process that stops waits for it.
	keepTime = time.Second
	// closeToResume is a close code after which Discord keeps the session, as after all but 1000 and 1001.
	closeToResume = 4000
)

// Sessions keeps gateway sessions from one process to the next.
type Sessions interface {
	// Take returns the session of a shard that another process has left, zero if there is none, and forgets it, so that no
	// two processes resume one. It leaves alone what another process uses. Servers are those that Config.Guilds has last been
	// told of: only a new session begins with their list.
	Take(ctx context.Context, shard Shard) (left session.Session, servers []string, err error)
	// Keep records the session of a shard; with a zero one nothing is left to be taken.
	Keep(ctx context.Context, shard Shard, s session.Session) error
}

// Session is the session of a shard as another process could resume it if this one ended now: what is not handled yet would
// come again. It is zero while the shard is not connected. Whoever keeps it now and then keeps it for the event that the
// process is killed; what else there is to keep, and to forget, the bot sees to.
func (b *Bot) Session(shard int) session.Session {
	l := b.lineOf(shard)
	if l == nil || !l.ready.isSet() {
		return session.Session{}
	}
	if s, is := l.source.(*supervisor); is && s.sessions != nil {
		return s.resumable()
	}
	return session.Session{}
}

// legacy is the session of a supervisor as far as another one needs it, this process's next or another process's.
type legacy struct {
	mu     sync.Mutex
	latest session.Session // as discordgo has it
	safe   int64           // the sequence when all that came before was handled and told, as last looked at
}

// begin is the beginning of a session, which has had events up to a number, or of none. Those up to safe need not come again.
// What belongs to the beginning is done before anybody else sees the session; it may be nil.
func (l *legacy) begin(latest session.Session, safe int64, beginning func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if beginning != nil {
		beginning()
	}
	l.latest, l.safe = latest, safe
}

// heard notes that an event came, and is in the hands of whoever handles or tells it.
func (l *legacy) heard(sequence int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.latest.Sequence = max(l.latest.Sequence, sequence)
}

// resumable is the session without the events that are not handled or told, zero if that leaves nothing.
func (s *supervisor) resumable() session.Session {
	s.legacy.mu.Lock()
	defer s.legacy.mu.Unlock()
	left := s.legacy.latest
	if !s.guilds.untold() {
		s.legacy.safe = s.handled(left.Sequence)
	}
	left.Sequence = min(s.legacy.safe, s.handled(left.Sequence))
	if left.ID == "" || left.Sequence < 1 {
		return session.Session{}
	}
	left.Token, left.Saved = s.digest(), s.clock.Now()
	return left
}

// digest tells tokens apart, and tells nothing of one.
func (s *supervisor) digest() string {
	sum := sha256.Sum256([]byte(s.token))
	return hex.EncodeToString(sum[:16])
}

// inherit takes over the session that the process before has left, if Discord may still have it.
func (s *supervisor) inherit(ctx context.Context) {
	if s.sessions == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, leaseTime)
	defer cancel()
	left, servers, err := s.sessions.Take(ctx, s.shard)
	if err != nil {
		s.log.Warn("session of the process before not found, so a new one is begun", "err", err)
		return
	}
	age := s.clock.Now().Round(0).Sub(left.Saved.Round(0))
	if left.ID == "" || left.Token != s.digest() || age > resumableFor {
		return
	}
	s.legacy.begin(left, left.Sequence, nil)
	s.inherited = true
	s.guilds.resume(servers)
	s.log.Info("session of the process before is resumed", "age", age.Round(time.Millisecond).String())
}

// bequeath keeps the session for the next process when this one stops, and sees to it that none is taken by another while this
// one goes on.
func (s *supervisor) bequeath() {
	if s.sessions == nil {
		return
	}
	var left session.Session
	if s.life.Err() != nil {
		left = s.resumable()
	}
	s.keep(left)
}

// keepSoon keeps a session as soon as it could be resumed: when the servers that READY lists are noted.
func (s *supervisor) keepSoon() {
	w := s.wire.Load()
	if s.sessions == nil || s.kept.Load() || w == nil || w.ctx.Err() != nil {
		return
	}
	if left := s.resumable(); left.ID != "" {
		s.keep(left)
		s.kept.Store(true)
	}
}

func (s *supervisor) keep(left session.Session) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.life), keepTime)
	defer cancel()
	if err := s.sessions.Keep(ctx, s.shard, left); err != nil {
		s.log.Warn("session not kept, the next process may have to begin another one", "err", err)
	}
}

// prime tells discordgo of the session that was inherited, by the only way on which it learns of one: READY. It comes in
// place of HELLO, from nobody but this process, so that Open ends at once, without anything begun; and the next Open resumes.
func (s *supervisor) prime() error {
	ours := s.session.Dialer
	defer func() { s.session.Dialer = ours }()
	s.legacy.mu.Lock()
	id, sequence := s.legacy.latest.ID, s.legacy.latest.Sequence
	s.legacy.mu.Unlock()
	dial := func(context.Context, string, string) (net.Conn, error) { return ready(id, sequence), nil }
	s.session.Dialer = &websocket.Dialer{NetDialContext: dial, NetDialTLSContext: dial}
	err := s.session.Open()
	if s.session.State.SessionID != id {
		return fmt.Errorf("resume: %w", err)
	}
	s.inherited = false
	return nil
}

// ready is a connection to a gateway that says READY, with that session and number, and nothing else.
func ready(id string, sequence int64) net.Conn {
	ours, theirs := net.Pipe()
	go func() {
		defer theirs.Close()
		request, err := http.ReadRequest(bufio.NewReader(theirs))
		if err != nil {
			return
		}
		var upgrader websocket.Upgrader
		conn, err := upgrader.Upgrade(&hijacked{conn: theirs}, request, nil)
		if err != nil {
			return
		}
		_ = conn.WriteJSON(map[string]any{"op": 0, "s": sequence, "t": "READY", "d": map[string]any{"session_id": id}})
	}()
	return ours
}

// hijacked is a response whose connection is taken over before anything is written.
type hijacked struct {
	http.ResponseWriter
	conn net.Conn
}

// Hijack implements http.Hijacker.
func (h *hijacked) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return h.conn, bufio.NewReadWriter(bufio.NewReader(h.conn), bufio.NewWriter(h.conn)), nil
}
