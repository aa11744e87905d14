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

// SetClosed says whether a player takes no challenges.
func (s *Store) SetClosed(ctx context.Context, p match.User, closed bool) error {
	return s.write(ctx, []lock{ofPlayer(p)}, func(_ context.Context, tx db) error {
		tx.queue(named("challenges to player %s", p), upsertClosed, p, closed)
		return nil
	})
}

// SetBlocked says whom a player blocks, in place of whom he blocked before.
func (s *Store) SetBlocked(ctx context.Context, p match.User, blocked []match.User) error {
	done := named("blocks of player %s", p)
	if len(blocked) > user.MaxBlocked {
		return done.of(0, fmt.Errorf("%d are more than %d", len(blocked), user.MaxBlocked))
	}
	return s.write(ctx, inOrder([]lock{ofPlayer(p), erasing().share()}), func(ctx context.Context, tx db) error {
		before, err := settingsOf(ctx, tx, p)
		if err != nil {
			return done.of(0, err)
		}
		for _, other := range before.Blocked {
			if !slices.Contains(blocked, other) {
				tx.queue(done, deleteBlock, p, other, column.Hash(p, other))
			}
		}
		for _, other := range blocked {
			tx.queue(done, insertBlock, p, other)
		}
		return nil
	})
}
