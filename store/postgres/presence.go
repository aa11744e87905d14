package postgres

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
)

const (
	selectLastSeen = `SELECT last_seen FROM presence`

	// Every click writes here. Whoever finds another at it lets it be: that one is here as well.
	updateLastSeen = `UPDATE presence SET last_seen = $1 WHERE single IN (
		SELECT single FROM presence WHERE last_seen IS NULL OR last_seen < $1 FOR UPDATE SKIP LOCKED)`

	replaceLastSeen = `UPDATE presence SET last_seen = $1`

	holdPresence = `SELECT pg_advisory_lock_shared($1)`
	dropPresence = `SELECT pg_advisory_unlock_shared($1)`

	// Locks by a single number have it in two halves. $2 is the own process on the server.
	selectOthersPresent = `SELECT EXISTS (SELECT 1 FROM pg_locks
		WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
			AND (classid::bigint << 32) | objid::bigint = $1 AND objsubid = 1 AND granted AND mode = 'ShareLock' AND pid <> $2)`
)

// freshness is how old the last sign of anybody may be for a connection that says that a bot is there to be believed. Bots
// write every five seconds; a connection may outlive its machine for longer.
const freshness = 15 * time.Second

// present is the lock that every store shares whose bot hears its players. It is that of a session, and ends with it:
// Postgres notices at once that a process was killed.
func present() lock { return lockOf(lockPresence, "present").share() }

// judging is held by whoever finds out whether others are there.
func judging() lock { return lockOf(lockPresence, "judging") }

// presence is the connection that holds the lock.
type presence struct {
	config *pgx.ConnConfig
	mu     sync.Mutex
	conn   *pgx.Conn
}

// hold sees to it that the lock is held.
func (p *presence) hold(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return patiently(ctx, func(ctx context.Context) (err error) {
		if p.conn != nil {
			if err := p.conn.Ping(ctx); err == nil {
				return nil
			}
			p.close()
		}
		if p.conn, err = pgx.ConnectConfig(ctx, p.config); err != nil {
			p.conn = nil
			return err
		}
		if _, err = p.conn.Exec(ctx, holdPresence, present().key); err != nil {
			p.close()
		}
		return err
	})
}

// pid is the process on the server that holds the lock; 0 if none does.
func (p *presence) pid() uint32 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conn == nil {
		return 0
	}
	return p.conn.PgConn().PID()
}

func (p *presence) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.close()
}

func (p *presence) close() {
	if p.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), connectTime)
	defer cancel()
	_, _ = p.conn.Exec(ctx, dropPresence, present().key) // the end of the connection does so too, a little later
	_ = p.conn.Close(ctx)
	p.conn = nil
}

// appear says that the bot is there, if all that is saved is that it is: clicks do not wait for it.
func (s *Store) appear(ctx context.Context, changes []match.Change) error {
	if seen, only := changes[0].(match.Seen); !only || len(changes) > 1 || seen.Leaving {
		return nil
	}
	return s.presence.hold(ctx)
}

// disappear says that it is not there any more, if that was saved.
func (s *Store) disappear(changes []match.Change) {
	leaves := func(c match.Change) bool { seen, is := c.(match.Seen); return is && seen.Leaving }
	if slices.ContainsFunc(changes, leaves) {
		s.presence.release()
	}
}

// othersPresent tells whether another bot hears the players, at a time by the clock of this one.
func (s *Store) othersPresent(ctx context.Context, tx db, now time.Time) (there bool, err error) {
	var last column.Time
	if err := tx.row(ctx, selectLastSeen).Scan(&last); err != nil {
		return false, err
	}
	if now.Sub(last.Time()).Abs() > freshness {
		return false, nil
	}
	err = tx.row(ctx, selectOthersPresent, present().key, s.presence.pid()).Scan(&there)
	return there, err
}

// LastSeen is the latest time saved by a [match.Seen] of any bot, zero if there is none.
func (s *Store) LastSeen(ctx context.Context) (time.Time, error) {
	var seen column.Time
	err := s.read(ctx, func(ctx context.Context, q db) error { return q.row(ctx, selectLastSeen).Scan(&seen) })
	if err != nil {
		return time.Time{}, fmt.Errorf("last seen: %w", err)
	}
	return seen.Time(), nil
}
