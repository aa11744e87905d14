package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
)

const (
	// $3 is the hash that stands for player $1 in the rows of player $2.
	selectGiven = `SELECT
		coalesce((SELECT closed FROM players WHERE id = $2), false),
		EXISTS (SELECT 1 FROM blocks WHERE player = $2 AND blocked IN ($1, $3)),
		EXISTS (SELECT 1 FROM blocks WHERE player = $1 AND blocked = $2),
		(SELECT max(until) FROM back_offs WHERE player = $2 AND challenger IN ($1, $3))`

	// The number of matches that the player proposed and did not show up for, and the end of the latest.
	selectNoShows = `SELECT count(*), max(ended) FROM (
		SELECT ended FROM matches WHERE x_player = $1 AND ended > $2 AND cause = 'no show' AND proposer = 'X'
		UNION ALL SELECT ended FROM matches WHERE o_player = $1 AND ended > $2 AND cause = 'no show' AND proposer = 'O') AS missed`

	selectBackOff = `SELECT weight, until FROM back_offs WHERE player = $1 AND challenger IN ($2, $3)
		ORDER BY until DESC LIMIT 1`

	deleteBackOff = `DELETE FROM back_offs WHERE player = $1 AND challenger IN ($2, $3)`

	insertBackOff = `INSERT INTO back_offs (player, challenger, weight, until) VALUES ($1, $2, $3, $4)`
)

// askConsent returns a refusal if the player c.By may not challenge, or propose a rematch to, the player c.Other.
func (s *Store) askConsent(ctx context.Context, tx Tx, c match.Consent) error {
	var g match.Given
	err := tx.Row(ctx, selectGiven, c.By, c.Other, s.key.Pair(c.Other, c.By)).
		Scan(&g.NotTaking, &g.Blocked, &g.Blocking, (*column.Time)(&g.LeftAlone))
	if err != nil {
		return fmt.Errorf("look for consent: %w", err)
	}
	if c.Challenge {
		err := tx.Row(ctx, selectNoShows, c.By, c.At.Add(-match.NoShowMemory).UnixMilli()).
			Scan(&g.NoShows.Count, (*column.Time)(&g.NoShows.Last))
		if err != nil {
			return fmt.Errorf("count no-shows: %w", err)
		}
	}
	return c.Refuse(g)
}

// saveBackOff saves the back-off between the two players of an ended challenge. An accepted challenge ends the back-offs in both
// directions.
func (s *Store) saveBackOff(ctx context.Context, tx Tx, ended match.ChallengeChange) error {
	c, from, to := ended.To, ended.To.From, ended.To.To
	var b match.BackOff
	err := tx.Row(ctx, selectBackOff, to, from, s.key.Pair(to, from)).Scan(&b.Weight, (*column.Time)(&b.Until))
	done := Named("back-off after challenge %s", c.ID)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return done.Wrap(err)
	}
	b = b.After(c.Status, ended.At)
	tx.Queue(done, deleteBackOff, to, from, s.key.Pair(to, from))
	if b.Weight > 0 {
		tx.Queue(done, insertBackOff, to, from, b.Weight, column.Time(b.Until))
	}
	if c.Status == match.Accepted {
		tx.Queue(done, deleteBackOff, from, to, s.key.Pair(from, to))
	}
	return nil
}
