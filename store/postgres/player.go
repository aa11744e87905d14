package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
)

const (
	selectNames = `SELECT id, name FROM players WHERE id = ANY($1::text[]) AND name IS NOT NULL`
	selectQuiet = `SELECT quiet FROM players WHERE id = $1`

	// Most names are what they were. On a conflict the row would be locked all the same, and one player's clicks on several
	// boards would wait for each other's commits.
	upsertName = `INSERT INTO players (id, name) SELECT $1, nullif($2, '')
		WHERE NOT EXISTS (SELECT 1 FROM players WHERE id = $1 AND name IS NOT DISTINCT FROM nullif($2, ''))
		ON CONFLICT (id) DO UPDATE SET name = excluded.name`

	upsertQuiet = `INSERT INTO players (id, quiet) VALUES ($1, $2)
		ON CONFLICT (id) DO UPDATE SET quiet = excluded.quiet`
)

// Names are the names of players as last seen; unknown players are absent.
func (s *Store) Names(ctx context.Context, players ...match.User) (map[match.User]string, error) {
	names := make(map[match.User]string, len(players))
	err := s.read(ctx, func(ctx context.Context, q db) error {
		return q.each(ctx, func(r column.Row) error {
			var p match.User
			var name string
			err := r.Scan(&p, &name)
			names[p] = name
			return err
		}, selectNames, texts(players))
	})
	if err != nil {
		return nil, fmt.Errorf("names: %w", err)
	}
	return names, nil
}

// TurnMentionsOff tells whether a player has switched turn mentions off.
func (s *Store) TurnMentionsOff(ctx context.Context, p match.User) (quiet bool, err error) {
	err = s.read(ctx, func(ctx context.Context, q db) error { return q.row(ctx, selectQuiet, p).Scan(&quiet) })
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return false, fmt.Errorf("player %s: %w", p, err)
	}
	return quiet, nil
}

// SetTurnMentions switches a player's turn mentions off or on.
func (s *Store) SetTurnMentions(ctx context.Context, p match.User, off bool) error {
	return s.carryOut(ctx, named("mentions of player %s", p), upsertQuiet, p, off)
}
