package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"tictactoe/internal/match"
	"tictactoe/internal/user"
	"tictactoe/store/internal/column"
)

const (
	selectSettings = `SELECT quiet, closed FROM players WHERE id = ?1`
	selectBlocked  = `SELECT blocked FROM blocks WHERE player = ?1 ORDER BY blocked`

	upsertClosed = `INSERT INTO players (id, closed) VALUES (?1, ?2)
		ON CONFLICT (id) DO UPDATE SET closed = excluded.closed`

	insertBlock = `INSERT INTO blocks (player, blocked) VALUES (?1, ?2) ON CONFLICT DO NOTHING`
	deleteBlock = `DELETE FROM blocks WHERE player = ?1 AND blocked IN (?2, ?3)`
)

// Settings are what a player has chosen.
func (s *Store) Settings(ctx context.Context, p match.User) (settings user.Settings, err error) {
	err = s.readTogether(ctx, func(db querier) error {
		settings, err = settingsOf(ctx, db, p)
		return err
	})
	if err != nil {
		return user.Settings{}, fmt.Errorf("settings of player %s: %w", p, err)
	}
	return settings, nil
}

func settingsOf(ctx context.Context, db querier, p match.User) (user.Settings, error) {
	var settings user.Settings
	err := db.QueryRowContext(ctx, selectSettings, p).Scan(&settings.MentionsOff, &settings.Closed)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return settings, err
	}
	blocked, err := list(ctx, db, scanPlayer, selectBlocked, p)
	for _, other := range blocked {
		if column.IsHashed(other) {
			settings.Hashed++
		} else {
			settings.Blocked = append(settings.Blocked, other)
		}
	}
	return settings, err
}

func saveClosed(ctx context.Context, tx *sql.Conn, c user.Closed) error {
	if _, err := tx.ExecContext(ctx, upsertClosed, c.Player, c.On); err != nil {
		return fmt.Errorf("challenges to player %s: %w", c.Player, err)
	}
	return nil
}

func saveBlocks(ctx context.Context, tx *sql.Conn, b user.Blocks) error {
	if len(b.Blocked) > user.MaxBlocked {
		return fmt.Errorf("blocks of player %s: %d are more than %d", b.Player, len(b.Blocked), user.MaxBlocked)
	}
	before, err := settingsOf(ctx, tx, b.Player)
	for _, other := range before.Blocked {
		if err == nil && !slices.Contains(b.Blocked, other) {
			_, err = tx.ExecContext(ctx, deleteBlock, b.Player, other, column.Hash(b.Player, other))
		}
	}
	for _, other := range b.Blocked {
		if err == nil {
			_, err = tx.ExecContext(ctx, insertBlock, b.Player, other)
		}
	}
	if err != nil {
		return fmt.Errorf("blocks of player %s: %w", b.Player, err)
	}
	return nil
}

func scanPlayer(row scanner) (p match.User, err error) {
	err = row.Scan(&p)
	return p, err
}
