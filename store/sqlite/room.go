package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"tictactoe/internal/match"
)

// A computer's seat has no player, so that an empty ?2 finds nobody.
const (
	openMatchesOf1 = `(SELECT count(*) FROM matches WHERE x_player = ?1 AND ended IS NULL)
		+ (SELECT count(*) FROM matches WHERE o_player = ?1 AND ended IS NULL)`
	openMatchesOf2 = `(SELECT count(*) FROM matches WHERE x_player = ?2 AND ended IS NULL)
		+ (SELECT count(*) FROM matches WHERE o_player = ?2 AND ended IS NULL)`
	openMatchesOfBoth = `(SELECT count(*) FROM matches WHERE x_player = ?1 AND o_player = ?2 AND ended IS NULL)
		+ (SELECT count(*) FROM matches WHERE x_player = ?2 AND o_player = ?1 AND ended IS NULL)`
	sentBy1 = `(SELECT count(*) FROM challenges WHERE challenger = ?1 AND status = 'pending' AND deadline > ?3)`

	selectOccupied = `SELECT ` + openMatchesOf1 + `, ` + sentBy1 + `, ` + openMatchesOf2 + `, ` + openMatchesOfBoth

	selectBetween = `SELECT ` + challengeColumns + ` WHERE id IN (
			SELECT id FROM challenges WHERE challenger = ?1 AND challenged = ?2 AND status = 'pending' AND deadline > ?3
			UNION ALL
			SELECT id FROM challenges WHERE challenger = ?2 AND challenged = ?1 AND status = 'pending' AND deadline > ?3)
		ORDER BY created, id LIMIT 1`
)

// makeRoom refuses if there is no room. Since the transaction is the only one that writes, what it counts stays true
// until it ends.
func makeRoom(ctx context.Context, tx *sql.Conn, r match.Quota) error {
	at := r.At.UnixMilli()
	var o match.Usage
	err := tx.QueryRowContext(ctx, selectOccupied, r.By, r.Other, at).Scan(&o.Yours, &o.Sent, &o.Theirs, &o.Pair)
	if err != nil {
		return fmt.Errorf("count what is open: %w", err)
	}
	between, err := list(ctx, tx, scanChallenge, selectBetween, r.By, r.Other, at)
	if err != nil {
		return fmt.Errorf("look for a challenge: %w", err)
	}
	if len(between) > 0 {
		o.Between = &between[0]
	}
	return r.Refuse(o)
}
