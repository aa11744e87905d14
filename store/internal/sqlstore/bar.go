package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"tictactoe/internal/arena"
	"tictactoe/internal/match"
	"tictactoe/internal/server/policy"
	"tictactoe/store/internal/column"
)

const (
	// $3 and $4 are the hashes that stand for player $2 in the bars of the venue and of all venues. Of several bars the longest counts.
	selectBar = `SELECT venue, player, until FROM bars WHERE venue IN ('', $1) AND player IN ('', $2, $3, $4) AND (until IS NULL OR until > $5)
		ORDER BY CASE WHEN player = '' THEN 0 ELSE 1 END, CASE WHEN until IS NULL THEN 0 ELSE 1 END, until DESC LIMIT 1`
	selectBarsOf     = `SELECT venue, player, until FROM bars WHERE player = $1 ORDER BY venue`
	selectAllBarsBy1 = `SELECT venue, player, until FROM bars WHERE venue = '' OR player = '' ORDER BY venue, player`

	upsertBar = `INSERT INTO bars (venue, player, until) VALUES ($1, $2, $3) ON CONFLICT (venue, player) DO UPDATE SET until = excluded.until
		WHERE coalesce(bars.until, 0) <> coalesce(excluded.until, 0)`
	deleteBar = `DELETE FROM bars WHERE venue = $1 AND player = $2`
	liftBar   = `DELETE FROM bars WHERE venue = $1 AND player IN ($2, $3)` // $3 is the hash that stands for player $2

	selectBarring  = `SELECT venue FROM bars WHERE player = $1`
	hashBar        = `UPDATE bars SET player = $3 WHERE venue = $1 AND player = $2`
	deleteOverBars = `DELETE FROM bars WHERE until <= $1`
	deleteBarsIn   = `DELETE FROM bars WHERE venue = $1 AND player <> ''`

	// The open arenas that player $1 has entered, and all open arenas of venue $1.
	selectEnteredArenas = `SELECT id FROM arenas WHERE id IN (SELECT arena FROM entrants WHERE player = $1) AND ` + openArena
	selectOpenArenasIn  = `SELECT id FROM arenas WHERE venue = $1 AND ` + openArena
	selectPendingIn     = `SELECT ` + challengeColumns + ` WHERE venue = $1 AND status = 'pending' ORDER BY created, id`

	// The people about whom the moderators of venue $1 have decided: all, or only player $3, whose hash is $4.
	selectPeople = `SELECT player, max(barred), max(until), max(off) FROM (
			SELECT player, 1 AS barred, until, 0 AS off FROM bars WHERE venue = $1 AND player <> '' AND (until IS NULL OR until > $2)
			UNION ALL SELECT player, 0, NULL, 1 FROM unranked WHERE venue = $1 AND why = 'moderator') AS people
		WHERE $3 = '' OR player IN ($3, $4) GROUP BY player ORDER BY player LIMIT $6 OFFSET $5`

	// A player who is not ranked in a venue, for whatever reason, has places there that begin with ~.
	insertUnranked = `INSERT INTO unranked (venue, player, why) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`
	deleteUnranked = `DELETE FROM unranked WHERE venue = $1 AND player = $2 AND why = $3`
	markUnranked   = `UPDATE standings SET place = CASE WHEN EXISTS (SELECT 1 FROM unranked WHERE venue = $1 AND player = $2) THEN '~' ELSE '' END
			|| ltrim(place, '~') WHERE venue = $1 AND player = $2`
	selectUnrankedIn = `SELECT player FROM unranked WHERE venue = $1`
	selectIsUnranked = `SELECT EXISTS (SELECT 1 FROM unranked WHERE venue = $1 AND player = $2)`
	selectUnrankedOf = `SELECT DISTINCT venue FROM unranked WHERE player = $1 ORDER BY venue`
	deleteUnrankedOf = `DELETE FROM unranked WHERE player = $1`
	deleteUnrankedIn = `DELETE FROM unranked WHERE venue = $1`
)

// byModerator is why a moderator's decision leaves a player out of the leaderboards.
const byModerator = "moderator"

