package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tictactoe/internal/board"
	"tictactoe/internal/match"
)

const (
	selectName  = `SELECT name FROM players WHERE id = $1 AND name IS NOT NULL`
	selectQuiet = `SELECT quiet FROM players WHERE id = $1`

	upsertName = `INSERT INTO players (id, name) VALUES ($1, nullif($2, ''))
		ON CONFLICT (id) DO UPDATE SET name = excluded.name WHERE players.name IS DISTINCT FROM excluded.name`

	upsertQuiet = `INSERT INTO players (id, quiet) VALUES ($1, $2)
		ON CONFLICT (id) DO UPDATE SET quiet = excluded.quiet`
)

// Names are the names of players as last seen; unknown players are absent.
func (s *Store) Names(ctx context.Context, players ...match.Player) (map[match.Player]string, error) {
	names := make(map[match.Player]string, len(players))
	err := s.read(ctx, func(ctx context.Context, q db) error {
		for _, p := range players {
			var name string
			switch err := q.row(ctx, selectName, p).Scan(&name); {
			case err == nil:
				names[p] = name
			case !errors.Is(err, pgx.ErrNoRows):
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("names: %w", err)
	}
	return names, nil
}

// IsQuiet tells whether a player has switched turn mentions off.
func (s *Store) IsQuiet(ctx context.Context, p match.Player) (quiet bool, err error) {
	err = s.read(ctx, func(ctx context.Context, q db) error { return q.row(ctx, selectQuiet, p).Scan(&quiet) })
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return false, fmt.Errorf("player %s: %w", p, err)
	}
	return quiet, nil
}

func saveName(ctx context.Context, tx db, n match.Name) error {
	if _, err := tx.exec(ctx, upsertName, n.Player, n.Name); err != nil {
		return fmt.Errorf("name of player %s: %w", n.Player, err)
	}
	return nil
}

func saveQuiet(ctx context.Context, tx db, q board.Quiet) error {
	if _, err := tx.exec(ctx, upsertQuiet, q.Player, q.Off); err != nil {
		return fmt.Errorf("mentions of player %s: %w", q.Player, err)
	}
	return nil
}
