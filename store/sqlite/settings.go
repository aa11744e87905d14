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

// SetClosed says whether a player takes no challenges.
func (s *Store) SetClosed(ctx context.Context, p match.User, closed bool) error {
	return s.carryOut(ctx, fmt.Sprintf("challenges to player %s", p), upsertClosed, p, closed)
}

// SetBlocked says whom a player blocks, in place of whom he blocked before.
func (s *Store) SetBlocked(ctx context.Context, p match.User, blocked []match.User) error {
	if len(blocked) > user.MaxBlocked {
		return fmt.Errorf("blocks of player %s: %d are more than %d", p, len(blocked), user.MaxBlocked)
	}
	err := s.write(ctx, func(ctx context.Context, tx *sql.Conn) error {
		before, err := settingsOf(ctx, tx, p)
		for _, other := range before.Blocked {
			if err == nil && !slices.Contains(blocked, other) {
				_, err = tx.ExecContext(ctx, deleteBlock, p, other, column.Hash(p, other))
			}
		}
		for _, other := range blocked {
			if err == nil {
				_, err = tx.ExecContext(ctx, insertBlock, p, other)
			}
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("blocks of player %s: %w", p, err)
	}
	return nil
}

func scanPlayer(row scanner) (p match.User, err error) {
	err = row.Scan(&p)
	return p, err
}
