package sqlstore

import (
	"context"
	"slices"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/score"
	"tictactoe/store/internal/column"
)

const (
	// The latest version of a board's challenge or match, whichever is later. A board whose stored version differs is wrong.
	versionOfBoard = `(SELECT max(version) FROM (
			SELECT version FROM matches WHERE id = boards.id UNION ALL SELECT version FROM challenges WHERE id = boards.id
			UNION ALL SELECT version FROM arenas WHERE id = boards.id) AS versions)`
	selectAllWrongBoards = `SELECT 'board ' || id FROM boards WHERE latest <> ` + versionOfBoard
	correctAllBoards     = `UPDATE boards SET latest = ` + versionOfBoard + ` WHERE latest <> ` + versionOfBoard
	// The saves of other bots wait: a version must not change after it is read and before it is written to its board.
	lockBoards = `{postgres:LOCK TABLE boards IN SHARE ROW EXCLUSIVE MODE}`

	// The venues that have scores or should have scores.
	selectAllScoredVenues = `SELECT DISTINCT venue FROM matches WHERE outcome IS NOT NULL UNION SELECT DISTINCT venue FROM scores
		UNION SELECT DISTINCT venue FROM standings ORDER BY venue`

	selectAllPlayed   = `SELECT ` + playedColumns + ` AND venue = $1` + playedInOrder
	countAllCounted   = `SELECT (SELECT count(*) FROM matches WHERE ` + counts + `) + (SELECT count(*) ` + ratedMatches + `)`
	selectAllEntries  = entriesIn
	selectAllRecounts = `SELECT player FROM recounts WHERE venue = $1`
)

// scoreRecount holds the differences between the stored scores of a venue, or of a player there, and the scores that follow from the
// matches.
type scoreRecount struct {
	matches   int
	entries   []change[score.Entry]
	standings []change[standing]
}

// recountScores counts the scores of a player at a venue, or of all players if p is empty, from the matches, and compares them with
// the stored scores. If p is empty, it skips players who await a recount. It calls tell after each match.
func recountScores(ctx context.Context, tx Tx, v match.Venue, p match.User, tell func()) (c *scoreRecount, err error) {
	selectMatches, selectEntries, selectStandings, args := selectPlayed, selectEntriesOfPlayer, selectStandingsOf, []any{v, p}
	var due []match.User
	if p == "" {
		selectMatches, selectEntries, selectStandings, args = selectAllPlayed, selectAllEntries, selectAllStandings, []any{v}
		if due, err = ScanRows(ctx, tx, Value[match.User], selectAllRecounts, v); err != nil {
			return nil, err
		}
	}
	counted := func(q match.User) bool {
		return q != "" && q != match.Left && (p == "" || p == q) && !slices.Contains(due, q)
	}
	calendar, err := calendarOf(ctx, tx, v)
	if err != nil {
		return nil, err
	}
	c, should := new(scoreRecount), make(entries)
	if err := tx.Each(ctx, func(row column.Row) error {
		c.matches++
		results, err := scanResults(row)
		for _, r := range results {
			if !counted(r.Player) || score.Adapts(r.Level) {
				continue
			}
			for _, rules := range r.RuleSets() {
				should.entryFor(r, v, calendar.seasons.Number(r.Ended), rules).Add(r)
			}
		}
		tell()
		return err
	}, selectMatches, args...); err != nil {
		return nil, err
	}
	standings := comparison[standingKey, standing]{should: should.standings(), key: standing.keyOf}
	scores := comparison[entryKey, score.Entry]{should: should, key: keyOfEntry}
	if err := scores.read(ctx, tx, scanEntry, selectEntries, args...); err != nil {
		return nil, err
	}
	if err := standings.read(ctx, tx, scanStanding, selectStandings, args...); err != nil {
		return nil, err
	}
	c.entries = slices.DeleteFunc(scores.finish(), func(e change[score.Entry]) bool { return !counted(e.either().Player) })
	c.standings = slices.DeleteFunc(standings.finish(), func(s change[standing]) bool { return !counted(s.either().player) })
	return c, nil
}

// scanResults returns the results of a match for X and for O; the player of a computer's result is empty.
func scanResults(row column.Row) (results [2]score.Result, err error) {
	var r score.Result
	var players [2]match.User
	var outcome, cause string
	var moves int
	err = row.Scan(&players[0], &players[1], &r.Level, &r.Rules, &outcome, &cause, (*column.Time)(&r.Ended), &r.Helped, &moves)
	for i, mark := range []game.Mark{game.X, game.O} {
		r.Player, r.First, r.Called, r.Moves, r.Outcome = players[i], mark == game.X, cause == "moderator", score.OwnMoves(moves, mark), score.Loss
		switch outcome {
		case mark.String():
			r.Outcome = score.Win
		case "draw":
			r.Outcome = score.Draw
		}
		results[i] = r
	}
	return results, err
}

