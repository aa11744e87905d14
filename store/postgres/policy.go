package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"tictactoe/internal/match"
	"tictactoe/internal/policy"
	"tictactoe/store/internal/column"
)

const (
	selectPolicy = `SELECT venue, places, coalesce(turn_ms, 0), levels, quiet, version FROM policies WHERE venue = $1`

	insertPolicy = `INSERT INTO policies (venue, places, turn_ms, levels, quiet, version)
		SELECT $1, $3, nullif($4::bigint, 0), $5, $6, $7 WHERE $2::integer = 0 ON CONFLICT (venue) DO NOTHING`
	updatePolicy = `UPDATE policies SET places = $3, turn_ms = nullif($4::bigint, 0), levels = $5, quiet = $6, version = $7
		WHERE venue = $1 AND version = $2`

	selectRunning = `SELECT ` + matchColumns + ` WHERE venue = $1 AND ended IS NULL
		ORDER BY created DESC, id DESC LIMIT $3 OFFSET $2`
	selectEndedIn = `SELECT ` + matchColumns + ` WHERE venue = $1 AND ended IS NOT NULL AND cause NOT IN ('aborted', 'voided')
		ORDER BY ended DESC, id DESC LIMIT $3 OFFSET $2`

	auditColumns   = `id, venue, player, at, kind, coalesce(match, ''), chosen FROM deeds`
	selectAuditLog = `SELECT ` + auditColumns + ` WHERE venue = $1
		ORDER BY n DESC LIMIT $3 OFFSET $2`
	insertAuditEntry = `INSERT INTO deeds (id, venue, player, at, kind, match, chosen)
		VALUES ($1, $2, $3, $4, $5, nullif($6, ''), $7) ON CONFLICT (id) DO NOTHING`
	forgetAuditEntries = `DELETE FROM deeds WHERE venue = $1
		AND n <= (SELECT n FROM deeds WHERE venue = $1 ORDER BY n DESC LIMIT 1 OFFSET $2)`
)

// Policy is that of a venue; one that allows everything where nobody has said anything.
func (s *Store) Policy(ctx context.Context, v match.Venue) (p policy.Policy, err error) {
	err = s.read(ctx, func(ctx context.Context, q db) error {
		p, err = readPolicy(ctx, q, v)
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
	err = s.read(ctx, func(ctx context.Context, q db) error {
		entries, err = list(ctx, q, scanAuditEntry, selectAuditLog, v, skip, limit)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("deeds in %s: %w", v, err)
	}
	return entries, nil
}

func readPolicy(ctx context.Context, q db, v match.Venue) (policy.Policy, error) {
	p := policy.Policy{Venue: v}
	var places, levels string
	var turn int64
	err := q.row(ctx, selectPolicy, v).Scan(&p.Venue, &places, &turn, &levels, &p.Quiet, &p.Version)
	if errors.Is(err, pgx.ErrNoRows) {
		return p, nil
	}
	p.Places, p.Levels, p.TurnTime = column.ParseList(places), column.ParseList(levels), time.Duration(turn)*time.Millisecond
	return p, err
}

// permit judges by the policy that the transaction sees.
func permit(ctx context.Context, tx db, ask match.Permit) error {
	p, err := readPolicy(ctx, tx, ask.Venue)
	if err != nil {
		return fmt.Errorf("policy of %s: %w", ask.Venue, err)
	}
	return p.Refuse(ask)
}

// SetPolicy replaces a policy, and writes down who did it.
func (s *Store) SetPolicy(ctx context.Context, from, to policy.Policy, entry policy.AuditEntry, names ...match.Name) error {
	return s.write(ctx, []lock{ofVenue(from.Venue)}, func(_ context.Context, tx db) error {
		saveAuditEntry(tx, entry)
		saveNames(tx, names)
		return setPolicy(tx, from, to)
	})
}

// ResetScores lets the leaderboards of a venue begin anew, and writes down who did it. It changes the rows of many.
func (s *Store) ResetScores(ctx context.Context, entry policy.AuditEntry, names ...match.Name) error {
	return s.writeFor(ctx, longTime, []lock{ofScores(entry.Venue)}, func(_ context.Context, tx db) error {
		resetScores(tx, entry.Venue, entry.At)
		saveAuditEntry(tx, entry)
		saveNames(tx, names)
		return nil
	})
}

func setPolicy(tx db, from, to policy.Policy) error {
	if to.Version <= from.Version {
		return fmt.Errorf("policy of %s: version %d does not follow %d", from.Venue, to.Version, from.Version)
	}
	statement := updatePolicy
	if from.Version == 0 {
		statement = insertPolicy
	}
	tx.queue(named("policy of %s", from.Venue).or(match.ErrConflict), statement, from.Venue, from.Version,
		column.List(to.Places), to.TurnTime.Milliseconds(), column.List(to.Levels), to.Quiet, to.Version)
	return nil
}

// saveAuditEntry writes an audit entry once, and forgets those that are too many.
func saveAuditEntry(tx db, d policy.AuditEntry) {
	done := named("deed %s", d.ID)
	tx.queue(done, insertAuditEntry, d.ID, d.Venue, d.By, column.Time(d.At), d.Kind, d.Match, column.List(d.Chosen))
	tx.queue(done, forgetAuditEntries, d.Venue, policy.Kept)
}

func scanAuditEntry(row column.Row) (d policy.AuditEntry, err error) {
	var at column.Time
	var chosen string
	err = row.Scan(&d.ID, &d.Venue, &d.By, &at, &d.Kind, &d.Match, &chosen)
	d.At, d.Chosen = at.Time(), column.ParseList(chosen)
	return d, err
}
