package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"tictactoe/internal/match"
)

const (
	selectName  = `SELECT name FROM players WHERE id = ?1 AND name IS NOT NULL`
	selectQuiet = `SELECT quiet FROM players WHERE id = ?1`

	upsertName = `INSERT INTO players (id, name) VALUES (?1, nullif(?2, ''))
		ON CONFLICT (id) DO UPDATE SET name = excluded.name WHERE name IS NOT excluded.name`

	upsertQuiet = `INSERT INTO players (id, quiet) VALUES (?1, ?2)
		ON CONFLICT (id) DO UPDATE SET quiet = excluded.quiet`
)

// Names are the names of players as last seen; unknown players are absent.
func (s *Store) Names(ctx context.Context, players ...match.User) (map[match.User]string, error) {
	names := make(map[match.User]string, len(players))
	err := s.read(ctx, func(db querier) error {
		for _, p := range players {
			var name string
			switch err := db.QueryRowContext(ctx, selectName, p).Scan(&name); {
			case err == nil:
				names[p] = name
			case !errors.Is(err, sql.ErrNoRows):
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

// TurnMentionsOff tells whether a player has switched turn mentions off.
func (s *Store) TurnMentionsOff(ctx context.Context, p match.User) (quiet bool, err error) {
	err = s.read(ctx, func(db querier) error { return db.QueryRowContext(ctx, selectQuiet, p).Scan(&quiet) })
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return false, fmt.Errorf("player %s: %w", p, err)
	}
	return quiet, nil
}

// SetTurnMentions switches a player's turn mentions off or on.
func (s *Store) SetTurnMentions(ctx context.Context, p match.User, off bool) error {
	return s.carryOut(ctx, fmt.Sprintf("mentions of player %s", p), upsertQuiet, p, off)
}

func saveNames(ctx context.Context, tx *sql.Conn, names []match.Name) error {
	for _, n := range names {
		if _, err := tx.ExecContext(ctx, upsertName, n.Player, n.Name); err != nil {
			return fmt.Errorf("name of player %s: %w", n.Player, err)
		}
	}
	return nil
}
