package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
	"tictactoe/store/internal/column"
)

const (
	seasonColumns = `venue, number, coalesce(name, ''), began, ends, ended, coalesce(player, ''), coalesce(channel, ''), language, announced FROM seasons`

	selectSeasons = `SELECT ` + seasonColumns + ` AS s WHERE venue = $1
			AND (ended IS NULL OR NOT EXISTS (SELECT 1 FROM score_resets AS r WHERE r.venue = $1 AND r.at >= s.ended))
		ORDER BY number DESC`
	selectNewestSeason = `SELECT ` + seasonColumns + ` WHERE venue = $1 ORDER BY number DESC LIMIT 1`
	selectSeasonsOf    = `SELECT ` + seasonColumns + ` WHERE player = $1 ORDER BY venue, number`

	insertSeason = `INSERT INTO seasons (venue, number, name, began, ends, player, channel, language)
		VALUES ($1, $2, nullif($3, ''), $4, $5, nullif($6, ''), nullif($7, ''), $8) ON CONFLICT (venue, number) DO NOTHING`
	endSeason    = `UPDATE seasons SET ended = $3 WHERE venue = $1 AND number = $2`
	deleteSeason = `DELETE FROM seasons WHERE venue = $1 AND number = $2`
	// A planned end that has passed would end the season again immediately.
	resumeSeason = `UPDATE seasons SET ended = NULL, announced = NULL, ends = CASE WHEN ends > $3 THEN ends END WHERE venue = $1 AND number = $2`

	selectPlannedEnds = `SELECT ` + seasonColumns + ` WHERE ended IS NULL AND ends <= $1 ORDER BY ends, venue LIMIT $2`
	selectUnannounced = `SELECT ` + seasonColumns + ` WHERE ended IS NOT NULL AND channel IS NOT NULL AND announced IS NULL
			AND NOT EXISTS (SELECT 1 FROM bars AS b WHERE b.venue = seasons.venue AND b.player = '')
		ORDER BY ended, venue LIMIT $1`
	selectAllAnnounced = `SELECT ` + seasonColumns + ` WHERE announced >= $1 ORDER BY announced, venue`
	// $5 is whether an earlier run of the transaction may have been committed without an answer.
	updateAnnounced = `UPDATE seasons SET announced = $4
		WHERE venue = $1 AND number = $2 AND ended = $3 AND (announced IS NULL OR $5 AND announced = $4)`

	deleteSeasonsIn  = `DELETE FROM seasons WHERE venue = $1`
	updateSeasonUser = `UPDATE seasons SET player = $2 WHERE player = $1 AND began < $3`
)

// endAtOnce is how many seasons one call of [Store.EndSeasons] ends.
const endAtOnce = 100

// Seasons returns the seasons of a venue, the newest first.
func (s *Store) Seasons(ctx context.Context, v match.Venue) ([]season.Season, error) {
	return readRows(ctx, s.db, Named("seasons of %s", v), scanSeason, selectSeasons, v)
}

// BeginSeason begins a season, which ends the one before it.
func (s *Store) BeginSeason(ctx context.Context, next season.Season, entry policy.AuditEntry, names ...match.Name) error {
	done := Named("begin season %d of %s", next.Number, next.Venue)
	return done.Wrap(s.rule(ctx, scoresWrite(next.Venue), entry, names, func(ctx context.Context, tx Tx) error {
		newest, err := newestSeason(ctx, tx, next.Venue)
		if err != nil {
			return err
		}
		if next.Number != newest.Number+1 || next.Began.UnixMilli() < newest.Began.UnixMilli() {
			return match.ErrConflict
		}
		return beginSeason(ctx, tx, next)
	}))
}

// UndoSeason deletes the newest season of a venue, and moves its matches to the previous one.
func (s *Store) UndoSeason(ctx context.Context, newest season.Season, entry policy.AuditEntry, names ...match.Name) error {
	done := Named("undo season %d of %s", newest.Number, newest.Venue)
	return done.Wrap(s.rule(ctx, scoresWrite(newest.Venue), entry, names, func(ctx context.Context, tx Tx) error {
		is, err := newestSeason(ctx, tx, newest.Venue)
		if err != nil {
			return err
		}
		if is.Number == 0 || !same(is, newest) {
			return match.ErrConflict
		}
		tx.Queue(done, deleteSeason, newest.Venue, newest.Number)
		tx.Queue(done, resumeSeason, newest.Venue, newest.Number-1, entry.At.UnixMilli())
		return moveBoundary(ctx, tx, newest)
	}))
}

