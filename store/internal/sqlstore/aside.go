package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"tictactoe/internal/board"
	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
)

const (
	asideColumns = `board, player, token, message, expires`
	selectAside  = `SELECT ` + asideColumns + ` FROM asides WHERE board = $1 AND player = $2`
	insertAside  = `INSERT INTO asides (board, player, token, message, expires) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (board, player) DO UPDATE SET token = excluded.token, message = excluded.message, expires = excluded.expires`
	takeAside    = `DELETE FROM asides WHERE board = $1 AND player = $2 RETURNING ` + asideColumns
	deleteAsides = `DELETE FROM asides WHERE expires <= $1`
)

// Aside is the line of a user under a board; [match.ErrNotFound] if there is none.
func (s *Store) Aside(ctx context.Context, id match.ID, u match.User) (board.Aside, error) {
	return one(ctx, s.db, asideOf(id), scanAside, selectAside, id, u)
}

// ReplaceAside records a line, and returns the one before. It is not waited for the disk: a line that a power cut takes is one
// that is not deleted.
func (s *Store) ReplaceAside(ctx context.Context, a board.Aside) (before board.Aside, err error) {
	err = s.db.Write(ctx, Kind{Loose: true}, func(ctx context.Context, tx Tx) (err error) {
		if before, err = takenAside(ctx, tx, a.ID, a.User); err != nil {
			return err
		}
		tx.Queue(asideOf(a.ID), insertAside, a.ID, a.User, a.Token, a.Message, column.Time(a.Expires))
		return nil
	})
	if err != nil {
		return board.Aside{}, asideOf(a.ID).Wrap(err)
	}
	return before, nil
}

// TakeAsides returns the lines of these users under a board, and forgets them. Most users have none, so that is looked at first.
func (s *Store) TakeAsides(ctx context.Context, id match.ID, users ...match.User) (taken []board.Aside, err error) {
	var there []match.User
	for _, u := range slices.Sorted(slices.Values(users)) { // in one order, so that no two wait for each other
		switch _, err := s.Aside(ctx, id, u); {
		case err == nil:
			there = append(there, u)
		case !errors.Is(err, match.ErrNotFound):
			return nil, err
		}
	}
	if len(there) == 0 {
		return nil, nil
	}
	err = s.db.Write(ctx, Kind{Loose: true}, func(ctx context.Context, tx Tx) error {
		taken = nil
		for _, u := range there {
			switch a, err := takenAside(ctx, tx, id, u); {
			case err != nil:
				return err
			case a != (board.Aside{}):
				taken = append(taken, a)
			}
		}
		return nil
	})
	if err != nil {
		return nil, asideOf(id).Wrap(err)
	}
	return taken, nil
}

// ForgetAsides forgets the lines that have expired by then.
func (s *Store) ForgetAsides(ctx context.Context, by time.Time) error {
	return s.carryOut(ctx, Named("forget private lines"), deleteAsides, column.Time(by))
}

// takenAside is the line of a user under a board, which is forgotten; zero if there is none.
func takenAside(ctx context.Context, tx Tx, id match.ID, u match.User) (board.Aside, error) {
	a, err := scanAside(tx.Row(ctx, takeAside, id, u))
	if errors.Is(err, sql.ErrNoRows) {
		return board.Aside{}, nil
	}
	return a, err
}

func scanAside(row column.Row) (a board.Aside, err error) {
	err = row.Scan(&a.ID, &a.User, &a.Token, &a.Message, (*column.Time)(&a.Expires))
	return a, err
}

func asideOf(id match.ID) Outcome { return Named("private line under %s", id) }
