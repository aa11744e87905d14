package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
)

const challengeColumns = `id, venue, challenger, challenged, rules, first, turn_ms, status, created, deadline, version
	FROM challenges`

const (
	selectChallenge = `SELECT ` + challengeColumns + ` WHERE id = ?1`

	selectPendingChallenges = `SELECT ` + challengeColumns + ` WHERE id IN (
			SELECT id FROM challenges WHERE challenger = ?1 AND status = 'pending'
			UNION ALL SELECT id FROM challenges WHERE challenged = ?1 AND status = 'pending')
		ORDER BY created, id`

	insertChallenge = `INSERT INTO challenges (id, venue, challenger, challenged, rules, first, turn_ms, status, created,
			deadline, version)
		VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT (id) DO NOTHING`

	updateChallenge = `UPDATE challenges SET status = ?3, deadline = ?4, version = ?5 WHERE id = ?1 AND version = ?2`
)

// Challenge loads one challenge. Errors: [match.ErrNotFound], an [*UnreadableError].
func (s *Store) Challenge(ctx context.Context, id match.ID) (c match.Challenge, err error) {
	err = s.read(ctx, func(db querier) error {
		c, err = scanChallenge(db.QueryRowContext(ctx, selectChallenge, id))
		return err
	})
	if errors.Is(err, sql.ErrNoRows) {
		err = match.ErrNotFound
	}
	if err != nil {
		return match.Challenge{}, fmt.Errorf("challenge %s: %w", id, err)
	}
	return c, nil
}

// PendingChallenges are those from or to a player, oldest first; all that can be read beside an [*UnreadableError].
func (s *Store) PendingChallenges(ctx context.Context, p match.User) (all []match.Challenge, err error) {
	err = s.read(ctx, func(db querier) error {
		all, err = list(ctx, db, scanChallenge, selectPendingChallenges, p)
		return err
	})
	if err != nil {
		return all, fmt.Errorf("pending challenges: %w", err)
	}
	return all, nil
}

func scanChallenge(row scanner) (match.Challenge, error) { return column.ScanChallenge(row) }

func createChallenge(ctx context.Context, tx *sql.Conn, c match.Challenge) error {
	n, err := changed(ctx, tx, insertChallenge, column.OfChallenge(c)...)
	if err == nil && n == 0 {
		err = match.ErrExists
	}
	if err != nil {
		return fmt.Errorf("create challenge %s: %w", c.ID, err)
	}
	return nil
}

// replaceChallenge also keeps the back-off of the two if the challenge has ended.
func replaceChallenge(ctx context.Context, tx *sql.Conn, c match.ChallengeChange) error {
	from, to := c.From, c.To
	if to.Version <= from.Version {
		return fmt.Errorf("update challenge %s: version %d does not follow %d", from.ID, to.Version, from.Version)
	}
	n, err := changed(ctx, tx, updateChallenge, append([]any{from.ID, from.Version}, column.OfChallengeChange(to)...)...)
	if err == nil && n == 0 {
		err = match.ErrConflict
	}
	if err != nil {
		return fmt.Errorf("update challenge %s: %w", from.ID, err)
	}
	if c.At.IsZero() {
		return nil
	}
	return saveBackOff(ctx, tx, c)
}
