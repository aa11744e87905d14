package postgres

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"tictactoe/internal/match"
	"tictactoe/store/internal/sqlstore"
)

const (
	see = `SELECT see($1, $2, $3, $4)`

	holdPresence = `SELECT pg_backend_pid() FROM pg_advisory_lock_shared($1)`
	dropPresence = `SELECT pg_advisory_unlock_shared($1)`

	// The beginning of a condition: some session holds a shared lock, as each bot does while it hears the players of a partition.
	somebodyPresent = `EXISTS (SELECT 1 FROM pg_locks
		WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
			AND objsubid = 1 AND granted AND mode = 'ShareLock' AND `
	// pg_locks lists a lock with a single number as the two halves of the number, in two columns. $2 is the server process of this
	// store.
	selectOthersPresent = `SELECT ` + somebodyPresent + `(classid::bigint << 32) | objid::bigint = $1 AND pid <> $2)`
)

// freshness is the greatest age of the recorded presence at which a held lock means that another bot is running. Bots record their
// presence every five seconds, but the session of a crashed machine may last longer.
const freshness = 15 * time.Second

// present returns the key of the lock that is shared by the stores of all bots that hear the players of a partition. It is a session
// lock, and ends with the session: Postgres notices at once that a process was killed.
func present(p match.Partition) int64 {
	return lockOf(lockPresence, fmt.Sprintf("present %d/%d", p.Index, p.Count())).key
}

// presence is the connection that holds the locks, while the store has any.
type presence struct {
	config *pgx.ConnConfig
	mu     sync.Mutex
	conn   *pgx.Conn
	server uint32         // the id of its server process; a pooler reports another id while connecting
	held   map[int64]bool // the locks that this connection or the previous one held
}

// hold takes the lock of a partition, and again the locks that a lost connection held.
func (p *presence) hold(ctx context.Context, part match.Partition) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return patiently(ctx, func(ctx context.Context) (err error) {
		if p.conn != nil && p.conn.Ping(ctx) != nil {
			p.close()
		}
		var missing []int64
		if want := present(part); !p.held[want] {
			missing = append(missing, want)
		}
		if p.conn == nil {
			if p.conn, err = pgx.ConnectConfig(ctx, p.config); err != nil {
				return err
			}
			missing = slices.AppendSeq(missing, maps.Keys(p.held))
		}
		for _, key := range missing {
			if err := p.conn.QueryRow(ctx, holdPresence, key).Scan(&p.server); err != nil {
				p.close()
				return err
			}
			p.held[key] = true
		}
		return nil
	})
}

// pid returns the number of the server process that holds the locks; 0 if the store holds no locks.
func (p *presence) pid() uint32 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conn == nil {
		return 0
	}
	return p.server
}

// drop releases the lock of a partition.
func (p *presence) drop(part match.Partition) {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := present(part)
	if !p.held[key] {
		return
	}
	if delete(p.held, key); len(p.held) == 0 || p.conn == nil {
		p.close()
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), connectTime)
	defer cancel()
	if _, err := p.conn.Exec(ctx, dropPresence, key); err != nil {
		p.close() // the next hold takes the other locks again
	}
}

// release releases all locks.
func (p *presence) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.held)
	p.close()
}

// close ends the connection, which also releases the locks. The caller holds p.mu.
func (p *presence) close() {
	if p.conn != nil {
		unlock(p.conn)
		hangUp(p.conn)
		p.conn = nil
	}
}

// See implements sqlstore.Database.
func (d database) See(_ context.Context, tx sqlstore.Tx, seen match.Seen, back bool) error {
	tx.Queue(sqlstore.Named("record presence"), see, seen.Partition.Index, seen.Partition.Count(), seen.At.UnixMilli(), back)
	return nil
}

// OthersPresent implements sqlstore.Database.
func (d database) OthersPresent(ctx context.Context, tx sqlstore.Tx, p match.Partition, last, now time.Time) (bool, error) {
	if now.Sub(last).Abs() > freshness {
		return false, nil
	}
	return sqlstore.Value[bool](tx.Row(ctx, selectOthersPresent, present(p), d.presence.pid()))
}

// Arrive implements sqlstore.Database.
func (d database) Arrive(ctx context.Context, p match.Partition) error {
	return d.presence.hold(ctx, p)
}