func scanBar(row column.Row) (b policy.Bar, err error) {
	err = row.Scan(&b.Venue, &b.Player, (*column.Time)(&b.Until))
	return b, err
}

// Barred returns the bar that keeps a player from playing in a venue, or the zero bar.
func (s *Store) Barred(ctx context.Context, v match.Venue, p match.User, at time.Time) (b policy.Bar, err error) {
	return readSnapshot(ctx, s.db, Named("bars of player %s", p), func(ctx context.Context, tx Tx) (policy.Bar, error) {
		return s.barOf(ctx, tx, v, p, at)
	})
}

func (s *Store) barOf(ctx context.Context, tx Tx, v match.Venue, p match.User, at time.Time) (policy.Bar, error) {
	b, _, err := optional(scanBar(tx.Row(ctx, selectBar, v, p, s.key.Pair(match.User(v), p), s.key.Pair("", p), column.Time(at))))
	if b.Player != "" {
		b.Player = p
	}
	return b, err
}

// HostBars returns the bars that the host of the bot has set.
func (s *Store) HostBars(ctx context.Context) ([]policy.Bar, error) {
	return readRows(ctx, s.db, Named("bars"), scanBar, selectAllBarsBy1)
}

// SetBar sets a bar, and ends what the barred players have begun. It returns the matches, challenges and arenas that have changed.
func (s *Store) SetBar(
	ctx context.Context, b policy.Bar, how policy.Ending, at time.Time, entry policy.AuditEntry, names ...match.Name,
) (ended []match.ID, err error) {
	done, kind := Named("bar in %s", b.Venue), Kind{Locks: []Lock{erasing().Share()}, Long: true}
	if b.Player != "" {
		kind.Locks = append(kind.Locks, ofPlayer(b.Player))
	}
	if b.Venue != "" {
		kind.Locks = append(kind.Locks, ofVenue(b.Venue))
	}
	err = persistently(func() error {
		return s.db.Write(ctx, kind, func(ctx context.Context, tx Tx) (err error) {
			if written, err := hasAuditEntry(ctx, tx, entry); written || err != nil {
				return err
			}
			changed, err := tx.Exec(ctx, upsertBar, b.Venue, b.Player, column.Time(b.Until))
			if err != nil {
				return err
			}
			voided := 0
			if b.Player == "" {
				ended, err = s.closeVenue(ctx, tx, b.Venue, at)
			} else {
				ended, voided, err = s.takeOut(ctx, tx, b, how, at)
			}
			if err == nil && changed == 0 && len(ended) == 0 {
				err = policy.ErrUnchanged
			}
			if err != nil || entry.ID == "" {
				return err
			}
			to := entry
			if how == policy.Cancel {
				to.Chosen = append(slices.Clone(to.Chosen), strconv.Itoa(voided))
			}
			saveAuditEntry(tx, to, names...)
			return nil
		})
	})
	return ended, done.Wrap(err)
}

// takeOut ends what a barred player has begun. It returns the matches, challenges and arenas that have changed, and the number of voided
// matches.
func (s *Store) takeOut(ctx context.Context, tx Tx, b policy.Bar, how policy.Ending, at time.Time) (ended []match.ID, voided int, err error) {
	if ended, voided, err = s.endAll(ctx, tx, b.Player, at, extent{until: math.MaxInt64, venue: b.Venue, how: how}); err != nil {
		return nil, 0, err
	}
	left, err := s.changeArenas(ctx, tx, selectEnteredArenas, b.Player, func(a arena.Arena) (arena.Arena, error) {
		if b.Venue != "" && a.Venue != b.Venue {
			return a, nil
		}
		return a.Leave(b.Player, at)
	})
	return append(ended, left...), voided, err
}

