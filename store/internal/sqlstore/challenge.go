package sqlstore

import (
	"context"
	"fmt"

	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
)

const (
	ofChallenge      = `id, venue, challenger, challenged, rules, first, turn_ms, created, casual, best_of, status, deadline, version`
	challengeColumns = ofChallenge + ` FROM challenges`

	selectChallenge = `SELECT ` + challengeColumns + ` WHERE id = $1`

	selectPendingChallenges = `SELECT ` + challengeColumns + ` WHERE id IN (
			SELECT id FROM challenges WHERE challenger = $1 AND status = 'pending'
			UNION ALL SELECT id FROM challenges WHERE challenged = $1 AND status = 'pending')
		ORDER BY created, id`

	insertChallenge = `INSERT INTO challenges (` + ofChallenge + `)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT DO NOTHING`

	updateChallenge = `UPDATE challenges SET challenged = $3, status = $4, deadline = $5, version = $6` + released + `
		WHERE id = $1 AND version = $2`
)

// Challenge loads one challenge. Errors: [match.ErrNotFound], an [*column.UnreadableError].
func (s *Store) Challenge(ctx context.Context, id match.ID) (match.Challenge, error) {
	return readRow(ctx, s.db, Named("challenge %s", id), column.ScanChallenge, selectChallenge, id)
}

// PendingChallenges returns the pending challenges from or to a player, the oldest first. With an [*column.UnreadableError] it returns
// the readable challenges.
func (s *Store) PendingChallenges(ctx context.Context, p match.User) ([]match.Challenge, error) {
	return readRows(ctx, s.db, Named("pending challenges"), column.ScanChallenge, selectPendingChallenges, p)
}

func createChallenge(tx Tx, c match.Challenge) {
	tx.Queue(Named("create challenge %s", c.ID).Or(match.ErrExists), insertChallenge, column.OfChallenge(c)...)
}

// replaceChallenge writes a new version of a challenge. If the challenge has ended, it also writes the back-off between its two
// players. An open challenge that nobody accepted leads to no back-off.
func (s *Store) replaceChallenge(ctx context.Context, tx Tx, c match.ChallengeChange) error {
	from, to := c.From, c.To
	if to.Version <= from.Version {
		return fmt.Errorf("update challenge %s: version %d does not follow %d", from.ID, to.Version, from.Version)
	}
	tx.Queue(Named("update challenge %s", from.ID).Or(match.ErrConflict),
		updateChallenge, append([]any{from.ID, from.Version}, column.OfChallengeChange(to)...)...)
	if c.At.IsZero() || to.Open() {
		return nil
	}
	return s.saveBackOff(ctx, tx, c)
}
