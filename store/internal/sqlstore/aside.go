package sqlstore

import (
	"context"
	"time"

	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
)

const (
	asideColumns = `board, player, token, message, expires`
	selectAside  = `SELECT ` + asideColumns + ` FROM asides WHERE board = $1 AND player = $2`
	selectAsides = `SELECT ` + asideColumns + ` FROM asides WHERE board ` + oneOf1
	deleteAside  = `DELETE FROM asides WHERE board = $1 AND player = $2 AND token = $3 AND message = $4`
	insertAside  = `INSERT INTO asides (board, player, token, message, expires) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (board, player) DO UPDATE SET token = excluded.token, message = excluded.message, expires = excluded.expires`
	takeAside    = `DELETE FROM asides WHERE board = $1 AND player = $2 RETURNING ` + asideColumns
	deleteAsides = `DELETE FROM asides WHERE expires <= $1`
)

// Aside is the line of a user under a board; [match.ErrNotFound] if there is none.
func (s *Store) Aside(ctx context.Context, id match.ID, u match.User) (board.Aside, error) {
	return readRow(ctx, s.db, asideOf(id), scanAside, selectAside, id, u)
}

// ReplaceAside records a line, and returns the one before. It does not wait for the disk: a line that a power cut takes is one
// that is not deleted.
func (s *Store) ReplaceAside(ctx context.Context, a board.Aside) (before board.Aside, err error) {
	var replaced board.Aside // by the run before this one, whose COMMIT may not have been answered
	return writeResult(ctx, s.db, Kind{Loose: true}, asideOf(a.ID), func(ctx context.Context, tx Tx) (board.Aside, error) {
		before, _, err := optional(scanAside(tx.Row(ctx, takeAside, a.ID, a.User)))
		if before.Token == a.Token && before.Message == a.Message { // that run was committed
			before = replaced
		}
		replaced = before
		if err == nil {
			tx.Queue(asideOf(a.ID), insertAside, a.ID, a.User, a.Token, a.Message, column.Time(a.Expires))
		}
		return before, err
	})
}

// Asides are the lines under these boards.
func (s *Store) Asides(ctx context.Context, ids ...match.ID) ([]board.Aside, error) {
	return readRows(ctx, s.db, Named("private lines"), scanAside, selectAsides, texts(ids))
}

// TakeAside forgets a line; [match.ErrNotFound] if the user has another one, or none.
func (s *Store) TakeAside(ctx context.Context, a board.Aside) error {
	return s.carryOut(ctx, Kind{Loose: true}, asideOf(a.ID).Or(match.ErrNotFound), deleteAside, a.ID, a.User, a.Token, a.Message)
}

// ForgetAsides forgets the lines that have expired by then.
func (s *Store) ForgetAsides(ctx context.Context, by time.Time) error {
	return s.carryOut(ctx, Kind{}, Named("forget private lines"), deleteAsides, column.Time(by))
}

func scanAside(row column.Row) (a board.Aside, err error) {
	err = row.Scan(&a.ID, &a.User, &a.Token, &a.Message, (*column.Time)(&a.Expires))
	return a, err
}

func asideOf(id match.ID) Outcome { return Named("private line under %s", id) }