// EndSeasons ends the seasons whose planned end has passed, and begins a season without a name after each.
func (s *Store) EndSeasons(ctx context.Context, now time.Time) (n int, err error) {
	done := Named("end seasons")
	due, err := readRows(ctx, s.db, done, scanSeason, selectPlannedEnds, now.UnixMilli(), endAtOnce)
	for _, over := range due {
		if err != nil {
			break
		}
		ended := 0
		err = s.db.Write(ctx, scoresWrite(over.Venue), func(ctx context.Context, tx Tx) error {
			ended = 0
			newest, err := newestSeason(ctx, tx, over.Venue)
			if err != nil || !same(newest, over) || !newest.Ends.Equal(over.Ends) {
				return err
			}
			ended = 1
			return beginSeason(ctx, tx, season.Season{Venue: over.Venue, Number: over.Number + 1, Began: over.Ends, Channel: over.Channel, Language: over.Language})
		})
		n += ended
	}
	return n, done.Wrap(err)
}

// Unannounced returns ended seasons whose champions have to be posted.
func (s *Store) Unannounced(ctx context.Context, limit int) ([]season.Season, error) {
	return readRows(ctx, s.db, Named("seasons to be announced"), scanSeason, selectUnannounced, limit)
}

// Announce claims the post of the champions of a season.
func (s *Store) Announce(ctx context.Context, over season.Season, at time.Time) error {
	done := Named("announce season %d of %s", over.Number, over.Venue).Or(match.ErrConflict)
	again := false
	return s.db.Write(ctx, Kind{}, func(_ context.Context, tx Tx) error {
		tx.Queue(done, updateAnnounced, over.Venue, over.Number, column.Time(over.Ended), at.UnixMilli(), again)
		again = true
		return nil
	})
}

// Announced returns the seasons whose post was claimed since the given time.
func (s *Store) Announced(ctx context.Context, since time.Time) ([]season.Season, error) {
	return readRows(ctx, s.db, Named("seasons that were announced"), scanSeason, selectAllAnnounced, since.UnixMilli())
}

// scoresWrite returns the kind of a transaction that changes which matches of a venue count, and in which season.
func scoresWrite(v match.Venue) Kind { return Kind{Locks: []Lock{ofScores(v)}, Long: true} }

// beginSeason ends the newest season, if there is one, and begins the next.
func beginSeason(ctx context.Context, tx Tx, next season.Season) error {
	if next.Venue == "" {
		return errors.New("direct messages have no seasons")
	}
	if !next.Ends.IsZero() && !next.Ends.After(next.Began) {
		return fmt.Errorf("the season would end at %v, before it begins", next.Ends)
	}
	done := Named("season %d of %s", next.Number, next.Venue)
	tx.Queue(done, endSeason, next.Venue, next.Number-1, next.Began.UnixMilli())
	tx.Queue(done.Or(match.ErrConflict), insertSeason, next.Venue, next.Number, next.Name, next.Began.UnixMilli(), column.Time(next.Ends), next.By, next.Channel,
		next.Language)
	return moveBoundary(ctx, tx, next)
}

// moveBoundary recounts the matches that ended after the beginning of a season that was added or deleted.
func moveBoundary(ctx context.Context, tx Tx, newest season.Season) error {
	if err := recountSince(ctx, tx, newest.Venue, newest.Began); err != nil {
		return err
	}
	return makeStaleSince(ctx, tx, newest.Venue, newest.Began, selectLaddersSince)
}

// newestSeason returns the season with the highest number, or season 0 if no season is stored.
func newestSeason(ctx context.Context, tx Tx, v match.Venue) (season.Season, error) {
	newest, _, err := optional(scanSeason(tx.Row(ctx, selectNewestSeason, v)))
	newest.Venue = v
	return newest, err
}

// same reports whether a and b are the same season of a venue.
func same(a, b season.Season) bool {
	return a.Number == b.Number && a.Name == b.Name && a.Began.UnixMilli() == b.Began.UnixMilli()
}

func scanSeason(row column.Row) (s season.Season, err error) {
	err = row.Scan(&s.Venue, &s.Number, &s.Name, (*column.Time)(&s.Began), (*column.Time)(&s.Ends), (*column.Time)(&s.Ended),
		&s.By, &s.Channel, &s.Language, (*column.Time)(&s.Announced))
	return s, err
}
