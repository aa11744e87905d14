package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/policy"
	"tictactoe/store/internal/column"
)

const (
	selectPolicy = `SELECT venue, places, coalesce(turn_ms, 0), levels, quiet, version FROM policies WHERE venue = ?1`

	insertPolicy = `INSERT INTO policies (venue, places, turn_ms, levels, quiet, version)
		VALUES (?1, ?3, nullif(?4, 0), ?5, ?6, ?7) ON CONFLICT (venue) DO NOTHING`
	updatePolicy = `UPDATE policies SET places = ?3, turn_ms = nullif(?4, 0), levels = ?5, quiet = ?6, version = ?7
		WHERE venue = ?1 AND version = ?2`

	selectRunning = `SELECT ` + matchColumns + ` WHERE venue = ?1 AND ended IS NULL
		ORDER BY created DESC, id DESC LIMIT ?3 OFFSET ?2`
	selectEndedIn = `SELECT ` + matchColumns + ` WHERE venue = ?1 AND ended IS NOT NULL AND cause NOT IN ('aborted', 'voided')
		ORDER BY ended DESC, id DESC LIMIT ?3 OFFSET ?2`

	auditColumns   = `id, venue, player, at, kind, coalesce(match, ''), chosen FROM deeds`
	selectAuditLog = `SELECT ` + auditColumns + ` WHERE venue = ?1
		ORDER BY n DESC LIMIT ?3 OFFSET ?2`
	insertAuditEntry = `INSERT INTO deeds (id, venue, player, at, kind, match, chosen)
		VALUES (?1, ?2, ?3, ?4, ?5, nullif(?6, ''), ?7) ON CONFLICT (id) DO NOTHING`
	forgetAuditEntries = `DELETE FROM deeds WHERE venue = ?1
		AND n <= (SELECT n FROM deeds WHERE venue = ?1 ORDER BY n DESC LIMIT 1 OFFSET ?2)`
)

// Policy is that of a venue; one that allows everything where nobody has said anything.
func (s *Store) Policy(ctx context.Context, v match.Venue) (p policy.Policy, err error) {
	err = s.read(ctx, func(db querier) error {
		p, err = readPolicy(ctx, db, v)
		return err
	})
	if err != nil {
		return policy.Policy{}, fmt.Errorf("policy of %s: %w", v, err)
	}
	return p, nil
}

// Running are the matches of a venue that go on, the latest first: at most limit, after so many are skipped.
func (s *Store) Running(ctx context.Context, v match.Venue, skip, limit int) ([]match.Match, error) {
	return s.matches(ctx, "running matches", selectRunning, v, skip, limit)
}

// Ended are the ended matches of a venue that were neither aborted nor voided, the last to end first: at most limit,
// after so many are skipped.
func (s *Store) Ended(ctx context.Context, v match.Venue, skip, limit int) ([]match.Match, error) {
	return s.matches(ctx, "ended matches of a venue", selectEndedIn, v, skip, limit)
}

// AuditLog are what was done in a venue, the latest first: at most limit, after so many are skipped.
func (s *Store) AuditLog(ctx context.Context, v match.Venue, skip, limit int) (entries []policy.AuditEntry, err error) {
	err = s.read(ctx, func(db querier) error {
		entries, err = list(ctx, db, scanAuditEntry, selectAuditLog, v, skip, limit)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("deeds in %s: %w", v, err)
	}
	return entries, nil
}

func readPolicy(ctx context.Context, db querier, v match.Venue) (policy.Policy, error) {
	p := policy.Policy{Venue: v}
	var places, levels string
	var turn int64
	err := db.QueryRowContext(ctx, selectPolicy, v).Scan(&p.Venue, &places, &turn, &levels, &p.Quiet, &p.Version)
	if errors.Is(err, sql.ErrNoRows) {
		return p, nil
	}
	p.Places, p.Levels, p.TurnTime = column.ParseList(places), column.ParseList(levels), time.Duration(turn)*time.Millisecond
	return p, err
}

// permit judges by the policy that the transaction sees.
func permit(ctx context.Context, tx *sql.Conn, ask match.Permit) error {
	p, err := readPolicy(ctx, tx, ask.Venue)
	if err != nil {
		return fmt.Errorf("policy of %s: %w", ask.Venue, err)
	}
	return p.Refuse(ask)
}

// SetPolicy replaces a policy, and writes down who did it.
func (s *Store) SetPolicy(ctx context.Context, from, to policy.Policy, entry policy.AuditEntry, names ...match.Name) error {
	return s.moderate(ctx, entry, names, func(ctx context.Context, tx *sql.Conn) error { return setPolicy(ctx, tx, from, to) })
}

// ResetScores lets the leaderboards of a venue begin anew, and writes down who did it.
func (s *Store) ResetScores(ctx context.Context, entry policy.AuditEntry, names ...match.Name) error {
	return s.moderate(ctx, entry, names, func(ctx context.Context, tx *sql.Conn) error {
		return resetScores(ctx, tx, entry.Venue, entry.At)
	})
}

// moderate does something together with its audit entry.
func (s *Store) moderate(ctx context.Context, entry policy.AuditEntry, names []match.Name, do func(context.Context, *sql.Conn) error) error {
	return s.write(ctx, func(ctx context.Context, tx *sql.Conn) error {
		err := do(ctx, tx)
		if err == nil {
			err = saveAuditEntry(ctx, tx, entry)
		}
		if err == nil {
			err = saveNames(ctx, tx, names)
		}
		return err
	})
}

func setPolicy(ctx context.Context, tx *sql.Conn, from, to policy.Policy) error {
	if to.Version <= from.Version {
		return fmt.Errorf("policy of %s: version %d does not follow %d", from.Venue, to.Version, from.Version)
	}
	statement := updatePolicy
	if from.Version == 0 {
		statement = insertPolicy
	}
	n, err := changed(ctx, tx, statement, from.Venue, from.Version, column.List(to.Places), to.TurnTime.Milliseconds(),
		column.List(to.Levels), to.Quiet, to.Version)
	if err == nil && n == 0 {
		err = match.ErrConflict
	}
	if err != nil {
		return fmt.Errorf("policy of %s: %w", from.Venue, err)
	}
	return nil
}

// saveAuditEntry writes an audit entry once, and forgets those that are too many.
func saveAuditEntry(ctx context.Context, tx *sql.Conn, d policy.AuditEntry) error {
	_, err := tx.ExecContext(ctx, insertAuditEntry, d.ID, d.Venue, d.By, instant(d.At), d.Kind, d.Match, column.List(d.Chosen))
	if err == nil {
		_, err = tx.ExecContext(ctx, forgetAuditEntries, d.Venue, policy.Kept)
	}
	if err != nil {
		return fmt.Errorf("deed %s: %w", d.ID, err)
	}
	return nil
}

func scanAuditEntry(row scanner) (d policy.AuditEntry, err error) {
	var at instant
	var chosen string
	err = row.Scan(&d.ID, &d.Venue, &d.By, &at, &d.Kind, &d.Match, &chosen)
	d.At, d.Chosen = at.Time(), column.ParseList(chosen)
	return d, err
}
