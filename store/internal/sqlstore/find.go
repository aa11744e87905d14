package sqlstore

import (
	"context"

	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
)

// A match and the challenge that led to it have one id. If only one of the two exists, the columns of the other are empty.
const selectFound = `SELECT true, m.*, '', '', '', '', '', '', 0, NULL, false, '', NULL, 0
	FROM (SELECT ` + matchColumns + ` WHERE id = $1) AS m
	UNION ALL
	SELECT false, '', '', '', '', '', '', '', '', 0, NULL, NULL, '', '', '', '', '', '', NULL, '', NULL, 0, '', '', false, '', c.*
	FROM (SELECT ` + challengeColumns + ` WHERE id = $1) AS c WHERE NOT EXISTS (SELECT 1 FROM matches WHERE id = $1)`

// Find returns the match or challenge with the given id. Errors: [match.ErrNotFound], an [*column.UnreadableError].
func (s *Store) Find(ctx context.Context, id match.ID) (match.Found, error) {
	return readRow(ctx, s.db, Named("match or challenge %s", id), column.ScanFound, selectFound, id)
}
