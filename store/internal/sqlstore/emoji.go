package sqlstore

import (
	"context"

	"tictactoe/internal/show/emoji"
	"tictactoe/store/internal/column"
)

const (
	selectEmoji = `SELECT id, name, hash FROM emoji WHERE application = $1 ORDER BY id`
	upsertEmoji = `INSERT INTO emoji (application, id, name, hash) VALUES ($1, $2, $3, $4)
		ON CONFLICT (application, id) DO UPDATE SET name = excluded.name, hash = excluded.hash`
	deleteEmoji = `DELETE FROM emoji WHERE application = $1 AND id = $2`
)

// Emoji returns the emoji of an application, by their ids.
func (s *Store) Emoji(ctx context.Context, application string) ([]emoji.Row, error) {
	scan := func(row column.Row) (r emoji.Row, err error) {
		err = row.Scan(&r.ID, &r.Name, &r.Hash)
		return r, err
	}
	return readRows(ctx, s.db, Named("emoji of application %s", application), scan, selectEmoji, application)
}

// KeepEmoji records an emoji of an application, and replaces the row with the same id.
func (s *Store) KeepEmoji(ctx context.Context, application string, r emoji.Row) error {
	return s.carryOut(ctx, Kind{}, Named("keep emoji %s", r.Name), upsertEmoji, application, r.ID, r.Name, r.Hash)
}

// ForgetEmoji deletes the row of an emoji.
func (s *Store) ForgetEmoji(ctx context.Context, application, id string) error {
	return s.carryOut(ctx, Kind{}, Named("forget emoji %s", id), deleteEmoji, application, id)
}
