package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"tictactoe/internal/match"
	"tictactoe/internal/user"
	"tictactoe/store/internal/column"
)

const (
	selectSettings = `SELECT quiet, closed FROM players WHERE id = $1`
	selectBlocked  = `SELECT blocked FROM blocks WHERE player = $1 ORDER BY blocked`

	upsertClosed = `INSERT INTO players (id, closed) VALUES ($1, $2)
		ON CONFLICT (id) DO UPDATE SET closed = excluded.closed`

	insertBlock = `INSERT INTO blocks (player, blocked) VALUES ($1, $2) ON CONFLICT DO NOTHING`
	deleteBlock = `DELETE FROM blocks WHERE player = $1 AND blocked IN ($2, $3)`
)

// Settings are what a player has chosen.
func (s *Store) Settings(ctx context.Context, p match.User) (settings user.Settings, err error) {
	err = s.readTogether(ctx, func(ctx context.Context, q db) error {
		settings, err = settingsOf(ctx, q, p)
		return err
	})
	if err != nil {
		return user.Settings{}, fmt.Errorf("settings of player %s: %w", p, err)
	}
	return settings, nil
}

func settingsOf(ctx context.Context, q db, p match.User) (user.Settings, error) {
	var settings user.Settings
	err := q.row(ctx, selectSettings, p).Scan(&settings.MentionsOff, &settings.Closed)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return settings, err
	}
	blocked, err := list(ctx, q, scan[match.User], selectBlocked, p)
	for _, other := range blocked {
		if column.IsHashed(other) {
			settings.Hashed++
		} else {
			settings.Blocked = append(settings.Blocked, other)
		}
	}
	return settings, err
}

func saveBlocks(ctx context.Context, tx db, b user.Blocks) error {
	if len(b.Blocked) > user.MaxBlocked {
		return fmt.Errorf("blocks of player %s: %d are more than %d", b.Player, len(b.Blocked), user.MaxBlocked)
	}
	done := named("blocks of player %s", b.Player)
	before, err := settingsOf(ctx, tx, b.Player)
	if err != nil {
		return done.of(0, err)
	}
	for _, other := range before.Blocked {
		if !slices.Contains(b.Blocked, other) {
			tx.queue(done, deleteBlock, b.Player, other, column.Hash(b.Player, other))
		}
	}
	for _, other := range b.Blocked {
		tx.queue(done, insertBlock, b.Player, other)
	}
	return nil
}
