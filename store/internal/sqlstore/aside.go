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

// Aside returns the private line of a user under a board. The error is [match.ErrNotFound] if the user has no line there.
func (s *Store) Aside(ctx context.Context, id match.ID, u match.User) (board.Aside, error) {
	return readRow(ctx, s.db, asideOf(id), scanAside, selectAside, id, u)
}

// ReplaceAside records a private line, and returns the user's previous line under the board.
func (s *Store) ReplaceAside(ctx context.Context, a board.Aside) (before board.Aside, err error) {
	var replaced board.Aside // the line that the previous run of the transaction replaced; that run may have been committed without an answer
	return writeResult(ctx, s.db, Kind{}, asideOf(a.ID), func(ctx context.Context, tx Tx) (board.Aside, error) {
		before, _, err := optional(scanAside(tx.Row(ctx, takeAside, a.ID, a.User)))
		if before.Token == a.Token && before.Message == a.Message { // the previous run was committed
			before = replaced
		}
		replaced = before
		if err == nil {
			tx.Queue(asideOf(a.ID), insertAside, a.ID, a.User, a.Token, a.Message, column.Time(a.Expires))
		}
		return before, err
	})
}

// Asides returns the private lines under the given boards.
func (s *Store) Asides(ctx context.Context, ids ...match.ID) ([]board.Aside, error) {
	return readRows(ctx, s.db, Named("private lines"), scanAside, selectAsides, texts(ids))
}

// TakeAside deletes a private line. The error is [match.ErrNotFound] if the user has no line or another line under the board.
func (s *Store) TakeAside(ctx context.Context, a board.Aside) error {
	return s.carryOut(ctx, Kind{}, asideOf(a.ID).Or(match.ErrNotFound), deleteAside, a.ID, a.User, a.Token, a.Message)
}

// ForgetAsides deletes the private lines that expire no later than the given time.
func (s *Store) ForgetAsides(ctx context.Context, by time.Time) error {
	return s.carryOut(ctx, Kind{}, Named("forget private lines"), deleteAsides, column.Time(by))
}

func scanAside(row column.Row) (a board.Aside, err error) {
	err = row.Scan(&a.ID, &a.User, &a.Token, &a.Message, (*column.Time)(&a.Expires))
	return a, err
}

func asideOf(id match.ID) Outcome { return Named("private line under %s", id) }
