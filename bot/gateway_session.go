package bot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"

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
	if c := b.connectionOf(shard); c != nil && c.ready.isSet() {
		return c.source.resumable()
	}
	return session.Session{}
}

// current is the session of a supervisor.
type current struct {
	mu     sync.Mutex
	latest session.Session // with the number of the latest event
	safe   int64           // the sequence when all that came before was handled and told, as last looked at
}

// begin is the beginning of a session, which has had events up to a number, or of none. Those up to safe need not come again.
func (c *current) begin(latest session.Session, safe int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.latest, c.safe = latest, safe
}

// heard notes that an event came, and is in the hands of whoever handles or tells it.
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

// resumable is the session without the events that are not handled or told, zero if that leaves nothing.
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

// digest tells tokens apart, and tells nothing of one.
func (s *supervisor) digest() string {
	sum := sha256.Sum256([]byte(s.bot.rest.token))
	return hex.EncodeToString(sum[:16])
}

// takeOver takes over the session that the process before has left, if Discord may still have it.
func (s *supervisor) takeOver(ctx context.Context) {
	sessions := s.bot.config.Gateway.Sessions
	if sessions == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, leaseCallTimeout)
	defer cancel()
	left, servers, err := sessions.Take(ctx, s.shard)
	if err != nil {
		s.log.Warn("session of the process before not found, so a new one is begun", "err", err)
		return
	}
	age := s.bot.config.Clock.Now().Round(0).Sub(left.Saved.Round(0))
	if left.ID == "" || left.Token != s.digest() || age > resumableFor {
		return
	}
	s.session.begin(left, left.Sequence)
	s.takenOver = true
	s.guilds.resume(servers)
	s.log.Info("session of the process before is resumed", "age", age.Round(time.Millisecond).String())
}

// leaveSession keeps the session for the next process when this one stops, and sees to it that none is taken by another while this
// one goes on.
func (s *supervisor) leaveSession() {
	if s.life.Err() != nil {
		s.keep(s.resumable())
	} else {
		s.keep(session.Session{})
	}
}

// told keeps a session as soon as it could be resumed: when the servers that READY lists are noted.
func (s *supervisor) told() {
	if shim := s.shim.Load(); s.kept.Load() || shim == nil || shim.ctx.Err() != nil {
		return
	}
	if left := s.resumable(); left.ID != "" {
		s.keep(left)
		s.kept.Store(true)
	}
}

// keep records what another process may take, if sessions are kept at all.
func (s *supervisor) keep(left session.Session) {
	sessions := s.bot.config.Gateway.Sessions
	if sessions == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.life), keepTime)
	defer cancel()
	if err := sessions.Keep(ctx, s.shard, left); err != nil {
		s.log.Warn("session not kept, the next process may have to begin another one", "err", err)
	}
}
