package postgres

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
)

const (
	// ofPartition and its like tell whether a venue or server is in part $1 of $2, as [match.Part.Has] does.
	ofPartition      = `dealt(venue) % $2::bigint = $1::bigint`
	guildOfPartition = `dealt(guild) % $2::bigint = $1::bigint`
	idOfPartition    = `dealt(id) % $2::bigint = $1::bigint`

	selectLastSeen = `SELECT coalesce(
		(SELECT last_seen FROM presence WHERE part = $1 AND parts = $2),
		(SELECT min(last_seen) FROM presence WHERE parts <> $2))`

	see = `SELECT see($1, $2, $3, $4)`

	holdPresence    = `SELECT pg_backend_pid() FROM pg_advisory_lock_shared($1)`
	dropPresence    = `SELECT pg_advisory_unlock_shared($1)`
	dropAllPresence = `SELECT pg_advisory_unlock_all()`

	// Locks by a single number have it in two halves. $2 is the own process on the server.
	selectOthersPresent = `SELECT EXISTS (SELECT 1 FROM pg_locks
		WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
			AND (classid::bigint << 32) | objid::bigint = $1 AND objsubid = 1 AND granted AND mode = 'ShareLock' AND pid <> $2)`
)

// freshness is how old the last sign of anybody may be for a connection that says that a bot is there to be believed. Bots
// write every five seconds; a connection may outlive its machine for longer.
const freshness = 15 * time.Second

// present is the lock that every store shares whose bot hears the players of a partition. It is that of a session, and ends with
// it: Postgres notices at once that a process was killed.
func present(p match.Partition) lock { return lockOf(lockPresence, "present"+ofPartitions(p)).share() }

// judging is held by whoever finds out whether others are there.
func judging(p match.Partition) lock { return lockOf(lockPresence, "judging"+ofPartitions(p)) }

func ofPartitions(p match.Partition) string { return fmt.Sprintf(" %d/%d", p.Index, p.Count()) }

// presence is the connection that holds the locks, while there are any.
type presence struct {
	config *pgx.ConnConfig
	mu     sync.Mutex
	conn   *pgx.Conn
	server uint32        // its process on the server; a pooler tells another number when one connects
	held   map[lock]bool // by the connection, or by the one before
}

// hold sees to it that the lock of a partition is held, and with it those that were held before.
func (p *presence) hold(ctx context.Context, part match.Partition) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return patiently(ctx, func(ctx context.Context) (err error) {
		want := present(part)
		if p.conn != nil {
			if err := p.conn.Ping(ctx); err != nil {
				p.close()
			}
		}
		if p.conn == nil {
			if p.conn, err = pgx.ConnectConfig(ctx, p.config); err != nil {
				p.conn = nil
				return err
			}
			for l := range p.held {
				if err := p.take(ctx, l); err != nil {
					return err
				}
			}
		}
		if p.held[want] {
			return nil
		}
		if err := p.take(ctx, want); err != nil {
			return err
		}
		p.held[want] = true
		return nil
	})
}

// take takes a lock; p.mu is held.
func (p *presence) take(ctx context.Context, l lock) error {
	err := p.conn.QueryRow(ctx, holdPresence, l.key).Scan(&p.server)
	if err != nil {
		p.close()
	}
	return err
}

// pid is the process on the server that holds the locks; 0 if none does.
func (p *presence) pid() uint32 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conn == nil {
		return 0
	}
	return p.server
}

// drop gives the lock of a partition up.
func (p *presence) drop(part match.Partition) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := present(part)
	if !p.held[l] {
		return
	}
	if delete(p.held, l); len(p.held) == 0 || p.conn == nil {
		p.close()
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), connectTime)
	defer cancel()
	if _, err := p.conn.Exec(ctx, dropPresence, l.key); err != nil {
		p.close() // the others are taken again with the next one that is held
	}
}

// release gives all up.
func (p *presence) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.held)
	p.close()
}

// close ends the connection, and so the locks; p.mu is held.
func (p *presence) close() {
	if p.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), connectTime)
	defer cancel()
	_, _ = p.conn.Exec(ctx, dropAllPresence) // the end of the connection does so too, a little later
	_ = p.conn.Close(ctx)
	p.conn = nil
}

// othersPresent tells whether another bot hears the partition, which was seen last.
func (s *Store) othersPresent(ctx context.Context, tx db, p match.Partition, last, now time.Time) (there bool, err error) {
	if now.Sub(last).Abs() > freshness {
		return false, nil
	}
	err = tx.row(ctx, selectOthersPresent, present(p).key, s.presence.pid()).Scan(&there)
	return there, err
}

// LastSeen is the latest time saved by a [match.Seen] of the partition by any bot, zero if there is none. Where the record is of
// another number of parts it is the earliest of theirs.
func (s *Store) LastSeen(ctx context.Context, p match.Partition) (time.Time, error) {
	var seen column.Time
	err := s.read(ctx, func(ctx context.Context, q db) error {
		return q.row(ctx, selectLastSeen, p.Index, p.Count()).Scan(&seen)
	})
	if err != nil {
		return time.Time{}, fmt.Errorf("last seen: %w", err)
	}
	return seen.Time(), nil
}
