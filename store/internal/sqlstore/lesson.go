package sqlstore

import (
	"context"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/people/user"
	"tictactoe/store/internal/column"
)

const insertLesson = `INSERT INTO lessons (player, lesson, solved) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`

// Lessons returns the lessons of the course that a player has solved, sorted by name.
func (s *Store) Lessons(ctx context.Context, p match.User) ([]user.Lesson, error) {
	return readRows(ctx, s.db, Named("lessons of player %s", p), scanLesson, selectLessonsOf, p)
}

// SolveLesson records that a player has solved a lesson. It does not replace an earlier record.
func (s *Store) SolveLesson(ctx context.Context, p match.User, lesson string, at time.Time) error {
	return s.carryOut(ctx, Kind{}, Named("lesson %s of player %s", lesson, p), insertLesson, p, lesson, column.Time(at))
}

func scanLesson(row column.Row) (l user.Lesson, err error) {
	err = row.Scan(&l.Name, (*column.Time)(&l.Solved))
	return l, err
}
