package sqlstore

import (
	"context"
	"errors"

	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
)

const (
	selectNames = `SELECT id, name FROM players WHERE id IN ` + each1 + ` AND name IS NOT NULL`
	selectQuiet = `SELECT quiet FROM players WHERE id = $1`

	// Most names are what they were. On a conflict Postgres would lock the row all the same, and one player's clicks on several
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
	err := s.db.Read(ctx, func(ctx context.Context, tx Tx) error {
		return tx.Each(ctx, func(r column.Row) error {
			var p match.User
			var name string
			err := r.Scan(&p, &name)
			names[p] = name
			return err
		}, selectNames, texts(players))
	})
	if err != nil {
		return nil, Named("names").Wrap(err)
	}
	return names, nil
}

// TurnMentionsOff tells whether a player has switched turn mentions off.
func (s *Store) TurnMentionsOff(ctx context.Context, p match.User) (off bool, err error) {
	off, err = one(ctx, s.db, Named("player %s", p), Value[bool], selectQuiet, p)
	if errors.Is(err, match.ErrNotFound) {
		return false, nil
	}
	return off, err
}

// SetTurnMentions switches a player's turn mentions off or on.
func (s *Store) SetTurnMentions(ctx context.Context, p match.User, off bool) error {
	return s.carryOut(ctx, Named("mentions of player %s", p), upsertQuiet, p, off)
}

func saveNames(tx Tx, names []match.Name) {
	for _, n := range names {
		tx.Queue(Named("name of player %s", n.Player), upsertName, n.Player, n.Name)
	}
}
