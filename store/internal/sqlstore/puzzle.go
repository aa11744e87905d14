package sqlstore

import (
	"context"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/store/internal/column"
)

const (
	attemptColumns = `player, day, started, presses, solved FROM puzzle_attempts`

	selectAttempt    = `SELECT ` + attemptColumns + ` WHERE player = $1 AND day = $2`
	selectAttemptsOf = `SELECT * FROM (SELECT ` + attemptColumns + ` WHERE player = $1 ORDER BY day DESC LIMIT $2) AS latest ORDER BY day`
	insertAttempt    = `INSERT INTO puzzle_attempts (player, day, started, presses, solved) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (player, day) DO NOTHING`
	updateAttempt = `UPDATE puzzle_attempts SET presses = $4, solved = $5 WHERE player = $1 AND day = $2 AND presses = $3`
	// The duration $2, in milliseconds, is daily.CountsFor.
	selectSolvedDays = `SELECT day FROM puzzle_attempts WHERE player = $1 AND solved <= started + $2 ORDER BY day`

	selectListed   = `SELECT count(*) FROM puzzle_listed WHERE venue = $1 AND player = $2`
	selectListedOf = `SELECT venue FROM puzzle_listed WHERE player = $1 ORDER BY venue`
	insertListed   = `INSERT INTO puzzle_listed (venue, player) VALUES ($1, $2) ON CONFLICT DO NOTHING`
	deleteListed   = `DELETE FROM puzzle_listed WHERE venue = $1 AND player = $2`
	selectSolvers  = `SELECT player, coalesce((SELECT name FROM players WHERE id = a.player), ''),
			length(presses) - length(replace(presses, '!', '')) + 1 AS try, solved - started AS took, count(*) OVER ()
		FROM puzzle_attempts AS a
		WHERE day = $2 AND solved IS NOT NULL AND player IN (SELECT player FROM puzzle_listed WHERE venue = $1 ORDER BY player LIMIT $4)
			AND NOT EXISTS (SELECT 1 FROM players WHERE id = a.player AND hidden)
			AND NOT EXISTS (SELECT 1 FROM unranked WHERE venue = $1 AND player = a.player)
		ORDER BY try, took, player LIMIT $3`

	deleteAttemptsOf = `DELETE FROM puzzle_attempts WHERE player = $1 AND started < $2`
	deleteListedOf   = `DELETE FROM puzzle_listed WHERE player = $1`
	deleteListedIn   = `DELETE FROM puzzle_listed WHERE venue = $1`
)

// BeginAttempt begins an attempt, and returns it as it is stored.
func (s *Store) BeginAttempt(ctx context.Context, a daily.Attempt, names ...match.Name) (stored daily.Attempt, err error) {
	done := Named("puzzle of %v for player %s", a.Day, a.User)
	return writeResult(ctx, s.db, Kind{}, done, func(ctx context.Context, tx Tx) (daily.Attempt, error) {
		tx.Queue(done, insertAttempt, a.User, a.Day, column.Time(a.Started), a.Presses.String(), column.Time(a.Solved))
		saveNames(tx, names)
		return scanAttempt(tx.Row(ctx, selectAttempt, a.User, a.Day))
	})
}

// Attempt returns the attempt of a user at the puzzle of a day.
func (s *Store) Attempt(ctx context.Context, p match.User, day puzzle.Day) (daily.Attempt, error) {
	return readRow(ctx, s.db, Named("puzzle of %v for player %s", day, p), scanAttempt, selectAttempt, p, day)
}

// SaveAttempt replaces an attempt. The error is [match.ErrConflict] if the stored attempt has other presses than from.
func (s *Store) SaveAttempt(ctx context.Context, from, to daily.Attempt) error {
	done := Named("puzzle of %v for player %s", to.Day, to.User).Or(match.ErrConflict)
	return s.carryOut(ctx, Kind{}, done, updateAttempt, to.User, to.Day, from.Presses.String(), to.Presses.String(), column.Time(to.Solved))
}

// SolvedDays returns the days whose attempts count for the streak of a user, in order.
func (s *Store) SolvedDays(ctx context.Context, p match.User) ([]puzzle.Day, error) {
	return readRows(ctx, s.db, Named("puzzles solved by player %s", p), Value[puzzle.Day], selectSolvedDays, p, daily.CountsFor.Milliseconds())
}

// Listed reports whether a user wants to be listed in a venue.
func (s *Store) Listed(ctx context.Context, v match.Venue, p match.User) (bool, error) {
	n, err := readRow(ctx, s.db, Named("player %s on the list of %s", p, v), Value[int], selectListed, v, p)
	return n > 0, err
}

// SetListed sets whether a user wants to be listed in a venue.
func (s *Store) SetListed(ctx context.Context, v match.Venue, p match.User, on bool, names ...match.Name) error {
	statement := deleteListed
	if on {
		statement = insertListed
	}
	return s.db.Write(ctx, Kind{}, func(_ context.Context, tx Tx) error {
		tx.Queue(Named("player %s on the list of %s", p, v), statement, v, p)
		saveNames(tx, names)
		return nil
	})
}

// Solvers returns the first listed users of a venue who have solved the puzzle of a day, and the number of all such users.
func (s *Store) Solvers(ctx context.Context, v match.Venue, day puzzle.Day, limit int) (first []daily.Solver, of int, err error) {
	scan := func(row column.Row) (r daily.Solver, err error) {
		var took int64
		err = row.Scan(&r.User, &r.Name, &r.Try, &took, &of)
		r.Took = time.Duration(took) * time.Millisecond
		return r, err
	}
	named := Named("who has solved the puzzle of %v in %s", day, v)
	first, err = readRows(ctx, s.db, named, scan, selectSolvers, v, day, limit, daily.MaxListed)
	return first, of, err
}

func scanAttempt(row column.Row) (a daily.Attempt, err error) {
	var presses string
	err = row.Scan(&a.User, &a.Day, (*column.Time)(&a.Started), &presses, (*column.Time)(&a.Solved))
	if err == nil {
		a.Presses, err = daily.ParsePresses(presses)
	}
	return a, err
}
