package sqlstore

import (
	"context"

	"tictactoe/internal/match"
	"tictactoe/internal/people/archive"
	"tictactoe/store/internal/column"
)

const (
	archived = `id, venue, rules, coalesce(x_player, ''), coalesce(x_level, ''), coalesce(o_player, ''), coalesce(o_level, ''),
		coalesce(outcome, ''), cause, ended`

	// The latest matches that the player played as X, the latest as O, and the latest of both lists.
	selectLatestPlayed = `SELECT ` + archived + ` FROM matches WHERE id IN (
			SELECT id FROM (SELECT id FROM matches WHERE x_player = $1 AND ended IS NOT NULL ORDER BY ended DESC, id DESC LIMIT $2) AS x
			UNION ALL
			SELECT id FROM (SELECT id FROM matches WHERE o_player = $1 AND ended IS NOT NULL ORDER BY ended DESC, id DESC LIMIT $2) AS o)
		ORDER BY ended DESC, id DESC LIMIT $2`
)

// Latest returns at most limit ended matches of a player, the latest first. With an [*column.UnreadableError] it returns the readable
// matches.
func (s *Store) Latest(ctx context.Context, p match.User, limit int) ([]archive.Played, error) {
	scan := func(row column.Row) (archive.Played, error) { return column.ScanPlayed(row) }
	return readRows(ctx, s.db, Named("latest matches"), scan, selectLatestPlayed, p, limit)
}
