package gateway

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"tictactoe/internal/replica/session"
)

const (
	// resumableFor is the maximum age of a session that the bot tries to resume. Discord keeps a session for "a few minutes". A RESUME of
	// a dropped session costs the pause that follows an invalid session.
	resumableFor = 3 * time.Minute
	// keepTime bounds the saving of a session, because a stopping process waits for it.
	keepTime = time.Second
)

// Sessions keeps gateway sessions from one process to the next.
type Sessions interface {
	// Take returns the session that another process has left for a shard, zero if there is none, and deletes it, so that no two processes
	// resume the same session. It leaves alone a session that another process still uses. servers are the last list of servers that was
	// passed on, because only a new session lists them.
	Take(ctx context.Context, shard Shard) (left session.Session, servers []string, err error)
	// Keep records the session of a shard. A zero session deletes the record.
	Keep(ctx context.Context, shard Shard, s session.Session) error
}

// begin sets the current session; a zero session means none.
func (s *Supervisor) begin(latest session.Session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.session = latest
}

// heard records the number of an event that was passed on.
func (s *Supervisor) heard(sequence int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.session.Sequence = max(s.session.Sequence, sequence)
}

// latest returns the session with the number of the latest event, zero if there is none.
func (s *Supervisor) latest() session.Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.session
}

// Resumable returns the session with the number of the last event up to which all events are handled. It is zero if there is no session,
// or if news about servers is pending: only a new session would list these servers again.
func (s *Supervisor) Resumable() session.Session {
	left := s.latest()
	handled, told := s.Receiver.Handled(left.Sequence)
	left.Sequence = handled
	if left.ID == "" || left.Sequence < 1 || !told {
		return session.Session{}
	}
	left.Token, left.Saved = s.digest(), s.Clock.Now()
	return left
}

// digest returns a hash of the bot's token, which distinguishes tokens without revealing them.
func (s *Supervisor) digest() string {
	sum := sha256.Sum256([]byte(strings.TrimPrefix(s.REST.Token(), "Bot ")))
	return hex.EncodeToString(sum[:16])
}

// takeOver takes over the session that the previous process left, if Discord may still keep it.
func (s *Supervisor) takeOver(ctx context.Context) {
	if s.Sessions == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	left, servers, err := s.Sessions.Take(ctx, s.Shard)
	if err != nil {
		s.Log.Warn("previous gateway session could not be loaded; starting a new one", "err", err)
		return
	}
	age := s.Clock.Now().Round(0).Sub(left.Saved.Round(0))
	if left.ID == "" || left.Token != s.digest() || age > resumableFor {
		return
	}
	s.begin(left)
	s.Receiver.Restored(servers)
	s.Log.Info("resuming the session of the previous process", "age", age.Round(time.Millisecond).String())
}

// Keep records the session for the next process. If it cannot be resumed now, an earlier record stays.
func (s *Supervisor) Keep() {
	if left := s.Resumable(); left.ID != "" {
		s.keep(left)
	}
}

// Told records the session once the servers of READY, or the news after a RESUMED, are noted, unless the connection has ended. From then
// on the next process can resume the session if this one is killed.
func (s *Supervisor) Told() {
	if conn := s.conn.Load(); conn != nil && conn.Context().Err() == nil {
		s.Keep()
	}
}

// keep records the session for another process to take, unless sessions are not kept. A zero session deletes the record.
func (s *Supervisor) keep(left session.Session) {
	if s.Sessions == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.life), keepTime)
	defer cancel()
	if err := s.Sessions.Keep(ctx, s.Shard, left); err != nil {
		s.Log.Warn("session not kept; the next process may have to start a new one", "err", err)
	}
}
