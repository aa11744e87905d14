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
	// resumableFor is the maximum age of a session that the bot tries to resume. Discord keeps sessions for "a few minutes". A RESUME that
	// comes too late costs the pause after an invalid session.
	resumableFor = 3 * time.Minute
	// keepTime bounds the time for storing a session, because a stopping process waits for that.
	keepTime = time.Second
)

// Sessions stores gateway sessions so that the next process can resume them.
type Sessions interface {
	// Take returns the stored session of a shard, or zero if there is none, and deletes the record, so that no two processes resume the
	// same session. It does not take a session that another process still uses. servers is the last known list of the shard's servers,
	// which Discord sends only to a new session.
	Take(ctx context.Context, shard Shard) (left session.Session, servers []string, err error)
	// Keep stores the session of a shard. A zero session deletes the record.
	Keep(ctx context.Context, shard Shard, s session.Session) error
}

// begin sets the current session; a zero session means none.
func (s *Supervisor) begin(latest session.Session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.session = latest
}

// heard records the sequence number of an event that was passed on.
func (s *Supervisor) heard(sequence int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.session.Sequence = max(s.session.Sequence, sequence)
}

// latest returns the session with the sequence number of the latest event, or zero if there is no session.
func (s *Supervisor) latest() session.Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.session
}

// Resumable returns the session with the sequence number up to which all events are handled. It is zero if there is no session, or if news
// about servers is pending, because Discord would not repeat that news to a resumed session.
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

// takeOver continues the session that the previous process has left, unless that session is too old or was made with another token.
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

// Keep stores the session for the next process. If the session cannot be resumed now, an earlier record stays.
func (s *Supervisor) Keep() {
	if left := s.Resumable(); left.ID != "" {
		s.keep(left)
	}
}

// Told stores the session, unless the connection has ended. The receiver calls it when the servers of READY, or the news after a RESUMED,
// are saved. From then on another process can resume the session if this one is killed.
func (s *Supervisor) Told() {
	if conn := s.conn.Load(); conn != nil && conn.Context().Err() == nil {
		s.Keep()
	}
}

// keep stores the session for the next process, if s.Sessions is set. A zero session deletes the record.
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
