package sqlstore

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
	selectSettings = `SELECT quiet, closed FROM players WHERE id = $1`
	selectBlocked  = `SELECT blocked FROM blocks WHERE player = $1 ORDER BY blocked`

	upsertClosed = `INSERT INTO players (id, closed) VALUES ($1, $2)
		ON CONFLICT (id) DO UPDATE SET closed = excluded.closed`

	insertBlock = `INSERT INTO blocks (player, blocked) VALUES ($1, $2) ON CONFLICT DO NOTHING`
	deleteBlock = `DELETE FROM blocks WHERE player = $1 AND blocked IN ($2, $3)`
)

// Settings are what a player has chosen.
func (s *Store) Settings(ctx context.Context, p match.User) (settings user.Settings, err error) {
	err = s.db.ReadTogether(ctx, func(ctx context.Context, tx Tx) error {
		settings, err = settingsOf(ctx, tx, p)
		return err
	})
	return settings, Named("settings of player %s", p).Wrap(err)
}

func settingsOf(ctx context.Context, tx Tx, p match.User) (user.Settings, error) {
	var settings user.Settings
	err := tx.Row(ctx, selectSettings, p).Scan(&settings.MentionsOff, &settings.Closed)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return settings, err
	}
	blocked, err := List(ctx, tx, Value[match.User], selectBlocked, p)
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
	return s.db.Write(ctx, Kind{Locks: []Lock{ofPlayer(p)}}, func(_ context.Context, tx Tx) error {
		tx.Queue(Named("challenges to player %s", p), upsertClosed, p, closed)
		return nil
	})
}

// SetBlocked says whom a player blocks, in place of whom he blocked before.
func (s *Store) SetBlocked(ctx context.Context, p match.User, blocked []match.User) error {
	done := Named("blocks of player %s", p)
	if len(blocked) > user.MaxBlocked {
		return done.Wrap(fmt.Errorf("%d are more than %d", len(blocked), user.MaxBlocked))
	}
	return s.db.Write(ctx, Kind{Locks: []Lock{ofPlayer(p), erasing().Share()}}, func(ctx context.Context, tx Tx) error {
		before, err := settingsOf(ctx, tx, p)
		if err != nil {
			return done.Wrap(err)
		}
		for _, other := range before.Blocked {
			if !slices.Contains(blocked, other) {
				tx.Queue(done, deleteBlock, p, other, column.Hash(p, other))
			}
		}
		for _, other := range blocked {
			tx.Queue(done, insertBlock, p, other)
		}
		return nil
	})
}
