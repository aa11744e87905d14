package bot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"sync"
	"time"

	"tictactoe/internal/replica/session"
)

const (
	// resumableFor is the maximum age of a session that the bot tries to resume. Discord keeps a session for "a few minutes".
	// Trying one that it has dropped costs the pause after an invalid session.
	resumableFor = 3 * time.Minute
	// keepTime bounds the saving of a session, for which a process that stops waits.
	keepTime = time.Second
)

// Sessions keeps gateway sessions from one process to the next.
type Sessions interface {
	// Take returns the session of a shard that another process has left, zero if there is none, and forgets it, so that no
	// two processes resume the same session. It leaves alone a session that another process uses. servers are those last passed
	// to [Hooks.Guilds], because only a new session lists them.
	Take(ctx context.Context, shard Shard) (left session.Session, servers []string, err error)
	// Keep records the session of a shard. After a zero session there is nothing to take.
	Keep(ctx context.Context, shard Shard, s session.Session) error
}

// Session returns the session of a shard as another process could resume it if this one ended now: Discord would send again the
// events that are not handled yet. It is zero while the shard is not connected. A caller that saves it from time to time covers
// the case that the process is killed; in all other cases the bot itself calls [Sessions.Keep].
func (b *Bot) Session(shard int) session.Session {
	if c := b.connectionOf(shard); c != nil && c.ready.isSet() {
		return c.source.resumable()
	}
	return session.Session{}
}

// KeepSessions records the sessions of all shards that this process runs, as [Bot.Session] returns them. If the process is killed then, Discord
// sends none of the events again that are handled now.
func (b *Bot) KeepSessions() {
	b.mu.Lock()
	connections := slices.Collect(maps.Values(b.connections))
	b.mu.Unlock()
	for _, c := range connections {
		if s, ok := c.source.(*supervisor); ok && c.ready.isSet() {
			if left := s.resumable(); left.ID != "" {
				s.keep(left)
			}
		}
	}
}

// current is the session of a supervisor.
type current struct {
	mu     sync.Mutex
	latest session.Session // with the number of the latest event
	safe   int64           // all events up to this number are known to be handled and told
}

// begin sets the current session; a zero session means none. Events up to safe need not be replayed.
func (c *current) begin(latest session.Session, safe int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.latest, c.safe = latest, safe
}

// heard notes that an event came and was passed on to be handled or told.
func (c *current) heard(sequence int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.latest.Sequence = max(c.latest.Sequence, sequence)
}

// get returns the session with the number of the latest event, zero if there is none.
func (c *current) get() session.Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.latest
}

// resumable returns the session up to the last event before which all are handled and told, zero if there is none.
func (s *supervisor) resumable() session.Session {
	s.session.mu.Lock()
	defer s.session.mu.Unlock()
	left := s.session.latest
	handled := s.bot.dispatcher.handledUpTo(s.shard.ID, left.Sequence)
	if !s.guilds.untold() {
		s.session.safe = handled
	}
	left.Sequence = min(s.session.safe, handled)
	if left.ID == "" || left.Sequence < 1 {
		return session.Session{}
	}
	left.Token, left.Saved = s.digest(), s.bot.config.Clock.Now()
	return left
}

// digest returns a hash of the bot's token: it tells tokens apart and reveals none.
func (s *supervisor) digest() string {
	sum := sha256.Sum256([]byte(s.bot.rest.token))
	return hex.EncodeToString(sum[:16])
}

// takeOver takes over the session that the previous process left, if Discord may still have it.
func (s *supervisor) takeOver(ctx context.Context) {
	sessions := s.bot.config.Gateway.Sessions
	if sessions == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, leaseCallTimeout)
	defer cancel()
	left, servers, err := sessions.Take(ctx, s.shard)
	if err != nil {
		s.log.Warn("previous gateway session could not be loaded; starting a new one", "err", err)
		return
	}
	age := s.bot.config.Clock.Now().Round(0).Sub(left.Saved.Round(0))
	if left.ID == "" || left.Token != s.digest() || age > resumableFor {
		return
	}
	s.session.begin(left, left.Sequence)
	s.takenOver = true
	s.guilds.resume(servers)
	s.log.Info("resuming the session of the previous process", "age", age.Round(time.Millisecond).String())
}

// leaveSession keeps the session for the next process if this one stops. If this one goes on, it makes sure that no other process
// takes the session.
func (s *supervisor) leaveSession() {
	var left session.Session
	if s.life.Err() != nil {
		left = s.resumable()
	}
	s.keep(left)
}

// told keeps a session once it can be resumed, which is when the servers that READY lists are noted.
func (s *supervisor) told() {
	if conn := s.conn.Load(); s.kept.Load() || conn == nil || conn.Context().Err() != nil {
		return
	}
	if left := s.resumable(); left.ID != "" {
		s.keep(left)
		s.kept.Store(true)
	}
}

// keep records the session that another process may take, if sessions are kept at all.
func (s *supervisor) keep(left session.Session) {
	sessions := s.bot.config.Gateway.Sessions
	if sessions == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.life), keepTime)
	defer cancel()
	if err := sessions.Keep(ctx, s.shard, left); err != nil {
		s.log.Warn("session not kept; the next process may have to start a new one", "err", err)
	}
}
