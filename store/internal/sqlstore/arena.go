package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tictactoe/internal/arena"
	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
)

const (
	ofArena      = `id, venue, channel, thread, message, host, name, rules, turn_ms, lasts_ms, rated, created, begins, ends, status`
	arenaColumns = ofArena + `, coalesce(why, ''), version FROM arenas`

	selectArena        = `SELECT ` + arenaColumns + ` WHERE id = $1`
	selectOpenArena    = `SELECT id FROM arenas WHERE venue = $1 AND channel = $2 AND ` + openArena
	selectPlayedArenas = `SELECT id FROM arenas WHERE id IN (SELECT arena FROM entrants WHERE player = $2)
		AND ($1 = '' OR venue = $1) AND status = 'over' ORDER BY ends DESC, id LIMIT $3`
	selectVenueArenas = `SELECT id FROM arenas WHERE venue = $1 ORDER BY begins DESC, id LIMIT $2`
	selectLastArena   = `SELECT id FROM arenas WHERE venue = $1 AND rules = $2 AND status = 'over' ORDER BY ends DESC, id LIMIT 1`
	selectHosted      = `SELECT ` + arenaColumns + ` WHERE host = $1 ORDER BY created, id`
	selectEntrants    = `SELECT player, joined, since, state FROM entrants WHERE arena = $1 ORDER BY joined, player`
	selectEntered     = `SELECT arena, player, joined, since, state FROM entrants WHERE player = $1 ORDER BY joined, arena`
	selectPairings    = `SELECT id, x_player, o_player, coalesce(outcome, ''), coalesce(cause, ''), created, ended,
			(SELECT count(*) FROM moves WHERE match = matches.id) FROM matches
		WHERE arena = $1 AND x_player IS NOT NULL AND o_player IS NOT NULL ORDER BY created, id`
	selectApart = `SELECT player, blocked FROM blocks WHERE player IN (SELECT player FROM entrants WHERE arena = $1)`

	// An arena is due if it has to begin or end, or has two entrants who may be free. Entrants who are paused because they missed a first
	// move count as ready here.
	selectAllDueArenas = `SELECT id FROM arenas {sqlite:INDEXED BY arenas_open} WHERE ` + openArena + ` AND ` + venueOfPartition + `
		AND (coalesce(ends, begins) <= $3 OR status = 'running' AND 2 <= (
			SELECT count(*) FROM entrants AS e WHERE e.arena = arenas.id AND e.state = 'ready'
			AND NOT EXISTS (SELECT 1 FROM matches AS m WHERE m.arena = e.arena AND m.ended IS NULL AND e.player IN (m.x_player, m.o_player))))
		ORDER BY id`
	selectAllOpenArenas = `SELECT status, begins FROM arenas {sqlite:INDEXED BY arenas_open} WHERE ` + openArena + ` AND ` + venueOfPartition
	openArena           = `status IN ('announced', 'running')` // as the index says it

	insertArena = `INSERT INTO arenas (` + ofArena + `, why, version)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, nullif($16, ''), $17) ON CONFLICT DO NOTHING`
	updateArena = `UPDATE arenas SET thread = $3, message = $4, begins = $5, ends = $6, status = $7, why = nullif($8, ''), version = $9
		WHERE id = $1 AND version = $2`
	upsertEntrant = `INSERT INTO entrants (arena, player, joined, since, state) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (arena, player) DO UPDATE SET since = excluded.since, state = excluded.state`

	moveAllArenaEnds = `UPDATE arenas {sqlite:INDEXED BY arenas_open} SET ends = ends + $4, version = version + 1
		WHERE ` + openArena + ` AND ends > $3 AND ` + venueOfPartition + ` RETURNING id`

	// An arena whose host or entrant is erased gets a new version, so that its message is drawn again and no pair of the entrant is saved.
	arenasOf1 = `SELECT arena FROM entrants WHERE player = $1 AND joined < $2
		UNION SELECT id FROM arenas WHERE host = $1 AND created < $2`
	touchArenasOf      = `UPDATE arenas SET version = version + 1 WHERE id IN (` + arenasOf1 + `)`
	touchArenaBoardsOf = `UPDATE boards SET latest = latest + 1 WHERE id IN (` + arenasOf1 + `)`
	deleteEntrantsOf   = `DELETE FROM entrants WHERE player = $1 AND joined < $2`
	updateArenaHost    = `UPDATE arenas SET host = $2 WHERE host = $1 AND created < $3`

	deleteEntrantsIn      = `DELETE FROM entrants WHERE arena IN (SELECT id FROM arenas WHERE venue = $1)`
	deleteArenasIn        = `DELETE FROM arenas WHERE venue = $1`
	selectAllLostEntrants = `SELECT 'entrant of arena ' || arena FROM entrants WHERE NOT EXISTS (SELECT 1 FROM arenas WHERE id = arena)`
	selectAllLostPairings = `SELECT 'match ' || id FROM matches AS m WHERE arena IS NOT NULL
		AND NOT EXISTS (SELECT 1 FROM arenas WHERE id = m.arena AND venue = m.venue)`
)

// Arena loads an arena with its entrants and pairings. Errors: [match.ErrNotFound], an [*column.UnreadableError].
func (s *Store) Arena(ctx context.Context, id match.ID) (arena.Arena, error) {
	return readSnapshot(ctx, s.db, Named("arena %s", id), func(ctx context.Context, tx Tx) (arena.Arena, error) {
		return s.loadArena(ctx, tx, id)
	})
}