// RebuildBoards corrects the latest version that boards record, so that outdated boards are redrawn, and returns the number of
// corrected boards. The number is 0 unless another program has written to the database, or an old version of this program, which
// did not update boards when players left.
func (s *Store) RebuildBoards(ctx context.Context) (corrected int, err error) {
	done := Named("rebuild the boards")
	return writeResult(ctx, s.db, Kind{Long: true}, done, func(ctx context.Context, tx Tx) (int, error) {
		tx.Queue(done, lockBoards)
		return tx.Exec(ctx, correctAllBoards)
	})
}

// RebuildScores compares all scores and ladders with the ended matches, and corrects the differences. It deletes impossible reviews, so
// that these matches are reviewed again. It returns the number of corrected rows, which is 0 unless a program other than a store has
// written to the database. The saves of other processes wait meanwhile. The progress counts each match when its score is counted, and
// once more when it is rated.
func (s *Store) RebuildScores(ctx context.Context, progress column.Progress) (corrected int, err error) {
	done := Named("rebuild the scores")
	var venues []match.Venue
	var ladders []ladderKey
	var counted int
	err = s.db.Write(ctx, Kind{Long: true}, func(ctx context.Context, tx Tx) error {
		if corrected, err = tx.Exec(ctx, forgetAllWrongVerdicts); err != nil {
			return err
		}
		if venues, err = ScanRows(ctx, tx, Value[match.Venue], selectAllScoredVenues); err != nil {
			return err
		}
		if ladders, err = ScanRows(ctx, tx, scanLadderKey, selectAllLadders); err != nil {
			return err
		}
		counted, err = Value[int](tx.Row(ctx, countAllCounted))
		return err
	})
	told := 0
	tell := func() {
		told = min(told+1, counted) // the transaction may run again, and then reports the same matches again
		progress.Say(told, counted)
	}
	for _, v := range venues {
		if err != nil {
			break
		}
		wrong := 0
		err = s.db.Write(ctx, Kind{Locks: []Lock{ofScores(v)}, Long: true, Bulk: true}, func(ctx context.Context, tx Tx) (err error) {
			wrong, err = rebuildVenue(ctx, tx, v, ladders, tell)
			return err
		})
		corrected += wrong
	}
	return corrected, done.Wrap(err)
}

// rebuildVenue corrects the scores of a venue, and the given ladders of the venue.
func rebuildVenue(ctx context.Context, tx Tx, v match.Venue, ladders []ladderKey, tell func()) (corrected int, err error) {
	for more := true; more; {
		if more, err = recountSome(ctx, tx, v); err != nil {
			return 0, err
		}
	}
	c, err := recountScores(ctx, tx, v, "", tell)
	if err != nil {
		return 0, err
	}
	done := Named("rebuild the scores of %s", v)
	err = scoresTable().correct(ctx, tx, done, c.entries)
	if err == nil {
		err = standingsTable().correct(ctx, tx, done, c.standings)
	}
	if err != nil {
		return 0, err
	}
	corrected = len(c.entries) + len(c.standings)
	for _, l := range ladders {
		if l.venue == v {
			wrong, err := rebuildLadder(ctx, tx, l, tell)
			if err != nil {
				return 0, err
			}
			corrected += wrong
		}
	}
	return corrected, nil
}

// rebuildLadder recounts a ladder and corrects the differences.
func rebuildLadder(ctx context.Context, tx Tx, l ladderKey, tell func()) (corrected int, err error) {
	c, err := recountLadder(ctx, tx, l, tell)
	if err != nil {
		return 0, err
	}
	done := Named("rebuild a ladder of %s", l.venue)
	corrected = len(c.rows) + len(c.standings)
	if len(c.rows) > len(c.all)/2 { // writing all rows takes less time than correcting most of them
		tx.Queue(done, deleteRated, l.venue, l.rules)
		c.rows = missing(c.all)
	}
	err = ratedTable(l).correct(ctx, tx, done, c.rows)
	if err == nil {
		err = standingsTable().correct(ctx, tx, done, c.standings)
	}
	if err != nil {
		return 0, err
	}
	tx.Queue(done, deleteReplay, l.venue, l.rules)
	return corrected, nil
}

// checkScores compares all scores with the matches, and reports the differences.
func checkScores(ctx context.Context, tx Tx, r *column.Report) error {
	venues, err := ScanRows(ctx, tx, Value[match.Venue], selectAllScoredVenues)
	if err != nil {
		return err
	}
	for _, v := range venues {
		c, err := recountScores(ctx, tx, v, "", func() {})
		if err != nil {
			return err
		}
		scoresTable().report(r, c.entries)
		standingsTable().report(r, c.standings)
	}
	return nil
}