// closeVenue voids the running matches of a venue, withdraws its challenges, calls off its arenas and stops the posts of the puzzle.
func (s *Store) closeVenue(ctx context.Context, tx Tx, v match.Venue, at time.Time) (ended []match.ID, err error) {
	challenges, err := ScanRows(ctx, tx, column.ScanChallenge, selectPendingIn, v)
	if err != nil && !errors.Is(err, match.ErrUnreadable) {
		return nil, err
	}
	for _, c := range challenges {
		if next, is := c.Leave(c.From, at); is {
			if err := s.endChallenge(ctx, tx, match.ChallengeChange{From: c, To: next}, &ended); err != nil {
				return nil, err
			}
		}
	}
	running, err := ScanRows(ctx, tx, column.ScanMatch, selectRunning, v, 0, math.MaxInt32)
	if err != nil && !errors.Is(err, match.ErrUnreadable) {
		return nil, err
	}
	for _, m := range running {
		next, err := m.Void(at)
		if err == nil {
			err = endMatch(ctx, tx, m, next, &ended)
		}
		if err != nil {
			return nil, err
		}
	}
	off, err := s.changeArenas(ctx, tx, selectOpenArenasIn, match.User(v), func(a arena.Arena) (arena.Arena, error) {
		return a.CallOff(arena.ByModerator, at)
	})
	tx.Queue(Named("posts in %s", v), deletePosts, v)
	return append(ended, off...), err
}

// changeArenas applies a step to the arenas that a query finds, and returns the ids of the changed arenas. An arena that refuses the step stays.
func (s *Store) changeArenas(
	ctx context.Context, tx Tx, query string, of match.User, step func(arena.Arena) (arena.Arena, error),
) (changed []match.ID, err error) {
	ids, err := ScanRows(ctx, tx, Value[match.ID], query, of)
	for _, id := range ids {
		a, err := s.loadArena(ctx, tx, id)
		if err != nil {
			return nil, err
		}
		next, err := step(a)
		if err != nil || next.Version == a.Version {
			continue
		}
		if err := saveArena(ctx, tx, arena.Change{From: a, To: next}); err != nil {
			return nil, err
		}
		changed = append(changed, id)
	}
	return changed, err
}

// LiftBar deletes a bar.
func (s *Store) LiftBar(ctx context.Context, b policy.Bar, entry policy.AuditEntry, names ...match.Name) error {
	done := Named("lift a bar in %s", b.Venue)
	return s.rule(ctx, Kind{Locks: []Lock{erasing().Share()}}, entry, names, func(_ context.Context, tx Tx) error {
		tx.Queue(done.Or(policy.ErrUnchanged), liftBar, b.Venue, b.Player, s.key.Pair(match.User(b.Venue), b.Player))
		return nil
	})
}

// SetRanked takes a player off the leaderboards of a venue, or puts the player back. The scores and ratings stay as they are.
func (s *Store) SetRanked(ctx context.Context, v match.Venue, p match.User, ranked bool, entry policy.AuditEntry, names ...match.Name) error {
	done, statement := Named("leaderboards of %s", v), insertUnranked
	if ranked {
		statement = deleteUnranked
	}
	kind := Kind{Locks: []Lock{erasing().Share(), ofScores(v)}, Long: true}
	return s.rule(ctx, kind, entry, names, func(_ context.Context, tx Tx) error {
		tx.Queue(done.Or(policy.ErrUnchanged), statement, v, p, byModerator)
		tx.Queue(done, markUnranked, v, p)
		return nil
	})
}

// People returns the people about whom the moderators of a venue have decided.
func (s *Store) People(ctx context.Context, v match.Venue, only match.User, at time.Time, skip, limit int) ([]policy.Person, error) {
	return readRows(ctx, s.db, Named("people of %s", v), func(row column.Row) (p policy.Person, err error) {
		var barred, off int
		err = row.Scan(&p.Player, &barred, (*column.Time)(&p.Until), &off)
		p.Barred, p.Off = barred > 0, off > 0
		if only != "" {
			p.Player = only
		} else if column.IsHashed(p.Player) {
			p.Player = match.Left
		}
		return p, err
	}, selectPeople, v, column.Time(at), only, s.key.Pair(match.User(v), only), skip, limit)
}

// persistently calls write again while it fails with a conflict, which each change of a player's matches meanwhile causes.
func persistently(write func() error) (err error) {
	for range eraseAttempts {
		if err = write(); !errors.Is(err, match.ErrConflict) {
			return err
		}
	}
	return fmt.Errorf("%w: %w", match.ErrBusy, err)
}