// OpenArena loads the open arena of a channel. Errors: [match.ErrNotFound], an [*column.UnreadableError].
func (s *Store) OpenArena(ctx context.Context, v match.Venue, channel string) (arena.Arena, error) {
	return readSnapshot(ctx, s.db, Named("arena in channel %s", channel), func(ctx context.Context, tx Tx) (arena.Arena, error) {
		id, found, err := optional(Value[match.ID](tx.Row(ctx, selectOpenArena, v, channel)))
		if err == nil && !found {
			err = match.ErrNotFound
		}
		if err != nil {
			return arena.Arena{}, err
		}
		return s.loadArena(ctx, tx, id)
	})
}

// PlayedArenas loads the arenas of a venue, or of all if v is empty, that are over and had the player as an entrant, at most limit of them, the latest first.
func (s *Store) PlayedArenas(ctx context.Context, v match.Venue, p match.User, limit int) ([]arena.Arena, error) {
	return s.loadArenas(ctx, Named("arenas of a player"), selectPlayedArenas, v, p, limit)
}

// VenueArenas loads the arenas of a venue, at most limit of them, the latest first.
func (s *Store) VenueArenas(ctx context.Context, v match.Venue, limit int) ([]arena.Arena, error) {
	return s.loadArenas(ctx, Named("arenas of %s", v), selectVenueArenas, v, limit)
}

func (s *Store) loadArenas(ctx context.Context, done Outcome, query string, args ...any) ([]arena.Arena, error) {
	return readSnapshot(ctx, s.db, done, func(ctx context.Context, tx Tx) (all []arena.Arena, err error) {
		ids, err := ScanRows(ctx, tx, Value[match.ID], query, args...)
		for _, id := range ids {
			a, err := s.loadArena(ctx, tx, id)
			if err != nil {
				return nil, err
			}
			all = append(all, a)
		}
		return all, err
	})
}

func (s *Store) loadArena(ctx context.Context, tx Tx, id match.ID) (arena.Arena, error) {
	a, err := column.ScanArena(tx.Row(ctx, selectArena, id))
	if errors.Is(err, sql.ErrNoRows) {
		err = match.ErrNotFound
	}
	if err != nil {
		return a, err
	}
	scan := func(row column.Row) (arena.Entrant, error) { return column.ScanEntrant(row) }
	if a.Entrants, err = ScanRows(ctx, tx, scan, selectEntrants, id); err != nil {
		return a, err
	}
	if a.Pairings, err = ScanRows(ctx, tx, column.ScanPairing, selectPairings, id); err != nil {
		return a, err
	}
	return a, tx.Each(ctx, func(row column.Row) error {
		var by, blocked match.User
		err := row.Scan(&by, &blocked)
		for _, e := range a.Entrants {
			if e.Player == blocked || column.IsHashed(blocked) && s.key.Pair(by, e.Player) == blocked {
				a.Apart = append(a.Apart, [2]match.User{by, e.Player})
			}
		}
		return err
	}, selectApart, id)
}

// DueArenas returns what a runner of arenas has to look at.
func (s *Store) DueArenas(ctx context.Context, p match.Partition, now time.Time) (arena.Due, error) {
	return readSnapshot(ctx, s.db, Named("arenas due"), func(ctx context.Context, tx Tx) (due arena.Due, err error) {
		err = tx.Each(ctx, func(row column.Row) error {
			var status string
			var begins time.Time
			err := row.Scan(&status, (*column.Time)(&begins))
			switch {
			case status == "running":
				due.Running = true
			case due.Next.IsZero() || begins.Before(due.Next):
				due.Next = begins
			}
			return err
		}, selectAllOpenArenas, p.Index, p.Count())
		if err == nil && (due.Running || !due.Next.IsZero() && !due.Next.After(now)) {
			due.Arenas, err = ScanRows(ctx, tx, Value[match.ID], selectAllDueArenas, p.Index, p.Count(), now.UnixMilli())
		}
		return due, err
	})
}

// saveArena writes an arena and its changed entrants.
func saveArena(ctx context.Context, tx Tx, c arena.Change) error {
	from, to := c.From, c.To
	done := Named("arena %s", to.ID)
	if from.ID == "" {
		open, taken, err := optional(Value[match.ID](tx.Row(ctx, selectOpenArena, to.Venue, to.Channel)))
		if err != nil {
			return done.Wrap(err)
		}
		if taken && open != to.ID {
			return &match.Refusal{Reason: arena.Taken}
		}
		tx.Queue(done.Or(match.ErrExists), insertArena, column.OfArena(to)...)
	} else {
		if to.Version <= from.Version {
			return fmt.Errorf("update arena %s: version %d does not follow %d", to.ID, to.Version, from.Version)
		}
		tx.Queue(done.Or(match.ErrConflict), updateArena, append([]any{from.ID, from.Version}, column.OfArenaChange(to)...)...)
	}
	for _, e := range c.Entrants() {
		tx.Queue(done, upsertEntrant, column.OfEntrant(to.ID, e)...)
	}
	tellBoard(tx, to.ID, to.Version)
	return nil
}

// keepApart returns a refusal if the match is new, belongs to an arena, and one of its players has blocked the other. The transaction has
// locked both players, or is the only transaction that writes.
func (s *Store) keepApart(ctx context.Context, tx Tx, c match.MatchChange) error {
	if !c.Creates() || c.To.Arena == "" {
		return nil
	}
	return s.askConsent(ctx, tx, match.Consent{By: c.To.Seats[0].Player, Other: c.To.Seats[1].Player, At: c.To.Created})
}
